//! The user's settings: `config.toml` in the Imprint home, edited without losing a comment.

use std::{
    fs,
    io::{self, Read as _},
    path::Path,
};

use toml_edit::{Array, DocumentMut, Item, Table, value};

use crate::failure::{Failure, FailureKind};

/// One setting that there is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    /// Its dotted name.
    pub(crate) key: &'static str,
    /// What it does, in a line.
    pub(crate) about: &'static str,
    /// Several values, or one text.
    pub(crate) several: bool,
}

/// More than any real settings have.
const MAX_BYTES: u64 = 1024 * 1024;

/// All settings.
pub(crate) const SETTINGS: [Setting; 2] = [
    Setting {
        key: "editor",
        about: "The editor for `edit`, before $VISUAL and $EDITOR",
        several: false,
    },
    Setting {
        key: "folders.skip",
        about: "Clients whose own folders are left alone",
        several: true,
    },
];

/// The settings as they stand in the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    document: DocumentMut,
}

impl Settings {
    /// Reads the file; no file means no settings, a damaged one is an error.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = match read_text(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(Failure::io("read the settings", path, &error)),
        };
        let document = text.parse().map_err(|error: toml_edit::TomlError| {
            Failure::failed(format!(
                "`{}` is no valid TOML: {}",
                path.display(),
                error.message()
            ))
            .hint("mend the file, or move it away to start with the defaults")
        })?;
        Ok(Self { document })
    }

    /// The editor, if one is set.
    pub(crate) fn editor(&self) -> Option<&str> {
        self.item("editor").and_then(Item::as_str)
    }

    /// The ids of clients whose folders are left alone.
    pub(crate) fn skipped_clients(&self) -> Vec<String> {
        self.values("folders.skip").unwrap_or_default()
    }

    /// A setting's values; `None` when it is not set.
    pub(crate) fn values(&self, key: &str) -> Option<Vec<String>> {
        let item = self.item(key)?;
        if let Some(text) = item.as_str() {
            return Some(vec![text.to_owned()]);
        }
        let array = item.as_array()?;
        Some(
            array
                .iter()
                .filter_map(|value| value.as_str().map(str::to_owned))
                .collect(),
        )
    }

    /// Sets a setting from its text form. Refused where the file has a value in the place of the
    /// table that the setting belongs in.
    pub(crate) fn set(&mut self, setting: Setting, text: &str) -> Result<(), Failure> {
        let new = if setting.several {
            let parts = text
                .split(',')
                .map(str::trim)
                .filter(|part| !part.is_empty());
            value(parts.collect::<Array>())
        } else {
            value(text)
        };
        match setting.key.split_once('.') {
            None => self.document[setting.key] = new,
            Some((table, key)) => {
                let entry = self
                    .document
                    .entry(table)
                    .or_insert(Item::Table(Table::new()));
                let Some(table_like) = entry.as_table_like_mut() else {
                    return Err(Failure::failed(format!(
                        "`{table}` is a value in the settings file, so `{key}` can't be set in it"
                    ))
                    .hint("take that line out of the file (`imprint config path --json` tells where it is)"));
                };
                table_like.insert(key, new);
            }
        }
        Ok(())
    }

    /// Takes a setting out.
    pub(crate) fn unset(&mut self, setting: Setting) {
        match setting.key.split_once('.') {
            None => {
                self.document.remove(setting.key);
            }
            Some((table, key)) => {
                if let Some(table) = self
                    .document
                    .get_mut(table)
                    .and_then(Item::as_table_like_mut)
                {
                    table.remove(key);
                }
            }
        }
    }

    /// Writes the file: a temporary file beside it, then renamed over it.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let attempt = || -> io::Result<()> {
            fs::create_dir_all(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            io::Write::write_all(&mut file, self.document.to_string().as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(path).map_err(|error| error.error)?;
            Ok(())
        };
        attempt().map_err(|error| Failure::io("write the settings", path, &error))
    }

    fn item(&self, key: &str) -> Option<&Item> {
        match key.split_once('.') {
            None => self.document.get(key),
            Some((table, key)) => self.document.get(table)?.get(key),
        }
    }
}

/// The text of a regular file, refused when it is longer than any settings are.
fn read_text(path: &Path) -> io::Result<String> {
    // Opening a pipe would wait for its other end.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    let mut text = String::new();
    fs::File::open(path)?
        .take(MAX_BYTES + 1)
        .read_to_string(&mut text)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!(
            "it has more than {MAX_BYTES} bytes"
        )));
    }
    Ok(text)
}

/// The setting of this name.
pub(crate) fn setting(key: &str) -> Result<Setting, Failure> {
    SETTINGS
        .into_iter()
        .find(|setting| setting.key == key)
        .ok_or_else(|| {
            let known: Vec<_> = SETTINGS.iter().map(|setting| setting.key).collect();
            Failure::new(
                FailureKind::NotFound,
                format!("there is no setting `{key}`"),
            )
            .hint(format!("the settings are `{}`", known.join("`, `")))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_order_survive_a_change() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        fs::write(&path, "# mine\neditor = \"vi\" # short\n\n[other]\nx = 1\n").unwrap();
        let mut settings = Settings::read(&path).unwrap();
        settings
            .set(setting("folders.skip").unwrap(), "cursor, cline")
            .unwrap();
        settings.write(&path).unwrap();
        insta::assert_snapshot!(fs::read_to_string(&path).unwrap(), @r#"
        # mine
        editor = "vi" # short

        [other]
        x = 1

        [folders]
        skip = ["cursor", "cline"]
        "#);
        let settings = Settings::read(&path).unwrap();
        assert_eq!(settings.editor(), Some("vi"));
        assert_eq!(settings.skipped_clients(), ["cursor", "cline"]);
    }

    #[test]
    fn a_damaged_file_is_an_error_and_a_missing_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        assert!(Settings::read(&path).unwrap().editor().is_none());
        fs::write(&path, "editor = ").unwrap();
        assert!(Settings::read(&path).is_err());
        fs::write(&path, "#".repeat(2 * 1024 * 1024)).unwrap();
        assert!(Settings::read(&path).is_err());
    }

    #[test]
    fn a_value_where_a_table_belongs_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        fs::write(&path, "folders = 7\n").unwrap();
        let mut settings = Settings::read(&path).unwrap();
        let skip = setting("folders.skip").unwrap();
        assert!(settings.set(skip, "cursor").is_err());
        assert!(settings.skipped_clients().is_empty());
    }
}
