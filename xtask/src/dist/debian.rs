//! The Debian package: an `ar` archive with a version, a tar of control files and a tar of files
//! (deb(5), and the policy at <https://www.debian.org/doc/debian-policy/>).

use std::io;

use clap_complete::{Generator as _, Shell};
use jiff::{fmt::rfc2822, tz::TimeZone};
use md5::{Digest as _, Md5};

use super::{
    contents::Contents,
    formats::{File, ar, folders, gzip, lines, tar_gz},
    release::Release,
};

/// The number of the packaging of one version.
const REVISION: &str = "1";

/// What the control file says beside the release's own facts.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// As `dpkg --print-architecture` says.
    pub(super) architecture: &'static str,
    /// The field `Depends`.
    pub(super) depends: Option<String>,
}

/// The version with the number of the packaging. A pre-release sorts before its release, which
/// Debian writes with `~`.
fn version(release: &Release) -> String {
    format!("{}-{REVISION}", release.version.replacen('-', "~", 1))
}

/// The name of the package's file.
pub(super) fn file_name(release: &Release, target: &Target) -> String {
    let (name, version) = (&release.name, version(release));
    format!("{name}_{version}_{}.deb", target.architecture)
}

/// The whole package.
pub(super) fn package(
    release: &Release,
    target: &Target,
    contents: &Contents,
) -> io::Result<Vec<u8>> {
    let files = files(release, contents)?;
    let control = [
        File::plain("control", control(release, target, &files)),
        File::plain("md5sums", md5sums(&files)),
    ];
    let members = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", tar_gz("", &control, release.time)?),
        ("data.tar.gz", tar_gz("", &files, release.time)?),
    ];
    ar(&members, release.time)
}

/// What the package installs, in the folders that Debian gives to each kind of file.
fn files(release: &Release, contents: &Contents) -> io::Result<Vec<File>> {
    let name = &release.name;
    let doc = format!("usr/share/doc/{name}");
    let mut files = vec![
        File::program(format!("usr/bin/{name}"), contents.program.clone()),
        File::plain(format!("{doc}/README.md"), contents.readme.clone()),
        File::plain(format!("{doc}/copyright"), copyright(release)),
        File::plain(
            format!("{doc}/changelog.gz"),
            gzip(contents.changelog.as_bytes())?,
        ),
        File::plain(
            format!("{doc}/changelog.Debian.gz"),
            gzip(changelog(release).as_bytes())?,
        ),
        File::plain(
            format!("{doc}/THIRD-PARTY.txt.gz"),
            gzip(contents.third_party.as_bytes())?,
        ),
    ];
    for (shell, script) in &contents.completions {
        if let Some(path) = completions_path(*shell, name) {
            files.push(File::plain(format!("usr/share/{path}"), script.clone()));
        }
    }
    for (page, text) in &contents.manual {
        files.push(File::plain(
            format!("usr/share/man/man1/{page}.gz"),
            gzip(text)?,
        ));
    }
    Ok(files)
}

/// Where Debian's packages put completions for this shell; none for shells without such a place.
fn completions_path(shell: Shell, name: &str) -> Option<String> {
    let file = shell.file_name(name);
    match shell {
        // This shell finds the script by the program's bare name.
        Shell::Bash => Some(format!("bash-completion/completions/{name}")),
        Shell::Fish => Some(format!("fish/vendor_completions.d/{file}")),
        Shell::Zsh => Some(format!("zsh/vendor-completions/{file}")),
        _ => None,
    }
}

fn control(release: &Release, target: &Target, files: &[File]) -> String {
    let mut fields = vec![
        ("Package", release.name.clone()),
        ("Version", version(release)),
        ("Architecture", target.architecture.to_owned()),
        ("Maintainer", release.texts.maintainer.clone()),
        ("Installed-Size", installed_kib(files).to_string()),
    ];
    fields.extend(target.depends.clone().map(|depends| ("Depends", depends)));
    fields.extend([
        ("Section", "utils".to_owned()),
        ("Priority", "optional".to_owned()),
        ("Homepage", release.repository.clone()),
    ]);
    fields.push(("Description", release.summary.clone()));
    let fields = fields
        .iter()
        .map(|(name, value)| format!("{name}: {value}"));
    lines(fields.chain(continued(release.texts.about.trim())))
}

/// Further lines of a field: each begins with a space, and an empty one has a dot.
fn continued(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(|line| match line {
        "" => " .".to_owned(),
        line => format!(" {line}"),
    })
}

/// As dpkg counts: each file in whole KiB, and one for each folder.
fn installed_kib(files: &[File]) -> usize {
    let sizes = files.iter().map(|file| file.bytes.len().div_ceil(1024));
    sizes.sum::<usize>() + folders(files).len()
}

fn md5sums(files: &[File]) -> String {
    let mut sorted: Vec<_> = files.iter().collect();
    sorted.sort();
    lines(sorted.iter().map(|file| {
        let digest = hex::encode(Md5::digest(&file.bytes));
        format!("{digest}  {}", file.path)
    }))
}

/// The licence in Debian's machine-readable form. The full text of a common licence is on every
/// Debian system.
fn copyright(release: &Release) -> String {
    let Release {
        license,
        author,
        repository,
        ..
    } = release;
    let doc = format!("/usr/share/doc/{}", release.name);
    let year = TimeZone::UTC.to_datetime(release.time).year();
    format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: {}\n\
         Source: {repository}\n\
         Comment: The libraries that the program is linked with, and their licences, stand in\n \
         {doc}/THIRD-PARTY.txt.gz\n\
         \n\
         Files: *\n\
         Copyright: {year} {author}\n\
         License: {license}\n \
         The full text stands in /usr/share/common-licenses/{license}\n",
        release.texts.display_name
    )
}

/// What Debian's own changelog says: that this is the release. What changed stands in the other.
fn changelog(release: &Release) -> String {
    let date = release.time.to_zoned_datetime(TimeZone::UTC);
    let date = rfc2822::to_string(&date).unwrap_or_default();
    format!(
        "{} ({}) unstable; urgency=medium\n\n  * Release {}. What changed stands in changelog.gz.\n\n \
         -- {}  {date}\n",
        release.name,
        version(release),
        release.version,
        release.texts.maintainer
    )
}

#[cfg(test)]
mod tests;
