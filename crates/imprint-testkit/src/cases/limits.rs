//! What a case may cost: time, memory, output.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use super::{
    Driver, Product, Run, dispatch,
    run::Shared,
    schema::{Case, Spec},
    tree::sizes,
    verdict::{CaseError, Verdict},
};
use crate::product::peak_memory_kib;

/// Runs a case in an empty machine and holds it to its limits.
pub(super) fn run(
    case: &Case,
    run: &Run<'_>,
    driver: Option<&Driver>,
) -> Result<Verdict, CaseError> {
    run.fill(case)?;
    let before = written_bytes(run)?;
    let start = Instant::now();
    let mut verdict = dispatch(case, run)?;
    let took = start.elapsed();
    if let Some(max) = case.limits.max_ms {
        verdict.holds(took <= Duration::from_millis(max), || {
            format!("it took {} ms of {max}", took.as_millis())
        });
    }
    if let Some(max) = case.limits.max_output_kib {
        let written = written_bytes(run)?.saturating_sub(before);
        let bytes = verdict.output_bytes + written;
        let max_bytes = usize::try_from(max)
            .unwrap_or(usize::MAX)
            .saturating_mul(1_024);
        verdict.holds(bytes <= max_bytes, || {
            format!("{bytes} bytes were put out, {max} KiB are allowed")
        });
    }
    // A server's memory is its own process', which that kind measures itself.
    if let Some(max) = case.limits.max_extra_mib
        && !matches!(case.spec, Spec::McpStdio(_))
    {
        check_memory(&mut verdict, case, driver, max)?;
    }
    Ok(verdict)
}

fn written_bytes(run: &Run<'_>) -> Result<usize, CaseError> {
    let sandbox = &run.sandbox;
    let mut bytes = 0;
    for folder in [sandbox.work(), sandbox.home(), sandbox.data()] {
        bytes += sizes(&folder)?.values().sum::<u64>();
    }
    Ok(usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// Compares the peak of a process that runs the case with that of one that runs none.
fn check_memory(
    verdict: &mut Verdict,
    case: &Case,
    driver: Option<&Driver>,
    max_mib: u64,
) -> Result<(), CaseError> {
    let Some(driver) = driver else {
        // The second run of a case; the first one was measured.
        return Ok(());
    };
    let (Some(peak), Some(base)) = (driver.peak(Some(&case.folder))?, driver.peak(None)?) else {
        // Only Linux tells a process' peak.
        return Ok(());
    };
    let extra = peak.saturating_sub(base);
    verdict.holds(extra <= max_mib * 1_024, || {
        format!("it took {extra} KiB more than an empty run, {max_mib} MiB are allowed")
    });
    Ok(())
}

impl Driver {
    /// The peak memory of a process that runs this case, in KiB.
    fn peak(&self, case: Option<&Path>) -> Result<Option<u64>, CaseError> {
        let output = Command::new(&self.program)
            .args(&self.arguments)
            .args(case)
            .stdin(Stdio::null())
            .output()
            .map_err(CaseError::at(&self.program))?;
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            return Err(CaseError::Product(format!(
                "the measured run failed: {}",
                String::from_utf8_lossy(&output.stderr).trim()
            )));
        }
        Ok(text.trim().parse().ok())
    }
}

/// Runs the case in this folder, or nothing, and tells the peak memory of this process in KiB,
/// where the system knows it. Called by the process that [`Driver`] starts.
pub fn measure(case: Option<&Path>, product: &Product) -> Result<Option<u64>, CaseError> {
    let shared = Shared::new(product.clone())?;
    let run = Run::new(&shared, None)?;
    if let Some(folder) = case {
        let case = Case::read(folder)?;
        run.fill(&case)?;
        dispatch(&case, &run)?;
    }
    Ok(peak_memory_kib(std::process::id()))
}
