//! Writing an entry: under the lock, through the record, in one step.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use imprint_format::Digest;

use super::{
    ConnectError, Connected, Wanted, Work,
    file::{self, FileFault, Found},
    plan::{self, Change, Draft, Obstacle, Planned},
    record::{Connection, Origin, Record, Writing},
    swap::{Swap, SwapError, unfinished},
};
use crate::{
    config::{self, MAX_BYTES},
    home::{BACKUPS, dated, make_home, read_bounded, replace_file},
    lock,
    steps::{Step, Steps},
};

/// So often someone may save while we write.
pub(super) const ATTEMPTS: usize = 8;

impl Work<'_> {
    /// What connecting would do now.
    pub(crate) fn plan(&self, wanted: &Wanted) -> Result<Planned, ConnectError> {
        let record = Record::read(self.home)?;
        Ok(draft(&find(wanted)?, wanted, &record)?.planned)
    }

    /// Writes the entry, unless it is there already.
    pub(crate) fn connect(&self, wanted: &Wanted) -> Result<Connected, ConnectError> {
        // What fails or changes nothing makes no home and waits for nobody.
        let record = Record::read(self.home)?;
        let early = draft(&find(wanted)?, wanted, &record)?.planned;
        if early.is_idle() && !record.is_writing() {
            return Ok(Connected {
                planned: early,
                backup: None,
            });
        }
        let lock = lock::take(self.home)?;
        self.connect_holding(&lock, wanted)
    }

    /// [`Self::connect`] by a caller that holds the lock.
    pub(crate) fn connect_holding(
        &self,
        _lock: &File,
        wanted: &Wanted,
    ) -> Result<Connected, ConnectError> {
        let mut record = Record::read(self.home)?;
        self.settle(&mut record)?;
        for _ in 0..ATTEMPTS {
            let found = find(wanted)?;
            let draft = draft(&found, wanted, &record)?;
            if draft.planned.is_idle() {
                self.close(&found.real, wanted, &mut record)?;
                return Ok(Connected {
                    planned: draft.planned,
                    backup: None,
                });
            }
            let backup = self.keep(&wanted.client, &found)?;
            let connection = self.intent(&found, wanted, &draft, &record, backup.as_deref());
            // Each attempt starts from what was so before any of them.
            let mut attempt = record.clone();
            let after = Some(draft.planned.after.as_str());
            if self.write(&found, connection, after, &mut attempt)? == Written::Done {
                self.close(&found.real, wanted, &mut attempt)?;
                return Ok(Connected {
                    planned: draft.planned,
                    backup,
                });
            }
        }
        Err(ConnectError::Unsteady {
            file: wanted.file.clone(),
        })
    }

    /// Keeps the text that is about to be replaced.
    pub(super) fn keep(
        &self,
        client: &str,
        found: &Found,
    ) -> Result<Option<PathBuf>, ConnectError> {
        let text = found.text.as_deref();
        text.map(|text| self.keep_bytes(client, &found.real, text.as_bytes()))
            .transpose()
    }

    fn keep_bytes(&self, client: &str, real: &Path, bytes: &[u8]) -> Result<PathBuf, ConnectError> {
        let folder = self.home.join(BACKUPS).join(dated(self.at, "%F"));
        let name = real.file_name().unwrap_or_default();
        let digest = Digest::of(bytes);
        let name = format!("{client}-{}-{}", digest.short(), name.to_string_lossy());
        let path = folder.join(name);
        make_home(&folder)
            .and_then(|()| match read_bounded(&path, MAX_BYTES as u64) {
                Ok(kept) if kept == bytes => Ok(()),
                _ => replace_file(&path, bytes, self.steps),
            })
            .map_err(|source| ConnectError::Io {
                path: path.clone(),
                source,
            })?;
        Ok(path)
    }

    /// What the record says while the file is written.
    fn intent(
        &self,
        found: &Found,
        wanted: &Wanted,
        draft: &Draft,
        record: &Record,
        backup: Option<&Path>,
    ) -> Connection {
        let recorded = record.at(&found.real, &wanted.servers, &wanted.name);
        let origin = draft.origin.clone().unwrap_or_else(|| match backup {
            Some(backup) => Origin::Backup {
                file: backup.to_owned(),
                digest: Digest::of(found.text.as_deref().unwrap_or_default().as_bytes()),
            },
            None => Origin::Absent,
        });
        let mut created = recorded.map_or_else(Vec::new, |recorded| recorded.created.clone());
        created.retain(|folder| folder.is_dir());
        created.extend(found.missing.iter().cloned());
        let wrote = match draft.planned.change {
            Change::Update => {
                recorded.map_or_else(BTreeSet::new, |recorded| recorded.wrote.clone())
            }
            _ => BTreeSet::new(),
        };
        Connection {
            replaced: draft.replaced.clone(),
            wrote,
            created,
            at: self.at,
            ..Connection::of(wanted, found, draft.made.clone(), origin)
        }
    }

    /// Lists a change and makes it. `None` as the text removes the file.
    pub(super) fn write(
        &self,
        found: &Found,
        mut connection: Connection,
        after: Option<&str>,
        record: &mut Record,
    ) -> Result<Written, ConnectError> {
        let digest = |text: &str| Digest::of(text.as_bytes());
        let temporary = temporary_beside(&found.real);
        let client = &connection.client.clone();
        connection.wrote.extend(after.map(digest));
        connection.writing = Some(Writing {
            temporary: temporary.clone(),
            was: found.text.as_deref().map(digest),
            becomes: after.map(digest),
        });
        record.set(connection);
        record.write(self.home, self.steps)?;
        make_folders(&found.missing, self.steps)?;
        let swap = Swap {
            real: &found.real,
            temporary: &temporary,
            steps: self.steps,
        };
        let before = found.text.as_deref().map(str::as_bytes);
        let swapped = match (before, after) {
            (before, Some(after)) => swap.replace(before, after.as_bytes()),
            (Some(before), None) => swap.remove(before),
            (None, None) => Ok(()),
        };
        match swapped {
            Ok(()) => Ok(Written::Done),
            Err(SwapError::Changed { displaced }) => {
                if let Some(displaced) = displaced {
                    let kept = self.keep_bytes(client, &found.real, &displaced)?;
                    tracing::warn!(
                        "two programs saved `{}` at once; the earlier text is kept in `{}`",
                        found.real.display(),
                        kept.display()
                    );
                }
                Ok(Written::Changed)
            }
            Err(SwapError::Io(source)) => Err(ConnectError::Io {
                path: found.real.clone(),
                source,
            }),
        }
    }

    /// Clears up what killed runs left: a save of someone's that a run had taken out of its place
    /// goes back, a temporary file goes away. That a change began stays listed until it is made.
    pub(super) fn settle(&self, record: &mut Record) -> Result<(), ConnectError> {
        for connection in &record.connections {
            let Some(writing) = &connection.writing else {
                continue;
            };
            let bytes = |path: &Path| read_bounded(path, MAX_BYTES as u64).ok();
            self.discard(&unfinished(&writing.temporary))?;
            let Some(left) = bytes(&writing.temporary) else {
                continue;
            };
            let is_known = [writing.was, writing.becomes].contains(&Some(Digest::of(&left)));
            let real = bytes(&connection.real).map(|bytes| Digest::of(&bytes));
            if is_known || real != writing.becomes {
                if !is_known {
                    // Someone saved once more since, which counts; the save before is kept.
                    self.keep_bytes(&connection.client, &connection.real, &left)?;
                }
                self.discard(&writing.temporary)?;
                continue;
            }
            let placed = self.steps.take(Step::Place);
            placed
                .and_then(|()| fs::rename(&writing.temporary, &connection.real))
                .map_err(|source| ConnectError::Io {
                    path: writing.temporary.clone(),
                    source,
                })?;
        }
        self.finish(record)
    }

    /// Removes a file of ours, if it is there.
    fn discard(&self, path: &Path) -> Result<(), ConnectError> {
        if fs::symlink_metadata(path).is_err() {
            return Ok(());
        }
        let removed = self.steps.take(Step::RemoveFile);
        removed
            .and_then(|()| fs::remove_file(path))
            .map_err(|source| ConnectError::Io {
                path: path.to_owned(),
                source,
            })
    }

    /// Clears up what killed runs left, for a caller that holds the lock.
    pub(crate) fn clear_up(&self, _lock: &File) -> Result<(), ConnectError> {
        let mut record = Record::read(self.home)?;
        if record.is_writing() {
            self.settle(&mut record)?;
        }
        Ok(())
    }

    /// Lists a change as made or, where the file shows that it never was, as not begun.
    fn close(&self, real: &Path, wanted: &Wanted, record: &mut Record) -> Result<(), ConnectError> {
        let Some(mut connection) = record.at(real, &wanted.servers, &wanted.name).cloned() else {
            return Ok(());
        };
        let Some(writing) = connection.writing.take() else {
            return Ok(());
        };
        let now = read_bounded(real, MAX_BYTES as u64).ok();
        match writing.becomes {
            Some(becomes) if now.is_none_or(|now| Digest::of(&now) != becomes) => {
                connection.wrote.remove(&becomes);
            }
            becomes => connection.wrote = becomes.into_iter().collect(),
        }
        record.set(connection);
        record
            .write(self.home, self.steps)
            .map_err(ConnectError::from)
    }

    /// Lists as made what a killed run had made but not listed.
    fn finish(&self, record: &mut Record) -> Result<(), ConnectError> {
        let mut finished = false;
        for connection in &mut record.connections {
            let becomes = connection
                .writing
                .as_ref()
                .and_then(|writing| writing.becomes);
            let real = read_bounded(&connection.real, MAX_BYTES as u64).ok();
            if becomes.is_some() && real.map(|bytes| Digest::of(&bytes)) == becomes {
                connection.wrote = becomes.into_iter().collect();
                connection.writing = None;
                finished = true;
            }
        }
        if finished {
            record.write(self.home, self.steps)?;
        }
        Ok(())
    }
}

/// How a write ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Done,
    /// Someone saved meanwhile; the file is as they saved it.
    Changed,
}

impl Planned {
    /// Whether nothing is written.
    pub fn is_idle(&self) -> bool {
        matches!(self.change, Change::Unchanged | Change::SharedWith(_))
    }
}

pub(super) fn find(wanted: &Wanted) -> Result<Found, ConnectError> {
    file::find(&wanted.file, wanted.makes_folders).map_err(|fault| in_file(&wanted.file, fault))
}

pub(super) fn in_file(file: &Path, fault: FileFault) -> ConnectError {
    ConnectError::File {
        file: file.to_owned(),
        fault,
    }
}

fn in_config(wanted: &Wanted, error: config::ConfigError) -> ConnectError {
    ConnectError::Config {
        file: wanted.file.clone(),
        error,
    }
}

fn draft(found: &Found, wanted: &Wanted, record: &Record) -> Result<Draft, ConnectError> {
    let recorded = record.at(&found.real, &wanted.servers, &wanted.name);
    plan::plan(found, wanted, recorded).map_err(|obstacle| match obstacle {
        Obstacle::Conflict(entry) => ConnectError::Conflict {
            file: wanted.file.clone(),
            found: entry,
        },
        Obstacle::Config(error) => in_config(wanted, error),
    })
}

/// A name in the same folder that nothing has.
fn temporary_beside(real: &Path) -> PathBuf {
    let process = std::process::id();
    (0..u16::MAX)
        .map(|count| real.with_file_name(format!(".imprint-{process}-{count}.tmp")))
        .find(|path| {
            [path, &unfinished(path)]
                .iter()
                .all(|path| fs::symlink_metadata(path).is_err())
        })
        .unwrap_or_else(|| real.with_extension("imprint.tmp"))
}

fn make_folders(missing: &[PathBuf], steps: &Steps) -> Result<(), ConnectError> {
    for folder in missing {
        let made = steps
            .take(Step::MakeFolder)
            .and_then(|()| fs::create_dir(folder));
        match made {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made.map_err(|source| ConnectError::Io {
                path: folder.clone(),
                source,
            })?,
        }
    }
    Ok(())
}
