//! The schema's versions: forward only, each step once, by whichever process comes first.

use std::{fs, path::PathBuf};

use imprint_core::StoreError;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::{backup, fault::Fault, file::DatabaseFile, open};

/// `Impr` in the header of the file, so that another program's database is never touched.
const APPLICATION_ID: i32 = i32::from_be_bytes(*b"Impr");

/// The steps from an empty file to the newest schema: step 1 makes schema 1 and so on. A released
/// step never changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Migrations(pub(super) &'static [&'static str]);

/// The steps of this program.
pub(super) const MIGRATIONS: Migrations = Migrations(&[
    include_str!("../../migrations/sqlite/0001_registry.sql"),
    include_str!("../../migrations/sqlite/0002_access.sql"),
]);

impl Migrations {
    /// The schema that the last step makes.
    pub(super) fn newest(self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    /// The file's schema, 0 where nothing was ever written. Anything that this program can't
    /// take further is an error.
    pub(super) fn inspect(self, conn: &Transaction<'_>) -> Result<u32, Fault> {
        let application: i32 = conn.pragma_query_value(None, "application_id", |row| row.get(0))?;
        let found = schema(conn)?;
        if application != APPLICATION_ID {
            let tables: i64 =
                conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
            if application == 0 && found == 0 && tables == 0 {
                return Ok(0);
            }
            return Err(Fault::Damaged("it is another program's database"));
        }
        self.known(found)
    }

    /// Checks inside a transaction that no other process has moved the schema on.
    pub(super) fn check(self, conn: &Transaction<'_>) -> Result<(), Fault> {
        let found = self.known(schema(conn)?)?;
        if found == self.newest() {
            Ok(())
        } else {
            Err(Fault::Damaged(
                "it was replaced by an older one while it was in use; start again",
            ))
        }
    }

    /// Brings the file to the newest schema, all steps in one transaction. One that holds data is
    /// copied first; a failure leaves it as it was.
    pub(super) fn apply(self, conn: &mut Connection, file: &DatabaseFile) -> Result<(), Fault> {
        let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let found = self.inspect(&tx)?;
        if found == self.newest() {
            // Another process was faster.
            return Ok(());
        }
        let copy = match found {
            0 => None,
            _ => Some(keep_copy(file, found)?),
        };
        if let Err(fault) = self.steps_after(found, &tx) {
            // Nothing changed, so the copy would only fill the disk, at each start another one.
            if let Some(copy) = copy {
                let _ = fs::remove_file(copy);
            }
            return Err(fault);
        }
        Ok(tx.commit()?)
    }

    fn steps_after(self, found: u32, tx: &Transaction<'_>) -> Result<(), Fault> {
        for step in self.0.iter().skip(found as usize) {
            tx.execute_batch(step)?;
        }
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
        tx.pragma_update(None, "user_version", self.newest())?;
        Ok(())
    }

    fn known(self, found: u32) -> Result<u32, Fault> {
        let known = self.newest();
        if found > known {
            return Err(StoreError::Newer { found, known }.into());
        }
        Ok(found)
    }
}

fn schema(conn: &Connection) -> Result<u32, Fault> {
    let found = conn
        .prepare_cached("PRAGMA user_version")?
        .query_row([], |row| row.get(0))?;
    Ok(found)
}

/// Copies the database before its schema changes. Another connection does it, since the one that
/// holds the write lock is inside its transaction; what it reads is the last committed state.
fn keep_copy(file: &DatabaseFile, schema: u32) -> Result<PathBuf, Fault> {
    let source = open::connect(file.path())?;
    let mut attempt = 1;
    loop {
        let suffix = match attempt {
            1 => format!(".schema-{schema}.backup"),
            _ => format!(".schema-{schema}-{attempt}.backup"),
        };
        let copy = file.beside(&suffix);
        match backup::copy(&source, &copy) {
            Ok(()) => return Ok(copy),
            Err(backup::CopyFault::Exists) => attempt += 1,
            Err(backup::CopyFault::Other(fault)) => return Err(fault),
        }
    }
}
