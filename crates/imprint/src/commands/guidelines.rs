//! `imprint guidelines`: the rules that the user gives to all agents.

use imprint_core::{
    ItemRef,
    registry::{ItemEdit, NewItem},
};
use imprint_format::{ItemKind, ItemName, suggest_name, text};

use super::items;
use crate::{
    cli::{GuidelineAddArgs, GuidelineCommand, GuidelineEditArgs, ItemCommand},
    failure::Failure,
    output::Output,
    wiring::App,
};

const KIND: ItemKind = ItemKind::Guideline;
/// A name made from a text has at most so many characters.
const MADE_NAME_CHARS: usize = 40;

pub(super) async fn run(app: &App, out: &Output, command: GuidelineCommand) -> Result<(), Failure> {
    let on_item = match command {
        GuidelineCommand::Add(args) => return add(app, out, args).await,
        GuidelineCommand::Edit(args) => {
            return edit(app, out, args)
                .await
                .map_err(|failure| failure.about(KIND));
        }
        GuidelineCommand::List(args) => ItemCommand::List(args),
        GuidelineCommand::Show(args) => ItemCommand::Show(args),
        GuidelineCommand::Enable(arg) => ItemCommand::Enable(arg),
        GuidelineCommand::Disable(arg) => ItemCommand::Disable(arg),
        GuidelineCommand::Remove(args) => ItemCommand::Remove(args),
        GuidelineCommand::Restore(args) => ItemCommand::Restore(args),
        GuidelineCommand::History(args) => ItemCommand::History(args),
        GuidelineCommand::Diff(args) => ItemCommand::Diff(args),
        GuidelineCommand::Rename(args) => ItemCommand::Rename(args),
        GuidelineCommand::Proposals(args) => ItemCommand::Proposals(args),
    };
    items::run(app, out, KIND, on_item).await
}

async fn add(app: &App, out: &Output, args: GuidelineAddArgs) -> Result<(), Failure> {
    let text = items::given_text(Some(&args.text))?.unwrap_or_default();
    let name = match &args.name {
        Some(name) => items::name(name)?,
        None => made_name(app, &text).await?,
    };
    let new = NewItem::Texts {
        kind: KIND,
        name,
        description: String::new(),
        instructions: text,
        files: Vec::new(),
    };
    let item = items::create(app, new, &args.accept).await?;
    let done = format!(
        "Added guideline `{}`; your clients get it when they next connect",
        item.name
    );
    items::told(app, out, &item, &done).await;
    Ok(())
}

async fn edit(app: &App, out: &Output, args: GuidelineEditArgs) -> Result<(), Failure> {
    let item = ItemRef::of(KIND, args.name);
    let Some(text) = items::given_text(args.text.as_deref())? else {
        return items::in_editor(app, out, &item, &args.accept).await;
    };
    let edit = ItemEdit {
        instructions: Some(text),
        ..ItemEdit::default()
    };
    let edited = items::keep(app, &item, edit, &args.accept).await?;
    items::tell(app, out, &edited, "Changed").await;
    Ok(())
}

/// A free name from the first words of the text: `answer-in-metric-units`, then `…-2`.
async fn made_name(app: &App, rule: &str) -> Result<ItemName, Failure> {
    let words = text::one_line(rule);
    let short: String = words.chars().take(MADE_NAME_CHARS).collect();
    let whole = if short.len() < words.len() {
        short
            .rsplit_once(' ')
            .map_or(short.as_str(), |(front, _)| front)
    } else {
        &short
    };
    let base = suggest_name(whole).map_or_else(|| "guideline".to_owned(), String::from);
    let taken = app
        .registry
        .store()
        .items(
            app.registry.owner(),
            &imprint_core::ItemFilter {
                kind: Some(KIND),
                ..Default::default()
            },
        )
        .await?;
    let is_taken = |name: &str| taken.iter().any(|item| item.name.as_str() == name);
    let mut name = base.clone();
    let mut number = 2;
    while is_taken(&name) {
        name = format!("{base}-{number}");
        number += 1;
    }
    items::name(&name)
}
