use super::*;

#[test]
fn what_a_client_reads_from_folders_is_left_out() {
    let scene = Scene::new(three_items(), &[]).to("claude-code", "2.1.332");
    let skills = scene.clone().read_by(&[("claude-code", ItemKind::Skill)]);
    assert_eq!(skills.names(), ["reviewer"]);
    assert_eq!(skills.fit().left_out, [ItemKind::Skill]);

    let everything = [
        ("claude-code", ItemKind::Skill),
        ("claude-code", ItemKind::Persona),
    ];
    let fitted = scene.clone().read_by(&everything).fit();
    insta::assert_snapshot!(fitted.instructions, @r#"
    Imprint keeps this user's own skills and personas: the tool skills(action="list") gives them. Before you start a task, load the one that fits it with skills(action="get", name=…). Save new ones with skill_edit.
    This client already loads them from its own folders.
    "#);

    let unread = scene.clone().read_by(&[("codex", ItemKind::Skill)]);
    assert_eq!(unread.names().len(), 3);
    assert_eq!(scene.names().len(), 3, "there was no pass");
}

#[test]
fn nothing_is_left_out_in_doubt() {
    let read = [("claude-code", ItemKind::Skill), ("cline", ItemKind::Skill)];
    let scene = Scene::new(three_items(), &[]).read_by(&read);
    let mut elsewhere = scene.clone().to("claude-code", "2.1.332");
    elsewhere.peer.location = Location::Elsewhere;
    assert_eq!(elsewhere.names().len(), 3);
    let mut with_key = scene.clone().to("claude-code", "2.1.332");
    let kept = with_key.names().len();
    with_key.peer.location = Location::HereAsNamed;
    with_key.peer.named = Some("codex".to_owned());
    assert_eq!(with_key.names().len(), 3);
    with_key.peer.named = Some("claude-code".to_owned());
    assert_eq!(with_key.names().len(), kept);
    for name in ["mcp", "mcp-test-client", "Claude-Code"] {
        let by_entry = scene.clone().to(name, "1").named("claude-code");
        assert_eq!(by_entry.names().len(), 3, "{name}");
        assert_eq!(by_entry.fit().left_out, []);
    }
    assert_eq!(scene.clone().to("@cline/core", "1").names().len(), 3);
    assert_eq!(scene.named("claude-code").names().len(), 3);
}

#[test]
fn an_item_that_the_pass_did_not_place_is_listed_all_the_same() {
    let read = [
        ("claude-code", ItemKind::Skill),
        ("claude-code", ItemKind::Persona),
    ];
    let scene = Scene::new(three_items(), &[])
        .to("claude-code", "3")
        .read_by(&read);
    let unplaced = |client| scene.clone().unplaced("tidy-up", client).names();
    assert_eq!(unplaced(Some("claude-code")), ["tidy-up"]);
    assert_eq!(unplaced(None), ["tidy-up"]);
    assert_eq!(unplaced(Some("codex")), [""; 0]);

    let mut later = scene.clone();
    later.items[0].changed_in = LogPosition(6);
    assert_eq!(later.names(), ["release-notes"]);
    later.items[0].hidden_from_model = true;
    assert_eq!(later.names(), [""; 0]);
}
