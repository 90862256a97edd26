//! `imprint config`: settings.

use std::path::Path;

use imprint_clients::known_clients;
use serde::Serialize;
use serde_json::json;

use crate::{
    cli::{ConfigCommand, Global},
    failure::{Failure, FailureKind},
    home::{Home, shown},
    output::Output,
    settings::{SETTINGS, Setting, Settings, setting},
};

#[derive(Serialize)]
struct Row {
    key: &'static str,
    value: Option<Vec<String>>,
    about: &'static str,
}

pub(super) fn run(global: &Global, out: &Output, command: ConfigCommand) -> Result<(), Failure> {
    let home = Home::find(global.home.as_deref())?;
    let file = home.settings_file();
    let read = || Settings::read(&file);
    match command {
        ConfigCommand::Path => print_paths(out, &home),
        ConfigCommand::List => list(out, &read()?),
        ConfigCommand::Get { key } => get(out, &read()?, setting(&key)?)?,
        ConfigCommand::Set { key, value } => {
            let setting = setting(&key)?;
            check(setting, &value)?;
            let mut settings = read()?;
            settings.set(setting, &value)?;
            settings.write(&file)?;
            let done = format!("Set `{key}` in {}{}", shown(&file), what_next(setting));
            out.data(&row(setting, &settings), |out| out.message(&done));
        }
        ConfigCommand::Unset { key } => {
            let setting = setting(&key)?;
            let mut settings = read()?;
            settings.unset(setting);
            settings.write(&file)?;
            let done = format!("`{key}` is back to its default{}", what_next(setting));
            out.data(&row(setting, &settings), |out| out.message(&done));
        }
    }
    Ok(())
}

fn row(setting: Setting, settings: &Settings) -> Row {
    Row {
        key: setting.key,
        value: settings.values(setting.key),
        about: setting.about,
    }
}

/// Refuses a client that there is no folder of.
fn check(setting: Setting, value: &str) -> Result<(), Failure> {
    if setting.key != "folders.skip" {
        return Ok(());
    }
    let with_folders = known_clients()
        .iter()
        .filter(|client| client.skills.is_some() || client.personas.is_some());
    let ids: Vec<_> = with_folders.map(|client| client.facts.id).collect();
    let mut given = value.split(',').map(str::trim).filter(|id| !id.is_empty());
    match given.find(|id| !ids.contains(id)) {
        None => Ok(()),
        Some(id) => Err(
            Failure::usage(format!("Imprint writes no folder of a client `{id}`"))
                .hint(format!("those with folders are `{}`", ids.join("`, `"))),
        ),
    }
}

fn what_next(setting: Setting) -> &'static str {
    if setting.key == "folders.skip" {
        "; `imprint write` follows it"
    } else {
        ""
    }
}

fn list(out: &Output, settings: &Settings) {
    let rows: Vec<_> = SETTINGS
        .into_iter()
        .map(|setting| row(setting, settings))
        .collect();
    out.data(&rows, |out| {
        out.table(
            &["SETTING", "VALUE", "WHAT IT DOES"],
            SETTINGS.iter().map(|setting| {
                let values = settings.values(setting.key);
                let value = values.map_or("(not set)".to_owned(), |values| values.join(","));
                vec![setting.key.to_owned(), value, setting.about.to_owned()]
            }),
        );
    });
}

fn get(out: &Output, settings: &Settings, setting: Setting) -> Result<(), Failure> {
    let Some(values) = settings.values(setting.key) else {
        let message = format!("`{}` is not set", setting.key);
        return Err(Failure::new(FailureKind::NotFound, message).hint(format!(
            "`imprint config set {} VALUE` sets it",
            setting.key
        )));
    };
    out.data(&values, |out| out.line(&values.join(",")));
    Ok(())
}

fn print_paths(out: &Output, home: &Home) {
    // JSON has no form for a path that is no Unicode text, so it is shown like to a person.
    let text = |path: &Path| path.display().to_string();
    let paths = json!({
        "home": text(home.root()),
        "database": text(&home.database()),
        "settings": text(&home.settings_file()),
    });
    out.data(&paths, |out| out.line(&home.root().display().to_string()));
}
