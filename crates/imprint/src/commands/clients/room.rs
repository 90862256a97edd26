//! `imprint clients NAME --more-room`: a client's own setting that gives its list of skills more
//! room.

use std::path::Path;

use imprint_clients::{
    Client,
    connect::{Change, Connections, Planned},
    inspect::{MoreRoom, more_room},
};
use serde_json::json;

use crate::{
    cli::ClientsArgs, commands::diff, failure::Failure, home::shown, output::Output, wiring::App,
};

pub(super) fn run(
    app: &App,
    out: &Output,
    named: &[&'static Client],
    args: &ClientsArgs,
) -> Result<(), Failure> {
    let [client] = named else {
        return Err(Failure::usage("`--more-room` is for one client at a time")
            .hint("name it: `imprint clients claude-code --more-room`"));
    };
    let (id, title) = (client.facts.id, client.facts.title);
    let Some(room) = more_room(client, app.folders.machine()) else {
        return Err(Failure::failed(format!(
            "no setting of {title} is known that gives its list more room"
        ))
        .hint(format!("`imprint clients {id}` tells what is known")));
    };
    let connections = Connections {
        home: app.home.root(),
        at: app.registry.clock().now(),
    };
    let planned = connections
        .plan(&room.wanted)
        .map_err(|error| refused(&room, &error))?;
    let is_due = !matches!(planned.change, Change::Unchanged);
    if is_due && !out.is_json() {
        show(out, &room, &planned);
    }
    let is_done = is_due && !args.dry_run && agreed(out, args, &room, title)?;
    let backup = if is_done {
        let connected = connections.connect(&room.wanted);
        connected.map_err(|error| refused(&room, &error))?.backup
    } else {
        None
    };
    let value = json!({
        "client": id,
        "file": room.wanted.file.display().to_string(),
        "setting": room.setting,
        "value": room.wanted.entry,
        "characters": room.characters,
        "changed": is_done,
        "backup": backup.as_ref().map(|file| file.display().to_string()),
    });
    out.data(&value, |out| {
        let setting = &room.setting;
        match (is_due, is_done) {
            (false, _) => out.message(&format!("`{setting}` is set already")),
            (true, false) => out.message("Nothing was changed"),
            (true, true) => tell_done(out, client, &room, backup.as_deref()),
        }
    });
    Ok(())
}

fn tell_done(out: &Output, client: &Client, room: &MoreRoom, backup: Option<&Path>) {
    let (id, title) = (client.facts.id, client.facts.title);
    out.message(&format!(
        "Set `{}`; start {title} anew to have it",
        room.setting
    ));
    out.message(&format!(
        "`imprint disconnect {id}` takes it out again, with Imprint's entry"
    ));
    if let Some(backup) = backup {
        out.message(&format!("The file as it was is kept in {}", shown(backup)));
    }
}

fn show(out: &Output, room: &MoreRoom, planned: &Planned) {
    let diff = diff::of_config(
        &room.wanted.file,
        room.wanted.syntax,
        planned.before.as_deref(),
        Some(&planned.after),
    );
    out.diff(&diff.unwrap_or_default());
    out.line("");
}

fn agreed(out: &Output, args: &ClientsArgs, room: &MoreRoom, title: &str) -> Result<bool, Failure> {
    if args.yes {
        return Ok(true);
    }
    out.needs_someone("`--yes` changes the setting, `--dry-run` only looks")?;
    Ok(out.ask(&format!(
        "Set `{}`, so that {title}'s list of skills has {} characters?",
        room.setting, room.characters
    )))
}

fn refused(room: &MoreRoom, error: &imprint_clients::connect::ConnectError) -> Failure {
    use imprint_clients::connect::ConnectError;

    match error {
        ConnectError::Conflict { file, .. } => Failure::new(
            crate::failure::FailureKind::Conflict,
            format!(
                "`{}` in `{}` has a value of your own, which was left alone",
                room.setting,
                file.display()
            ),
        )
        .hint(format!(
            "to change it, set it to {} there",
            room.wanted.entry
        )),
        other => Failure::failed(other.to_string()),
    }
}
