//! An item's folder, opened so that nothing outside it can be read through it.

mod listing;

use std::{
    fs, io,
    io::Read as _,
    path::{Path, PathBuf},
};

use cap_fs_ext::OpenOptionsSyncExt as _;
use cap_std::{
    ambient_authority,
    fs::{Dir, File, Metadata, OpenOptions},
};

use imprint_format::{About, Diagnostic};

pub use listing::{LeftOut, Listing, WhyLeftOut};

/// An item's folder. The folder itself may be reached through links; from then on links are
/// followed only inside it, each component opened relative to the folder.
#[derive(Debug)]
pub struct ItemFolder {
    dir: Dir,
    real: PathBuf,
}

/// One file's content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether the owner may execute it; never on systems without that bit.
    pub executable: bool,
}

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A link on the way leads out of the item's folder.
    #[error("a link leads out of the folder")]
    Escapes,
    /// A folder, pipe, socket or device.
    #[error("it is not a regular file")]
    NotRegular,
    /// More bytes than were asked for. Nothing was read into memory.
    #[error("it has more than {limit} bytes")]
    TooLarge {
        /// The most that was asked for.
        limit: usize,
    },
    /// The system refuses.
    #[error("it can't be read: {0}")]
    Io(#[from] io::Error),
}

impl ReadError {
    /// The error as one about the file that was to be read.
    pub fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::Escapes => Diagnostic::error(
                About::Path,
                "the file is a link out of its folder, which is not followed",
            )
            .with_hint("link the whole folder instead, or copy the file"),
            Self::TooLarge { limit } => {
                Diagnostic::error(About::File, format!("the file has more than {limit} bytes"))
                    .with_hint("move the long parts into files beside it")
            }
            Self::NotRegular => Diagnostic::error(About::File, "this is not a regular file"),
            Self::Io(error) if error.kind() == io::ErrorKind::NotFound => Diagnostic::error(
                About::Path,
                "the file is a link to something that is not there",
            ),
            Self::Io(error) => {
                Diagnostic::error(About::Path, format!("the file can't be read: {error}"))
            }
        }
    }
}

impl ItemFolder {
    /// Opens a folder.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let real = fs::canonicalize(folder)?;
        let dir = Dir::open_ambient_dir(&real, ambient_authority())?;
        Ok(Self { dir, real })
    }

    /// Where the folder really is, links resolved.
    pub fn real_path(&self) -> &Path {
        &self.real
    }

    /// All files in it, links inside the folder followed, nothing read.
    pub fn list(&self) -> Listing {
        listing::list(self)
    }

    /// Reads one file of at most `limit` bytes. `path` is relative, with `/`.
    pub fn read(&self, path: &str, limit: usize) -> Result<Content, ReadError> {
        let (mut file, metadata) = self.open_regular(path)?;
        // What the metadata says is only a hint: the file may grow, so reading counts too.
        let most = u64::try_from(limit).unwrap_or(u64::MAX);
        if metadata.len() > most {
            return Err(ReadError::TooLarge { limit });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
        (&mut file)
            .take(most.saturating_add(1))
            .read_to_end(&mut bytes)?;
        if bytes.len() > limit {
            return Err(ReadError::TooLarge { limit });
        }
        Ok(Content {
            bytes,
            executable: is_executable(&metadata),
        })
    }

    /// The size of a file in bytes.
    pub(crate) fn size_of(&self, path: &str) -> Result<u64, ReadError> {
        self.open_regular(path).map(|(_, metadata)| metadata.len())
    }

    fn open_regular(&self, path: &str) -> Result<(File, Metadata), ReadError> {
        let file = self.open_inside(Path::new(path))?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(ReadError::NotRegular);
        }
        Ok((file, metadata))
    }

    fn open_inside(&self, path: &Path) -> Result<File, ReadError> {
        // Without blocking, because opening a pipe would wait for its other end.
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true);
        let refused = match self.dir.open_with(path, &options) {
            Ok(file) => return Ok(file),
            Err(refused) => refused,
        };
        // An absolute link is refused even where it leads back inside.
        match self.real_target(path) {
            Ok(inside) if inside == path => Err(refused.into()),
            Ok(inside) => Ok(self.dir.open_with(inside, &options)?),
            Err(TargetFault::Outside) => Err(ReadError::Escapes),
            Err(TargetFault::Missing | TargetFault::Unreadable | TargetFault::Circle) => {
                Err(refused.into())
            }
        }
    }

    /// Where a path in the folder leads, as a path in the folder without links.
    fn real_target(&self, path: &Path) -> Result<PathBuf, TargetFault> {
        let target =
            fs::canonicalize(self.real.join(path)).map_err(|error| TargetFault::of(&error))?;
        target
            .strip_prefix(&self.real)
            .map(Path::to_path_buf)
            .map_err(|_| TargetFault::Outside)
    }
}

/// Why a link leads to nothing that may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TargetFault {
    /// It leads out of the item's folder.
    Outside,
    /// It leads to nothing.
    Missing,
    /// The system refuses to say where it leads.
    Unreadable,
    /// The links lead in a circle.
    Circle,
}

impl TargetFault {
    /// What resolving a link that exists failed with.
    pub(crate) fn of(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::PermissionDenied => Self::Unreadable,
            // The standard library has no stable name for "too many links".
            _ => Self::Circle,
        }
    }
}

#[cfg(unix)]
fn is_executable(metadata: &Metadata) -> bool {
    use cap_std::fs::MetadataExt as _;

    metadata.mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
