//! `imprint provision`: skills and personas as plain files, for agents that can't see this disk.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
    sync::Arc,
};

use imprint_core::{Access, FencedStore, ItemFence, Preset};
use imprint_server::{Provision, ProvisionedFile, provision};
use serde::Serialize;

use crate::{
    cli::ProvisionArgs,
    failure::{Failure, FailureKind},
    home::shown,
    output::{Output, count},
    wiring::App,
};

/// What was made, for scripts.
#[derive(Serialize)]
struct Provisioned<'a> {
    to: String,
    files: Vec<&'a String>,
    left_out: &'a [(String, String)],
}

pub(super) async fn run(app: &App, out: &Output, args: ProvisionArgs) -> Result<(), Failure> {
    let fence = ItemFence {
        names: super::keys::names(&args.items)?,
        tags: args.tag.clone(),
    };
    let access = Access::new(Preset::Full.scopes(), fence);
    let fenced = FencedStore::new(app.registry.shared_store(), access);
    let registry = app.registry.through(Arc::new(fenced));
    let provision = provision(&registry).await?;
    let to = match (&args.tar, &args.to) {
        (Some(file), _) => write_archive(&provision, file, args.force)?,
        (None, Some(folder)) => write_folder(&provision, folder, args.force)?,
        (None, None) => return Err(Failure::usage("where to? give `--to DIR` or `--tar FILE`")),
    };
    for (item, why) in &provision.left_out {
        out.warning(&format!("{item} is left out: {why}"));
    }
    let Some(to) = to else {
        return Ok(());
    };
    let made = Provisioned {
        to: to.clone(),
        files: provision.files.keys().collect(),
        left_out: &provision.left_out,
    };
    out.data(&made, |out| {
        out.line(&to);
        out.message(&format!("Wrote {}", count(provision.files.len(), "file")));
    });
    Ok(())
}

/// Writes the archive; `None` when it went to standard output, which then holds nothing else.
fn write_archive(
    provision: &Provision,
    file: &Path,
    force: bool,
) -> Result<Option<String>, Failure> {
    let failed = |error: io::Error| Failure::io("write the archive", file, &error);
    let bytes = provision.tar_gz().map_err(failed)?;
    if file == Path::new("-") {
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(&bytes).and_then(|()| stdout.flush());
        return written.map(|()| None).map_err(failed);
    }
    if file.symlink_metadata().is_ok() && !force {
        return Err(is_there(&shown(file)));
    }
    fs::write(file, bytes).map_err(failed)?;
    Ok(Some(file.display().to_string()))
}

/// Writes the files, all or none: what is there and differs is looked at first.
fn write_folder(
    provision: &Provision,
    folder: &Path,
    force: bool,
) -> Result<Option<String>, Failure> {
    for (path, file) in &provision.files {
        let target = folder.join(path);
        let is_same = || fs::read(&target).is_ok_and(|kept| *kept == *file.bytes);
        if !force && target.symlink_metadata().is_ok() && !is_same() {
            return Err(is_there(&shown(&target)));
        }
        refuse_links(folder, path)?;
    }
    for (path, file) in &provision.files {
        let target = folder.join(path);
        write(&target, file).map_err(|error| Failure::io("write", &target, &error))?;
    }
    Ok(Some(folder.display().to_string()))
}

fn is_there(path: &str) -> Failure {
    let message = format!("`{path}` is there already; nothing was written");
    Failure::new(FailureKind::Conflict, message)
        .hint("choose another place, or let `--force` overwrite it")
}

/// A link below the folder could lead out of it.
fn refuse_links(folder: &Path, path: &str) -> Result<(), Failure> {
    let mut place = folder.to_owned();
    for part in path.split('/') {
        place.push(part);
        if place.is_symlink() {
            let message = format!("`{}` is a link; nothing was written", shown(&place));
            return Err(Failure::new(FailureKind::Conflict, message).hint("choose another place"));
        }
    }
    Ok(())
}

fn write(target: &Path, file: &ProvisionedFile) -> io::Result<()> {
    let folder = target.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    temporary.write_all(&file.bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = if file.executable { 0o755 } else { 0o644 };
        temporary
            .as_file()
            .set_permissions(fs::Permissions::from_mode(mode))?;
    }
    temporary.persist(target).map_err(|error| error.error)?;
    Ok(())
}
