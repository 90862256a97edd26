use std::path::Path;

use serde_json::json;

use super::*;
use crate::known::known_clients;

fn wsl() -> System {
    System::Wsl("Ubuntu-24.04".to_owned())
}

fn line(launch: &Launch) -> String {
    let variables = launch
        .env
        .iter()
        .map(|(name, value)| format!("{name}={value} "));
    format!(
        "{}{} {}",
        variables.collect::<String>(),
        launch.command,
        launch.args.join(" ")
    )
}

#[test]
fn the_form_follows_the_clients_system() {
    let linux = "/opt/my tools/imprint";
    let windows = r"\\?\C:\Program Files\Ïmprint's\imprint.exe";
    let of = |program, ours: &System, theirs: &System| {
        line(&Launch::new(program, "codex", ours, theirs).unwrap())
    };
    let forms = [
        of(linux, &System::Linux, &System::Linux),
        of(linux, &System::MacOs, &System::MacOs),
        of(linux, &wsl(), &wsl()),
        of(windows, &System::Windows, &System::Windows),
        of(windows, &System::Windows, &wsl()),
        of(linux, &wsl(), &System::Windows),
    ];
    insta::assert_snapshot!(forms.join("\n"), @r"
    /opt/my tools/imprint mcp --client codex
    /opt/my tools/imprint mcp --client codex
    /opt/my tools/imprint mcp --client codex
    C:\Program Files\Ïmprint's\imprint.exe mcp --client codex
    IMPRINT_WSL_DISTRO=Ubuntu-24.04 WSLENV=IMPRINT_WSL_DISTRO/w /mnt/c/Program Files/Ïmprint's/imprint.exe mcp --client codex
    wsl.exe -d Ubuntu-24.04 --exec /usr/bin/env IMPRINT_WSL_DISTRO=Ubuntu-24.04 /opt/my tools/imprint mcp --client codex
    ");
}

#[test]
fn a_variable_crosses_the_border() {
    let of = |program, ours: &System, theirs: &System| {
        let launch = Launch::new(program, "codex", ours, theirs).unwrap();
        let launch = launch.with_variable("IMPRINT_HOME", "/srv/imprint");
        assert!(launch.is_ours());
        line(&launch)
    };
    let forms = [
        of("/opt/imprint", &System::Linux, &System::Linux),
        of(r"C:\imprint.exe", &System::Windows, &wsl()),
        of("/opt/imprint", &wsl(), &System::Windows),
    ];
    insta::assert_snapshot!(forms.join("\n"), @r"
    IMPRINT_HOME=/srv/imprint /opt/imprint mcp --client codex
    IMPRINT_WSL_DISTRO=Ubuntu-24.04 WSLENV=IMPRINT_WSL_DISTRO/w:IMPRINT_HOME/w IMPRINT_HOME=/srv/imprint /mnt/c/imprint.exe mcp --client codex
    wsl.exe -d Ubuntu-24.04 --exec /usr/bin/env IMPRINT_HOME=/srv/imprint IMPRINT_WSL_DISTRO=Ubuntu-24.04 /opt/imprint mcp --client codex
    ");
}

#[test]
fn where_nothing_leads_it_says_so() {
    let far = Launch::new(
        "/usr/bin/imprint",
        "codex",
        &System::Linux,
        &System::Windows,
    );
    insta::assert_snapshot!(far.unwrap_err(), @"a client on Windows can't start a program on Linux");
    let share = Launch::new(
        r"\\server\tools\imprint.exe",
        "codex",
        &System::Windows,
        &wsl(),
    );
    insta::assert_snapshot!(share.unwrap_err(), @r"`\\server\tools\imprint.exe` lies on no drive that WSL could see; install imprint on a drive such as `C:`");
}

#[test]
fn a_clients_system_is_told_by_its_folder() {
    let of = |ours: &System, profile: &str| ours.of_client(Path::new(profile));
    let windows = System::Windows;
    assert_eq!(of(&windows, r"C:\Users\Ada\.codex"), windows);
    assert_eq!(
        of(&windows, r"\\wsl.localhost\Ubuntu-24.04\home\ada"),
        wsl()
    );
    assert_eq!(of(&windows, r"\\wsl$\Ubuntu-24.04\home\ada"), wsl());
    assert_eq!(of(&wsl(), "/mnt/c/Users/Ada/.codex"), windows);
    assert_eq!(of(&wsl(), "/home/ada/.codex"), wsl());
    // A Linux of its own may well mount a disk there.
    assert_eq!(of(&System::Linux, "/mnt/c/Users/Ada"), System::Linux);
    assert_eq!(of(&System::MacOs, "/Users/ada"), System::MacOs);
}

#[test]
fn every_clients_own_form_is_read_back_and_known_as_ours() {
    let linux = "/opt/imprint \"beta\"/imprint";
    let launches = [
        Launch::new(linux, "x", &System::Linux, &System::Linux).unwrap(),
        Launch::new(linux, "x", &wsl(), &System::Windows).unwrap(),
        Launch::new(r"C:\a b\imprint.exe", "x", &System::Windows, &wsl()).unwrap(),
    ];
    for client in known_clients() {
        let Some(config) = &client.config else {
            continue;
        };
        for launch in &launches {
            let entry = (config.form)(launch);
            assert_eq!(
                launch_of(&entry).as_ref(),
                Some(launch),
                "{}",
                client.facts.id
            );
            assert!(is_ours(&entry), "{entry}");
        }
    }
}

#[test]
fn ours_is_a_program_of_our_name_that_serves() {
    for ours in [
        json!({"command": "imprint", "args": ["mcp"]}),
        json!({"command": r"C:\Tools\Imprint.EXE", "args": ["mcp", "--client", "x"], "env": {"A": "1"}}),
        json!({"command": "/mnt/c/Tools/imprint.exe", "args": ["mcp"]}),
        json!({"command": ["/usr/bin/imprint", "mcp"], "type": "local"}),
        json!({"command": r"C:\Windows\System32\wsl.exe", "args": ["-d", "D", "--", "env", "A=b", "/o/imprint", "mcp"]}),
        json!({"command": "wsl", "args": ["-e", "/o/imprint", "mcp"]}),
    ] {
        assert!(is_ours(&ours), "{ours}");
    }
    for other in [
        json!({"command": "imprint"}),
        json!({"command": "imprint", "args": ["serve", "mcp"]}),
        json!({"command": "/usr/bin/imprint-other", "args": ["mcp"]}),
        json!({"command": "/imprint/server", "args": ["mcp"]}),
        json!({"command": "npx", "args": ["imprint", "mcp"]}),
        json!({"command": "wsl.exe", "args": ["-d", "imprint", "mcp"]}),
        json!({"command": "wsl.exe", "args": ["--exec"]}),
        json!({"command": "cmd", "args": ["/c", "imprint", "mcp"]}),
        json!({"command": [], "args": ["mcp"]}),
        json!({"command": ["imprint", 1]}),
        json!({"url": "http://127.0.0.1:7777/mcp"}),
        json!("imprint mcp"),
        json!(null),
    ] {
        assert!(!is_ours(&other), "{other}");
    }
}
