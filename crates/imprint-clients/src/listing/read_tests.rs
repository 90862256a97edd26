use std::{fs, os::unix::fs::symlink, path::PathBuf};

use super::*;
use crate::{
    known_client,
    listing::{WhyUnlisted, read_agents},
    machine::Os,
};

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn link(&self, path: &str, target: impl AsRef<Path>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
    }

    fn read(&self, folder: &str) -> FolderContent {
        read_skill_folder(&self.path(folder), &Limits::default())
    }
}

fn sound(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Does it.\n---\nDo it.\n")
}

#[test]
fn every_place_counts_for_itself() {
    let home = Home::new();
    home.write("s/tea/SKILL.md", sound("tea"));
    home.write("s/tea/inner/SKILL.md", sound("inner"));
    home.write("s/deep/er/SKILL.md", sound("er"));
    home.write("s/.hidden/SKILL.md", sound("hidden"));
    home.write("s/README.md", "Mine.");
    home.link("s/again", "tea");
    home.link("s/lost", "nowhere");
    home.link("s/round", "../s");
    let content = home.read("s");
    let places = content.places.iter();
    let seen = |place: &SkillPlace| {
        let path = place.path.strip_prefix(home.path("s")).unwrap().to_owned();
        (path, place.skill(), place.is_link, place.is_nested)
    };
    let seen: Vec<_> = places.map(seen).collect();
    assert_eq!(
        seen,
        [
            ("again".into(), "tea".to_owned(), true, false),
            ("deep/er".into(), "er".to_owned(), false, true),
            ("tea".into(), "tea".to_owned(), false, false),
        ]
    );
    assert_eq!(content.places[0].real, content.places[2].real);
    assert_eq!(home.read("missing"), {
        let folder = home.path("missing");
        FolderContent {
            folder,
            ..FolderContent::default()
        }
    });
}

#[test]
fn bytes_show_their_defects() {
    let home = Home::new();
    let colon = "---\nname: a\ndescription: Use when: asked\n---\n";
    let cases: [(&str, String, &[Reject]); 4] = [
        ("sound", sound("sound"), &[]),
        ("colon", colon.to_owned(), &[Reject::UnquotedColon]),
        (
            "mark",
            format!("\u{FEFF}{}", sound("mark")),
            &[Reject::ByteOrderMark],
        ),
        ("bare", "Just do it.\n".to_owned(), &[Reject::NoHeader]),
    ];
    for (name, text, defects) in cases {
        home.write(&format!("{name}/{name}/SKILL.md"), text);
        let content = home.read(name);
        let text = content.places[0].text.as_ref().unwrap();
        assert_eq!(text.defects, defects, "{name}");
    }
}

#[test]
fn what_nobody_can_use_says_why() {
    let home = Home::new();
    home.write("s/binary/SKILL.md", b"\x7FELF\0");
    home.write("s/open/SKILL.md", "---\nname: open\n");
    home.write("s/lower/skill.md", sound("lower"));
    home.write("s/folder/SKILL.md/x", "");
    home.link("s/lost/SKILL.md", "nowhere");
    let content = home.read("s");
    let whys = content.places.iter().map(|place| {
        let why = place.text.as_ref().unwrap_err();
        format!("{}: {why}", place.folder_name())
    });
    let whys: Vec<_> = whys.collect();
    insta::assert_snapshot!(whys.join("\n"), @r"
    binary: the file is not text
    folder: `SKILL.md` can't be read: it is not a regular file
    lost: `SKILL.md` can't be read: No such file or directory (os error 2)
    lower: the file is called `skill.md`, not `SKILL.md`
    open: the front matter has no end: a second line `---` is missing
    ");
}

#[test]
fn a_scan_has_bounds() {
    let home = Home::new();
    for n in 0..30 {
        home.write(&format!("s/{n}/SKILL.md"), sound("x"));
        home.link(&format!("deep/{n}/up"), home.path("deep"));
    }
    let limits = Limits {
        folders: 10,
        ..Limits::default()
    };
    assert_eq!(read_skill_folder(&home.path("s"), &limits).places.len(), 9);
    assert_eq!(home.read("deep").places, []);
}

#[test]
fn a_client_reads_its_own_folders() {
    let home = Home::new();
    home.write(".claude/skills/tea/SKILL.md", sound("tea"));
    home.write(".claude/skills/a/b/SKILL.md", sound("b"));
    home.write(".agents/skills/jam/SKILL.md", sound("jam"));
    home.write(".claude/agents/one.md", sound("critic"));
    home.write(".claude/agents/two.md", sound("critic"));
    home.write(".claude/agents/bare.md", "Hello.\n");
    home.write(".codex/agents/critic.toml", "name = \"judge\"\n");
    home.write(".codex/agents/broken.toml", "name = \n");
    home.write(".config/opencode/agents/one.md", sound("critic"));
    let machine = Machine::new(Os::Linux, home.0.path());
    let claude = known_client("claude-code").unwrap();
    let listed = read_listing(claude, &machine).unwrap();
    assert_eq!(listed.listed.len(), 1);
    assert_eq!(listed.unlisted[0].why, WhyUnlisted::Nested);

    let agents = |id: &str| read_agents(known_client(id).unwrap(), &machine).unwrap();
    assert_eq!(agents("claude-code").repeated()["critic"].len(), 2);
    assert_eq!(agents("claude-code").unlisted.len(), 1);
    assert_eq!(agents("codex").listed[0].name, "judge");
    assert_eq!(agents("codex").unlisted.len(), 1);
    assert_eq!(agents("opencode").listed[0].name, "one");
}
