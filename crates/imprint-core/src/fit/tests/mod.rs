mod folders;

use proptest::prelude::*;

use super::*;
use crate::catalog::tests::{Read, hostile, item, items, many, skill};
use crate::catalog::{BLOCK_START, is_listed, units};
use crate::{InstructionCut, LogPosition, Reader, Unplaced};

const OPEN_BOOK: ClientFacts = ClientFacts {
    id: "open-book",
    title: "Open Book",
    names: &["open-book"],
    name_prefixes: &["open-book-"],
    instruction_cuts: &[],
    description_cuts: &[],
    instructions_reach_model: Reach::Yes,
    result_chars: None,
    reads_our_folders: true,
    honours_hidden: true,
};
const CLAUDE_CODE: ClientFacts = ClientFacts {
    id: "claude-code",
    names: &["claude-code"],
    name_prefixes: &[],
    instruction_cuts: &[
        InstructionCut {
            from: "2.1.332",
            cut: Cut::Utf16(4_096),
        },
        InstructionCut {
            from: "",
            cut: Cut::Utf16(2_048),
        },
    ],
    ..OPEN_BOOK
};
const CODEX: ClientFacts = ClientFacts {
    id: "codex",
    names: &["codex-mcp-client"],
    name_prefixes: &[],
    instruction_cuts: &[InstructionCut {
        from: "",
        cut: Cut::FirstLine(247),
    }],
    description_cuts: &[InstructionCut {
        from: "",
        cut: Cut::Utf16(5_000),
    }],
    ..OPEN_BOOK
};
const CLINE: ClientFacts = ClientFacts {
    id: "cline",
    names: &["@cline/core"],
    name_prefixes: &[],
    description_cuts: &[InstructionCut {
        from: "",
        cut: Cut::Utf16(9_000),
    }],
    instructions_reach_model: Reach::No,
    result_chars: Some(8_000),
    reads_our_folders: false,
    ..OPEN_BOOK
};
const UNMEASURED: ClientFacts = ClientFacts {
    id: "unmeasured",
    names: &["unmeasured"],
    name_prefixes: &[],
    instructions_reach_model: Reach::No,
    reads_our_folders: false,
    ..OPEN_BOOK
};
const CLIENTS: ClientTable =
    ClientTable::new(&[&OPEN_BOOK, &CLAUDE_CODE, &CODEX, &CLINE, &UNMEASURED]);

/// A registry and what is known around it.
#[derive(Clone, Debug, Default)]
struct Scene {
    items: Vec<ItemSummary>,
    guidelines: Vec<String>,
    report: Option<FolderReport>,
    peer: Peer,
}

impl Scene {
    fn new(items: Vec<ItemSummary>, guidelines: &[&str]) -> Self {
        Self {
            items,
            guidelines: guidelines.iter().map(|&text| text.to_owned()).collect(),
            ..Self::default()
        }
    }

    fn to(mut self, name: &str, version: &str) -> Self {
        self.peer.name = Some(name.to_owned());
        self.peer.version = Some(version.to_owned());
        self
    }

    fn named(mut self, id: &str) -> Self {
        self.peer.named = Some(id.to_owned());
        self
    }

    /// The last pass, at position 5, found these clients reading these kinds.
    fn read_by(mut self, readers: &[(&str, ItemKind)]) -> Self {
        let readers = readers.iter().map(|&(client, kind)| Reader {
            client: client.to_owned(),
            kind,
            folder: "/home/u/skills".to_owned(),
        });
        self.report = Some(FolderReport {
            position: LogPosition(5),
            readers: readers.collect(),
            ..FolderReport::default()
        });
        self
    }

    fn unplaced(mut self, name: &str, client: Option<&str>) -> Self {
        let item = self.items.iter().find(|item| item.name.as_str() == name);
        let item = item.expect("an item of the scene");
        let unplaced = Unplaced {
            item: item.id,
            kind: item.kind,
            name: name.to_owned(),
            client: client.map(str::to_owned),
            why: "another program's folder stands there".to_owned(),
        };
        self.report
            .as_mut()
            .expect("a report")
            .unplaced
            .push(unplaced);
        self
    }

    fn fit(&self) -> Fitted {
        fit(FitInput {
            items: &self.items,
            guidelines: &self.guidelines,
            report: self.report.as_ref(),
            peer: &self.peer,
            clients: CLIENTS,
        })
    }

    /// The names in the instructions' block.
    fn names(&self) -> Vec<String> {
        let text = self.fit().instructions;
        let Some(at) = text.find(BLOCK_START) else {
            return Vec::new();
        };
        let read = Read::of(&text[at..]);
        read.described.into_iter().map(|(_, name)| name).collect()
    }
}

fn three_items() -> Vec<ItemSummary> {
    vec![
        skill("release-notes", "Writes release notes from merged changes."),
        skill("tidy-up", "Sorts imports & removes dead <code>."),
        item(
            ItemKind::Persona,
            "reviewer",
            "Reads a change as a strict reviewer would.",
        ),
    ]
}

const GUIDELINES: [&str; 2] = [
    "Answer in British English.",
    "Before you commit:\n\n  1. run `make check`\n  2. look at the diff\r\n\n\n",
];

#[test]
fn the_first_line_stands_alone() {
    assert!(
        units(text::FIRST_LINE) <= 240,
        "{}",
        units(text::FIRST_LINE)
    );
    assert!(text::FIRST_LINE.starts_with("Imprint "));
    assert!(text::FIRST_LINE.contains(r#"skills(action="list")"#));
    assert!(text::FIRST_LINE.contains("skills and personas"));
    assert!(!text::FIRST_LINE.contains('\n'));
}

#[test]
fn an_unknown_client_gets_everything_and_the_names_in_the_tool() {
    let fitted = Scene::new(three_items(), &GUIDELINES)
        .to("newcomer", "1")
        .fit();
    insta::assert_snapshot!(fitted.instructions, @r#"
    Imprint keeps this user's own skills and personas: the tool skills(action="list") gives them. Before you start a task, load the one that fits it with skills(action="get", name=…). Save new ones with skill_edit.

    The user's guidelines for you:
    - Answer in British English.
    - Before you commit:

        1. run `make check`
        2. look at the diff

    The user's skills and personas. When a description fits the task, load that one first with skills(action="get", name=…):
    - skill release-notes: Writes release notes from merged changes.
    - persona reviewer: Reads a change as a strict reviewer would.
    - skill tidy-up: Sorts imports & removes dead &lt;code&gt;.
    skills(action="list") gives all of them.
    "#);
    insta::assert_snapshot!(fitted.skills_description, @r#"
    Lists and loads the user's own skills (how to do a kind of task) and personas (roles to take on). action="list" gives kind, name, description and state; with query, the best match first. action="get" gives the instructions of one by name; with path, another of its files; start continues a long answer. Before you start a task, load the one whose description fits it.

    The user's skills and personas. Load one that fits the task with skills(action="get", name=…).
    skills: release-notes, tidy-up
    personas: reviewer
    skills(action="list") gives all of them.
    "#);
    assert_eq!(fitted.page_chars, 20_000);
    assert_eq!(fitted.client, None);
}

#[test]
fn an_old_claude_code_gets_what_its_cut_lets_through() {
    let guideline = "Prefer plain words. ".repeat(95);
    let scene = Scene::new(many(60), &[&guideline]).to("claude-code", "2.1.197");
    let fitted = scene.fit();
    assert!(units(&fitted.instructions) <= 2_048);
    insta::assert_snapshot!(fitted.instructions, @r#"
    Imprint keeps this user's own skills and personas: the tool skills(action="list") gives them. Before you start a task, load the one that fits it with skills(action="get", name=…). Save new ones with skill_edit.

    The user has guidelines for you: call guidelines() to read them.

    The user's skills and personas. When a description fits the task, load that one first with skills(action="get", name=…):
    - skill topic-0000: Handles one topic of many, with a description that has about eighty letters.
    - skill topic-0001: Handles one topic of many, with a description that has about eighty letters.
    - skill topic-0002: Handles one topic of many, with a description that has about eighty letters.
    - skill topic-0003: Handles one topic of many, with a description that has about eighty letters.
    - skill topic-0004: Handles one topic of many, with a description that has about eighty letters.
    - skill topic-0005: Handles one topic of many, with a description that has about eighty letters.
    - skill topic-0006: Handles one topic of many, with a description that has about eighty letters.
    - skill topic-0007: Handles one topic of many, with a description that has about eighty letters.
    - skill topic-0008: Handles one topic of many, with a description that has about eighty letters.
    - skill topic-0009: Handles one topic of many, with a description that has about eighty letters.
    More skills: topic-0010, topic-0011, topic-0012, topic-0013, topic-0014, topic-0015, topic-0016, topic-0017, topic-0018, topic-0019, topic-0020, topic-0021, topic-0022, topic-0023, topic-0024, topic-0025, topic-0026, topic-0027, topic-0028, topic-0029, topic-0030, topic-0031, topic-0032, topic-0033, topic-0034, topic-0035, topic-0036, topic-0037, topic-0038, topic-0039, topic-0040, topic-0041, topic-0042, topic-0043, topic-0044, topic-0045, topic-0046, topic-0047, topic-0048, topic-0049, topic-0050, topic-0051, topic-0052, topic-0053, topic-0054, topic-0055, topic-0056, topic-0057, topic-0058, topic-0059
    skills(action="list") gives all of them.
    "#);
    assert!(units(&scene.to("claude-code", "2.1.332").fit().instructions) > 2_048);
    let description = fitted.skills_description;
    assert!(
        !description.contains("topic-"),
        "the instructions reach it: {description}"
    );
}

#[test]
fn cline_sees_no_instructions_so_the_tool_says_it_all() {
    let fitted = Scene::new(three_items(), &GUIDELINES)
        .to("@cline/core", "0.0.0")
        .fit();
    insta::assert_snapshot!(fitted.skills_description, @r#"
    Lists and loads the user's own skills (how to do a kind of task) and personas (roles to take on). action="list" gives kind, name, description and state; with query, the best match first. action="get" gives the instructions of one by name; with path, another of its files; start continues a long answer. Before you start a task, load the one whose description fits it.

    The user's guidelines for you:
    - Answer in British English.
    - Before you commit:

        1. run `make check`
        2. look at the diff

    The user's skills and personas. When a description fits the task, load that one first with skills(action="get", name=…):
    - skill release-notes: Writes release notes from merged changes.
    - persona reviewer: Reads a change as a strict reviewer would.
    - skill tidy-up: Sorts imports & removes dead &lt;code&gt;.
    skills(action="list") gives all of them.
    "#);
    assert_eq!(fitted.page_chars, 6_000);
    let full = Scene::new(many(300), &["Be kind. ".repeat(1_000).as_str()]);
    let description = full.to("@cline/core", "0.0.0").fit().skills_description;
    assert!(units(&description) <= 9_000);
    assert!(description.contains("call guidelines()"));
}

#[test]
fn nothing_is_one_line() {
    let fitted = Scene::default().fit();
    insta::assert_snapshot!(fitted.instructions, @r#"Imprint keeps this user's own skills and personas: the tool skills(action="list") gives them. Before you start a task, load the one that fits it with skills(action="get", name=…). Save new ones with skill_edit."#);
    insta::assert_snapshot!(fitted.skills_description, @r#"Lists and loads the user's own skills (how to do a kind of task) and personas (roles to take on). action="list" gives kind, name, description and state; with query, the best match first. action="get" gives the instructions of one by name; with path, another of its files; start continues a long answer. Before you start a task, load the one whose description fits it."#);
    let empty = Scene::new(Vec::new(), &["", " \u{200b}\n"])
        .to("@cline/core", "1")
        .fit();
    assert_eq!(empty.instructions, fitted.instructions);
    assert_eq!(empty.skills_description, fitted.skills_description);
}

#[test]
fn guidelines_give_way_to_the_block_and_say_so() {
    let guideline = "g".repeat(1_900);
    let items = (0..12).map(|i| skill(&format!("task-{i:02}"), "Helps in the office."));
    let scene = Scene::new(items.collect(), &["Be brief.", &guideline]);
    let text = scene.clone().to("claude-code", "1.0").fit().instructions;
    assert!(text.contains("- Be brief.\n- ggg"));
    assert!(
        text.contains("g…\nThe guidelines are cut here: call guidelines() for the whole text.")
    );
    assert_eq!(scene.to("claude-code", "1.0").names().len(), 12);

    let long = "g".repeat(30_000);
    let unknown = Scene::new(many(3), &[&long]).fit().instructions;
    assert!(
        unknown.contains("The guidelines are cut here"),
        "one page is the most"
    );
}

#[test]
fn a_client_that_shows_one_line_has_the_block_in_the_tool_alone() {
    let fitted = Scene::new(three_items(), &GUIDELINES)
        .to("codex-mcp-client", "0.171.0")
        .fit();
    assert_eq!(fitted.instructions, text::FIRST_LINE);
    assert!(fitted.skills_description.contains("- skill tidy-up: "));
    assert!(fitted.skills_description.contains("British English"));
}

#[test]
fn a_description_nobody_measured_keeps_to_the_strictest_cut() {
    let fitted = Scene::new(many(300), &GUIDELINES)
        .to("unmeasured", "1")
        .fit();
    assert!(units(&fitted.skills_description) <= 2_048);
    let unknown = Scene::new(many(300), &GUIDELINES).fit().skills_description;
    let names = unknown.find(BLOCK_START).expect("the names");
    assert!(units(&unknown[names..]) <= 1_200);
    assert!(units(&unknown) <= 2_048);
    assert!(!unknown.contains("British"));
}

#[test]
fn a_configured_name_counts_where_the_handshake_says_nothing() {
    let scene = Scene::new(three_items(), &[]).named("cline");
    let client = |scene: &Scene| scene.fit().client.map(|client| client.id);
    assert_eq!(client(&scene), Some("cline"));
    assert_eq!(client(&scene.clone().to("mcp", "0.1.0")), Some("cline"));
    assert_eq!(
        client(&scene.clone().to("open-book-2", "0.1.0")),
        Some("open-book")
    );
    assert_eq!(client(&scene.named("nobody")), None);
    let library_version = Scene::new(many(200), &[])
        .named("claude-code")
        .to("mcp", "9.9");
    assert!(units(&library_version.fit().instructions) <= 2_048);
}

#[test]
fn the_smallest_room_still_holds_whole_sentences() {
    let items = many(38);
    for room in [0, 20, 60, 90, 120, 200, 260, 300, 330, 400] {
        let parts = Parts {
            catalog: Catalog::new(&items),
            guidelines: Guidelines::new(&["Be kind.".repeat(200)]),
            all_in_folders: false,
        };
        let text = parts.instructions(room, room);
        assert!(units(&text) <= room, "{room}: {text}");
        assert!(room < 100 || text.ends_with('.'), "{room}: {text}");
        assert!(room < 330 || text.contains("38 in all"), "{room}: {text}");
        assert!(
            room < 400 || text.contains("call guidelines()"),
            "{room}: {text}"
        );
    }
}

fn peers() -> impl Strategy<Value = Peer> {
    let names = [
        "claude-code",
        "codex-mcp-client",
        "@cline/core",
        "unmeasured",
        "open-book",
        "x",
    ];
    let versions = ["2.1.332", "2.1.197", "", "odd"];
    (
        prop::option::of(prop::sample::select(names.to_vec())),
        prop::option::of(prop::sample::select(versions.to_vec())),
    )
        .prop_map(|(name, version)| Peer {
            name: name.map(str::to_owned),
            version: version.map(str::to_owned),
            ..Peer::default()
        })
}

fn assert_clean(text: &str) -> Result<(), TestCaseError> {
    let odd = text.chars().find(|&c| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}')
    });
    prop_assert_eq!(odd, None);
    let fence = text
        .lines()
        .find(|line| line.starts_with("```") || line.starts_with("~~~"));
    prop_assert_eq!(fence, None);
    let starts = text
        .lines()
        .filter(|line| line.starts_with(BLOCK_START))
        .count();
    prop_assert!(starts <= 1, "only one block: {text}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_text_keeps_its_budget_and_accounts_for_every_item(
        items in items(),
        guidelines in prop::collection::vec(hostile(), 0..6),
        peer in peers(),
    ) {
        let scene = Scene { items, guidelines, report: None, peer };
        let fitted = scene.fit();
        let cut = |cut| match cut {
            Some(Cut::Utf16(units)) => units,
            _ => usize::MAX,
        };
        let version = scene.peer.version.as_deref();
        let instruction_cut = fitted.client.and_then(|client| client.instruction_cut(version));
        let description_cut = fitted.client.and_then(|client| client.description_cut(version));
        prop_assert!(units(&fitted.instructions) <= cut(instruction_cut));
        let most = if description_cut.is_some() { cut(description_cut) } else { 2_048 };
        prop_assert!(units(&fitted.skills_description) <= most);
        assert_clean(&fitted.instructions)?;
        assert_clean(&fitted.skills_description)?;

        let listed = scene.items.iter().filter(|item| is_listed(item)).count();
        let text = match instruction_cut {
            Some(Cut::FirstLine(_)) => &fitted.skills_description,
            _ => &fitted.instructions,
        };
        let at = text.find(&format!("\n{BLOCK_START}"));
        let counted = at.map_or(0, |at| Read::of(&text[at + 1..]).sum());
        prop_assert_eq!(counted, listed);
        prop_assert_eq!(scene.fit(), fitted);
    }
}
