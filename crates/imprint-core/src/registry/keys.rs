//! Keys: making, finding, renaming, rotating and taking back.

use std::collections::BTreeMap;

use imprint_format::{ItemName, text};

use crate::{
    Access, AuditEntry, ItemFence, KEY_NAME_CHARS, KeyId, KeyMaker, KeyRecord, KeyStanding,
    LocalChange, Registry, ScopeSet, StoreError, Timestamp, Token, TokenKind,
    registry::store_error,
    secret::{self, masked_in},
};

/// How much of an unknown reference is repeated, in characters.
const SHOWN_CHARS: usize = 60;

/// A key that is to be made.
#[derive(Clone, Debug)]
pub struct NewKey {
    /// One line of at most [`KEY_NAME_CHARS`] characters, unique among live keys.
    pub name: String,
    /// What it allows; not empty.
    pub scopes: ScopeSet,
    /// Which items it is narrowed to.
    pub fence: ItemFence,
    /// The projects whose records it may see; empty: all.
    pub projects: Vec<ItemName>,
    /// The client, as an id of the table, that it is for.
    pub client: Option<String>,
    /// Who makes it.
    pub made_by: KeyMaker,
    /// From when on it is worth nothing.
    pub expires_at: Option<Timestamp>,
}

/// Why a key was not made or changed.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The name can't be kept.
    #[error(
        "a key's name is one line of 1 to {KEY_NAME_CHARS} characters, without a credential in it"
    )]
    Name,
    /// Another live key has the name.
    #[error("there is already a key called `{name}`")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// It would allow nothing.
    #[error("the key would allow nothing: it has no scope that its fence leaves")]
    Nothing,
    /// Its end is not ahead.
    #[error("the key's end lies in the past")]
    Past,
    /// Nobody hands out more than they have.
    #[error("a key can't hand out what it may not do itself")]
    Beyond,
    /// No key is meant.
    #[error("there is no key `{reference}`")]
    Unknown {
        /// What was asked for, made visible and cut.
        reference: String,
    },
    /// More than one key is meant.
    #[error("`{reference}` names {} keys", candidates.len())]
    Ambiguous {
        /// What was asked for.
        reference: String,
        /// The keys.
        candidates: Vec<KeyRecord>,
    },
    /// It is worth nothing any more.
    #[error("the key `{name}` is {}", match standing { KeyStanding::Revoked => "revoked", _ => "expired" })]
    Over {
        /// Its name.
        name: String,
        /// Why.
        standing: KeyStanding,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Registry {
    /// Makes a key. `giver` is what the one who makes it may do: the key may do no more. The key
    /// itself is given back this once and kept nowhere.
    pub async fn create_key(
        &self,
        giver: &Access,
        new: NewKey,
    ) -> Result<(KeyRecord, Token), KeyError> {
        let token = Token::mint(TokenKind::Key, self.clock.entropy());
        let record = self.record_of(new, &token);
        let access = record.access();
        if access.scopes().is_empty() {
            return Err(KeyError::Nothing);
        }
        if !giver.covers(&access) {
            return Err(KeyError::Beyond);
        }
        if record
            .expires_at
            .is_some_and(|end| end <= record.created_at)
        {
            return Err(KeyError::Past);
        }
        self.check_key_name(&record.name, None).await?;
        let made = LocalChange::KeyMade(Box::new(record.clone()));
        self.commit_keys(vec![made]).await?;
        Ok((record, token))
    }

    /// All keys that were ever made, oldest first.
    pub async fn keys(&self) -> Result<Vec<KeyRecord>, StoreError> {
        self.store.keys(self.owner).await
    }

    /// The key that a person means: by name, id, or the beginning that lists show. Of keys with
    /// the name, a live one goes before the others, and the newest before those that it replaced.
    pub async fn find_key(&self, reference: &str) -> Result<KeyRecord, KeyError> {
        let now = self.clock.now();
        let id: Option<KeyId> = reference.parse().ok();
        let mut found: Vec<_> = self.keys().await?;
        found.retain(|key| {
            Some(key.id) == id
                || key.name == reference
                || key.start == reference.trim_end_matches('…')
        });
        if found
            .iter()
            .any(|key| key.standing(now) == KeyStanding::Live)
        {
            found.retain(|key| key.standing(now) == KeyStanding::Live);
        }
        let replaced: Vec<_> = found.iter().filter_map(|key| key.replaces).collect();
        found.retain(|key| !replaced.contains(&key.id));
        let reference = text::clip(&text::one_line(&masked_in(reference)), SHOWN_CHARS);
        match found.len() {
            0 => Err(KeyError::Unknown { reference }),
            1 => Ok(found.remove(0)),
            _ => Err(KeyError::Ambiguous {
                reference,
                candidates: found,
            }),
        }
    }

    /// Gives a key another name.
    pub async fn rename_key(&self, key: &KeyRecord, name: &str) -> Result<(), KeyError> {
        self.check_key_name(name, Some(key.id)).await?;
        let renamed = LocalChange::KeyRenamed {
            key: key.id,
            name: name.to_owned(),
        };
        Ok(self.commit_keys(vec![renamed]).await?)
    }

    /// Takes a key back: at once, everywhere, also for streams that are open.
    pub async fn revoke_key(&self, key: &KeyRecord) -> Result<(), KeyError> {
        let revoked = LocalChange::KeyRevoked {
            key: key.id,
            at: self.clock.now(),
        };
        Ok(self.commit_keys(vec![revoked]).await?)
    }

    /// Makes a successor that allows the same and has as long to live, and ends this one after
    /// `overlap` milliseconds.
    pub async fn rotate_key(
        &self,
        key: &KeyRecord,
        overlap: i64,
    ) -> Result<(KeyRecord, Token), KeyError> {
        let now = self.clock.now();
        if key.standing(now) != KeyStanding::Live {
            return Err(KeyError::Over {
                name: key.name.clone(),
                standing: key.standing(now),
            });
        }
        let token = Token::mint(TokenKind::Key, self.clock.entropy());
        let lifetime = key.expires_at.map(|end| end.0 - key.created_at.0);
        let successor = KeyRecord {
            id: KeyId(self.clock.new_uuid()),
            digest: token.digest(),
            start: token.start().to_owned(),
            end: token.end().to_owned(),
            created_at: now,
            expires_at: lifetime.map(|lifetime| Timestamp(now.0.saturating_add(lifetime))),
            last_used_at: None,
            last_client: None,
            replaces: Some(key.id),
            ..key.clone()
        };
        let ends = LocalChange::KeyEnds {
            key: key.id,
            at: Timestamp(now.0.saturating_add(overlap.max(0))),
        };
        let made = LocalChange::KeyMade(Box::new(successor.clone()));
        self.commit_keys(vec![made, ends]).await?;
        Ok((successor, token))
    }

    fn record_of(&self, new: NewKey, token: &Token) -> KeyRecord {
        KeyRecord {
            id: KeyId(self.clock.new_uuid()),
            name: new.name,
            digest: token.digest(),
            start: token.start().to_owned(),
            end: token.end().to_owned(),
            scopes: new.scopes,
            fence: new.fence,
            projects: new.projects,
            client: new.client,
            made_by: new.made_by,
            created_at: self.clock.now(),
            expires_at: new.expires_at,
            last_used_at: None,
            last_client: None,
            revoked_at: None,
            replaces: None,
        }
    }

    async fn check_key_name(&self, name: &str, of: Option<KeyId>) -> Result<(), KeyError> {
        let fits = !name.trim().is_empty()
            && name.trim() == name
            && name.chars().count() <= KEY_NAME_CHARS
            && text::one_line(name) == name
            && secret::scan(name).is_empty();
        if !fits {
            return Err(KeyError::Name);
        }
        let now = self.clock.now();
        let taken = self.keys().await?.into_iter().any(|key| {
            key.name == name && Some(key.id) != of && key.standing(now) == KeyStanding::Live
        });
        if taken {
            return Err(KeyError::NameTaken {
                name: name.to_owned(),
            });
        }
        Ok(())
    }

    async fn commit_keys(&self, local: Vec<LocalChange>) -> Result<(), StoreError> {
        let batch = self.batch(Vec::new(), local);
        let committed = self.store.commit(self.owner, batch, BTreeMap::new());
        committed.await.map_err(store_error)?;
        Ok(())
    }

    /// Writes into the audit what changed nothing: a refusal, a key that was seen in an address.
    pub async fn audit(&self, entry: AuditEntry) -> Result<(), StoreError> {
        if !self.store.exists().await? {
            return Ok(());
        }
        self.commit_keys(vec![LocalChange::Audit(entry)]).await
    }
}
