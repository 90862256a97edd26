//! What goes into every package: the program, what it writes of itself, and the texts.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use clap_complete::{Generator as _, Shell};

use super::{
    formats::File,
    platform::{Platform, System},
    release::Release,
};
use crate::{
    task::TaskError,
    workspace::{self, run},
};

/// The shells that the program writes completions for.
const SHELLS: [Shell; 5] = [
    Shell::Bash,
    Shell::Elvish,
    Shell::Fish,
    Shell::PowerShell,
    Shell::Zsh,
];

/// Everything that packages are made of.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    pub(super) program: Vec<u8>,
    pub(super) completions: Vec<(Shell, Vec<u8>)>,
    /// Pages for `man` by file name.
    pub(super) manual: Vec<(String, Vec<u8>)>,
    pub(super) readme: String,
    pub(super) changelog: String,
    pub(super) license: String,
    /// The licences of the libraries in the program.
    pub(super) third_party: String,
}

impl Contents {
    /// Reads the texts, and asks the program for the rest.
    pub(super) fn gather(program: &Path, third_party: String) -> Result<Self, TaskError> {
        let text = |name: &str| {
            let path = workspace::root().join(name);
            fs::read_to_string(&path).map_err(TaskError::io(path.display().to_string()))
        };
        let completions = SHELLS
            .into_iter()
            .map(|shell| Ok((shell, completions(program, shell)?)))
            .collect::<Result<_, TaskError>>()?;
        Ok(Self {
            program: fs::read(program).map_err(TaskError::io(program.display().to_string()))?,
            completions,
            manual: manual(program)?,
            readme: text("README.md")?,
            changelog: text("CHANGELOG.md")?,
            license: text("LICENSE")?,
            third_party,
        })
    }

    /// What lies in a release archive, below its folder. Windows has no `man`.
    pub(super) fn archive(&self, release: &Release, platform: &Platform) -> Vec<File> {
        let mut files = vec![File::program(
            platform.executable(&release.name),
            self.program.clone(),
        )];
        files.extend(self.legal());
        files.push(File::plain("README.md", self.readme.clone()));
        files.push(File::plain("CHANGELOG.md", self.changelog.clone()));
        for (shell, script) in &self.completions {
            let path = format!("completions/{}", shell.file_name(&release.name));
            files.push(File::plain(path, script.clone()));
        }
        if platform.system != System::Windows {
            let page = |(page, text): &(String, Vec<u8>)| {
                File::plain(format!("man/man1/{page}"), text.clone())
            };
            files.extend(self.manual.iter().map(page));
        }
        files
    }

    /// The texts that go with every copy of the program.
    pub(super) fn legal(&self) -> Vec<File> {
        vec![
            File::plain("LICENSE", self.license.clone()),
            File::plain("THIRD-PARTY.txt", self.third_party.clone()),
        ]
    }
}

fn completions(program: &Path, shell: Shell) -> Result<Vec<u8>, TaskError> {
    let what = format!("the completions for {shell}");
    let output = Command::new(program)
        .args(["completions", &shell.to_string()])
        .stderr(Stdio::inherit())
        .output()
        .map_err(TaskError::io(&what))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(TaskError::Failed(format!("{what}: {}", output.status)))
}

fn manual(program: &Path) -> Result<Vec<(String, Vec<u8>)>, TaskError> {
    let what = "the pages for `man`";
    let folder = tempfile::tempdir().map_err(TaskError::io(what))?;
    run(Command::new(program).arg("manual").arg(folder.path()), what)?;
    let pages = || {
        let entries = fs::read_dir(folder.path())?;
        let mut pages = entries
            .map(|entry| {
                let entry = entry?;
                let name = entry.file_name().to_string_lossy().into_owned();
                Ok((name, fs::read(entry.path())?))
            })
            .collect::<std::io::Result<Vec<_>>>()?;
        pages.sort();
        Ok(pages)
    };
    pages().map_err(TaskError::io(what))
}

#[cfg(test)]
pub(super) fn sample() -> Contents {
    let script = |shell: Shell| (shell, shell.to_string().into_bytes());
    Contents {
        program: vec![0x7f; 3_000],
        completions: SHELLS.map(script).to_vec(),
        manual: vec![("imprint.1".to_owned(), b".TH imprint 1".to_vec())],
        readme: "# Imprint".to_owned(),
        changelog: "# Changelog".to_owned(),
        license: "Apache License".to_owned(),
        third_party: "Licences".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::release::sample as release, *};

    fn paths(triple: &str) -> String {
        let platform = Platform::of(triple).unwrap();
        let files = sample().archive(&release(), &platform);
        let mut lines: Vec<_> = files
            .iter()
            .map(|file| format!("{}{}", file.path, if file.executable { "*" } else { "" }))
            .collect();
        lines.sort();
        lines.join("\n")
    }

    #[test]
    fn an_archive_has_what_its_system_can_use() {
        insta::assert_snapshot!(paths("x86_64-unknown-linux-gnu"), @"
        CHANGELOG.md
        LICENSE
        README.md
        THIRD-PARTY.txt
        completions/_imprint
        completions/_imprint.ps1
        completions/imprint.bash
        completions/imprint.elv
        completions/imprint.fish
        imprint*
        man/man1/imprint.1
        ");
        insta::assert_snapshot!(paths("x86_64-pc-windows-msvc"), @"
        CHANGELOG.md
        LICENSE
        README.md
        THIRD-PARTY.txt
        completions/_imprint
        completions/_imprint.ps1
        completions/imprint.bash
        completions/imprint.elv
        completions/imprint.fish
        imprint.exe*
        ");
        assert_eq!(
            paths("aarch64-apple-darwin"),
            paths("x86_64-unknown-linux-gnu")
        );
    }
}
