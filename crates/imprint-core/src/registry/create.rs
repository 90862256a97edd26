//! New items.

use imprint_format::{Bundle, BundleError, ComposeError, Diagnostic, ItemKind, ItemName};

use crate::{Author, ItemId, ItemSummary, Registry, StoreError, secret::Finding};

/// What to create.
#[derive(Clone, Debug)]
pub enum NewItem {
    /// From texts: the entry file is composed.
    Texts {
        /// What it is.
        kind: ItemKind,
        /// Its name.
        name: ItemName,
        /// 1 to 1,024 characters. Ignored for a guideline.
        description: String,
        /// Markdown. May be empty for a skill.
        instructions: String,
        /// More files beside the entry file.
        files: Vec<(imprint_format::ItemPath, imprint_format::BundleFile)>,
    },
    /// From files that must pass the strict rules as they stand; the name is the header's. A
    /// guideline's name must be given.
    Files {
        /// The files.
        bundle: Bundle,
        /// The name that the header must have.
        name: Option<ItemName>,
    },
}

/// Why nothing was created.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// The texts don't make an item.
    #[error(transparent)]
    Compose(#[from] ComposeError),
    /// The files don't make an item.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// The entry file breaks the rules for what we keep.
    #[error("the {} breaks the rules", kind.entry_file())]
    Invalid {
        /// What was to be created.
        kind: ItemKind,
        /// Everything that is wrong.
        faults: Vec<Diagnostic>,
    },
    /// There are credentials in it.
    #[error("there {} in it", if findings.len() == 1 { "is a credential".to_owned() } else { format!("are {} credentials", findings.len()) })]
    Secret {
        /// Where, without the values.
        findings: Vec<Finding>,
    },
    /// The name is taken.
    #[error("there is already a {kind} called `{name}`")]
    NameTaken {
        /// The kind.
        kind: ItemKind,
        /// The name.
        name: ItemName,
        /// Who has it.
        by: ItemId,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Registry {
    /// Creates an item. All texts are scanned, everything is validated strictly.
    pub async fn create(&self, by: &Author, new: NewItem) -> Result<ItemSummary, CreateError> {
        let _ = (by, new);
        todo!()
    }
}
