//! What stands in the files of made-up skills.

use super::{dice::Dice, disk::NewFile};

const QUALITIES: [&str; 10] = [
    "brisk", "calm", "dusty", "early", "frugal", "gentle", "humble", "inner", "jolly", "keen",
];
const THINGS: [&str; 8] = [
    "invoices", "teapots", "ledgers", "letters", "photos", "recipes", "tickets", "bicycles",
];

/// What is unusual about a skill that can be used all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dress {
    Plain,
    /// Lines end as on Windows.
    Crlf,
    /// It starts with a byte order mark.
    Mark,
    /// Its description holds a colon and stands without quotes.
    Colon,
    /// It asks to be kept from the model.
    Hidden,
    /// With scripts to run and other files.
    Scripts,
    /// With the folder of a version control in it.
    Git,
}

/// Eighty different names that may be written, in this seed's order.
pub(super) fn names(dice: &mut Dice) -> Vec<String> {
    let mut names = Vec::new();
    for quality in QUALITIES {
        names.extend(THINGS.map(|thing| format!("{quality}-{thing}")));
    }
    dice.shuffle(&mut names);
    names
}

/// The files of one version of a skill.
pub(super) fn skill(name: &str, version: usize, dress: Dress) -> Vec<NewFile> {
    let mut files = vec![NewFile::new("SKILL.md", entry(name, version, dress))];
    match dress {
        Dress::Scripts => {
            let script = format!("#!/bin/sh\necho {name} {version}\n");
            files.push(NewFile::new("scripts/run.sh", script).with_mode(0o755));
            files.push(NewFile::new(
                "references/deep/notes.md",
                "# Notes\n\nNone.\n",
            ));
            files.push(NewFile::new("assets/dots.bin", vec![0, 159, 146, 150, 0]));
        }
        Dress::Git => {
            files.push(NewFile::new(".git/HEAD", "ref: refs/heads/main\n"));
            files.push(NewFile::new(".git/config", "[core]\n\tbare = false\n"));
        }
        _ => {}
    }
    files
}

fn entry(name: &str, version: usize, dress: Dress) -> String {
    // Of very different lengths, as they are in the wild.
    let more = " It looks at each of them in turn.".repeat(name.len() % 7);
    let description = match dress {
        Dress::Colon => format!("Sorts {name}. Use when: somebody asks for {name}"),
        _ => format!("\"Sorts {name}.{more}\""),
    };
    let hidden = match dress {
        Dress::Hidden => "disable-model-invocation: true\n",
        _ => "",
    };
    let text = format!(
        "---\nname: {name}\ndescription: {description}\n{hidden}---\n\n# {name}\n\n\
         Version {version}: put the oldest first.\n"
    );
    match dress {
        Dress::Crlf => text.replace('\n', "\r\n"),
        Dress::Mark => format!("\u{FEFF}{text}"),
        _ => text,
    }
}

/// Entry files that nobody can take, with the reason.
pub(super) fn broken(name: &str) -> Vec<(&'static str, Vec<u8>)> {
    let description = "description: \"Sorts things.\"\n";
    let header = format!("---\nname: {name}\n{description}---\n");
    let utf16 = header.encode_utf16().flat_map(u16::to_le_bytes);
    // In parts, so that nothing in this file looks like a credential.
    let token = ["glp", "at-", "x7Kq2VbT9m", "Wc4RzLp8Nd"].concat();
    vec![
        (
            "no description",
            format!("---\nname: {name}\n---\n").into_bytes(),
        ),
        ("no header", b"# Sorting\n\nSort.\n".to_vec()),
        (
            "open header",
            format!("---\nname: {name}\n{description}").into_bytes(),
        ),
        ("binary", b"\x7FELF\x02\x01\x01\0\0\0".to_vec()),
        ("utf-16", [0xFF, 0xFE].into_iter().chain(utf16).collect()),
        ("not utf-8", [header.as_bytes(), b"\xC3\x28"].concat()),
        (
            "credential",
            format!("{header}\nUse the token {token} for it.\n").into_bytes(),
        ),
    ]
}
