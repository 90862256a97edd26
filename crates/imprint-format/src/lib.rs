//! Imprint's documents: SKILL.md and PERSONA.md files and the bundles of files around them.
//!
//! Text in, value and diagnostics out; value in, the same bytes out. Reading is lenient and
//! never fails whole, writing is strict. This crate knows no disk, clock, database or client.

mod bundle;
mod compose;
mod diagnostic;
mod digest;
mod document;
mod edit;
mod front_matter;
mod header;
mod kind;
pub mod limits;
mod lines;
mod name;
mod path;
#[cfg(any(test, feature = "properties"))]
pub mod properties;
mod quote;
pub mod text;
mod tools;
mod validate;
pub mod yaml;

pub use bundle::{Bundle, BundleError, BundleFile};
pub use compose::{ComposeError, compose};
pub use diagnostic::{About, Diagnostic, Reading, Severity};
pub use digest::Digest;
pub use document::{Document, Field};
pub use edit::EditFieldError;
pub use header::{Header, read_header};
pub use kind::ItemKind;
pub use name::{ItemName, NameFault, safe_folder_name, suggest_name};
pub use path::{ItemPath, PathFault, is_archive_junk};
pub use quote::quote_scalar;
pub use tools::parse_tools;
pub use validate::{StrictHeader, validate, validate_bundle};
