//! The user's settings: `config.toml` in the Imprint home, edited without losing a comment.

use std::{fs, io, path::Path};

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

/// All settings.
pub(crate) const SETTINGS: [Setting; 2] = [
    Setting {
        key: "editor",
        about: "the editor for `edit`, before $VISUAL and $EDITOR",
        several: false,
    },
    Setting {
        key: "folders.skip",
        about: "clients whose folders are left alone",
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
        let text = match fs::read_to_string(path) {
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

    /// Sets a setting from its text form.
    pub(crate) fn set(&mut self, setting: Setting, text: &str) {
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
                entry[key] = new;
            }
        }
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
        settings.set(setting("folders.skip").unwrap(), "cursor, cline");
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
    }
}
