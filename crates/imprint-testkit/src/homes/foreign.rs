//! What stands beside skills and personas and is none: files, folders, links that lead nowhere.

use std::{io, path::Path};

use super::{
    GeneratedHome,
    dice::Dice,
    disk::{Disk, NewFile},
};

pub(super) fn make(home: &mut GeneratedHome, disk: &Disk, dice: &mut Dice) -> io::Result<()> {
    files(home, disk, dice)?;
    links(home, disk, dice)?;
    // A folder without anything in it, and one of drafts.
    disk.folder(".claude/skills/empty")?;
    disk.file(&NewFile::new(".agents/skills/drafts/idea.md", "An idea.\n"))?;
    home.foreign
        .extend([".claude/skills/empty", ".agents/skills/drafts"].map(str::to_owned));
    // What links of skills lead to.
    home.foreign.push("dotfiles/skills".to_owned());
    home.foreign.sort_unstable();
    Ok(())
}

fn files(home: &mut GeneratedHome, disk: &Disk, dice: &mut Dice) -> io::Result<()> {
    let files = [
        (".agents/skills/README.md", "These are mine.\n"),
        (".claude/skills/.DS_Store", "\0\0\0\u{1}Bud1\0"),
        (".claude/CLAUDE.md", "Be brief.\r\n"),
        (".claude/settings.json", "{\n  \"theme\": \"dark\"\n}"),
        (".claude/agents/names.txt", "critic\ndiver\n"),
        (".codex/AGENTS.md", "Be brief.\n"),
        (".codex/history.jsonl", "{\"text\":\"hello\"}\n"),
        ("dotfiles/README.md", "# Dotfiles\n"),
        ("notes.txt", "Buy tea.\n"),
    ];
    for (path, text) in files {
        let mode = *dice.pick(&[0o644, 0o600, 0o640, 0o444]);
        disk.file(&NewFile::new(path, text).with_mode(mode))?;
        home.foreign.push(path.to_owned());
    }
    Ok(())
}

fn links(home: &mut GeneratedHome, disk: &Disk, dice: &mut Dice) -> io::Result<()> {
    let nowhere = *dice.pick(&["../../gone/skill", "/nowhere/at/all", "missing"]);
    let links = [
        (".claude/skills/dangling", nowhere),
        (".agents/skills/round", "round"),
        (".agents/skills/around", "../skills"),
        (".claude/skills/link-to-file.md", "../CLAUDE.md"),
    ];
    for (path, target) in links {
        disk.link(path, Path::new(target))?;
        home.foreign.push(path.to_owned());
    }
    Ok(())
}
