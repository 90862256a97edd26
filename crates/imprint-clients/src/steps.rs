//! Every change to the disk asks here first, so that a test can stop a run at any of them as a
//! kill would, or let another program act just before it.

use std::{cell::Cell, fs, io};

/// A change to the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A file of the home.
    Home,
    /// An item of the registry.
    Registry,
    /// A folder is made.
    MakeFolder,
    /// A temporary file is made.
    Begin,
    /// Its content is written.
    Fill,
    /// It takes its place.
    Place,
    /// A file is removed.
    RemoveFile,
    /// A folder is removed.
    RemoveFolder,
}

/// How many changes may still be made.
#[derive(Debug)]
pub(crate) struct Steps {
    /// `None`: all that are needed, each of them durable.
    left: Option<Cell<u64>>,
    #[cfg(test)]
    meanwhile: Option<Meanwhile>,
}

/// What another program does just before a change.
#[cfg(test)]
struct Meanwhile {
    before: Step,
    does: Box<dyn Fn()>,
}

impl Steps {
    /// All that are needed.
    pub(crate) const fn unlimited() -> Self {
        Self {
            left: None,
            #[cfg(test)]
            meanwhile: None,
        }
    }

    /// So many, then every one fails. They need not outlast a power cut.
    #[cfg(test)]
    pub(crate) const fn limited(left: u64) -> Self {
        Self {
            left: Some(Cell::new(left)),
            meanwhile: None,
        }
    }

    /// All that are needed, and another program that acts before each change of this kind.
    #[cfg(test)]
    pub(crate) fn with_meanwhile(before: Step, does: impl Fn() + 'static) -> Self {
        Self {
            meanwhile: Some(Meanwhile {
                before,
                does: Box::new(does),
            }),
            ..Self::unsynced()
        }
    }

    /// All that are needed, but none need outlast a power cut.
    #[cfg(test)]
    pub(crate) const fn unsynced() -> Self {
        Self::limited(u64::MAX)
    }

    /// The same, but only so many changes.
    #[cfg(test)]
    pub(crate) fn stopping_after(self, left: u64) -> Self {
        Self {
            left: Some(Cell::new(left)),
            ..self
        }
    }

    /// How many of those given are not taken.
    #[cfg(test)]
    pub(crate) fn left(&self) -> u64 {
        self.left.as_ref().map_or(u64::MAX, Cell::get)
    }

    /// Waits until a file, or a folder's names, are on the disk.
    pub(crate) fn sync(&self, file: &fs::File) -> io::Result<()> {
        match self.left {
            None => file.sync_all(),
            Some(_) => Ok(()),
        }
    }

    /// Waits until the names in a folder are on the disk, where the system can promise that.
    pub(crate) fn sync_folder(&self, open: impl FnOnce() -> io::Result<fs::File>) {
        if cfg!(unix)
            && let Ok(folder) = open()
        {
            let _ = self.sync(&folder);
        }
    }

    /// Takes one.
    pub(crate) fn take(&self, step: Step) -> io::Result<()> {
        #[cfg(test)]
        if let Some(meanwhile) = &self.meanwhile
            && meanwhile.before == step
        {
            (meanwhile.does)();
        }
        let Some(left) = &self.left else {
            return Ok(());
        };
        match left.get().checked_sub(1) {
            Some(fewer) => {
                left.set(fewer);
                Ok(())
            }
            None => Err(io::Error::other(format!("stopped before {step:?}"))),
        }
    }
}

#[cfg(test)]
impl std::fmt::Debug for Meanwhile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "before {:?}", self.before)
    }
}
