//! What the system tells about a process.

/// The memory that a process holds now, in KiB, where the system tells.
pub fn resident_memory_kib(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// How many files and sockets a process has open, where the system tells.
pub fn open_descriptors(process: u32) -> Option<usize> {
    Some(
        std::fs::read_dir(format!("/proc/{process}/fd"))
            .ok()?
            .count(),
    )
}
