//! A client's configuration file on the disk: which of its places counts, what is behind its
//! links, and what it holds.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use crate::{config::MAX_BYTES, home::read_bounded, pattern};

/// More links than this in a row lead in a circle.
const MAX_LINKS: usize = 40;

/// A file as it is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The file behind all links.
    pub(crate) real: PathBuf,
    /// Its text; `None` when there is no file.
    pub(crate) text: Option<String>,
    /// The folders that have to be made first, the outermost first.
    pub(crate) missing: Vec<PathBuf>,
}

/// Why a file is left alone.
#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    /// Its links lead in a circle.
    #[error("its links lead in a circle; mend the link, then run the command again")]
    LinkLoop,
    /// It is a link into a folder that isn't there.
    #[error("it is a link to `{}`, and the folder of that is not there; mend the link, then run the command again", to.display())]
    DanglingLink {
        /// Where it leads.
        to: PathBuf,
    },
    /// A folder, a pipe or the like stands there.
    #[error("it is no regular file; move away what stands there, then run the command again")]
    NoFile,
    /// Nobody may write it.
    #[error(
        "it is read-only; make it writable (`chmod u+w`) if Imprint may write it, then run the command again"
    )]
    ReadOnly,
    /// It is no UTF-8.
    #[error("it is not UTF-8 text, so nothing in it was changed")]
    NotText,
    /// It would have to be made for a client that isn't there.
    #[error("it is not there, and neither is the client")]
    Missing,
    /// The system refuses.
    #[error("it can't be read: {0}")]
    Unreadable(io::Error),
}

/// Looks at a file. It, and its folders, may be missing when `makes_folders`.
pub(crate) fn find(named: &Path, makes_folders: bool) -> Result<Found, FileFault> {
    let (real, is_link) = behind_links(named)?;
    let text = match fs::symlink_metadata(&real) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(FileFault::Unreadable(error)),
        Ok(metadata) if !metadata.is_file() => return Err(FileFault::NoFile),
        Ok(metadata) if metadata.permissions().readonly() => return Err(FileFault::ReadOnly),
        Ok(_) => {
            let bytes = read_bounded(&real, MAX_BYTES as u64).map_err(FileFault::Unreadable)?;
            Some(String::from_utf8(bytes).map_err(|_| FileFault::NotText)?)
        }
    };
    let missing = missing_folders(&real);
    if text.is_none() && !makes_folders {
        return Err(FileFault::Missing);
    }
    if is_link && !missing.is_empty() {
        return Err(FileFault::DanglingLink { to: real });
    }
    Ok(Found {
        real,
        text,
        missing,
    })
}

/// The path behind all links, and whether the file itself is one.
fn behind_links(named: &Path) -> Result<(PathBuf, bool), FileFault> {
    let mut at = named.to_owned();
    for links in 0..MAX_LINKS {
        at = in_real_folder(&at).map_err(FileFault::Unreadable)?;
        match fs::symlink_metadata(&at) {
            Ok(metadata) if metadata.is_symlink() => {
                let target = fs::read_link(&at).map_err(FileFault::Unreadable)?;
                at = at.parent().unwrap_or(Path::new("/")).join(target);
            }
            Ok(_) => return Ok((at, links > 0)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((at, links > 0)),
            Err(error) => return Err(FileFault::Unreadable(error)),
        }
    }
    Err(FileFault::LinkLoop)
}

/// The same file with the links of its folder resolved, as far as that is there.
fn in_real_folder(file: &Path) -> io::Result<PathBuf> {
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
        return Ok(file.to_owned());
    };
    match fs::canonicalize(folder) {
        Ok(real) => Ok(real.join(name)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if fs::symlink_metadata(folder).is_ok() {
                // A link that leads nowhere: making the folder would fail, so it is told apart.
                return Err(error);
            }
            Ok(in_real_folder(folder)?.join(name))
        }
        Err(error) => Err(error),
    }
}

fn missing_folders(file: &Path) -> Vec<PathBuf> {
    let folders = file.ancestors().skip(1);
    let mut missing: Vec<_> = folders
        .take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists())
        .map(Path::to_owned)
        .collect();
    missing.reverse();
    missing
}

/// The file that counts among the places where a client looks: the first that is there, else the
/// first whose folder is, else the first.
pub(crate) fn choose(places: Vec<PathBuf>) -> Option<PathBuf> {
    let places: Vec<PathBuf> = places.into_iter().flat_map(expanded).collect();
    let is_there = |place: &&PathBuf| fs::symlink_metadata(place).is_ok();
    let has_folder = |place: &&PathBuf| place.parent().is_some_and(Path::is_dir);
    places
        .iter()
        .find(is_there)
        .or_else(|| places.iter().find(has_folder))
        .or_else(|| places.first())
        .cloned()
}

/// A place, or every one that it stands for where its folder is a pattern; none where no such folder
/// is.
fn expanded(place: PathBuf) -> Vec<PathBuf> {
    match (place.parent(), place.file_name()) {
        (Some(folder), Some(name)) if pattern::is_pattern(folder) => {
            let folders = pattern::found(folder).into_iter();
            folders.map(|folder| folder.join(name)).collect()
        }
        _ => vec![place],
    }
}
