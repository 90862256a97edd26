//! Unpacking archives in memory. Nothing is believed of what an archive says about itself: bytes
//! are counted as they come out, and an archive that could harm someone who unpacks it elsewhere
//! is refused whole.

mod tar_file;
mod zip_file;

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read, Seek as _},
};

use imprint_format::{About, BundleFile, is_archive_junk, limits::ITEM_BYTES};

use super::{ImportLimits, source::shown};

/// How many bytes tell an archive from other files: the head of a tar.
pub(super) const MAGIC_BYTES: u64 = 512;

/// The forms of archive that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArchiveForm {
    Zip,
    Tar,
    GzippedTar,
}

impl ArchiveForm {
    /// The form of a file that starts with these bytes.
    pub(super) fn of(start: &[u8]) -> Option<Self> {
        if start.starts_with(b"PK\x03\x04") || start.starts_with(b"PK\x05\x06") {
            Some(Self::Zip)
        } else if start.starts_with(b"\x1F\x8B") {
            Some(Self::GzippedTar)
        } else if start.get(257..262) == Some(b"ustar") {
            Some(Self::Tar)
        } else {
            None
        }
    }
}

/// Why an archive is refused as a whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum ArchiveFault {
    #[error("its entry `{entry}` leads out of the folder that it is unpacked to")]
    Escapes { entry: String },
    #[error("its entry `{entry}` is a link")]
    Link { entry: String },
    #[error("its entry `{entry}` is no regular file and no folder")]
    Special { entry: String },
    #[error("its entry `{entry}` is encrypted")]
    Encrypted { entry: String },
    #[error("its entry `{entry}` is there twice")]
    Duplicate { entry: String },
    #[error("its entry `{entry}` has a name that is not UTF-8")]
    NotUnicode { entry: String },
    #[error("its entry `{entry}` is packed in a way that is not supported")]
    Packing { entry: String },
    #[error("it has more than {limit} entries")]
    TooManyEntries { limit: usize },
    #[error("it has more than {limit} bytes, packed or unpacked")]
    TooLarge { limit: u64 },
    #[error("it is damaged: {message}")]
    Damaged { message: String },
}

impl ArchiveFault {
    /// What the fault is about.
    pub(super) fn about(&self) -> About {
        match self {
            Self::Escapes { .. }
            | Self::Link { .. }
            | Self::Special { .. }
            | Self::Duplicate { .. }
            | Self::NotUnicode { .. } => About::Path,
            Self::Encrypted { .. }
            | Self::Packing { .. }
            | Self::TooManyEntries { .. }
            | Self::TooLarge { .. }
            | Self::Damaged { .. } => About::File,
        }
    }

    /// What to do about it.
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Escapes { .. } => "don't unpack it elsewhere either; ask whoever made it",
            Self::Link { .. } | Self::Special { .. } => {
                "pack it again with the files themselves, or import the folder"
            }
            Self::Encrypted { .. } => "unpack it with its password and import the folder",
            Self::Duplicate { .. } | Self::NotUnicode { .. } => "pack it again",
            Self::Packing { .. } => "pack it again as an ordinary zip (deflate) or tar",
            Self::TooManyEntries { .. } | Self::TooLarge { .. } => {
                "unpack it and import the folders of the skills"
            }
            Self::Damaged { .. } => "get it once more",
        }
    }
}

/// The files of an archive.
#[derive(Debug, Default)]
pub(super) struct Unpacked {
    /// By their paths: relative, `/` between components, no `.` and no `..`.
    pub(super) files: BTreeMap<String, UnpackedFile>,
}

/// One file of an archive.
#[derive(Debug)]
pub(super) enum UnpackedFile {
    Kept(BundleFile),
    /// Larger than any item may be. Its bytes were not kept.
    TooLarge,
}

/// Unpacks an archive.
pub(super) fn unpack(
    mut file: File,
    form: ArchiveForm,
    limits: &ImportLimits,
) -> Result<Unpacked, ArchiveFault> {
    let size = file.metadata().map_err(|error| damaged(&error))?.len();
    if size > limits.archive_bytes {
        let limit = limits.archive_bytes;
        return Err(ArchiveFault::TooLarge { limit });
    }
    file.rewind().map_err(|error| damaged(&error))?;
    let mut unpacking = Unpacking::new(limits);
    match form {
        ArchiveForm::Zip => zip_file::unpack(file, &mut unpacking)?,
        ArchiveForm::Tar => tar_file::unpack(file, &mut unpacking)?,
        ArchiveForm::GzippedTar => {
            tar_file::unpack(flate2::read::MultiGzDecoder::new(file), &mut unpacking)?;
        }
    }
    Ok(unpacking.unpacked)
}

/// The state of unpacking: what came out, and how much more may.
struct Unpacking {
    unpacked: Unpacked,
    limits: ImportLimits,
    entries: usize,
    bytes_left: u64,
}

impl Unpacking {
    fn new(limits: &ImportLimits) -> Self {
        Self {
            unpacked: Unpacked::default(),
            limits: *limits,
            entries: 0,
            bytes_left: limits.archive_bytes,
        }
    }

    /// The path of the next entry; `None` for what systems leave behind and for the top folder.
    fn next(&mut self, name: &str) -> Result<Option<String>, ArchiveFault> {
        self.entries += 1;
        if self.entries > self.limits.archive_entries {
            let limit = self.limits.archive_entries;
            return Err(ArchiveFault::TooManyEntries { limit });
        }
        let path = entry_path(name)?;
        let is_junk = path.is_empty() || is_archive_junk(&path);
        Ok((!is_junk).then_some(path))
    }

    /// Takes in one file.
    fn take(
        &mut self,
        path: String,
        executable: bool,
        content: impl Read,
    ) -> Result<(), ArchiveFault> {
        let most = self.bytes_left.min(ITEM_BYTES as u64);
        let mut bytes = Vec::new();
        content
            .take(most + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| self.fault_of(&error))?;
        let read = bytes.len() as u64;
        if read > self.bytes_left {
            let limit = self.limits.archive_bytes;
            return Err(ArchiveFault::TooLarge { limit });
        }
        self.bytes_left -= read;
        let file = if read > ITEM_BYTES as u64 {
            UnpackedFile::TooLarge
        } else {
            let bytes = bytes.into();
            UnpackedFile::Kept(BundleFile { bytes, executable })
        };
        let entry = shown(&path);
        match self.unpacked.files.insert(path, file) {
            None => Ok(()),
            Some(_) => Err(ArchiveFault::Duplicate { entry }),
        }
    }

    fn fault_of(&self, error: &io::Error) -> ArchiveFault {
        if error
            .get_ref()
            .is_some_and(<dyn std::error::Error + Send + Sync>::is::<TooMuch>)
        {
            let limit = self.limits.archive_bytes;
            return ArchiveFault::TooLarge { limit };
        }
        damaged(error)
    }
}

/// The path that an entry's name means. Whatever any system could take for a way out is refused:
/// a root, a drive, a share, `..` between either slash; also where it shows only once the `.` before
/// it is gone.
fn entry_path(name: &str) -> Result<String, ArchiveFault> {
    let parts = name.split('/').filter(|part| !matches!(*part, "" | "."));
    let path = parts.collect::<Vec<_>>().join("/");
    if leads_out(name) || leads_out(&path) {
        let entry = shown(name);
        return Err(ArchiveFault::Escapes { entry });
    }
    Ok(path)
}

fn leads_out(name: &str) -> bool {
    let bytes = name.as_bytes();
    let has_drive = bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':';
    let climbs = name.split(['/', '\\']).any(|part| part.trim_end() == "..");
    has_drive || climbs || name.starts_with(['/', '\\'])
}

fn damaged(error: &io::Error) -> ArchiveFault {
    let message = shown(&error.to_string());
    ArchiveFault::Damaged { message }
}

/// What reading past [`Counted`]'s limit fails with.
#[derive(Debug, thiserror::Error)]
#[error("more bytes come out than may")]
struct TooMuch;

/// A reader that gives so many bytes and then fails. Not only files count: what is skipped in an
/// archive has to be unpacked too.
struct Counted<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.left = self
            .left
            .checked_sub(read as u64)
            .ok_or_else(|| io::Error::other(TooMuch))?;
        Ok(read)
    }
}

#[cfg(test)]
mod tests;
