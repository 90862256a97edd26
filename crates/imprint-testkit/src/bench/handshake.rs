//! From the start of a server's process to its answer to `initialize`.

use std::{
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

use super::{Bench, BenchError, median, ms};
use crate::{McpSession, Sandbox, SeedSkill, peak_memory_kib};

/// How often each server is started; the servers take turns.
const RUNS: usize = 25;
/// How many skills are stored.
const ITEMS: usize = 200;
/// How long a server may take to end.
const END: Duration = Duration::from_secs(5);

/// The servers that are compared.
#[derive(Clone, Debug)]
pub struct Servers {
    /// The product, built for release.
    pub product: PathBuf,
    /// A server without data on the same library, of the same build.
    pub bare: PathBuf,
    /// A FastMCP server: its Python and its script; or why there is none.
    pub fastmcp: Result<(PathBuf, PathBuf), String>,
}

/// One server's times and memory.
#[derive(Debug, Default)]
struct Runs {
    times: Vec<Duration>,
    peak_kib: u64,
}

/// Starts each server in turns and measures.
pub fn handshake(servers: &Servers) -> Result<Bench, BenchError> {
    let sandbox = Sandbox::new()?;
    let skills: Vec<_> = (0..ITEMS).map(SeedSkill::numbered).collect();
    sandbox.plant(&skills)?;
    let mut bench = Bench::default();
    let (mut product, mut bare, mut fastmcp) = (Runs::default(), Runs::default(), Runs::default());
    for _ in 0..RUNS {
        let mut command = sandbox.command(&servers.product);
        command.arg("mcp");
        product.one(command)?;
        bare.one(sandbox.command(&servers.bare))?;
        if let Ok((python, script)) = &servers.fastmcp {
            let mut command = sandbox.command(python);
            command.arg(script);
            fastmcp.one(command)?;
        }
    }
    let ours = product.report(&mut bench, &format!("imprint mcp, {ITEMS} items stored"));
    let bare = bare.report(&mut bench, "bare rmcp server, no data");
    bench.bound(
        "imprint against the bare rmcp server, times",
        ours / bare,
        3.0,
    );
    match &servers.fastmcp {
        Ok(_) => {
            let python = fastmcp.report(&mut bench, "FastMCP server, no data");
            bench.bound(
                "imprint against the FastMCP server, times",
                ours / python,
                0.05,
            );
        }
        Err(why) => bench.missing.push(format!("the FastMCP server: {why}")),
    }
    if product.peak_kib > 0 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "memory of a process is far below 2^52"
        )]
        let mib = product.peak_kib as f64 / 1_024.0;
        bench.bound("peak memory of imprint mcp, MiB", mib, 20.0);
    }
    Ok(bench)
}

impl Runs {
    fn one(&mut self, command: Command) -> Result<(), BenchError> {
        let start = Instant::now();
        let mut session = McpSession::start(command)?;
        session.initialize("bench", "1")?;
        self.times.push(start.elapsed());
        let peak = peak_memory_kib(session.process()).unwrap_or_default();
        self.peak_kib = self.peak_kib.max(peak);
        session.close(END)?;
        Ok(())
    }

    /// Tells the times and memory, and gives the median in milliseconds.
    fn report(&mut self, bench: &mut Bench, what: &str) -> f64 {
        let runs = self.times.len();
        let middle = ms(median(&mut self.times));
        bench.measured(format!("{what}: spawn to answer"), middle, "ms", runs);
        if self.peak_kib > 0 {
            #[expect(
                clippy::cast_precision_loss,
                reason = "memory of a process is far below 2^52"
            )]
            let mib = self.peak_kib as f64 / 1_024.0;
            bench.measured(format!("{what}: peak memory"), mib, "MiB", runs);
        }
        middle
    }
}
