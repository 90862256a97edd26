//! Several processes on one home.

use std::{
    process::Stdio,
    thread::sleep,
    time::{Duration, Instant},
};

use super::{User, text};

#[test]
fn ten_processes_create_at_once_and_nothing_is_lost() {
    let user = User::new();
    let children: Vec<_> = (0..10)
        .map(|number| {
            user.command(&[
                "skills",
                "create",
                &format!("skill-{number}"),
                "-d",
                "Does one thing.",
            ])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(!text(&output.stderr).contains("locked"));
    }
    assert_eq!(user.json(&["skills", "list"]).as_array().unwrap().len(), 10);
    user.ok(&["write"]);
    for number in 0..10 {
        assert!(
            user.path(&format!(".agents/skills/skill-{number}/SKILL.md"))
                .exists()
        );
    }
}

#[test]
fn of_two_edits_from_one_revision_one_wins_and_the_other_is_told() {
    let user = User::new();
    user.create("tea");
    let head = user.json(&["skills", "show", "tea"])["revision"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let edit = |text: &str| {
        user.command(&["skills", "edit", "tea", "-i", text, "--expect", &head])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let codes: Vec<_> = [edit("one"), edit("two")]
        .into_iter()
        .map(|child| child.wait_with_output().unwrap().status.code().unwrap())
        .collect();
    assert!(codes == [0, 5] || codes == [5, 0], "{codes:?}");
    assert_eq!(
        user.json(&["skills", "history", "tea"])
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[test]
fn serve_brings_a_change_of_another_process_into_the_folders() {
    let user = User::new();
    let mut serve = user
        .command(&["serve"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    user.create("tea");
    // The other process writes the folders itself; take that away to see the server's hand.
    user.ok(&["skills", "disable", "tea", "--quiet"]);
    user.ok(&["skills", "enable", "tea", "--quiet"]);
    let file = user.path(".agents/skills/tea/SKILL.md");
    assert!(within(Duration::from_secs(20), || file.exists()));
    serve.kill().unwrap();
    let output = serve.wait_with_output().unwrap();
    assert!(
        text(&output.stdout).contains("Watching"),
        "{}",
        text(&output.stdout)
    );
}

/// Looks again and again, so that a busy machine is waited for and a fast one is not.
fn within(time: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + time;
    while Instant::now() < end {
        if holds() {
            return true;
        }
        sleep(Duration::from_millis(20));
    }
    false
}
