//! The lock that lets one process at a time write into clients' folders and files.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use crate::home;

/// The file in the home. It stays; the lock on it goes with its process.
pub(crate) const LOCK_FILE: &str = "folders.lock";
/// A pass takes milliseconds; longer than this, something holds it.
const PATIENCE: Duration = Duration::from_secs(20);
/// After so long, whoever waits is told why.
const UNUSUAL: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(10);

/// Why the lock was not had. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LockError {
    #[error("`{}` can't be made: {source}", path.display())]
    Home { path: PathBuf, source: io::Error },
    #[error("`{}` can't be locked: {source}", path.display())]
    Lock { path: PathBuf, source: io::Error },
    #[error("another process has been writing the folders for {seconds} seconds; try again")]
    Busy { seconds: u64 },
}

/// Waits for the lock of this home. Makes the home where it is missing.
pub(crate) fn take(home: &Path) -> Result<File, LockError> {
    home::make_home(home).map_err(|source| LockError::Home {
        path: home.to_owned(),
        source,
    })?;
    let path = home.join(LOCK_FILE);
    let failed = |source| LockError::Lock {
        path: path.clone(),
        source,
    };
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // Opening a pipe would wait for its other end.
    if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(failed(home::not_regular()));
    }
    let file = options.open(&path).map_err(failed)?;
    let begun = Instant::now();
    let mut told = false;
    loop {
        match file.try_lock() {
            Ok(()) => {
                home::sweep_home(home).map_err(failed)?;
                return Ok(file);
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
            Err(TryLockError::WouldBlock) if begun.elapsed() > PATIENCE => {
                return Err(LockError::Busy {
                    seconds: PATIENCE.as_secs(),
                });
            }
            Err(TryLockError::WouldBlock) => {
                if !told && begun.elapsed() > UNUSUAL {
                    told = true;
                    tracing::warn!("waiting for another process that is writing the folders");
                }
                thread::sleep(PAUSE);
            }
        }
    }
}
