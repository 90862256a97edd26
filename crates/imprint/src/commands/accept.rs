//! Accepting findings of the scan for credentials, where the user says so.

use imprint_core::{Acceptance, secret::Finding};

use crate::{cli::AcceptArgs, failure::Failure, wiring::App};

/// Keeps an acceptance for each of these findings if the arguments name them all.
/// `false`: some are not named, so nothing was kept.
pub(super) async fn accept(
    app: &App,
    args: &AcceptArgs,
    findings: &[Finding],
) -> Result<bool, Failure> {
    let named = |finding: &Finding| {
        let fingerprint = finding.fingerprint.to_string();
        args.accept
            .iter()
            .any(|given| given.len() >= 8 && fingerprint.starts_with(given.as_str()))
    };
    let Some(reason) = &args.reason else {
        return Ok(false);
    };
    if findings.is_empty() || !findings.iter().all(named) {
        return Ok(false);
    }
    for finding in findings {
        let acceptance = Acceptance {
            fingerprint: finding.fingerprint,
            rule: finding.rule.clone(),
            reason: reason.clone(),
        };
        app.registry.accept(acceptance).await?;
    }
    Ok(true)
}
