//! The database's file: which one it is, and how it comes to be.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use imprint_core::StoreError;

use super::fault::of_io;

/// Where the database lies, whether or not it is there.
#[derive(Clone, Debug)]
pub(super) struct DatabaseFile {
    path: PathBuf,
}

/// What tells one file from another that has taken, or may take, its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileIdentity {
    device: u64,
    inode: u64,
    /// Nanoseconds since 1970, on file systems that keep it.
    born: Option<u128>,
}

impl DatabaseFile {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file that is there now, if one is. Looks without opening: closing a second descriptor
    /// of a file would drop the locks that SQLite holds on it.
    pub(super) fn identity(&self) -> Result<Option<FileIdentity>, StoreError> {
        match fs::metadata(&self.path) {
            Ok(metadata) if metadata.is_file() => Ok(Some(FileIdentity::of(&metadata))),
            Ok(_) => Err(self.unavailable("it is no regular file")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // What is behind a link may come back, on a volume that isn't mounted.
                match fs::symlink_metadata(&self.path) {
                    Ok(_) => Err(self.unavailable("it is a link to something that is not there")),
                    Err(_) => Ok(None),
                }
            }
            Err(error) => Err(of_io(&error, &self.path)),
        }
    }

    fn unavailable(&self, why: &str) -> StoreError {
        StoreError::Unavailable {
            message: format!("{}: {why}", self.path.display()),
        }
    }

    /// Makes the folder (0700) and an empty file (0600) where there is none. The files that SQLite
    /// adds get the same mode from it.
    ///
    /// The caller must keep this process from opening the database meanwhile, for the reason given
    /// at [`DatabaseFile::identity`].
    pub(super) fn create(&self) -> Result<(), StoreError> {
        if let Some(folder) = self.folder() {
            private_folder()
                .create(folder)
                .map_err(|error| of_io(&error, folder))?;
        }
        match create_private(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            created => created.map_err(|error| of_io(&error, &self.path)),
        }
    }

    /// Why nothing can be written beside the database, if that is so. Asked only after SQLite
    /// failed, because it doesn't say.
    pub(super) fn why_unwritable(&self) -> Option<StoreError> {
        let folder = self.folder().unwrap_or(Path::new("."));
        let probe = folder.join(format!(".imprint-{}", uuid::Uuid::now_v7()));
        let outcome = create_private(&probe);
        if outcome.is_ok() {
            // A leftover empty file harms nobody, and the failure to report is the other one.
            let _ = fs::remove_file(&probe);
        }
        outcome.err().map(|error| of_io(&error, folder))
    }

    /// Whether the write-ahead log holds nothing that the main file lacks.
    pub(super) fn has_no_log(&self) -> bool {
        fs::metadata(self.beside("-wal")).map_or(true, |log| log.len() == 0)
    }

    /// Makes the files that SQLite keeps beside the database as writable as that is. It gives them
    /// the mode that the database has when it makes them: left from a time when that could only be
    /// read, they would keep everyone from writing for good.
    pub(super) fn free_side_files(&self) {
        let Ok(database) = fs::metadata(&self.path) else {
            return;
        };
        if database.permissions().readonly() {
            return;
        }
        for side in ["-wal", "-shm"].map(|suffix| self.beside(suffix)) {
            if fs::symlink_metadata(&side)
                .is_ok_and(|side| side.is_file() && side.permissions().readonly())
            {
                // What can't be changed, SQLite will complain of.
                let _ = fs::set_permissions(&side, database.permissions());
            }
        }
    }

    /// The path with something appended to the file's name.
    pub(super) fn beside(&self, suffix: &str) -> PathBuf {
        let mut path = self.path.clone().into_os_string();
        path.push(suffix);
        path.into()
    }

    fn folder(&self) -> Option<&Path> {
        self.path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
    }
}

/// Creates a file that only its owner may read, empty and closed again; fails where one is.
pub(super) fn create_private(path: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}

fn private_folder() -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

impl FileIdentity {
    fn of(metadata: &fs::Metadata) -> Self {
        let born = metadata
            .created()
            .ok()
            .and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok())
            .map(|since| since.as_nanos());
        let (device, inode) = numbers(metadata);
        Self {
            device,
            inode,
            born,
        }
    }

    /// A text that stays the same while this is the same file, over restarts of the machine too,
    /// and differs for a copy.
    ///
    /// A rename keeps inode number and birth time; a copy, a restored archive or a move to another
    /// file system has a birth time of its own. The device number is left out where there is a
    /// birth time, because some systems number their devices anew at each start. What this can't
    /// see: an older state written over the same file in place (backups made by this program see to
    /// that themselves), and a copy of a whole disk.
    pub(super) fn fingerprint(self) -> String {
        match self.born {
            Some(born) => format!("inode {} born {born}", self.inode),
            None => format!("inode {} device {}", self.inode, self.device),
        }
    }
}

#[cfg(unix)]
fn numbers(metadata: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn numbers(_: &fs::Metadata) -> (u64, u64) {
    (0, 0)
}
