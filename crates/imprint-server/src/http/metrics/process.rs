//! What the system knows of this process, under the names that Prometheus gives it everywhere.

use std::{
    fmt, fs,
    time::{SystemTime, UNIX_EPOCH},
};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric as _},
    metrics::{MetricType, gauge::ConstGauge},
};

/// Read at each scrape: the start time everywhere, memory and open files where `/proc` tells them.
#[derive(Debug)]
pub(super) struct ProcessMetrics {
    /// In seconds since 1970.
    started: f64,
}

impl ProcessMetrics {
    /// For a process that starts serving now.
    pub(super) fn starting_now() -> Self {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Self {
            started: since.as_secs_f64(),
        }
    }
}

impl Collector for ProcessMetrics {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut show = |name, help, value| {
            let metric = ConstGauge::<f64>::new(value);
            let one = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            metric.encode(one)
        };
        show(
            "process_start_time_seconds",
            "When the server started, in Unix time.",
            self.started,
        )?;
        if let Some(bytes) = resident_memory() {
            show(
                "process_resident_memory_bytes",
                "Memory that is in use.",
                bytes,
            )?;
        }
        if let Some(count) = open_files() {
            show("process_open_fds", "Open files and connections.", count)?;
        }
        Ok(())
    }
}

/// In bytes.
fn resident_memory() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024.0)
}

fn open_files() -> Option<f64> {
    let count = fs::read_dir("/proc/self/fd").ok()?.count();
    u32::try_from(count).ok().map(f64::from)
}
