//! Paths and lists of paths as people read them.

use std::path::Path;

use imprint_format::text;

/// How many of several paths a sentence names.
const NAMED: usize = 3;

/// A path with `/` between its components, on one line and without characters that can't be seen.
pub fn path_text(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = if cfg!(windows) {
        text.replace('\\', "/")
    } else {
        text.into_owned()
    };
    text::visible(&text).replace(['\n', '\t'], " ")
}

/// The first few of several paths, and how many more there are.
pub(crate) fn named_few(paths: &[String]) -> String {
    let few: Vec<_> = paths
        .iter()
        .take(NAMED)
        .map(|path| format!("`{path}`"))
        .collect();
    match paths.len().saturating_sub(NAMED) {
        0 => few.join(", "),
        more => format!("{} and {more} more", few.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_on_its_line() {
        assert_eq!(path_text(Path::new("a/b\n\u{1b}[2J")), "a/b \\u{1b}[2J");
    }

    #[test]
    fn few_of_many_are_named() {
        let paths: Vec<_> = (0..5).map(|at| format!("p{at}")).collect();
        assert_eq!(named_few(&paths[..1]), "`p0`");
        assert_eq!(named_few(&paths), "`p0`, `p1`, `p2` and 2 more");
    }
}
