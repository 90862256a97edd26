//! Keeping a text that was refused, so that nobody's work is lost.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
};

use imprint_core::{ItemSummary, secret};

use crate::{failure::Failure, home::shown, wiring::App};

/// Keeps a refused text in a file of its own and names it in the failure. One in which there is a
/// credential is kept nowhere.
pub(super) fn keep_refused(
    app: &App,
    item: &ItemSummary,
    text: &[u8],
    failure: Failure,
) -> Failure {
    if !failure.findings.is_empty() || !secret::scan_bytes(text).is_empty() {
        return failure
            .detail("your text is not kept in a file, because there is a credential in it");
    }
    let name = format!("{}-{}.md", item.name, app.registry.clock().new_uuid());
    let file = app.home.refused().join(name);
    match write_private(&file, text) {
        Ok(()) => failure.hint(format!(
            "your text is kept in {}; `imprint {}s edit {} --from` with that file tries it again",
            shown(&file),
            item.kind,
            item.name
        )),
        Err(error) => failure
            .detail(format!(
                "your text could not be kept in {}: {error}",
                shown(&file)
            ))
            .detail(String::from_utf8_lossy(text)),
    }
}

/// Writes a new file that only the user may read, like everything in the home.
fn write_private(file: &Path, text: &[u8]) -> io::Result<()> {
    let mut folders = fs::DirBuilder::new();
    let mut options = fs::File::options();
    folders.recursive(true);
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
        folders.mode(0o700);
        options.mode(0o600);
    }
    folders.create(file.parent().unwrap_or(Path::new(".")))?;
    options.open(file)?.write_all(text)
}
