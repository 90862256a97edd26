//! Taking one copy of ours away and listing it no more, for `setup --undo`: what is edited stays as
//! someone else's.

use std::{io, path::Path};

use super::{
    Manifest, Pass,
    apply::take_away,
    disk::Folder,
    entry::{Action, Obstacle, decide},
    survey::survey,
};

/// What became of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Withdrawn {
    /// Nothing of ours is there, and nothing else either.
    Gone,
    /// Something stays there, and why.
    Stays(String),
}

impl Pass<'_> {
    /// Removes what is ours and unchanged at a name in a client's folder, given behind all links,
    /// and takes the name out of the manifest, which the caller writes. The caller holds the lock.
    pub(crate) fn withdraw(
        &self,
        manifest: &mut Manifest,
        real: &Path,
        name: &str,
    ) -> io::Result<Withdrawn> {
        let key = real.to_str().unwrap_or_default();
        let Some(root) = manifest.roots.get_mut(key) else {
            return Ok(standing_at(&real.join(name)));
        };
        let Some(ours) = root.entries.get(name).cloned() else {
            return Ok(standing_at(&real.join(name)));
        };
        let folder = match Folder::open(real, self.steps) {
            Ok(folder) => folder,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                root.entries.remove(name);
                return Ok(Withdrawn::Gone);
            }
            Err(error) => return Err(error),
        };
        let surveyed = survey(&folder, real, name, None, Some(&ours));
        for leftover in surveyed.leftovers.into_iter().chain(folder.leftovers()?) {
            folder.sweep(&leftover)?;
        }
        let stays = match decide(None, Some(&ours), &surveyed.found) {
            Action::Remove { remove, edited } => {
                let (_, result) = take_away(&folder, name, &remove, &edited, Some(ours));
                match result {
                    Err(Obstacle::Unreadable(why)) => return Err(io::Error::other(why)),
                    Err(_) => Some(Withdrawn::Stays("it was edited since".to_owned())),
                    Ok(()) => None,
                }
            }
            Action::Leave(Obstacle::Unreadable(why)) => return Err(io::Error::other(why)),
            Action::Leave(_) => Some(Withdrawn::Stays("it was edited since".to_owned())),
            _ => None,
        };
        root.entries.remove(name);
        Ok(stays.unwrap_or_else(|| standing_at(&real.join(name))))
    }
}

fn standing_at(place: &Path) -> Withdrawn {
    match std::fs::symlink_metadata(place) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Withdrawn::Gone,
        _ => Withdrawn::Stays("something else stands there now".to_owned()),
    }
}
