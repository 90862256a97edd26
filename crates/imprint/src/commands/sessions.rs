//! `imprint sessions`: which clients connected.

use imprint_core::SessionRecord;

use crate::{cli::SessionsArgs, failure::Failure, output::Output, time, wiring::App};

pub(super) async fn run(app: &App, out: &Output, args: SessionsArgs) -> Result<(), Failure> {
    let sessions = app
        .registry
        .store()
        .sessions(app.registry.owner(), args.limit)
        .await?;
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
            "STARTED",
            "LAST SEEN",
            "CALLS",
        ];
        out.table(&header, sessions.iter().map(row));
    });
    Ok(())
}

fn row(session: &SessionRecord) -> Vec<String> {
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
        time::shown(session.started_at),
        time::shown(session.seen_at),
        session.calls.to_string(),
    ]
}
