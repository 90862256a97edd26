//! `create`: a new item from texts or files.

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use imprint_clients::import::{ImportLimits, Stored, plan_import, read_source};
use imprint_core::{
    Author, ItemSummary,
    registry::{CreateError, NewItem},
};
use imprint_format::{Bundle, BundleFile, Document, ItemKind, ItemName, ItemPath, limits};

use super::{name, told};
use crate::{
    cli::{AcceptArgs, CreateArgs, TextArgs},
    commands::accept::accept,
    failure::{Failure, FailureKind},
    output::Output,
    wiring::App,
};

pub(super) async fn run(
    app: &App,
    out: &Output,
    kind: ItemKind,
    args: CreateArgs,
) -> Result<(), Failure> {
    let name = name(&args.name)?;
    let new = match &args.from {
        Some(path) => from_path(kind, &name, path, &args.text)?,
        None => from_texts(kind, name, &args.text)?,
    };
    let item = create(app, new, &args.accept).await?;
    let done = format!("Created {kind} `{}`", item.name);
    told(app, out, &item, &done).await;
    Ok(())
}

/// Creates the item; once more when the user accepts what was found in it.
pub(in crate::commands) async fn create(
    app: &App,
    new: NewItem,
    args: &AcceptArgs,
) -> Result<ItemSummary, Failure> {
    match app.registry.create(&Author::User, new.clone()).await {
        Err(CreateError::Secret { findings }) if accept(app, args, &findings).await? => {
            Ok(app.registry.create(&Author::User, new).await?)
        }
        result => Ok(result?),
    }
}

fn from_texts(kind: ItemKind, name: ItemName, text: &TextArgs) -> Result<NewItem, Failure> {
    let Some(description) = text.description.clone() else {
        return Err(Failure::usage("a description is needed")
            .hint(format!(
                "`imprint {kind}s create {name} --description \"…\" --instructions \"…\"`"
            ))
            .hint("or take everything from a folder: `--from PATH`"));
    };
    let instructions = given_text(text.instructions.as_deref())?.unwrap_or_default();
    Ok(NewItem::Texts {
        kind,
        name,
        description,
        instructions,
        files: Vec::new(),
    })
}

/// From a folder, archive or file that holds one item, or from a file with instructions alone.
fn from_path(
    kind: ItemKind,
    name: &ItemName,
    path: &Path,
    text: &TextArgs,
) -> Result<NewItem, Failure> {
    let ending = path.extension().and_then(|ending| ending.to_str());
    if path != Path::new("-") && !matches!(ending, Some("md" | "txt")) {
        return from_source(kind, name, path, text);
    }
    let content = read_text(path)?;
    if Document::read(content.as_bytes()).value.is_none() {
        return from_instructions(kind, name, path, text, content);
    }
    // What import would take for an item of this kind, it mends too.
    let is_entry = path
        .file_name()
        .is_some_and(|name| name == kind.entry_file());
    if is_entry || (kind == ItemKind::Persona && ending == Some("md")) {
        return from_source(kind, name, path, text);
    }
    let entry = BundleFile::plain(content.into_bytes());
    let bundle = Bundle::new(kind, [(ItemPath::entry_of(kind), entry)])
        .map_err(|error| Failure::failed(error.to_string()))?;
    named(&bundle, name, text)
}

fn from_instructions(
    kind: ItemKind,
    name: &ItemName,
    path: &Path,
    text: &TextArgs,
    instructions: String,
) -> Result<NewItem, Failure> {
    let Some(description) = text.description.clone() else {
        let message = format!(
            "`{}` has no front matter, so a description is needed",
            path.display()
        );
        return Err(Failure::usage(message).hint("add `--description \"…\"`"));
    };
    Ok(NewItem::Texts {
        kind,
        name: name.clone(),
        description,
        instructions,
        files: Vec::new(),
    })
}

fn from_source(
    kind: ItemKind,
    name: &ItemName,
    path: &Path,
    text: &TextArgs,
) -> Result<NewItem, Failure> {
    let source = read_source(path, &ImportLimits::default())?;
    let plan = plan_import(&[source], &Stored::default());
    let mut found: Vec<_> = plan
        .new
        .into_iter()
        .filter(|item| item.kind == kind)
        .collect();
    let shown = path.display();
    match (found.pop(), found.len()) {
        (Some(only), 0) => named(&only.bundle, name, text),
        (Some(_), more) => {
            let message = format!("there are {} {kind}s in `{shown}`", more + 1);
            Err(Failure::new(FailureKind::Conflict, message)
                .hint(format!("`imprint import {shown}` takes them all in")))
        }
        (None, _) => match plan.skipped.iter().find(|skipped| skipped.kind == kind) {
            None => {
                let message = format!("there is no {kind} in `{shown}`");
                Err(Failure::new(FailureKind::NotFound, message))
            }
            Some(skipped) if !skipped.findings.is_empty() => Err(CreateError::Secret {
                findings: skipped.findings.clone(),
            }
            .into()),
            Some(skipped) => {
                let message = format!("the {kind} in `{shown}` can't be kept as it is");
                Err(Failure::failed(message).faults(&skipped.reasons))
            }
        },
    }
}

/// The files under the wanted name and, where one is given, description.
fn named(bundle: &Bundle, name: &ItemName, text: &TextArgs) -> Result<NewItem, Failure> {
    let reading = Document::read(&bundle.entry().bytes);
    let edited = reading.value.map(|document| -> Result<Bundle, Failure> {
        let fault = |error: &dyn std::fmt::Display| Failure::failed(error.to_string());
        let mut document = document
            .with_field("name", name.as_str())
            .map_err(|e| fault(&e))?;
        if let Some(description) = &text.description {
            document = document
                .with_field("description", description)
                .map_err(|e| fault(&e))?;
        }
        let entry = BundleFile::plain(document.text().as_bytes());
        bundle
            .with_file(ItemPath::entry_of(bundle.kind()), entry)
            .map_err(|e| fault(&e))
    });
    let bundle = edited.unwrap_or_else(|| Ok(bundle.clone()))?;
    Ok(NewItem::Files {
        bundle,
        name: Some(name.clone()),
    })
}

/// A text argument; `-` is standard input.
pub(in crate::commands) fn given_text(text: Option<&str>) -> Result<Option<String>, Failure> {
    match text {
        Some("-") => read_text(Path::new("-")).map(Some),
        other => Ok(other.map(str::to_owned)),
    }
}

/// A text file, or standard input for `-`; at most as large as an item's text file may be.
pub(in crate::commands) fn read_text(path: &Path) -> Result<String, Failure> {
    let limit = limits::TEXT_FILE_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        std::io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::io("read", path, &error))?;
    if bytes.len() as u64 == limit {
        return Err(Failure::failed(format!(
            "`{}` is larger than 1 MiB, the most that a text file of an item may have",
            path.display()
        )));
    }
    String::from_utf8(bytes).map_err(|error| {
        Failure::failed(format!(
            "`{}` is not UTF-8 text: {error}",
            PathBuf::from(path).display()
        ))
        .hint("save it as UTF-8 and try again")
    })
}
