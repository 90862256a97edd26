use std::cell::RefCell;

use super::*;

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn failed() -> io::Error {
    io::Error::other("it failed")
}

#[test]
fn windows_finds_its_distributions_and_their_homes() {
    let asked = RefCell::new(Vec::new());
    let run = |program: &str, args: &[&str]| {
        asked
            .borrow_mut()
            .push(format!("{program} {}", args.join(" ")));
        match args {
            ["--list", "--quiet"] => Ok(utf16("Ubuntu\r\nDebian\r\ndocker-desktop\r\n")),
            [_, "Ubuntu", ..] => Ok(b"/home/ada\n".to_vec()),
            _ => Err(failed()),
        }
    };
    let names = distributions(&System::Windows, &run).unwrap();
    assert_eq!(names, ["Ubuntu", "Debian"]);
    let ubuntu = Elsewhere::distribution("Ubuntu", &run).unwrap();
    assert_eq!(ubuntu.system, System::Wsl("Ubuntu".to_owned()));
    let codex = ubuntu.machine.home(&[".codex", "config.toml"]);
    assert_eq!(
        ubuntu.seen_from_here(&codex),
        Some(r"\\wsl.localhost\Ubuntu\home\ada\.codex\config.toml".into())
    );
    let broken = Elsewhere::distribution("Debian", &run).unwrap_err();
    assert!(matches!(broken, WslError::Run { .. }));
    insta::assert_snapshot!(asked.borrow().join("\n"), @r"
    wsl.exe --list --quiet
    wsl.exe -d Ubuntu --exec /usr/bin/printenv HOME
    wsl.exe -d Debian --exec /usr/bin/printenv HOME
    ");
}

#[test]
fn without_wsl_there_are_no_distributions() {
    let absent = |_: &str, _: &[&str]| Err(io::ErrorKind::NotFound.into());
    assert!(distributions(&System::Windows, &absent).unwrap().is_empty());
    let none = |_: &str, _: &[&str]| Err(failed());
    assert!(distributions(&System::Windows, &none).unwrap().is_empty());
    let unasked = |_: &str, _: &[&str]| panic!("nothing is run elsewhere than on Windows");
    assert!(distributions(&System::Linux, &unasked).unwrap().is_empty());
}

#[test]
fn a_distribution_finds_windows() {
    let run = |program: &str, args: &[&str]| {
        assert_eq!((program, args[0]), (CMD, "/u"));
        Ok(utf16(
            "USERPROFILE=C:\\Users\\Zoë O'Neil\r\nAPPDATA=D:\\Roaming\r\nCODEX_HOME=E:\\codex\r\n",
        ))
    };
    let windows = Elsewhere::windows("Ubuntu", &run).unwrap();
    assert_eq!(windows.system, System::Windows);
    assert_eq!(windows.ours(), &System::Wsl("Ubuntu".to_owned()));
    let seen = |path: PathBuf| windows.seen_from_here(&path).unwrap();
    assert_eq!(
        seen(windows.machine.home(&[".cursor", "mcp.json"])),
        Path::new("/mnt/c/Users/Zoë O'Neil/.cursor/mcp.json")
    );
    assert_eq!(
        seen(windows.machine.app_settings(&["Code"])),
        Path::new("/mnt/d/Roaming/Code")
    );
    assert_eq!(
        seen(
            windows
                .machine
                .moved("CODEX_HOME", ".codex", &["config.toml"])
        ),
        Path::new("/mnt/e/codex/config.toml")
    );
    assert_eq!(windows.seen_from_here(Path::new(r"\\server\home")), None);
}

#[test]
fn a_home_that_is_not_told_is_an_error() {
    let silent = |_: &str, _: &[&str]| Ok(Vec::new());
    let windows = Elsewhere::windows("Ubuntu", &silent).unwrap_err();
    insta::assert_snapshot!(windows, @"Windows doesn't tell the user's home folder");
    let ubuntu = Elsewhere::distribution("Ubuntu", &silent).unwrap_err();
    insta::assert_snapshot!(ubuntu, @"WSL (Ubuntu) doesn't tell the user's home folder");
}
