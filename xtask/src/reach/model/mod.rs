//! A scripted model on 127.0.0.1: speaks the providers' wire formats, keeps every request, and
//! answers what the script says.

mod answer;
mod anthropic;
mod chat;
mod gemini;
mod prompt;
mod responses;
mod script;
mod server;
#[cfg(test)]
mod tests;
mod wire;

#[cfg(test)]
pub(crate) use prompt::PromptText;
pub(crate) use prompt::{Place, Prompt};
pub(crate) use script::{Script, is_skills};
pub(crate) use server::{Exchange, ModelServer};
