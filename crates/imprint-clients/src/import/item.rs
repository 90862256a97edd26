//! Reading one item from disk: its files, no link out of its folder, within the limits.

use imprint_format::{About, BundleFile, Diagnostic, Severity, limits::ITEM_BYTES};
use imprint_host::{ItemFolder, Listing, Place, ReadError, WhyLeftOut, path_text};

use super::{
    Skipped, SourceItem,
    source::{shown, too_large},
};

/// Reads items one after the other, up to so many bytes together.
pub(crate) struct ItemReader {
    /// How many bytes may still be read.
    left: u64,
    limit: u64,
}

impl ItemReader {
    pub(crate) fn new(limit: u64) -> Self {
        Self { left: limit, limit }
    }

    /// The item at this place, or why it can't be taken.
    pub(crate) fn read(&mut self, place: &Place) -> Result<SourceItem, Box<Skipped>> {
        let shown_place = if place.owns_folder {
            path_text(&place.folder)
        } else {
            path_text(&place.path())
        };
        self.read_files(place, &shown_place)
            .map_err(|reasons| Box::new(Skipped::because(place.kind, &shown_place, reasons)))
    }

    fn read_files(
        &mut self,
        place: &Place,
        shown_place: &str,
    ) -> Result<SourceItem, Vec<Diagnostic>> {
        let (folder, entry) = place.open().map_err(|error| {
            let error = ReadError::from(error).diagnostic();
            vec![error.at_path(shown_place)]
        })?;
        let mut item = SourceItem {
            kind: place.kind,
            place: shown_place.to_owned(),
            home: place.home(),
            entry: entry.clone(),
            is_file: !place.owns_folder,
            files: Vec::new(),
            notes: Vec::new(),
        };
        let files = if place.owns_folder {
            let listing = folder.list();
            let refused = refused(&listing, shown_place);
            if !refused.is_empty() {
                return Err(refused);
            }
            item.notes = notes(&listing);
            listing.files
        } else {
            vec![entry]
        };
        let mut left_of_item = ITEM_BYTES;
        for file in files {
            let read = self.read_one(&folder, &file, left_of_item);
            let content = read.map_err(|fault| vec![fault.diagnostic(&item, &file)])?;
            left_of_item -= content.bytes.len();
            item.files.push((file, content));
        }
        Ok(item)
    }

    fn read_one(
        &mut self,
        folder: &ItemFolder,
        file: &str,
        left_of_item: usize,
    ) -> Result<BundleFile, FileFault> {
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        let content = folder
            .read(file, left.min(left_of_item))
            .map_err(|error| match error {
                ReadError::TooLarge { .. } if left < left_of_item => {
                    FileFault::SourceTooLarge { limit: self.limit }
                }
                ReadError::TooLarge { .. } => FileFault::ItemTooLarge,
                error => FileFault::Read(error),
            })?;
        self.left -= content.bytes.len() as u64;
        Ok(BundleFile {
            bytes: content.bytes.into(),
            executable: content.executable,
        })
    }
}

/// Why a file keeps its item from being read.
enum FileFault {
    Read(ReadError),
    ItemTooLarge,
    SourceTooLarge { limit: u64 },
}

impl FileFault {
    fn diagnostic(&self, item: &SourceItem, file: &str) -> Diagnostic {
        match self {
            Self::Read(error) => error.diagnostic().at_path(item.path_of(file)),
            Self::ItemTooLarge => too_large(&item.place),
            Self::SourceTooLarge { limit } => {
                let message = format!("more than {limit} bytes were to be read from this source");
                Diagnostic::error(About::File, message)
                    .at_path(&item.place)
                    .with_hint("import its parts one after the other")
            }
        }
    }
}

/// Whatever in a listing keeps the item from being taken whole.
fn refused(listing: &Listing, place: &str) -> Vec<Diagnostic> {
    let spoils = |why| {
        !matches!(
            why,
            WhyLeftOut::SkippedFolder | WhyLeftOut::Dangling | WhyLeftOut::Loop
        )
    };
    let spoiling = Listing {
        files: Vec::new(),
        left_out: listing
            .left_out
            .iter()
            .filter(|left| spoils(left.why))
            .cloned()
            .collect(),
    };
    let reasons = spoiling.diagnostics(place).into_iter();
    let errors = reasons.map(|reason| Diagnostic {
        severity: Severity::Error,
        ..reason
    });
    errors.collect()
}

/// What was left out of an item that is taken all the same.
fn notes(listing: &Listing) -> Vec<String> {
    let left_out = listing.left_out.iter();
    left_out
        .map(|left| format!("left out: `{}` ({})", shown(&left.path), left.why.as_str()))
        .collect()
}
