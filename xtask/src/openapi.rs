//! `cargo xtask openapi`: the document that describes the REST API, made from the same definitions
//! as its routes.

use std::fs;

use crate::{
    task::{Done, TaskError},
    workspace,
};

/// Where the document is, below the workspace's root.
const DOCUMENT: &str = "docs/openapi.json";

/// Writes the document.
pub(crate) fn run() -> Done {
    let path = workspace::root().join(DOCUMENT);
    fs::write(&path, document()?).map_err(TaskError::io(format!("writing {}", path.display())))?;
    println!("openapi: {DOCUMENT}");
    Ok(())
}

fn document() -> Result<String, TaskError> {
    let text = imprint_server::openapi().to_pretty_json();
    let text = text.map_err(|error| TaskError::io("writing the document as JSON")(error.into()))?;
    Ok(text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_is_current() {
        let kept = fs::read_to_string(workspace::root().join(DOCUMENT)).unwrap();
        assert!(
            kept == document().unwrap(),
            "`cargo xtask openapi` brings {DOCUMENT} up to date"
        );
    }
}
