//! The tool `skills`: the list of skills and personas, and one of them.

use imprint_core::{
    FileRef, ItemFilter, ItemRef, ItemState, ItemSummary, Registry, Revision,
    registry::{ContentError, ResolveError},
    search,
};
use imprint_format::{ItemKind, ItemPath, read_header, text};

use super::{
    Call,
    answer::{Answer, Fault},
    arguments::{Arguments, missing},
    page::{Page, Room, Span, lines_that_fit},
};

/// Characters of an answer beside the page itself and what stands above it.
const AROUND: usize = 600;
/// The states of what an agent may see.
const PRESENT: [ItemState; 2] = [ItemState::Active, ItemState::Disabled];

pub(super) async fn run(call: &Call) -> Answer {
    let arguments = Arguments(&call.arguments);
    match arguments.word("action", &["list", "get"])? {
        Some("list") => list(call, arguments).await,
        Some(_) => get(call, arguments).await,
        None => Err(missing("action", "`list` or `get`")),
    }
}

/// The one skill or persona that a call means, active or disabled.
pub(super) async fn named_item(
    registry: &Registry,
    name: &str,
    kind: Option<ItemKind>,
) -> Result<ItemSummary, Fault> {
    let wanted = ItemRef {
        kind,
        name: name.to_owned(),
    };
    let found = match registry.resolve(&wanted, &PRESENT).await {
        Err(ResolveError::Ambiguous { name, candidates }) => {
            let mut ours: Vec<_> = candidates
                .into_iter()
                .filter(|item| item.kind != ItemKind::Guideline)
                .collect();
            match (ours.len(), ours.pop()) {
                (1, Some(only)) => only,
                (_, last) => {
                    ours.extend(last);
                    let candidates = ours;
                    return Err(ResolveError::Ambiguous { name, candidates }.into());
                }
            }
        }
        found => found?,
    };
    if found.kind == ItemKind::Guideline {
        return Err(Fault::new(format!("`{}` is a guideline", found.name))
            .hint("The tool `guidelines` gives all of them"));
    }
    Ok(found)
}

async fn list(call: &Call, arguments: Arguments<'_>) -> Answer {
    let kind = arguments.kind()?;
    let query = arguments.text("query")?;
    let start = arguments.number("start")?.unwrap_or(0);
    let registry = &call.registry;
    let filter = ItemFilter {
        kind,
        states: PRESENT.to_vec(),
        ..ItemFilter::default()
    };
    let mut items = registry.store().items(registry.owner(), &filter).await?;
    items.retain(|item| item.kind != ItemKind::Guideline);
    if items.is_empty() {
        let what = kind.map_or("skills or personas", plural);
        return Ok(format!(
            "The user has no {what} yet. skill_edit(action=\"create\", …) makes one"
        ));
    }
    let Some(query) = query else {
        let lines: Vec<_> = items.iter().map(line).collect();
        return listed(call, &lines, start, "", "skills(action=\"list\"");
    };
    let found = search(&items, query);
    let lines: Vec<_> = found.items.iter().map(|item| line(item)).collect();
    if lines.is_empty() {
        return Ok(format!(
            "None of {} items shares a word with the query. skills(action=\"list\") gives all",
            items.len()
        ));
    }
    let order = if found.fits {
        "best match first, "
    } else {
        "none fits well, nearest first, "
    };
    listed(
        call,
        &lines,
        start,
        order,
        "skills(action=\"list\", query=…",
    )
}

fn listed(call: &Call, lines: &[String], start: usize, order: &str, again: &str) -> Answer {
    let span = lines_that_fit(lines, start, Room::beside(call.page_chars(), AROUND))?;
    let label = span.label();
    let onward = span
        .next()
        .map(|next| format!(": {again}, start={next}) goes on"))
        .unwrap_or_default();
    Ok(format!(
        "[the user's skills and personas; {order}{label}]\n{}\n[{label}{onward}. Load one with \
         skills(action=\"get\", name=…) when its description fits the task]",
        lines[span.start..span.end].join("\n")
    ))
}

/// One item on one line, whatever its description holds.
fn line(item: &ItemSummary) -> String {
    let mut remarks = String::new();
    if item.state == ItemState::Disabled {
        remarks.push_str(" (disabled)");
    }
    if item.hidden_from_model {
        remarks.push_str(" (only when the user asks for it)");
    }
    let description = text::one_line(&item.description);
    format!("- {} {}{remarks}: {description}", item.kind, item.name)
}

fn plural(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Skill => "skills",
        ItemKind::Persona => "personas",
        ItemKind::Guideline => "guidelines",
    }
}

async fn get(call: &Call, arguments: Arguments<'_>) -> Answer {
    let name = arguments
        .text("name")?
        .ok_or_else(|| missing("name", "the name of a skill or persona, as `list` gives it"))?;
    let kind = arguments.kind()?;
    let path = arguments.text("path")?;
    let start = arguments.number("start")?.unwrap_or(0);
    let registry = &call.registry;
    let item = named_item(registry, name, kind).await?;
    if item.state == ItemState::Disabled {
        return Err(disabled(&item));
    }
    let revision = registry
        .store()
        .revision(registry.owner(), item.head)
        .await?
        .ok_or(ContentError::NoRevision(item.head))?;
    let sheet = Sheet {
        call,
        item: &item,
        revision: &revision,
        start,
    };
    let entry = item.kind.entry_file();
    match path.map(|path| path.strip_prefix("./").unwrap_or(path)) {
        None => sheet.entry().await,
        Some(path) if path == entry => sheet.entry().await,
        Some(path) => sheet.other(path).await,
    }
}

fn disabled(item: &ItemSummary) -> Fault {
    Fault::new(format!(
        "the {} `{}` is disabled, so it is out of use",
        item.kind, item.name
    ))
    .hint(&format!(
        "Go on without it; when the user wants it back, call skill_edit(action=\"edit\", \
         name=\"{}\", kind=\"{}\", state=\"active\")",
        item.name, item.kind
    ))
}

/// An item that is being shown.
struct Sheet<'a> {
    call: &'a Call,
    item: &'a ItemSummary,
    revision: &'a Revision,
    start: usize,
}

impl Sheet<'_> {
    /// The instructions.
    async fn entry(&self) -> Answer {
        let entry = ItemPath::entry_of(self.item.kind);
        let file = self.file(&entry).ok_or_else(|| self.no_content(&entry))?;
        let bytes = self.content(file).await?;
        let name = Some(self.item.name.as_str());
        let read = read_header(self.item.kind, name, &bytes).value;
        let (header, body) = match &read {
            Some((header, document)) => (Some(header), document.body()),
            None => (None, std::str::from_utf8(&bytes).unwrap_or_default()),
        };
        let mut above = Vec::new();
        if self.start == 0 {
            if self.item.kind == ItemKind::Persona {
                above.push(
                    "A persona: run it as a subagent with these instructions if you can, else \
                     take on this role yourself."
                        .to_owned(),
                );
                let tools = header.and_then(|header| header.tools.as_ref());
                above.extend(
                    tools.map(|tools| format!("Tools: {}", text::one_line(&tools.join(", ")))),
                );
                let model = header.and_then(|header| header.model.as_ref());
                above.extend(model.map(|model| format!("Model: {}", text::one_line(model))));
            }
            above.extend(self.folder().await);
            above.extend(self.files());
        }
        let answer = self.framed(&above, body, "")?;
        if self.start == 0 {
            self.call.caller.sessions.loaded(self.item.id);
        }
        Ok(answer)
    }

    /// Another file, or what a folder holds.
    async fn other(&self, path: &str) -> Answer {
        let folder = path.trim_end_matches('/');
        let inside: Vec<_> = match folder {
            "" | "." => self.revision.files.iter().collect(),
            _ => self
                .revision
                .files
                .iter()
                .filter(|file| is_in(file, folder))
                .collect(),
        };
        if !inside.is_empty() {
            return self.listing(&inside);
        }
        let found = path
            .parse::<ItemPath>()
            .map_err(|fault| Fault::new(format!("`path` can't be that: {fault}")))
            .and_then(|path| {
                self.file(&path)
                    .ok_or_else(|| Fault::new(format!("`{}` has no file `{path}`", self.item.name)))
            });
        let file = found.map_err(|fault| fault.hint("path=\".\" lists its files"))?;
        let bytes = self.content(file).await?;
        let Some(text) = std::str::from_utf8(&bytes)
            .ok()
            .filter(|text| !text.contains('\0'))
        else {
            let folder = self.folder().await;
            let what = format!("`{}` is not text: {}", file.path, shown_size(file.size));
            return Ok([Some(what), folder]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join("\n"));
        };
        self.framed(&[], text, &format!(", path=\"{}\"", file.path))
    }

    fn listing(&self, files: &[&FileRef]) -> Answer {
        let lines: Vec<_> = files.iter().map(|file| described(file)).collect();
        let room = Room::beside(self.call.page_chars(), AROUND);
        let span = lines_that_fit(&lines, self.start, room)?;
        let label = format!("{}; files: {}", self.label(), span.label());
        Ok(format!(
            "[{label}]\n{}\n[{label}]",
            lines[span.start..span.end].join("\n")
        ))
    }

    /// A page of a text between two marks. They carry the revision, which is a digest of what
    /// stands between them, so that no text can hold a mark of its own.
    fn framed(&self, above: &[String], text: &str, path: &str) -> Answer {
        let above: String = above
            .iter()
            .flat_map(|line| [line.as_str(), "\n"])
            .collect();
        let other = above.chars().count() + path.chars().count() + AROUND;
        let page = Page::of(
            text,
            self.start,
            Room::beside(self.call.page_chars(), other),
        )?;
        let span = page.span();
        let label = format!("{}; {}", self.label(), span.label());
        Ok(format!(
            "[{label}]\n{above}\n{}\n\n[{label}{}]",
            page.text,
            self.onward(span, path)
        ))
    }

    fn label(&self) -> String {
        format!(
            "the user's {} `{}`, revision {}",
            self.item.kind,
            self.item.name,
            self.item.head.short()
        )
    }

    fn onward(&self, span: Span, path: &str) -> String {
        let Some(next) = span.next() else {
            return String::new();
        };
        format!(
            ": skills(action=\"get\", name=\"{}\", kind=\"{}\"{path}, start={next}) goes on",
            self.item.name, self.item.kind
        )
    }

    /// Where a client on this machine finds the files.
    async fn folder(&self) -> Option<String> {
        let folder = self.call.folder_of(self.item.id).await?;
        Some(format!("Folder on this computer: {folder}"))
    }

    /// The other files, as long as the list doesn't take the room of the text.
    fn files(&self) -> Option<String> {
        let entry = self.item.kind.entry_file();
        let others: Vec<_> = self
            .revision
            .files
            .iter()
            .filter(|file| file.path.as_str() != entry)
            .map(described)
            .collect();
        if others.is_empty() {
            return None;
        }
        let list = format!("Other files, each given with path=…: {}", others.join(", "));
        if list.chars().count() <= self.call.page_chars() / 4 {
            return Some(list);
        }
        let name = &self.item.name;
        Some(format!(
            "{} other files: skills(action=\"get\", name=\"{name}\", path=\".\") lists them",
            others.len()
        ))
    }

    fn file(&self, path: &ItemPath) -> Option<&FileRef> {
        self.revision.files.iter().find(|file| file.path == *path)
    }

    async fn content(&self, file: &FileRef) -> Result<std::sync::Arc<[u8]>, Fault> {
        let registry = &self.call.registry;
        let content = registry
            .store()
            .content(registry.owner(), file.digest)
            .await?;
        Ok(content.ok_or_else(|| self.no_content(&file.path))?)
    }

    fn no_content(&self, path: &ItemPath) -> ContentError {
        ContentError::NoContent {
            revision: self.item.head,
            path: path.to_string(),
        }
    }
}

fn is_in(file: &FileRef, folder: &str) -> bool {
    file.path
        .as_str()
        .strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with('/'))
}

fn described(file: &FileRef) -> String {
    format!("{} ({})", file.path, shown_size(file.size))
}

fn shown_size(size: u64) -> String {
    if size == 1 {
        "1 byte".to_owned()
    } else {
        format!("{size} bytes")
    }
}
