//! The tool `guidelines`: the user's rules for all agents, whole.

use imprint_core::{ItemFilter, ItemState};
use imprint_format::ItemKind;

use super::{
    Call,
    answer::Answer,
    arguments::Arguments,
    page::{Page, Room},
};
use crate::mcp::instructions;

/// Characters of an answer beside the page itself.
const AROUND: usize = 300;

pub(super) async fn run(call: &Call) -> Answer {
    let start = Arguments(&call.arguments).number("start")?.unwrap_or(0);
    let registry = &call.registry;
    let filter = ItemFilter {
        kind: Some(ItemKind::Guideline),
        states: vec![ItemState::Active],
        ..ItemFilter::default()
    };
    let items = registry.store().items(registry.owner(), &filter).await?;
    let guidelines = instructions::guidelines(registry, &items).await;
    if guidelines.is_empty() {
        return Ok("The user has no guidelines".to_owned());
    }
    let texts: Vec<_> = guidelines
        .iter()
        .map(|(item, text)| format!("## {}\n\n{}\n", item.name, text.trim_end()))
        .collect();
    let whole = texts.join("\n");
    let page = Page::of(&whole, start, Room::beside(call.page_chars(), AROUND))?;
    let span = page.span();
    let label = span.label();
    let onward = span
        .next()
        .map(|next| format!(": guidelines(start={next}) goes on"))
        .unwrap_or_default();
    Ok(format!(
        "[the user's guidelines, which hold for all that you do; {label}]\n{}\n[the user's \
         guidelines; {label}{onward}]",
        page.text
    ))
}
