//! Where things go that are moved out of clients' folders: `backups` in the home, a folder for
//! each run, in it the path from which it came.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

use imprint_core::Timestamp;

use crate::home::{BACKUPS, dated};

/// A run's moment as part of a name: `2026-11-30-213405`.
pub(crate) const DATE: &str = "%F-%H%M%S";
/// In a run's folder: what came from the user's home, and what came from elsewhere.
const FROM_HOME: &str = "home";
const FROM_ELSEWHERE: &str = "elsewhere";

/// One run's folder. It is made with the first thing that goes into it.
#[derive(Clone, Debug)]
pub(crate) struct Backup {
    root: PathBuf,
    user: PathBuf,
    /// Places that are given away and not filled yet.
    given: Vec<PathBuf>,
}

impl Backup {
    /// A folder that is not there yet.
    pub(crate) fn new(home: &Path, user: &Path, now: Timestamp) -> Self {
        let all = home.join(BACKUPS);
        let date = dated(now, DATE);
        let names = (1..).map(|number| match number {
            1 => date.clone(),
            number => format!("{date}-{number}"),
        });
        let mut roots = names.map(|name| all.join(name));
        let free = roots.find(|root| fs::symlink_metadata(root).is_err());
        Self {
            root: free.unwrap_or_else(|| all.join(&date)),
            user: fs::canonicalize(user).unwrap_or_else(|_| user.to_owned()),
            given: Vec::new(),
        }
    }

    /// The folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A free place for what stands at this path.
    pub(crate) fn place_for(&mut self, path: &Path) -> PathBuf {
        let (top, below) = match path.strip_prefix(&self.user) {
            Ok(below) => (FROM_HOME, below),
            Err(_) => (FROM_ELSEWHERE, path),
        };
        let mut place = self.root.join(top);
        for part in below.components() {
            match part {
                Component::Normal(name) => place.push(name),
                Component::Prefix(prefix) => {
                    let name = prefix.as_os_str().to_string_lossy();
                    place.push(name.replace(['\\', ':', '/', '?'], ""));
                }
                Component::RootDir | Component::CurDir | Component::ParentDir => {}
            }
        }
        let mut free = place.clone();
        let mut number = 2;
        while self.given.contains(&free) || fs::symlink_metadata(&free).is_ok() {
            let mut name = place.file_name().unwrap_or_default().to_owned();
            name.push(format!(" ({number})"));
            free = place.with_file_name(name);
            number += 1;
        }
        self.given.push(free.clone());
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thing_has_a_place_of_its_own() {
        let home = tempfile::tempdir().unwrap();
        let user = home.path().join("ada");
        fs::create_dir(&user).unwrap();
        let user = fs::canonicalize(user).unwrap();
        let mut backup = Backup::new(home.path(), &user, Timestamp(0));
        let root = backup.root().to_owned();
        assert_eq!(root, home.path().join("backups/1970-01-01-000000"));
        let tea = user.join(".claude/skills/tea");
        assert_eq!(backup.place_for(&tea), root.join("home/.claude/skills/tea"));
        assert_eq!(
            backup.place_for(&tea),
            root.join("home/.claude/skills/tea (2)")
        );
        let away = Path::new("/opt/skills/tea");
        assert_eq!(
            backup.place_for(away),
            root.join("elsewhere/opt/skills/tea")
        );
        fs::create_dir_all(&root).unwrap();
        let again = Backup::new(home.path(), &user, Timestamp(0));
        assert_eq!(
            again.root(),
            home.path().join("backups/1970-01-01-000000-2")
        );
    }
}
