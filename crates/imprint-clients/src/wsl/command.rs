//! Running the few programs that tell of the other side.

use std::{
    io::{self, Read},
    path::Path,
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

/// Starting a distribution takes seconds. One that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(30);

/// More than this is not what was asked for.
const MOST_BYTES: u64 = 1 << 20;

/// Runs a program and gives what it printed. It gets no input, and what it says of its own errors
/// is dropped. Ends it after half a minute: a program of Windows' that is started in a folder of
/// Linux can hang. An error of the kind `Other` where the program failed.
pub fn run(program: &str, args: &[&str]) -> io::Result<Vec<u8>> {
    let mut command = Command::new(program);
    command
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    if let Some(folder) = Path::new(program)
        .parent()
        .filter(|folder| folder.is_absolute())
    {
        command.current_dir(folder);
    }
    let mut child = command.spawn()?;
    let stdout = child.stdout.take();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut printed = Vec::new();
        let read = stdout.map(|stdout| stdout.take(MOST_BYTES).read_to_end(&mut printed));
        // The receiver is gone only when its patience is at an end.
        let _ = sender.send(read.transpose().map(|_| printed));
    });
    let deadline = Instant::now() + PATIENCE;
    let printed = receiver.recv_timeout(PATIENCE);
    while printed.is_ok() && Instant::now() < deadline {
        if let Some(status) = child.try_wait()? {
            return match (status.success(), printed) {
                (true, Ok(printed)) => printed,
                _ => Err(io::Error::other("it failed")),
            };
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.kill()?;
    child.wait()?;
    Err(io::Error::new(io::ErrorKind::TimedOut, "it did not end"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_prints_comes_back_and_its_failure_is_told() {
        assert_eq!(run("/bin/echo", &["a b"]).unwrap(), b"a b\n");
        let failed = run("/bin/sh", &["-c", "exit 3"]).unwrap_err();
        assert_eq!(failed.kind(), io::ErrorKind::Other);
        let absent = run("/nonexistent/wsl.exe", &[]).unwrap_err();
        assert_eq!(absent.kind(), io::ErrorKind::NotFound);
    }
}
