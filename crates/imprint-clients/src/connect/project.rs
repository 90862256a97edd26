//! Which folder is the project that a person works in.

use std::path::{Path, PathBuf};

/// The nearest folder, from `current` upwards, that holds a repository or this file; `current`
/// itself where none does. The user's home folder and what is above it is no project.
pub fn project_folder(current: &Path, file: &[&str], home: &Path) -> PathBuf {
    let holds = |folder: &&Path| {
        let file = file
            .iter()
            .fold(folder.to_path_buf(), |path, part| path.join(part));
        folder.join(".git").exists() || file.exists()
    };
    current
        .ancestors()
        .take_while(|folder| !home.starts_with(folder))
        .find(holds)
        .unwrap_or(current)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_nearest_repository_or_file_counts() {
        let user = tempfile::tempdir().unwrap();
        let home = user.path();
        let deep = home.join("work/app/src/ui");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir_all(home.join(".git")).unwrap();
        fs::write(home.join(".mcp.json"), "{}").unwrap();
        let folder = |from: &Path| project_folder(from, &[".mcp.json"], home);
        assert_eq!(folder(&deep), deep, "the home folder is no project");
        assert_eq!(folder(home), home);
        fs::create_dir_all(home.join("work/app/.git")).unwrap();
        assert_eq!(folder(&deep), home.join("work/app"));
        fs::write(home.join("work/app/src/.mcp.json"), "{}").unwrap();
        assert_eq!(folder(&deep), home.join("work/app/src"));
    }
}
