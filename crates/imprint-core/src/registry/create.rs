//! New items.

use imprint_format::{
    Bundle, BundleError, BundleFile, ComposeError, Diagnostic, ItemKind, ItemName, ItemPath,
    compose, validate_bundle,
};

use crate::{
    Author, Change, CommitError, Draft, ItemId, ItemSummary, Registry, StoreError,
    registry::store_error,
    secret::{self, Finding},
};

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
        files: Vec<(ItemPath, BundleFile)>,
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
    #[error("{}", secret::summary(findings))]
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
        let item = ItemId(self.clock.new_uuid());
        self.create_as(item, by, new).await
    }

    /// [`Self::create`] under an identity that the caller made and that no item has, for one that
    /// must know it before.
    pub async fn create_as(
        &self,
        item: ItemId,
        by: &Author,
        new: NewItem,
    ) -> Result<ItemSummary, CreateError> {
        let draft = self.new_draft(item, by, new).await?;
        self.commit_draft(draft).await.map_err(|error| match error {
            CommitError::NameTaken { kind, name, by } => CreateError::NameTaken { kind, name, by },
            other => CreateError::Store(store_error(other)),
        })
    }

    /// A draft of a new item that passed the rules and the scan.
    pub(super) async fn new_draft(
        &self,
        item: ItemId,
        by: &Author,
        new: NewItem,
    ) -> Result<Draft, CreateError> {
        let (bundle, name) = new.into_bundle()?;
        let kind = bundle.kind();
        let header = validate_bundle(name.as_ref().map(ItemName::as_str), &bundle)
            .map_err(|faults| CreateError::Invalid { kind, faults })?;
        let findings = self.findings(&bundle, None).await?;
        if !findings.is_empty() {
            return Err(CreateError::Secret { findings });
        }
        Ok(Draft {
            item,
            name: header.name,
            description: header.description,
            hidden_from_model: header.hidden_from_model,
            parents: Vec::new(),
            bundle,
            author: by.clone(),
        })
    }

    pub(super) async fn commit_draft(&self, draft: Draft) -> Result<ItemSummary, CommitError> {
        let item = draft.item;
        self.commit(vec![Change::Revise(draft)], item).await
    }
}

impl NewItem {
    fn into_bundle(self) -> Result<(Bundle, Option<ItemName>), CreateError> {
        match self {
            Self::Files { bundle, name } => Ok((without_bom(bundle)?, name)),
            Self::Texts {
                kind,
                name,
                description,
                instructions,
                files,
            } => {
                let entry = compose(kind, &name, &description, &instructions)?;
                let mut bundle = Bundle::of_entry(kind, &entry)?;
                for (path, file) in files {
                    bundle = bundle.with_file(path, file)?;
                }
                Ok((bundle, Some(name)))
            }
        }
    }
}

/// A byte order mark is an artefact of an editor; some clients reject a file with one.
pub(super) fn without_bom(bundle: Bundle) -> Result<Bundle, BundleError> {
    let Some(rest) = bundle.entry().bytes.strip_prefix("\u{feff}".as_bytes()) else {
        return Ok(bundle);
    };
    let file = BundleFile {
        bytes: rest.into(),
        executable: bundle.entry().executable,
    };
    let entry = ItemPath::entry_of(bundle.kind());
    bundle.with_file(entry, file)
}
