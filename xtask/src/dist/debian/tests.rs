//! Tests of the Debian package.

use std::io::Read as _;

use super::{
    super::{contents::sample as contents, release::sample as release},
    *,
};

fn target() -> Target {
    Target {
        architecture: "amd64",
        depends: Some("libc6 (>= 2.34)".to_owned()),
    }
}

#[test]
fn the_control_file_has_the_fields_of_the_policy() {
    let files = files(&release(), &contents()).unwrap();
    insta::assert_snapshot!(control(&release(), &target(), &files), @"
    Package: imprint
    Version: 1.2.3-1
    Architecture: amd64
    Maintainer: The Imprint authors <imprint-agents@users.noreply.github.com>
    Installed-Size: 25
    Depends: libc6 (>= 2.34)
    Section: utils
    Priority: optional
    Homepage: https://github.com/imprint-agents/imprint
    Description: One home for the skills, personas and guidelines that make an AI agent yours
     Keep your skills, personas and guidelines once, on your own machine, with
     every version. Imprint gives them to every AI client that you use: it writes
     them into the folders that clients read, and gives the list to all others over
     MCP, fitted to what each client really shows its model.
     .
     It opens no network connection, and a client's model can remove nothing.
    ");
}

#[test]
fn the_changelog_and_the_copyright_are_in_debians_forms() {
    insta::assert_snapshot!(changelog(&release()), @"
    imprint (1.2.3-1) unstable; urgency=medium

      * Release 1.2.3. What changed stands in changelog.gz.

     -- The Imprint authors <imprint-agents@users.noreply.github.com>  Thu, 28 May 2026 20:26:40 +0000
    ");
    insta::assert_snapshot!(copyright(&release()), @"
    Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
    Upstream-Name: Imprint
    Source: https://github.com/imprint-agents/imprint
    Comment: The libraries that the program is linked with, and their licences, stand in
     /usr/share/doc/imprint/THIRD-PARTY.txt.gz

    Files: *
    Copyright: 2026 The Imprint authors
    License: Apache-2.0
     The full text stands in /usr/share/common-licenses/Apache-2.0
    ");
}

#[test]
fn a_static_program_has_no_field_for_dependencies() {
    let target = Target {
        depends: None,
        ..target()
    };
    assert!(!control(&release(), &target, &[]).contains("Depends"));
}

#[test]
fn a_release_candidate_sorts_before_its_release() {
    let candidate = Release {
        version: "1.2.3-rc.1".to_owned(),
        ..release()
    };
    assert_eq!(version(&candidate), "1.2.3~rc.1-1");
    assert_eq!(
        file_name(&candidate, &target()),
        "imprint_1.2.3~rc.1-1_amd64.deb"
    );
}

/// The files of a member that is a gzipped tar.
fn unpack(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(bytes));
    let entries = tar.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let path = String::from_utf8(entry.path_bytes().into_owned()).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (path, bytes)
    });
    entries.collect()
}

#[test]
fn the_package_has_its_three_members_and_every_file_a_sum() {
    let package = package(&release(), &target(), &contents()).unwrap();
    let mut archive = ar::Archive::new(package.as_slice());
    let mut members = Vec::new();
    while let Some(member) = archive.next_entry() {
        let mut member = member.unwrap();
        let name = String::from_utf8(member.header().identifier().to_vec()).unwrap();
        let mut bytes = Vec::new();
        member.read_to_end(&mut bytes).unwrap();
        members.push((name, bytes));
    }
    let names: Vec<_> = members.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["debian-binary", "control.tar.gz", "data.tar.gz"]);
    assert_eq!(members[0].1, b"2.0\n");

    let installed = unpack(&members[2].1);
    let paths: Vec<_> = installed.iter().map(|(path, _)| path.as_str()).collect();
    insta::assert_snapshot!(paths.join("\n"), @"
    usr/
    usr/bin/
    usr/share/
    usr/share/bash-completion/
    usr/share/bash-completion/completions/
    usr/share/doc/
    usr/share/doc/imprint/
    usr/share/fish/
    usr/share/fish/vendor_completions.d/
    usr/share/man/
    usr/share/man/man1/
    usr/share/zsh/
    usr/share/zsh/vendor-completions/
    usr/bin/imprint
    usr/share/bash-completion/completions/imprint
    usr/share/doc/imprint/README.md
    usr/share/doc/imprint/THIRD-PARTY.txt.gz
    usr/share/doc/imprint/changelog.Debian.gz
    usr/share/doc/imprint/changelog.gz
    usr/share/doc/imprint/copyright
    usr/share/fish/vendor_completions.d/imprint.fish
    usr/share/man/man1/imprint.1.gz
    usr/share/zsh/vendor-completions/_imprint
    ");
    let sums = &unpack(&members[1].1)[1].1;
    let sums = String::from_utf8(sums.clone()).unwrap();
    for (path, bytes) in installed.iter().filter(|(path, _)| !path.ends_with('/')) {
        let digest = hex::encode(Md5::digest(bytes));
        assert!(sums.contains(&format!("{digest}  {path}\n")), "{path}");
    }
}
