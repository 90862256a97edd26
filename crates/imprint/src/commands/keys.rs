//! `imprint keys`: who may come over HTTP, and what they may do.

use std::collections::HashMap;

use imprint_clients::known_client;
use imprint_core::{
    Access, ItemFence, KeyId, KeyMaker, KeyRecord, KeyStanding, Preset, ScopeSet, Timestamp, Token,
    registry::{KeyError, NewKey},
};
use imprint_format::ItemName;
use serde::Serialize;

use crate::{
    cli::{KeyCommand, KeyCreateArgs, KeyListArgs, KeyRenameArgs, KeyRevokeArgs, KeyRotateArgs},
    failure::{Failure, FailureKind},
    output::{Output, count},
    time,
    wiring::App,
};

pub(super) async fn run(app: &App, out: &Output, command: KeyCommand) -> Result<(), Failure> {
    match command {
        KeyCommand::Create(args) => create(app, out, args).await,
        KeyCommand::List(args) => list(app, out, &args).await,
        KeyCommand::Revoke(args) => revoke(app, out, &args).await,
        KeyCommand::Rotate(args) => rotate(app, out, &args).await,
        KeyCommand::Rename(args) => rename(app, out, &args).await,
    }
}

/// A key as scripts read it.
#[derive(Debug, Serialize)]
struct KeyData<'a> {
    id: String,
    name: &'a str,
    /// The key itself: given once, when it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
    shown: String,
    scopes: &'a ScopeSet,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    items: &'a [ItemName],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    tags: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    projects: &'a [ItemName],
    client: Option<&'a str>,
    made_by: KeyMaker,
    standing: KeyStanding,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
    last_used_at: Option<Timestamp>,
    last_client: Option<&'a str>,
    revoked_at: Option<Timestamp>,
    replaces: Option<String>,
}

impl<'a> KeyData<'a> {
    fn of(key: &'a KeyRecord, token: Option<&'a Token>, now: Timestamp) -> Self {
        Self {
            id: key.id.to_string(),
            name: &key.name,
            key: token.map(Token::reveal),
            shown: key.shown(),
            scopes: &key.scopes,
            items: &key.fence.names,
            tags: &key.fence.tags,
            projects: &key.projects,
            client: key.client.as_deref(),
            made_by: key.made_by,
            standing: key.standing(now),
            created_at: key.created_at,
            expires_at: key.expires_at,
            last_used_at: key.last_used_at,
            last_client: key.last_client.as_deref(),
            revoked_at: key.revoked_at,
            replaces: key.replaces.map(|key| key.to_string()),
        }
    }
}

async fn create(app: &App, out: &Output, args: KeyCreateArgs) -> Result<(), Failure> {
    let now = app.registry.clock().now();
    let new = NewKey {
        name: args.name.trim().to_owned(),
        fence: ItemFence {
            names: names(&args.items)?,
            tags: args.tag.clone(),
        },
        projects: names(&args.project)?,
        client: args.client.as_deref().map(client).transpose()?,
        made_by: KeyMaker::User,
        expires_at: args
            .expires
            .as_deref()
            .map(|span| later(now, span))
            .transpose()?,
        scopes: scopes(out, &args)?,
    };
    let owner = Access::new(Preset::Admin.scopes(), ItemFence::default());
    let (key, token) = app.registry.create_key(&owner, new).await?;
    print_made(app, out, &key, &token);
    Ok(())
}

/// As given, asked for, or, where nobody can be asked, the narrowest.
fn scopes(out: &Output, args: &KeyCreateArgs) -> Result<ScopeSet, Failure> {
    if !args.scopes.is_empty() {
        return Ok(args.scopes.iter().copied().collect());
    }
    if let Some(preset) = args.preset {
        return Ok(Preset::from(preset).scopes());
    }
    if !out.can_ask() {
        return Ok(Preset::Read.scopes());
    }
    let presets = Preset::ALL.into_iter().map(Choice).collect();
    let chosen = inquire::Select::new("What may it do?", presets).prompt();
    let chosen = chosen.map_err(|_| Failure::failed("nothing was chosen; no key was made"))?;
    Ok(chosen.0.scopes())
}

/// A preset among others.
struct Choice(Preset);

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.0.as_str(), self.0.about())
    }
}

fn print_made(app: &App, out: &Output, key: &KeyRecord, token: &Token) {
    let now = app.registry.clock().now();
    out.data(&KeyData::of(key, Some(token), now), |out| {
        out.line(token.reveal());
        out.message(&format!(
            "This is the key `{}`. It is shown this once and kept nowhere",
            key.name
        ));
        out.message(&format!("It allows: {}", allowed(key)));
        out.message(
            "A client sends it as `Authorization: Bearer …` to the address of `imprint serve`",
        );
    });
}

async fn list(app: &App, out: &Output, args: &KeyListArgs) -> Result<(), Failure> {
    let now = app.registry.clock().now();
    let mut keys = app.registry.keys().await?;
    let all = keys.len();
    keys.retain(|key| args.all || key.standing(now) == KeyStanding::Live);
    let data: Vec<_> = keys.iter().map(|key| KeyData::of(key, None, now)).collect();
    out.data(&data, |out| {
        if !keys.is_empty() {
            let header = ["NAME", "KEY", "ALLOWS", "MADE", "ENDS", "LAST USED", "BY"];
            out.table(&header, keys.iter().map(|key| row(key, now)));
        }
        match (keys.len(), all - keys.len()) {
            (0, 0) => {
                out.message("There is no key yet; `imprint keys create --name NAME` makes one");
            }
            (_, 0) => {}
            (_, over) => out.message(&format!(
                "{} revoked or expired; `--all` lists them too",
                count(over, "key")
            )),
        }
    });
    Ok(())
}

fn row(key: &KeyRecord, now: Timestamp) -> Vec<String> {
    let ends = match key.standing(now) {
        KeyStanding::Revoked => "revoked".to_owned(),
        KeyStanding::Expired => "expired".to_owned(),
        KeyStanding::Live => key.expires_at.map_or_else(|| "-".to_owned(), time::shown),
    };
    vec![
        key.name.clone(),
        key.shown(),
        allowed(key),
        time::day(key.created_at),
        ends,
        key.last_used_at
            .map_or_else(|| "never".to_owned(), time::shown),
        key.last_client.clone().unwrap_or_default(),
    ]
}

/// What a key allows, in a word where a preset has one, and what it is narrowed to.
fn allowed(key: &KeyRecord) -> String {
    let preset = Preset::ALL
        .into_iter()
        .find(|preset| preset.scopes() == key.scopes);
    let mut allowed = preset.map_or_else(|| key.scopes.to_string(), |it| it.as_str().to_owned());
    let names = key.fence.names.iter().map(ToString::to_string);
    let tags = key.fence.tags.iter().map(|tag| format!("#{tag}"));
    let only: Vec<_> = names.chain(tags).collect();
    if !only.is_empty() {
        allowed += &[", only ", &only.join(", ")].concat();
    }
    if !key.projects.is_empty() {
        let projects: Vec<_> = key.projects.iter().map(ToString::to_string).collect();
        allowed += &[", projects ", &projects.join(", ")].concat();
    }
    allowed
}

async fn revoke(app: &App, out: &Output, args: &KeyRevokeArgs) -> Result<(), Failure> {
    let key = app.registry.find_key(&args.key).await?;
    if key.revoked_at.is_some() {
        out.message(&format!("The key `{}` is revoked already", key.name));
        return Ok(());
    }
    if !args.yes {
        out.needs_someone("`--yes` revokes it without asking")?;
        let question = format!("Revoke the key `{}` ({})?", key.name, key.shown());
        if !out.ask(&question) {
            out.message("Nothing was changed");
            return Ok(());
        }
    }
    app.registry.revoke_key(&key).await?;
    out.message(&format!(
        "Revoked the key `{}`: it opens nothing any more",
        key.name
    ));
    Ok(())
}

async fn rotate(app: &App, out: &Output, args: &KeyRotateArgs) -> Result<(), Failure> {
    let overlap = milliseconds(&args.overlap)?;
    let old = app.registry.find_key(&args.key).await?;
    let (key, token) = app.registry.rotate_key(&old, overlap).await?;
    print_made(app, out, &key, &token);
    let end = Timestamp(key.created_at.0.saturating_add(overlap));
    out.message(&format!(
        "The one before, {}, goes on until {}",
        old.shown(),
        time::shown(end)
    ));
    Ok(())
}

async fn rename(app: &App, out: &Output, args: &KeyRenameArgs) -> Result<(), Failure> {
    let key = app.registry.find_key(&args.key).await?;
    app.registry.rename_key(&key, args.name.trim()).await?;
    out.message(&format!(
        "The key `{}` is called `{}` now",
        key.name,
        args.name.trim()
    ));
    Ok(())
}

pub(super) fn names(texts: &[String]) -> Result<Vec<ItemName>, Failure> {
    texts.iter().map(|text| super::items::name(text)).collect()
}

fn client(id: &str) -> Result<String, Failure> {
    let found = known_client(id).map(|client| client.facts.id.to_owned());
    found.ok_or_else(|| {
        Failure::new(FailureKind::NotFound, format!("there is no client `{id}`"))
            .hint("`imprint clients` lists them")
    })
}

fn later(now: Timestamp, span: &str) -> Result<Timestamp, Failure> {
    Ok(Timestamp(now.0.saturating_add(milliseconds(span)?)))
}

/// The names of all keys that were ever made, for lists that name who came.
pub(super) async fn names_by_id(app: &App) -> Result<HashMap<KeyId, String>, Failure> {
    let keys = app.registry.keys().await?;
    Ok(keys.into_iter().map(|key| (key.id, key.name)).collect())
}

/// A key's name, whatever became of it since.
pub(super) fn name_of(key: KeyId, names: &HashMap<KeyId, String>) -> &str {
    names.get(&key).map_or("(unknown)", String::as_str)
}

/// A length of time as people write it: `90d`, `12h`, `30 days`.
pub(super) fn milliseconds(text: &str) -> Result<i64, Failure> {
    let unreadable = || {
        Failure::usage(format!("`{text}` is no length of time"))
            .hint("write a number and a unit: `90d`, `12h`, `2w`, `1y`")
    };
    let span: jiff::Span = text.parse().map_err(|_| unreadable())?;
    let today = jiff::civil::date(2026, 1, 1);
    let total = span
        .total((jiff::Unit::Millisecond, today))
        .map_err(|_| unreadable())?;
    // More than any sensible key has to live.
    let most = 1e15;
    if !(0.0..most).contains(&total) {
        return Err(unreadable());
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "within the range that was just checked"
    )]
    Ok(total as i64)
}

impl From<KeyError> for Failure {
    fn from(error: KeyError) -> Self {
        let message = error.to_string();
        match error {
            KeyError::Unknown { .. } => Self::new(FailureKind::NotFound, message)
                .hint("`imprint keys list --all` lists them"),
            KeyError::Ambiguous { candidates, .. } => candidates
                .iter()
                .fold(Self::new(FailureKind::NotFound, message), |failure, key| {
                    failure.detail(format!("{} {} {}", key.id, key.shown(), key.name))
                })
                .hint("name it by its id"),
            KeyError::NameTaken { .. } => {
                Self::failed(message).hint("choose another, or `imprint keys rotate` it")
            }
            KeyError::Nothing => Self::failed(message)
                .hint("a key for some items needs `skills:read` or `personas:read`"),
            KeyError::Over { .. } => {
                Self::failed(message).hint("`imprint keys create` makes a new one")
            }
            KeyError::Store(error) => error.into(),
            KeyError::Name | KeyError::Past | KeyError::Beyond => Self::usage(message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_read_as_people_write_them() {
        for (text, days) in [
            ("90d", 90),
            ("2w", 14),
            ("24h", 1),
            ("30 days", 30),
            ("0s", 0),
        ] {
            assert_eq!(milliseconds(text).unwrap(), days * 86_400_000, "{text}");
        }
        for text in ["", "90", "soon", "-1d", "99999999y"] {
            assert!(milliseconds(text).is_err(), "{text}");
        }
    }
}
