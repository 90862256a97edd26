//! `imprint audit`: who did what to what.

use std::{
    collections::{HashMap, VecDeque},
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};

use imprint_core::{Actor, AuditEnd, AuditLink, AuditRow, KeyId, Timestamp, Via, audit};
use serde::Serialize;
use serde_json::value::RawValue;

use super::keys::{milliseconds, name_of, names_by_id};
use crate::{
    cli::AuditArgs,
    failure::Failure,
    output::{Output, count},
    time,
    wiring::App,
};

/// Rows that are read at a time.
const PAGE: u64 = 1_000;

pub(super) async fn run(app: &App, out: &Output, args: AuditArgs) -> Result<(), Failure> {
    if args.verify {
        return verify(app, out).await;
    }
    match &args.export {
        Some(file) => export(app, out, file).await,
        None => list(app, out, &args).await,
    }
}

/// Which rows are shown.
struct Wanted {
    key: Option<KeyId>,
    client: Option<String>,
    item: Option<String>,
    act: Option<String>,
    since: Option<Timestamp>,
}

impl Wanted {
    async fn of(app: &App, args: &AuditArgs) -> Result<Self, Failure> {
        let key = match &args.key {
            Some(key) => Some(app.registry.find_key(key).await?.id),
            None => None,
        };
        let now = app.registry.clock().now();
        let since = args.since.as_deref().map(milliseconds).transpose()?;
        Ok(Self {
            key,
            client: args.client.clone(),
            item: args.item.clone(),
            act: args.act.clone(),
            since: since.map(|ago| Timestamp(now.0.saturating_sub(ago))),
        })
    }

    fn has(&self, row: &AuditRow) -> bool {
        let subject = &row.entry.subject;
        let is_item = |item: &String| {
            subject.name.as_ref() == Some(item) || subject.id.as_ref() == Some(item)
        };
        self.key.is_none_or(|key| row.actor.key == Some(key))
            && (self.client.as_ref()).is_none_or(|client| row.actor.client.as_ref() == Some(client))
            && self.item.as_ref().is_none_or(is_item)
            && (self.act.as_deref()).is_none_or(|wanted| act(row) == wanted)
            && self.since.is_none_or(|since| row.at >= since)
    }
}

async fn list(app: &App, out: &Output, args: &AuditArgs) -> Result<(), Failure> {
    let wanted = Wanted::of(app, args).await?;
    let mut rows: VecDeque<AuditRow> = VecDeque::new();
    each(app, |link| {
        let row = parsed(link)?;
        if wanted.has(&row) {
            rows.push_back(row);
            if rows.len() > args.limit {
                rows.pop_front();
            }
        }
        Ok(())
    })
    .await?;
    let names = names_by_id(app).await?;
    out.data(&rows, |out| {
        if rows.is_empty() {
            out.message("There is nothing of the kind in the audit");
            return;
        }
        let header = ["WHEN", "WHO", "DID", "WHAT", "DETAIL"];
        out.table(&header, rows.iter().map(|row| shown(row, &names)));
    });
    Ok(())
}

fn shown(row: &AuditRow, names: &HashMap<KeyId, String>) -> Vec<String> {
    let subject = &row.entry.subject;
    let name = subject.name.as_deref().or(subject.id.as_deref());
    let revisions = match (row.entry.before, row.entry.after) {
        (Some(before), Some(after)) => format!("{} → {}", before.short(), after.short()),
        (None, Some(after)) => after.short(),
        _ => String::new(),
    };
    let detail = row.entry.detail.clone().unwrap_or_default();
    vec![
        time::shown(row.at),
        who(&row.actor, names),
        act(row),
        format!("{} {}", subject.kind, name.unwrap_or_default())
            .trim_end()
            .to_owned(),
        [revisions, detail].join(" ").trim().to_owned(),
    ]
}

/// `wren with key laptop`, `you`, `wren over stdio`.
fn who(actor: &Actor, names: &HashMap<KeyId, String>) -> String {
    let client = actor.client.as_deref();
    match (actor.key, actor.grant, actor.via) {
        (Some(key), ..) => {
            let name = name_of(key, names);
            format!("{} with key {name}", client.unwrap_or("somebody"))
        }
        (None, Some(_), _) => format!("{} with a grant", client.unwrap_or("somebody")),
        (None, None, Via::Cli) => "you".to_owned(),
        (None, None, Via::Stdio) => format!("{} over pipes", client.unwrap_or("a client")),
        (None, None, Via::Http | Via::Api | Via::Oauth) => "nobody known".to_owned(),
    }
}

fn act(row: &AuditRow) -> String {
    let act = serde_json::to_value(row.entry.act).unwrap_or_default();
    act.as_str().unwrap_or_default().to_owned()
}

fn parsed(link: &AuditLink) -> Result<AuditRow, Failure> {
    serde_json::from_str(&link.row).map_err(|_| {
        Failure::failed("a row of the audit can't be read")
            .hint("`imprint audit --verify` says where the audit does not hold")
    })
}

async fn each(
    app: &App,
    mut take: impl FnMut(&AuditLink) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    let (store, owner) = (app.registry.store(), app.registry.owner());
    let mut seen = 0;
    loop {
        let links = store.audit(owner, seen, PAGE).await?;
        links.iter().try_for_each(&mut take)?;
        seen += links.len() as u64;
        if (links.len() as u64) < PAGE {
            return Ok(seen);
        }
    }
}

/// A line of an export: enough for anybody to check the chain.
#[derive(Serialize)]
struct Line<'a> {
    row: &'a RawValue,
    hash: String,
}

async fn export(app: &App, out: &Output, file: &Path) -> Result<(), Failure> {
    let to_stdout = file == Path::new("-");
    let failed = |error: &io::Error| Failure::io("write the audit", file, error);
    let mut writer: Box<dyn Write> = if to_stdout {
        Box::new(BufWriter::new(io::stdout()))
    } else {
        let file = File::create_new(file).map_err(|error| failed(&error))?;
        Box::new(BufWriter::new(file))
    };
    let rows = each(app, |link| {
        let row = serde_json::from_str(&link.row);
        let line = Line {
            row: row.map_err(|_| Failure::failed("a row of the audit can't be read"))?,
            hash: link.hash.to_string(),
        };
        let written = serde_json::to_writer(&mut writer, &line).map_err(io::Error::from);
        written
            .and_then(|()| writer.write_all(b"\n"))
            .map_err(|error| failed(&error))
    });
    let rows = rows.await?;
    writer.flush().map_err(|error| failed(&error))?;
    if !to_stdout {
        let rows = count(usize::try_from(rows).unwrap_or(usize::MAX), "row");
        out.message(&format!("Wrote {rows} of the audit"));
    }
    Ok(())
}

#[derive(Serialize)]
struct Verified {
    holds: bool,
    rows: u64,
}

async fn verify(app: &App, out: &Output) -> Result<(), Failure> {
    let mut end = AuditEnd::NOTHING;
    let rows = each(app, |link| {
        end = audit::verify(end, std::slice::from_ref(link)).map_err(|gap| {
            Failure::failed(gap.to_string())
                .hint("everything before that row holds; compare it with an earlier export")
        })?;
        Ok(())
    });
    let rows = rows.await?;
    out.data(&Verified { holds: true, rows }, |out| {
        let rows = count(usize::try_from(rows).unwrap_or(usize::MAX), "row");
        out.line(&format!(
            "The audit holds: {rows}, none missing, none changed"
        ));
    });
    Ok(())
}
