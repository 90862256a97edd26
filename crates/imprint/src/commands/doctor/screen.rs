//! What `imprint doctor` shows to a person.

use imprint_clients::doctor::{Finding, Mend, Severity};

use super::{Answered, Checked, Client};
use crate::{
    home::{shown, tilde},
    output::{Output, count, listed},
};

pub(super) fn print(out: &Output, checked: &Checked) {
    if checked.clients.is_empty() {
        out.message("No client was found on this machine; `imprint clients --all` lists those that Imprint knows");
    }
    let general = of(&checked.findings, None);
    if !general.is_empty() {
        out.heading("Imprint");
        for finding in general {
            print_finding(out, finding);
        }
    }
    for client in &checked.clients {
        print_client(out, client, &of(&checked.findings, Some(client.id)));
    }
    let told = |finding: &&Finding| {
        finding
            .client
            .is_some_and(|id| checked.clients.iter().all(|client| client.id != id))
    };
    for finding in checked.findings.iter().filter(told) {
        print_finding(out, finding);
    }
    if !checked.findings.iter().any(Finding::is_to_be_mended) {
        out.message("All is well");
    }
}

fn of<'f>(findings: &'f [Finding], client: Option<&str>) -> Vec<&'f Finding> {
    findings
        .iter()
        .filter(|finding| finding.client == client)
        .collect()
}

fn print_client(out: &Output, client: &Client, findings: &[&Finding]) {
    let version = client.version.as_deref().unwrap_or_default();
    out.heading(format!("{} {version}", client.title).trim_end());
    for answered in &client.handshakes {
        out.prose(&format!("  ok       {}", good(answered)));
    }
    for finding in findings {
        print_finding(out, finding);
    }
    if client.handshakes.is_empty() && findings.is_empty() {
        out.prose("  ok       nothing of its own is to be mended; its server was not started");
    }
}

fn good(answered: &Answered) -> String {
    let left_out: Vec<_> = answered
        .left_out
        .iter()
        .map(|kind| format!("{kind}s"))
        .collect();
    let folders = if left_out.is_empty() {
        String::new()
    } else {
        format!("; {} come from folders", listed(&left_out))
    };
    format!(
        "the server of {} answers as it should, with {} and {} UTF-16 units of instructions{folders}",
        shown(answered.file.as_ref()),
        count(answered.tools, "tool"),
        answered.instruction_units
    )
}

fn print_finding(out: &Output, finding: &Finding) {
    let label = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    out.prose(&format!("  {label:<9}{}", tilde(&finding.what)));
    match &finding.mend {
        Some(Mend::Command(command)) => out.prose(&format!("           → `{command}`")),
        Some(Mend::ByHand(what)) => out.prose(&format!("           → {what}")),
        None => {}
    }
}
