//! The licences of the libraries that the program is linked with: most of them ask that their text
//! goes along with every copy.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use cargo_metadata::{DependencyKind, Metadata, Package, PackageId};

use super::{formats::lines, release::PACKAGE};
use crate::task::TaskError;

/// How the names of such files begin, in lower case.
const NAMES: [&str; 5] = ["license", "licence", "copying", "notice", "unlicense"];
const TITLE: &str = "The libraries that this program is linked with, and their licences.";
/// The line between two parts.
const RULE: &str =
    "--------------------------------------------------------------------------------";

/// A library and what is known of its licence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Library {
    name: String,
    version: String,
    /// As an SPDX expression.
    licence: String,
    /// The texts in its folder.
    texts: BTreeSet<String>,
}

/// All libraries with their licences as one text, each licence text once.
pub(super) fn third_party(metadata: &Metadata) -> Result<String, TaskError> {
    let libraries = linked(metadata).into_iter().map(|package| {
        let folder = package.manifest_path.parent();
        let texts = folder.map_or_else(|| Ok(BTreeSet::new()), |path| texts(path.as_std_path()));
        let texts = texts.map_err(TaskError::io(format!("the licence of `{}`", package.name)))?;
        let unsaid = || "no licence is named".to_owned();
        Ok(Library {
            name: package.name.to_string(),
            version: package.version.to_string(),
            licence: package.license.clone().unwrap_or_else(unsaid),
            texts,
        })
    });
    Ok(render(&libraries.collect::<Result<Vec<_>, TaskError>>()?))
}

/// The packages whose code gets into the program: neither tests nor what only builds it, and none
/// of ours.
fn linked(metadata: &Metadata) -> Vec<&Package> {
    let ours: BTreeSet<_> = metadata.workspace_members.iter().collect();
    let packages: BTreeMap<_, _> = metadata.packages.iter().map(|p| (&p.id, p)).collect();
    let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
    let nodes: BTreeMap<_, _> = nodes.map(|node| (&node.id, node)).collect();
    let product = metadata
        .packages
        .iter()
        .find(|package| package.name.as_str() == PACKAGE && ours.contains(&package.id));

    let mut seen = BTreeSet::<&PackageId>::new();
    let mut open: Vec<_> = product.iter().map(|package| &package.id).collect();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let used = nodes.get(id).into_iter().flat_map(|node| &node.deps);
        let linked = used.filter(|used| {
            let mut kinds = used.dep_kinds.iter();
            kinds.any(|used| used.kind == DependencyKind::Normal)
        });
        open.extend(linked.map(|used| &used.pkg));
    }
    let foreign = seen.into_iter().filter(|id| !ours.contains(id));
    foreign.filter_map(|id| packages.get(id).copied()).collect()
}

fn texts(folder: &Path) -> std::io::Result<BTreeSet<String>> {
    let mut texts = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if entry.file_type()?.is_file() && NAMES.iter().any(|begin| name.starts_with(begin)) {
            let text = fs::read(entry.path())?;
            texts.insert(normal(&String::from_utf8_lossy(&text)));
        }
    }
    Ok(texts)
}

/// Without what makes two copies of one text differ: line ends and the blank around lines.
fn normal(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

fn render(libraries: &[Library]) -> String {
    let mut sorted: Vec<_> = libraries.iter().collect();
    sorted.sort();
    let mut all = vec![TITLE.to_owned(), String::new()];
    let mut users = BTreeMap::<&str, Vec<String>>::new();
    for library in sorted {
        let named = format!("{} {}", library.name, library.version);
        all.push(format!("{named}: {}", library.licence));
        for text in &library.texts {
            users.entry(text).or_default().push(named.clone());
        }
    }
    let mut texts: Vec<_> = users.into_iter().collect();
    texts.sort_by(|one, other| one.1.cmp(&other.1));
    for (text, users) in texts {
        let users = users.join(", ");
        all.push(format!("\n{RULE}\n{users}\n\n{text}"));
    }
    lines(all)
}

#[cfg(test)]
mod tests {
    use super::{
        super::{host, metadata},
        *,
    };

    fn library(name: &str, texts: &[&str]) -> Library {
        Library {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            licence: "MIT".to_owned(),
            texts: texts.iter().map(|text| normal(text)).collect(),
        }
    }

    #[test]
    fn a_text_that_many_share_stands_once() {
        let libraries = [
            library("b", &["Permission\n"]),
            library("a", &["\r\nPermission  \r\n", "Copyright A"]),
            library("c", &[]),
        ];
        insta::assert_snapshot!(render(&libraries), @"
        The libraries that this program is linked with, and their licences.

        a 1.0.0: MIT
        b 1.0.0: MIT
        c 1.0.0: MIT

        --------------------------------------------------------------------------------
        a 1.0.0

        Copyright A

        --------------------------------------------------------------------------------
        a 1.0.0, b 1.0.0

        Permission
        ");
    }

    #[test]
    fn libraries_of_tests_and_of_ours_are_not_listed() {
        let metadata = metadata(&host().unwrap()).unwrap();
        let names: BTreeSet<_> = linked(&metadata)
            .iter()
            .map(|package| package.name.as_str())
            .collect();
        assert!(names.contains("rusqlite") && names.contains("libsqlite3-sys"));
        for unlinked in ["imprint-core", "insta", "proptest", "cc", "object"] {
            assert!(!names.contains(unlinked), "{unlinked}");
        }
    }
}
