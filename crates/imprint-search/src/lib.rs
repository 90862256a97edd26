//! Ranking by words: which of some named and described things a request asks for.
//!
//! Pure and deterministic: texts in, an order out, or that nothing fits. This crate does not know
//! what it ranks.
//!
//! ```
//! use imprint_search::{Document, Router};
//!
//! let router = Router::new([
//!     Document { name: "release-notes", description: "Writes release notes from merged changes." },
//!     Document { name: "tidy-up", description: "Sorts imports and takes out unused code." },
//! ]);
//! let ranking = router.rank("sort the imports in main.rs");
//! assert!(ranking.fits);
//! assert_eq!(ranking.best[0].index, 1);
//! assert!(!router.rank("what will the weather be like?").fits);
//! ```

mod lexical;
mod router;
mod stop_words;
mod tokens;

pub use router::{Document, Ranking, Router, Scored};
