//! What `wsl.exe` and Windows' command line print, as values.

use std::collections::BTreeMap;

/// The text that a program of Windows' own printed: UTF-16 in the machine's order, with or without
/// a byte order mark, or UTF-8 where it was told so (`WSL_UTF8`). What can't be read becomes U+FFFD.
pub(crate) fn text(bytes: &[u8]) -> String {
    let utf16 = bytes
        .strip_prefix(&[0xff, 0xfe])
        .or_else(|| bytes.contains(&0).then_some(bytes));
    if let Some(bytes) = utf16 {
        let units = bytes.chunks_exact(2);
        let units: Vec<_> = units
            .map(|unit| u16::from_le_bytes([unit[0], unit[1]]))
            .collect();
        return String::from_utf16_lossy(&units);
    }
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    String::from_utf8_lossy(bytes).into_owned()
}

/// The distributions that `wsl.exe --list --quiet` names, the user's default first. Those that
/// container programs bring for themselves hold no user's clients and are left out.
pub(crate) fn distributions(bytes: &[u8]) -> Vec<String> {
    let text = text(bytes);
    let names = text
        .lines()
        .map(|line| line.trim_matches(['\0', ' ', '\r', '\u{feff}']));
    names
        .filter(|name| !name.is_empty() && !is_of_containers(name))
        .map(str::to_owned)
        .collect()
}

fn is_of_containers(distro: &str) -> bool {
    ["docker-desktop", "rancher-desktop", "podman-"]
        .iter()
        .any(|start| distro.starts_with(start))
}

/// The one absolute path that a Linux program printed.
pub(crate) fn linux_path(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    let path = text.strip_suffix('\n').unwrap_or(text);
    let usable = path.starts_with('/') && !path.contains(['\n', '\0']);
    usable.then(|| path.to_owned())
}

/// The variables that Windows' `set` printed, `NAME=value` a line, with their names in capitals.
pub(crate) fn windows_variables(bytes: &[u8]) -> BTreeMap<String, String> {
    let text = text(bytes);
    let lines = text.lines().filter_map(|line| line.split_once('='));
    lines
        .map(|(name, value)| {
            (
                name.to_ascii_uppercase(),
                value.trim_end_matches('\r').to_owned(),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn utf16(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn distributions_are_read_from_utf_16() {
        let listed = "Ubuntu-24.04\r\nDébian\r\ndocker-desktop\r\ndocker-desktop-data\r\n";
        let names = ["Ubuntu-24.04", "Débian"];
        assert_eq!(distributions(&utf16(listed)), names);
        assert_eq!(distributions(&utf16(&format!("\u{feff}{listed}"))), names);
        assert_eq!(distributions(listed.as_bytes()), names);
        // As some versions print it: every line ends in a NUL of its own.
        assert_eq!(
            distributions(&utf16("Ubuntu-24.04\0\r\nDébian\0\r\n\0")),
            names
        );
        assert!(distributions(b"").is_empty());
        assert!(distributions(&utf16("\r\n")).is_empty());
    }

    #[test]
    fn a_home_is_one_absolute_path() {
        assert_eq!(
            linux_path("/home/ada lovelace\n".as_bytes()).as_deref(),
            Some("/home/ada lovelace")
        );
        for odd in ["", "\n", "home", "/home/ada\nWelcome!\n", "~"] {
            assert_eq!(linux_path(odd.as_bytes()), None, "{odd}");
        }
        assert_eq!(linux_path(&[b'/', 0xff]), None);
    }

    #[test]
    fn variables_are_lines() {
        let printed = "USERPROFILE=C:\\Users\\Zoë\r\nAppData=C:\\a&b=c\r\nnothing\r\n";
        let read = windows_variables(&utf16(printed));
        assert_eq!(read["USERPROFILE"], "C:\\Users\\Zoë");
        assert_eq!(read["APPDATA"], "C:\\a&b=c");
        assert_eq!(read.len(), 2);
    }

    proptest! {
        #[test]
        fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = (distributions(&bytes), linux_path(&bytes), windows_variables(&bytes));
        }
    }
}
