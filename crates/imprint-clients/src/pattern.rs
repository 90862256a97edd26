//! Paths of which a component isn't known in full: `Packages\Claude_*` of a store's application.

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

/// What exists at a path, of which components may end in `*`: they stand for every name that
/// begins with what is before it. In the order of the names.
pub(crate) fn found(pattern: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for component in pattern.components() {
        found = match beginning(component) {
            Some(beginning) => found
                .iter()
                .flat_map(|folder| entries(folder, beginning))
                .collect(),
            None => found.iter().map(|folder| folder.join(component)).collect(),
        };
    }
    found.retain(|path| path.exists());
    found
}

/// Whether a path is a pattern, so that nothing can be made there.
pub(crate) fn is_pattern(path: &Path) -> bool {
    path.components()
        .any(|component| beginning(component).is_some())
}

fn beginning(component: Component<'_>) -> Option<&str> {
    match component {
        Component::Normal(name) => name.to_str()?.strip_suffix('*'),
        _ => None,
    }
}

/// The entries of a folder whose names begin so. A folder that can't be read has none.
fn entries(folder: &Path, beginning: &str) -> Vec<PathBuf> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.file_name()))
        .filter(|name| {
            name.to_str()
                .is_some_and(|name| name.starts_with(beginning))
        })
        .collect();
    names.sort();
    names.into_iter().map(|name| folder.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_the_rest_of_a_name() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path();
        for folder in ["Claude_b", "Claude_a", "Other_a", "Claude"] {
            fs::create_dir_all(home.join("Packages").join(folder)).unwrap();
        }
        fs::create_dir_all(home.join("Packages/Claude_b/Roaming")).unwrap();
        let names = |pattern: &str| -> Vec<_> {
            let paths = found(&home.join(pattern)).into_iter();
            let below = |path: PathBuf| path.strip_prefix(home).unwrap().to_owned();
            paths.map(below).collect()
        };
        let packages = Path::new("Packages");
        assert_eq!(
            names("Packages/Claude_*"),
            [packages.join("Claude_a"), packages.join("Claude_b")]
        );
        assert_eq!(
            names("Packages/Claude_*/Roaming"),
            [packages.join("Claude_b").join("Roaming")]
        );
        assert_eq!(names("Packages/Claude"), [packages.join("Claude")]);
        assert!(names("Nothing/*/x").is_empty());
    }

    #[test]
    fn only_a_star_at_the_end_makes_a_pattern() {
        assert!(is_pattern(Path::new("/a/b*/c")));
        assert!(is_pattern(Path::new("/a/*")));
        assert!(!is_pattern(Path::new("/a/b*c/d")));
    }
}
