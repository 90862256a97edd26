//! The lock that lets one pass at a time write.

use std::{
    fs::{self, File, TryLockError},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use super::{PassError, manifest};

/// The file in the home. It stays; the lock on it goes with its process.
pub(super) const LOCK_FILE: &str = "folders.lock";
/// A pass takes milliseconds; longer than this, something holds it.
const PATIENCE: Duration = Duration::from_secs(20);
/// After so long, whoever waits is told why.
const UNUSUAL: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(10);

/// Waits for the lock of this home. Makes the home where it is missing.
pub(crate) fn take(home: &Path) -> Result<File, PassError> {
    make_home(home)?;
    let path = home.join(LOCK_FILE);
    let failed = |source| PassError::Lock {
        path: path.clone(),
        source,
    };
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // Opening a pipe would wait for its other end.
    if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(failed(manifest::not_regular()));
    }
    let file = options.open(&path).map_err(failed)?;
    let begun = Instant::now();
    let mut told = false;
    loop {
        match file.try_lock() {
            Ok(()) => {
                manifest::sweep_home(home).map_err(failed)?;
                return Ok(file);
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
            Err(TryLockError::WouldBlock) if begun.elapsed() > PATIENCE => {
                return Err(PassError::Busy {
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

/// The home is the user's alone.
fn make_home(home: &Path) -> Result<(), PassError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(home).map_err(|source| PassError::Home {
        path: home.to_owned(),
        source,
    })
}
