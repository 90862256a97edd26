//! The tool `skill_edit`: new skills and personas, and changes to those that there are.

use imprint_core::{
    Author, EditRight, ItemRef, ItemState, ItemSummary, Proposal, RevisionId, Unplaced,
    registry::{FileEdit, ItemEdit, NewItem},
};
use imprint_format::{Bundle, BundleFile, ItemKind, ItemName, ItemPath, suggest_name, text};
use serde_json::Value;

use super::{
    Call,
    answer::{Answer, Fault},
    arguments::{Arguments, missing, wrong_type},
    skills::named_item,
};
use crate::caller::shown_client;

/// How much of a name or path is repeated, in characters.
const SHOWN_CHARS: usize = 100;
/// The fewest digits of a revision that name it.
const REVISION_DIGITS: usize = 4;
/// The digits of a whole revision.
const ALL_REVISION_DIGITS: usize = 64;

pub(super) async fn run(call: &Call) -> Answer {
    let arguments = Arguments(&call.arguments);
    match arguments.word("action", &["create", "edit"])? {
        Some("create") => create(call, arguments).await,
        Some(_) => edit(call, arguments).await,
        None => Err(missing("action", "`create` or `edit`")),
    }
}

async fn create(call: &Call, arguments: Arguments<'_>) -> Answer {
    let kind = arguments.kind()?.unwrap_or(ItemKind::Skill);
    let name = item_name(arguments)?;
    if arguments
        .text("state")?
        .is_some_and(|state| state != "active")
    {
        return Err(
            Fault::new("`state` is for action=\"edit\": a new item is active")
                .hint("Create it, then edit its state"),
        );
    }
    let new = new_item(arguments, kind, name.clone())?;
    let author = author(call);
    match right(call, kind)? {
        EditRight::Propose => {
            let proposal = call.registry.propose_new(&author, new).await?;
            return Ok(proposed(&proposal));
        }
        _ if call.caller.access.fence().keeps_out(&name) => return Err(outside(&name)),
        _ => {}
    }
    let item = call.registry.create(&author, new).await?;
    let done = format!(
        "Created the {} `{}`, revision {}",
        item.kind,
        item.name,
        item.head.short()
    );
    Ok(written(call, &item, done).await)
}

/// From files when they hold the entry file, else from texts.
fn new_item(arguments: Arguments<'_>, kind: ItemKind, name: ItemName) -> Result<NewItem, Fault> {
    let files = new_files(arguments)?;
    let description = arguments.text("description")?;
    let instructions = arguments.raw_text("instructions")?;
    let entry = ItemPath::entry_of(kind);
    if !files.iter().any(|(path, _)| *path == entry) {
        let description =
            description.ok_or_else(|| missing("description", "what it does and when to use it"))?;
        return Ok(NewItem::Texts {
            kind,
            name,
            description: description.to_owned(),
            instructions: instructions.unwrap_or_default().to_owned(),
            files,
        });
    }
    if description.is_some() || instructions.is_some_and(|text| !text.is_empty()) {
        return Err(
            Fault::new(format!("`files` holds {entry}, which says all of it"))
                .hint("Give either that, or `description` and `instructions`"),
        );
    }
    let bundle = Bundle::new(kind, files).map_err(|error| Fault::new(error.to_string()))?;
    Ok(NewItem::Files {
        bundle,
        name: Some(name),
    })
}

async fn edit(call: &Call, arguments: Arguments<'_>) -> Answer {
    let kind = arguments.kind()?;
    let name = arguments
        .text("name")?
        .ok_or_else(|| missing("name", "the name of a skill or persona"))?;
    let state = wanted_state(arguments, name)?;
    let content = wanted_content(arguments)?;
    let expected = arguments.text("expected_revision")?;
    if content.is_none() && state.is_none() {
        return Err(Fault::new("nothing is to change")
            .hint("Give `description`, `instructions`, `files` or `state`"));
    }
    let registry = &call.registry;
    let mut item = named_item(registry, name, kind).await?;
    let may_write = right(call, item.kind)? == EditRight::Write;
    if state.is_some() && !may_write {
        return Err(refused(item.kind, "change the state of"));
    }
    let expected = expected.map(|digits| expected_head(&item, digits));
    let expected = expected.transpose()?;
    let mut done = Vec::new();
    if let Some(content) = content {
        let change = ItemEdit {
            expected,
            ..content
        };
        let reference = ItemRef::from(&item);
        if !may_write {
            let author = author(call);
            let proposal = registry.propose_edit(&author, &reference, change).await?;
            return Ok(match proposal {
                Some(proposal) => proposed(&proposal),
                None => told(&item, false),
            });
        }
        let edited = registry.edit(&author(call), &reference, change).await?;
        item = edited.item;
        done.push(told(&item, edited.changed));
    }
    if let Some(state) = state {
        match registry.set_state(&ItemRef::from(&item), state).await {
            Ok(changed) => item = changed,
            Err(error) if done.is_empty() => return Err(error.into()),
            Err(error) => return Err(Fault::from(error).after(&done.join("\n"))),
        }
        let state = item.state.as_str();
        done.push(format!("The {} `{}` is {state}", item.kind, item.name));
    }
    Ok(written(call, &item, done.join("\n")).await)
}

/// How far this caller may change items of the kind; not at all is a fault.
fn right(call: &Call, kind: ItemKind) -> Result<EditRight, Fault> {
    match call.caller.access.edit_right(kind) {
        EditRight::None => Err(refused(kind, "change")),
        right => Ok(right),
    }
}

fn refused(kind: ItemKind, what: &str) -> Fault {
    Fault::new(format!("this key may not {what} {kind}s")).hint(&format!(
        "The user can make one with the scope {kind}s:write"
    ))
}

fn outside(name: &ItemName) -> Fault {
    Fault::new(format!(
        "this key is narrowed to some items, and `{name}` is none of them"
    ))
    .hint("Edit one of those that skills lists")
}

fn proposed(proposal: &Proposal) -> String {
    let what = match proposal.base {
        Some(_) => "a change to the",
        None => "the new",
    };
    format!(
        "Proposed {what} {kind} `{}`. Nothing has changed yet: the user accepts or rejects it with \
         `imprint {kind}s proposals`",
        proposal.name,
        kind = proposal.kind
    )
}

fn told(item: &ItemSummary, changed: bool) -> String {
    let (kind, name, revision) = (item.kind, &item.name, item.head.short());
    if changed {
        format!("Edited the {kind} `{name}`: it has revision {revision} now")
    } else {
        format!("Nothing differs: the {kind} `{name}` keeps revision {revision}")
    }
}

/// What of the item's content is to change, if anything is.
fn wanted_content(arguments: Arguments<'_>) -> Result<Option<ItemEdit>, Fault> {
    let edit = ItemEdit {
        description: arguments.text("description")?.map(str::to_owned),
        instructions: new_instructions(arguments)?,
        files: file_edits(arguments)?,
        ..ItemEdit::default()
    };
    let any = edit.description.is_some() || edit.instructions.is_some() || !edit.files.is_empty();
    Ok(any.then_some(edit))
}

/// Brings a change into the clients' folders and says where it is now.
async fn written(call: &Call, item: &ItemSummary, done: String) -> String {
    let folders = &call.context.folders;
    let report = match folders.write().await {
        Ok(report) => report,
        Err(error) => {
            tracing::warn!(%error, "a change is not in the folders yet");
            return format!(
                "{done}\nIt is kept, but {error}; the next writing pass brings it there"
            );
        }
    };
    let mut lines = vec![done];
    if item.state == ItemState::Active {
        match call.folder_of(item.id).await {
            Some(folder) => lines.push(format!("Clients that read folders find it in {folder}")),
            None => lines.push("Clients get it over MCP".to_owned()),
        }
    }
    let unplaced = report
        .unplaced
        .iter()
        .filter(|unplaced| unplaced.item == item.id);
    let unplaced = Unplaced::by_reason(unplaced);
    lines.extend(
        unplaced
            .iter()
            .map(|(one, clients)| match clients.as_slice() {
                [] => format!("Not in a folder: {}", one.why),
                clients => format!("Not in the folder of {}: {}", clients.join(", "), one.why),
            }),
    );
    lines.join("\n")
}

fn author(call: &Call) -> Author {
    let name = call.peer.name.as_ref().or(call.peer.named.as_ref());
    let client = name.map_or_else(
        || "a client without a name".to_owned(),
        |name| shown_client(name),
    );
    Author::Agent { client }
}

fn item_name(arguments: Arguments<'_>) -> Result<ItemName, Fault> {
    let given = arguments
        .text("name")?
        .ok_or_else(|| missing("name", "lower-case letters, digits and hyphens"))?;
    given.parse().map_err(|fault| {
        let fault = Fault::new(format!("`name` can't be that: {fault}"));
        match suggest_name(given) {
            Some(better) => fault.hint(&format!("Use `{better}`, or another")),
            None => fault.hint("Use English words with hyphens between them"),
        }
    })
}

fn wanted_state(arguments: Arguments<'_>, name: &str) -> Result<Option<ItemState>, Fault> {
    let state =
        arguments
            .word("state", &["active", "disabled"])
            .map_err(|fault| match arguments.text("state") {
                Ok(Some("removed")) => fault.hint(&format!(
                    "Removing stays with the user, who can do it at the command line; \
                 state=\"disabled\" takes `{}` out of use",
                    text::clip(&text::one_line(name), SHOWN_CHARS)
                )),
                _ => fault,
            })?;
    Ok(state.map(|state| match state {
        "disabled" => ItemState::Disabled,
        _ => ItemState::Active,
    }))
}

fn new_instructions(arguments: Arguments<'_>) -> Result<Option<String>, Fault> {
    let Some(instructions) = arguments.raw_text("instructions")? else {
        return Ok(None);
    };
    if instructions.trim().is_empty() {
        return Err(
            Fault::new("`instructions` is empty").hint("Leave it out to keep what stands there")
        );
    }
    Ok(Some(instructions.to_owned()))
}

/// The head that an edit starts from, from all or the first digits of its id.
fn expected_head(item: &ItemSummary, digits: &str) -> Result<RevisionId, Fault> {
    let given = digits.to_ascii_lowercase();
    let fits = (REVISION_DIGITS..=ALL_REVISION_DIGITS).contains(&given.len())
        && given.bytes().all(|b| b.is_ascii_hexdigit());
    if !fits {
        return Err(Fault::new(
            "`expected_revision` must be a revision's id, or at least its first 4 digits",
        ));
    }
    if item.head.to_string().starts_with(&given) {
        return Ok(item.head);
    }
    let name = item.name.clone();
    let current = item.head;
    Err(imprint_core::registry::EditError::Stale { name, current }.into())
}

fn new_files(arguments: Arguments<'_>) -> Result<Vec<(ItemPath, BundleFile)>, Fault> {
    let edits = file_edits(arguments)?;
    edits
        .into_iter()
        .map(|edit| match edit {
            FileEdit::Put(path, file) => Ok((path, file)),
            FileEdit::Remove(path) => Err(Fault::new(format!(
                "`files` takes out `{path}`, and a new item has nothing to take out"
            ))),
        })
        .collect()
}

fn file_edits(arguments: Arguments<'_>) -> Result<Vec<FileEdit>, Fault> {
    let files = arguments.object("files")?.into_iter().flatten();
    files
        .map(|(path, text)| {
            let field = format!(
                "files[{:?}]",
                text::clip(&text::one_line(path), SHOWN_CHARS)
            );
            let path: ItemPath = path
                .parse()
                .map_err(|fault| Fault::new(format!("`{field}`: {fault}")))?;
            match text {
                Value::Null => Ok(FileEdit::Remove(path)),
                Value::String(text) => Ok(FileEdit::Put(path, BundleFile::plain(text.as_bytes()))),
                other => Err(wrong_type(&field, "text, or null to take it out", other)),
            }
        })
        .collect()
}
