//! `imprint config`: settings.

use std::path::Path;

use serde::Serialize;

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
    if matches!(command, ConfigCommand::Path) {
        print_paths(out, &home);
        return Ok(());
    }
    let mut settings = Settings::read(&file)?;
    match command {
        ConfigCommand::List => list(out, &settings),
        ConfigCommand::Get { key } => get(out, &settings, &key)?,
        ConfigCommand::Set { key, value } => {
            settings.set(setting(&key)?, &value)?;
            settings.write(&file)?;
            out.data(&row(&settings, setting(&key)?), |out| {
                out.message(&format!("Set `{key}` in {}", shown(&file)));
            });
        }
        ConfigCommand::Unset { key } => {
            settings.unset(setting(&key)?);
            settings.write(&file)?;
            out.data(&row(&settings, setting(&key)?), |out| {
                out.message(&format!("`{key}` is back to its default"));
            });
        }
        ConfigCommand::Path => {}
    }
    Ok(())
}

fn row(settings: &Settings, setting: Setting) -> Row {
    Row {
        key: setting.key,
        value: settings.values(setting.key),
        about: setting.about,
    }
}

fn list(out: &Output, settings: &Settings) {
    let rows = SETTINGS.map(|setting| row(settings, setting));
    out.data(&rows, |out| {
        out.table(
            &["SETTING", "VALUE", "WHAT IT DOES"],
            rows.iter().map(|row| {
                let value = row
                    .value
                    .as_ref()
                    .map_or("(not set)".to_owned(), |v| v.join(","));
                vec![row.key.to_owned(), value, row.about.to_owned()]
            }),
        );
    });
}

fn get(out: &Output, settings: &Settings, key: &str) -> Result<(), Failure> {
    let setting = setting(key)?;
    let Some(values) = settings.values(setting.key) else {
        return Err(Failure::new(
            FailureKind::NotFound,
            format!("`{key}` is not set"),
        ));
    };
    out.data(&values, |out| out.line(&values.join(",")));
    Ok(())
}

fn print_paths(out: &Output, home: &Home) {
    // JSON has no form for a path that is no Unicode text, so it is shown like to a person.
    let text = |path: &Path| path.display().to_string();
    let paths = serde_json::json!({
        "home": text(home.root()),
        "database": text(&home.database()),
        "settings": text(&home.settings_file()),
    });
    out.data(&paths, |out| out.line(&home.root().display().to_string()));
}
