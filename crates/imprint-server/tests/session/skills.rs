use std::sync::atomic::Ordering;

use imprint_core::{Author, ItemRef, ItemState, registry::NewItem};
use imprint_format::{Bundle, BundleFile, ItemKind, ItemPath};
use serde_json::json;

use crate::support::{Client, Scene};

/// Reads a text page by page: the text, and the longest answer in characters.
async fn read_whole(client: &mut Client, name: &str) -> (String, usize, usize) {
    let (mut text, mut longest, mut longest_json, mut start) = (String::new(), 0, 0, 0);
    loop {
        let answer = client
            .call(
                "skills",
                json!({ "action": "get", "name": name, "start": start }),
            )
            .await;
        longest = longest.max(answer.chars().count());
        longest_json = longest_json.max(json!(answer).to_string().chars().count());
        let (above, rest) = answer.split_once("\n\n").unwrap();
        let (page, below) = rest.rsplit_once("\n\n").unwrap();
        text.push_str(page);
        let next = |mark: &str| {
            let (_, after) = mark.split_once("next_start=")?;
            let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
            digits.parse::<usize>().ok()
        };
        assert_eq!(next(above), next(below), "{above}\n{below}");
        match next(above) {
            Some(next) => {
                assert_eq!(next, text.chars().count());
                start = next;
            }
            None => return (text, longest, longest_json),
        }
    }
}

#[tokio::test]
async fn a_long_text_comes_in_pages_that_fit_the_client() {
    let scene = Scene::new();
    let line = "Zeile mit \"Zitat\", Umlaut ü und 👩\u{200d}👧.\n";
    let body: String = line.repeat(1 + 30_000 / line.chars().count());
    scene.keep(ItemKind::Skill, "long-one", &body).await;
    for (name, chars, json_chars) in [("case", 20_000, 26_700), ("small", 6_000, 8_000)] {
        let mut client = scene.connect(name).await;
        let (text, longest, longest_json) = read_whole(&mut client, "long-one").await;
        assert_eq!(text, body.trim_end());
        assert!(longest <= chars, "{longest}");
        assert!(longest_json <= json_chars, "{longest_json}");
        assert!(longest > chars / 2, "{longest}");
    }
    let mut client = scene.connect("case").await;
    let get = json!({ "action": "get", "name": "long-one", "start": 99_999 });
    let told = client.call_wrong("skills", get).await;
    assert!(
        told.starts_with("`start` is 99999, and there are only 30"),
        "{told}"
    );
}

#[tokio::test]
async fn an_item_is_given_with_what_belongs_to_it() {
    let scene = Scene::new();
    let files: [(&str, &[u8]); 3] = [
        ("references/api.md", b"# API\n"),
        ("references/deep/more.md", b"more"),
        ("logo.png", b"\x89PNG\0\0"),
    ];
    let item = scene
        .keep_with(
            ItemKind::Skill,
            "release-notes",
            "Write them.\n\nWell.",
            &files,
        )
        .await;
    let revision = item.head.short();
    let mut client = scene.connect("case").await;
    let get = |path: &str| json!({ "action": "get", "name": "release-notes", "path": path });
    let shown = client
        .call(
            "skills",
            json!({ "action": "get", "name": " release-notes " }),
        )
        .await
        .replace(&revision, "REVISION");
    insta::assert_snapshot!(shown, @"
    [the user's skill `release-notes`, revision REVISION; characters 1–18 of 18]
    Other files, each given with path=…: logo.png (6 bytes), references/api.md (6 bytes), references/deep/more.md (4 bytes)

    Write them.

    Well.

    [the user's skill `release-notes`, revision REVISION; characters 1–18 of 18]
    ");
    let shown = client.call("skills", get("references/api.md")).await;
    insta::assert_snapshot!(shown.replace(&revision, "REVISION"), @"
    [the user's skill `release-notes`, revision REVISION; characters 1–6 of 6]

    # API


    [the user's skill `release-notes`, revision REVISION; characters 1–6 of 6]
    ");
    let shown = client.call("skills", get("./references/")).await;
    insta::assert_snapshot!(shown.replace(&revision, "REVISION"), @"
    [the user's skill `release-notes`, revision REVISION; files: items 1–2 of 2]
    references/api.md (6 bytes)
    references/deep/more.md (4 bytes)
    [the user's skill `release-notes`, revision REVISION; files: items 1–2 of 2]
    ");
    let all = client.call("skills", get(".")).await;
    assert!(
        all.contains("SKILL.md (") && all.contains("logo.png (6 bytes)"),
        "{all}"
    );
    scene.folders.placed.store(true, Ordering::Relaxed);
    let shown = client.call("skills", get("logo.png")).await;
    insta::assert_snapshot!(shown, @"
    `logo.png` is not text: 6 bytes
    Folder on this computer: /home/u/.agents/skills/00000000-0000-0000-0000-0000000003e8
    ");
    let shown = client.call("skills", get("SKILL.md")).await;
    assert!(
        shown.contains("Folder on this computer: /home/u/.agents/skills/"),
        "{shown}"
    );
    for path in ["nothing.md", "../SKILL.md", "/etc/passwd", "C:\\x"] {
        let told = client.call_wrong("skills", get(path)).await;
        assert!(told.contains("path=\".\" lists its files"), "{told}");
    }
}

#[tokio::test]
async fn a_persona_says_how_it_is_used() {
    let scene = Scene::new();
    let text = "---\nname: critic\ndescription: Finds faults.\ntools: Read, Grep\nmodel: fast\n---\nBe strict.\n";
    let entry = BundleFile::plain(text.as_bytes());
    let files = [(ItemPath::entry_of(ItemKind::Persona), entry)];
    let new = NewItem::Files {
        bundle: Bundle::new(ItemKind::Persona, files).unwrap(),
        name: None,
    };
    let item = scene.registry.create(&Author::User, new).await.unwrap();
    let mut client = scene.connect("case").await;
    let shown = client
        .call(
            "skills",
            json!({ "action": "get", "name": "critic", "kind": "persona" }),
        )
        .await;
    insta::assert_snapshot!(shown.replace(&item.head.short(), "REVISION"), @"
    [the user's persona `critic`, revision REVISION; characters 1–10 of 10]
    A persona: run it as a subagent with these instructions if you can, else take on this role yourself.
    Tools: Read, Grep
    Model: fast

    Be strict.

    [the user's persona `critic`, revision REVISION; characters 1–10 of 10]
    ");
}

#[tokio::test]
async fn the_list_gives_all_that_is_not_removed() {
    let scene = Scene::new();
    let mut client = scene.connect("case").await;
    let list = json!({ "action": "list" });
    let empty = client.call("skills", list.clone()).await;
    insta::assert_snapshot!(empty, @r#"The user has no skills or personas yet. skill_edit(action="create", …) makes one"#);
    scene.keep(ItemKind::Skill, "release-notes", "x").await;
    scene.keep(ItemKind::Persona, "critic", "x").await;
    scene.keep(ItemKind::Guideline, "plain-words", "x").await;
    let off = scene.keep(ItemKind::Skill, "switched-off", "x").await;
    let gone = scene.keep(ItemKind::Skill, "gone", "x").await;
    for (item, state) in [(off, ItemState::Disabled), (gone, ItemState::Removed)] {
        scene
            .registry
            .set_state(&ItemRef::from(&item), state)
            .await
            .unwrap();
    }
    let all = client.call("skills", list).await;
    insta::assert_snapshot!(all, @r#"
    [the user's skills and personas; items 1–3 of 3]
    - skill release-notes: What release-notes is for.
    - skill switched-off (disabled): What switched-off is for.
    - persona critic: What critic is for.
    [items 1–3 of 3. Load one with skills(action="get", name=…) when its description fits the task]
    "#);
    let personas = json!({ "action": "list", "kind": "persona" });
    assert!(
        !client
            .call("skills", personas)
            .await
            .contains("release-notes")
    );
    let ranked = json!({ "action": "list", "query": "please write the release notes" });
    let ranked = client.call("skills", ranked).await;
    insta::assert_snapshot!(ranked, @r#"
    [the user's skills and personas; best match first, items 1–1 of 1]
    - skill release-notes: What release-notes is for.
    [items 1–1 of 1. Load one with skills(action="get", name=…) when its description fits the task]
    "#);
    let nothing = json!({ "action": "list", "query": "\" OR 1=1; zzz" });
    insta::assert_snapshot!(client.call("skills", nothing).await, @r#"None of 3 items shares a word with the query. skills(action="list") gives all"#);
}

#[tokio::test]
async fn a_long_list_comes_in_pages() {
    let scene = Scene::new();
    for n in 0..150 {
        scene
            .keep(ItemKind::Skill, &format!("skill-{n:03}"), "x")
            .await;
    }
    let mut client = scene.connect("small").await;
    let (mut start, mut names) = (0, Vec::new());
    loop {
        let page = client
            .call("skills", json!({ "action": "list", "start": start }))
            .await;
        assert!(page.chars().count() <= 6_000);
        names.extend(page.lines().filter_map(|line| {
            line.strip_prefix("- skill ")?
                .split(':')
                .next()
                .map(str::to_owned)
        }));
        let Some((_, next)) = page.split_once("next_start=") else {
            break;
        };
        start = next
            .split([']', ':', '\n'])
            .next()
            .unwrap()
            .parse()
            .unwrap();
        assert_eq!(start, names.len());
    }
    assert_eq!(names.len(), 150);
    assert!(names.is_sorted());
}

#[tokio::test]
async fn wrong_calls_are_told_the_right_ones() {
    let scene = Scene::new();
    scene.keep(ItemKind::Skill, "release-notes", "x").await;
    scene.keep(ItemKind::Persona, "release-notes", "x").await;
    scene.keep(ItemKind::Skill, "tests", "x").await;
    scene.keep(ItemKind::Guideline, "tests", "x").await;
    scene.keep(ItemKind::Guideline, "rules", "x").await;
    let off = scene.keep(ItemKind::Skill, "switched-off", "x").await;
    scene
        .registry
        .set_state(&ItemRef::from(&off), ItemState::Disabled)
        .await
        .unwrap();
    let mut client = scene.connect("case").await;
    let mut told = Vec::new();
    for arguments in [
        json!({}),
        json!({ "action": "remove" }),
        json!({ "action": "get" }),
        json!({ "action": "get", "name": "" }),
        json!({ "action": "get", "name": ["a"] }),
        json!({ "action": "get", "name": "release-notes" }),
        json!({ "action": "get", "name": "release-nots" }),
        json!({ "action": "get", "name": "\u{1b}[31m" }),
        json!({ "action": "get", "name": "rules" }),
        json!({ "action": "get", "name": "switched-off" }),
        json!({ "action": "get", "name": "tests", "kind": "guideline" }),
        json!({ "action": "list", "start": "2" }),
    ] {
        told.push(client.call_wrong("skills", arguments).await);
    }
    insta::assert_snapshot!(told.join("\n"), @r#"
    `action` is missing: `list` or `get`
    `action` can't be `remove`; it is `list` or `get`
    `name` is missing: the name of a skill or persona, as `list` gives it
    `name` is missing: the name of a skill or persona, as `list` gives it
    `name` must be text, not a list
    `release-notes` names more than one item. Call again with `kind="skill"` or `kind="persona"`
    there is no item called `release-nots`. Is it `release-notes`? skills(action="list") gives all names
    there is no item called `[31m`. skills(action="list") gives all names
    `rules` is a guideline. The tool `guidelines` gives all of them
    the skill `switched-off` is disabled, so it is out of use. Go on without it; when the user wants it back, call skill_edit(action="edit", name="switched-off", kind="skill", state="active")
    `kind` can't be `guideline`; it is `skill` or `persona`. Guidelines are given by `guidelines`
    `start` must be a whole number from 0 on, not text
    "#);
    let fine = json!({
        "action": "get", "name": "tests", "kind": null, "path": "", "wait_for_previous": true,
        "security_risk": "LOW",
    });
    client.call("skills", fine).await;
    for (params, named) in [
        (json!({ "name": "nobody" }), "`skills`"),
        (
            json!({ "name": "sync.get_profile", "arguments": {} }),
            "`sync_get_profile`",
        ),
        (
            json!({ "name": "skills", "arguments": ["list"] }),
            "`arguments`",
        ),
        (json!({ "arguments": {} }), "`name`"),
        (json!({ "name": 5 }), "`name`"),
    ] {
        let (code, message) = client.ask_wrong("tools/call", params).await;
        assert_eq!(code, -32602);
        assert!(message.contains(named), "{message}");
    }
}

#[tokio::test]
async fn guidelines_come_whole_and_in_order() {
    let scene = Scene::new();
    let mut client = scene.connect("case").await;
    let none = client.call("guidelines", json!({})).await;
    assert_eq!(none, "The user has no guidelines");
    scene
        .keep(ItemKind::Guideline, "words", "Write in plain words.\n")
        .await;
    scene
        .keep(ItemKind::Guideline, "tests", "Test first.\n\n- Always.")
        .await;
    let shown = client.call("guidelines", json!(null)).await;
    insta::assert_snapshot!(shown, @"
    [the user's guidelines, which hold for all that you do; characters 1–66 of 66]
    ## words

    Write in plain words.

    ## tests

    Test first.

    - Always.

    [the user's guidelines; characters 1–66 of 66]
    ");
    scene
        .keep(ItemKind::Guideline, "long", &"Be brief. ".repeat(3_000))
        .await;
    let first = client.call("guidelines", json!({})).await;
    assert!(first.chars().count() <= 20_000 && first.contains("goes on]"));
    let (_, next) = first.split_once("next_start=").unwrap();
    let next: usize = next.split(']').next().unwrap().parse().unwrap();
    let second = client.call("guidelines", json!({ "start": next })).await;
    assert!(second.contains("Be brief.") && !second.contains("next_start"));
    client
        .call_wrong("guidelines", json!({ "start": 1_000_000 }))
        .await;
}
