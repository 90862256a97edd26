//! Paths on one side of the border between Windows and a WSL distribution, as the other side names
//! them. Drives are taken to be mounted below `/mnt`, which is where WSL mounts them unless
//! `/etc/wsl.conf` says otherwise.

/// The names under which Windows shows the files of distributions: the current one and that of
/// before Windows 11, which still works.
const SHARES: [&str; 2] = ["wsl.localhost", "wsl$"];

/// The distribution and the path in it of `\\wsl.localhost\Ubuntu\home\ada`; `None` for every other
/// path.
pub(crate) fn split_share(windows: &str) -> Option<(&str, String)> {
    let rest = match strip_prefix_ignoring_case(windows, r"\\?\UNC\") {
        Some(rest) => rest,
        None => windows
            .strip_prefix(r"\\")
            .or_else(|| windows.strip_prefix("//"))?,
    };
    let (server, rest) = split_component(rest);
    if !SHARES
        .iter()
        .any(|share| share.eq_ignore_ascii_case(server))
    {
        return None;
    }
    let (distro, rest) = split_component(rest);
    let usable = !distro.is_empty();
    usable.then(|| (distro, format!("/{}", rest.replace('\\', "/"))))
}

/// `/home/ada` of a distribution as Windows names it.
pub(crate) fn as_share(distro: &str, linux: &str) -> Option<String> {
    let rest = linux.strip_prefix('/')?;
    // Windows has no way to name a file with a backslash in its name.
    let usable = !rest.contains('\\');
    usable.then(|| format!(r"\\{}\{distro}\{}", SHARES[0], rest.replace('/', "\\")))
}

/// `C:\Users\Ada` as a distribution names it: `/mnt/c/Users/Ada`. `None` for what lies on no drive.
pub(crate) fn in_wsl(windows: &str) -> Option<String> {
    let (drive, rest) = split_drive(without_verbatim(windows))?;
    let drive = drive.to_ascii_lowercase();
    Some(format!("/mnt/{drive}/{}", rest.replace('\\', "/")))
}

/// `/mnt/c/Users/Ada` of a distribution as Windows names it: `C:\Users\Ada`. `None` for what lies
/// on no drive.
pub(crate) fn on_windows(linux: &str) -> Option<String> {
    let (drive, rest) = linux.strip_prefix("/mnt/")?.split_at_checked(1)?;
    let drive = drive.chars().next().filter(char::is_ascii_alphabetic)?;
    let below = match rest {
        "" => "",
        rest => rest.strip_prefix('/')?,
    };
    let drive = drive.to_ascii_uppercase();
    let usable = !below.contains('\\');
    usable.then(|| format!(r"{drive}:\{}", below.replace('/', "\\")))
}

/// A path of a drive without the prefix that Windows puts before canonical paths, which not every
/// program takes.
pub(crate) fn without_verbatim(path: &str) -> &str {
    match path.strip_prefix(r"\\?\") {
        Some(rest) if split_drive(rest).is_some() => rest,
        _ => path,
    }
}

/// A Windows path's drive and what is below it.
fn split_drive(windows: &str) -> Option<(char, &str)> {
    let mut letters = windows.chars();
    let drive = letters.next().filter(char::is_ascii_alphabetic)?;
    let rest = letters.as_str().strip_prefix(':')?;
    let below = rest.strip_prefix(['\\', '/'])?;
    Some((drive, below))
}

fn split_component(path: &str) -> (&str, &str) {
    path.split_once(['\\', '/']).unwrap_or((path, ""))
}

fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shares_of_distributions_are_known_in_every_spelling() {
        let home = Some(("Ubuntu-24.04", "/home/ada/.codex".to_owned()));
        for path in [
            r"\\wsl.localhost\Ubuntu-24.04\home\ada\.codex",
            r"\\wsl$\Ubuntu-24.04\home\ada\.codex",
            r"\\WSL.LOCALHOST\Ubuntu-24.04\home\ada\.codex",
            "//wsl.localhost/Ubuntu-24.04/home/ada/.codex",
            r"\\?\UNC\wsl.localhost\Ubuntu-24.04\home\ada\.codex",
        ] {
            assert_eq!(split_share(path), home, "{path}");
        }
        for other in [
            r"C:\Users\Ada",
            r"\\server\share\wsl.localhost",
            r"\\wsl.localhost",
            r"\\wsl.localhost\",
            r"\\?\C:\x",
            "",
        ] {
            assert_eq!(split_share(other), None, "{other}");
        }
    }

    #[test]
    fn drives_are_below_mnt() {
        assert_eq!(
            in_wsl(r"C:\Program Files\Ïmprint\imprint.exe").as_deref(),
            Some("/mnt/c/Program Files/Ïmprint/imprint.exe")
        );
        assert_eq!(in_wsl(r"\\?\D:\x").as_deref(), Some("/mnt/d/x"));
        assert_eq!(in_wsl("c:/x/y").as_deref(), Some("/mnt/c/x/y"));
        assert_eq!(on_windows("/mnt/c").as_deref(), Some(r"C:\"));
        assert_eq!(
            on_windows("/mnt/c/Users/Ada").as_deref(),
            Some(r"C:\Users\Ada")
        );
        for neither in [r"\\server\share", "x.exe", "C:", "C:x", "", "é:\\x"] {
            assert_eq!(in_wsl(neither), None, "{neither}");
        }
        for neither in [
            "/mnt/data/x",
            "/home/ada",
            "/mnt/",
            "/mnt",
            "/mnt/é/x",
            "mnt/c",
            r"/mnt/c/a\b",
        ] {
            assert_eq!(on_windows(neither), None, "{neither}");
        }
    }

    #[test]
    fn only_a_drive_loses_its_verbatim_prefix() {
        assert_eq!(without_verbatim(r"\\?\C:\x"), r"C:\x");
        assert_eq!(without_verbatim(r"\\?\UNC\s\x"), r"\\?\UNC\s\x");
        assert_eq!(without_verbatim("/usr/bin/imprint"), "/usr/bin/imprint");
    }

    proptest! {
        #[test]
        fn what_crosses_the_border_comes_back(below in r"[^\\/\x00]{1,12}(/[^\\/\x00]{1,12}){0,4}") {
            let linux = format!("/home/{below}");
            let share = as_share("Debian", &linux).unwrap();
            prop_assert_eq!(split_share(&share), Some(("Debian", linux)));
            let mounted = format!("/mnt/d/{below}");
            let windows = on_windows(&mounted).unwrap();
            prop_assert_eq!(in_wsl(&windows), Some(mounted));
        }

        #[test]
        fn no_text_is_too_odd(text in any::<String>()) {
            let _ = (split_share(&text), as_share(&text, &text), in_wsl(&text), on_windows(&text));
            let _ = without_verbatim(&text);
        }
    }
}
