//! The program that an entry names: the one that runs, by a path that outlasts an upgrade.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

/// The program, and what speaks against naming it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Its absolute path.
    pub path: String,
    /// Whether it lies in the folder of a build, where the next one replaces or removes it.
    pub is_of_a_build: bool,
}

/// Why no path of the program can be named.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// Its path is no Unicode.
    #[error("`{}` can't be written into clients' files, because its name is no Unicode", path.display())]
    NotUnicode {
        /// The path.
        path: PathBuf,
    },
    /// The file is not there any more.
    #[error("`{}` is not there any more; start Imprint anew", path.display())]
    Gone {
        /// The path.
        path: PathBuf,
    },
}

impl Program {
    /// The program whose running file is `running`, with these folders on `PATH`. A path there
    /// that leads to the same file is preferred: a package manager keeps it over upgrades, while
    /// the file itself lies in a folder of its version.
    pub fn of(running: &Path, search: &[PathBuf]) -> Result<Self, ProgramError> {
        let gone = || ProgramError::Gone {
            path: running.to_owned(),
        };
        let real = fs::canonicalize(running).map_err(|_| gone())?;
        let name = running.file_name().ok_or_else(gone)?;
        let leads_here = |path: &PathBuf| fs::canonicalize(path).is_ok_and(|behind| behind == real);
        let stable = search
            .iter()
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(name))
            .find(leads_here)
            .unwrap_or_else(|| running.to_owned());
        match stable.to_str() {
            Some(path) => Ok(Self {
                path: path.to_owned(),
                is_of_a_build: is_of_a_build(&real),
            }),
            None => Err(ProgramError::NotUnicode { path: stable }),
        }
    }
}

/// Whether a file lies where cargo puts what it builds.
fn is_of_a_build(real: &Path) -> bool {
    let parts: Vec<_> = real.components().collect();
    parts.iter().enumerate().any(|(at, part)| {
        let folder: PathBuf = parts[..=at].iter().collect();
        *part == Component::Normal("target".as_ref()) && folder.join("CACHEDIR.TAG").is_file()
    })
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_path_that_outlasts_an_upgrade_is_preferred() {
        let machine = tempfile::tempdir().unwrap();
        let machine = fs::canonicalize(machine.path()).unwrap();
        let cellar = machine.join("Cellar/imprint/0.1/bin");
        let bin = machine.join("bin");
        let other = machine.join("other");
        for folder in [&cellar, &bin, &other] {
            fs::create_dir_all(folder).unwrap();
        }
        let running = cellar.join("imprint");
        fs::write(&running, "").unwrap();
        fs::write(other.join("imprint"), "").unwrap();
        let path = |search: &[PathBuf]| Program::of(&running, search).unwrap().path;
        assert_eq!(path(std::slice::from_ref(&bin)), running.to_str().unwrap());
        symlink(&running, bin.join("imprint")).unwrap();
        let search = ["".into(), ".".into(), other, bin.clone()];
        assert_eq!(path(&search), bin.join("imprint").to_str().unwrap());
    }

    #[test]
    fn a_build_is_told() {
        let machine = tempfile::tempdir().unwrap();
        let debug = machine.path().join("target/debug");
        fs::create_dir_all(&debug).unwrap();
        let running = debug.join("imprint");
        fs::write(&running, "").unwrap();
        let of_a_build = || Program::of(&running, &[]).unwrap().is_of_a_build;
        assert!(!of_a_build(), "a folder that is only called so");
        fs::write(machine.path().join("target/CACHEDIR.TAG"), "").unwrap();
        assert!(of_a_build());
        fs::remove_file(&running).unwrap();
        let error = Program::of(&running, &[]).unwrap_err();
        assert!(matches!(error, ProgramError::Gone { .. }));
    }
}
