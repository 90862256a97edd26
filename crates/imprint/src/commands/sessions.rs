//! `imprint sessions`: which clients connected.

use std::collections::HashMap;

use imprint_core::{KeyId, SessionRecord};

use super::keys::{name_of, names_by_id};
use crate::{cli::SessionsArgs, failure::Failure, output::Output, time, wiring::App};

pub(super) async fn run(app: &App, out: &Output, args: SessionsArgs) -> Result<(), Failure> {
    let sessions = app
        .registry
        .store()
        .sessions(app.registry.owner(), args.limit)
        .await?;
    let names = names_by_id(app).await?;
    out.data(&sessions, |out| {
        if sessions.is_empty() {
            out.message(
                "No client has connected yet; `imprint mcp --help` shows what to put into its settings",
            );
            return;
        }
        let header = [
            "CLIENT",
            "VERSION",
            "PROTOCOL",
            "OVER",
            "BY",
            "STARTED",
            "LAST SEEN",
            "CALLS",
        ];
        out.table(&header, sessions.iter().map(|session| row(session, &names)));
    });
    Ok(())
}

fn row(session: &SessionRecord, keys: &HashMap<KeyId, String>) -> Vec<String> {
    let name = session.client_name.as_deref().unwrap_or("(no name)");
    let name = match &session.named_client {
        Some(named) if named != name => format!("{name} ({named})"),
        _ => name.to_owned(),
    };
    vec![
        name,
        session.client_version.clone().unwrap_or_default(),
        session.protocol.clone(),
        session.transport.clone(),
        by(session, keys),
        time::shown(session.started_at),
        time::shown(session.seen_at),
        session.calls.to_string(),
    ]
}

/// What let the session in.
fn by(session: &SessionRecord, names: &HashMap<KeyId, String>) -> String {
    match (session.key, session.grant) {
        (Some(key), _) => name_of(key, names).to_owned(),
        (None, Some(_)) => "a grant".to_owned(),
        (None, None) => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use imprint_core::{GrantId, SessionId, Timestamp};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_session_is_told_by_what_let_it_in() {
        let laptop = KeyId(Uuid::from_u128(1));
        let names = HashMap::from([(laptop, "laptop".to_owned())]);
        let shown = |key, grant| {
            let session = SessionRecord {
                id: SessionId(Uuid::nil()),
                client_name: Some("wren".to_owned()),
                client_version: None,
                named_client: None,
                key,
                grant,
                protocol: "2025-11-25".to_owned(),
                transport: "http".to_owned(),
                started_at: Timestamp(1),
                seen_at: Timestamp(1),
                calls: 0,
            };
            row(&session, &names)[4].clone()
        };
        assert_eq!(shown(Some(laptop), None), "laptop");
        assert_eq!(shown(Some(KeyId(Uuid::nil())), None), "(unknown)");
        assert_eq!(shown(None, Some(GrantId(Uuid::nil()))), "a grant");
        assert_eq!(shown(None, None), "-");
    }
}
