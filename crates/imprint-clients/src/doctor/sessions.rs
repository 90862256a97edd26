//! What clients said of themselves when they connected.

use std::collections::BTreeSet;

use imprint_core::SessionRecord;

use super::{Ailment, Finding};
use crate::known::{clients, known_client};

/// A client that calls itself by another client's name than its entry says. Only the latest
/// session of each entry counts: the entry may have been mended since.
pub(super) fn findings(sessions: &[SessionRecord]) -> Vec<Finding> {
    let mut seen = BTreeSet::new();
    let contradiction = |session: &SessionRecord| {
        let named = known_client(session.named_client.as_deref()?)?;
        if !seen.insert(named.facts.id) {
            return None;
        }
        let name = session.client_name.as_deref()?;
        let said = clients().recognise(name)?;
        if said.id == named.facts.id {
            return None;
        }
        let what = format!(
            "an entry says `--client {}`, but {} started it last (it calls itself `{name}`)",
            named.facts.id, said.title
        );
        let finding = Finding::warning(Ailment::ContradictingSession, what).of(said.id);
        Some(finding.command(format!("imprint connect {}", said.id)))
    };
    sessions.iter().filter_map(contradiction).collect()
}

#[cfg(test)]
mod tests {
    use imprint_core::{SessionId, Timestamp};

    use super::*;

    fn session(named: &str, name: &str) -> SessionRecord {
        SessionRecord {
            id: SessionId(uuid::Uuid::nil()),
            client_name: Some(name.to_owned()),
            client_version: None,
            named_client: Some(named.to_owned()),
            key: None,
            grant: None,
            protocol: "2025-11-25".to_owned(),
            transport: "stdio".to_owned(),
            started_at: Timestamp(1),
            seen_at: Timestamp(1),
            calls: 0,
        }
    }

    #[test]
    fn only_the_latest_session_of_an_entry_counts() {
        let wrong = session("codex", "claude-code");
        let found = findings(&[wrong.clone(), wrong.clone()]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].client, Some("claude-code"));
        let right = session("codex", "codex-mcp-client");
        assert_eq!(findings(&[right, wrong]), []);
        // A name that nobody knows contradicts nothing.
        assert_eq!(findings(&[session("goose", "mcp")]), []);
    }
}
