//! What servers acknowledged, and what they must therefore answer.

use std::{
    collections::BTreeMap,
    io,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use serde_json::json;

use crate::wire::{Connection, Endpoint, Wanted};

/// The servers, and the last acknowledged content of each skill.
#[derive(Debug)]
pub(super) struct Ledger {
    servers: Vec<Endpoint>,
    acknowledged: Mutex<BTreeMap<String, u64>>,
}

impl Ledger {
    pub(super) fn new(servers: Vec<Endpoint>) -> Self {
        Self {
            servers,
            acknowledged: Mutex::default(),
        }
    }

    /// One of the servers, in turns.
    pub(super) fn server(&self, turn: usize) -> &Endpoint {
        &self.servers[turn % self.servers.len()]
    }

    /// The number of a skill's next content; 0 for one that is not there yet.
    pub(super) fn next(&self, name: &str) -> u64 {
        self.locked().get(name).map_or(0, |number| number + 1)
    }

    /// Creates or edits a skill; what is acknowledged is noted.
    pub(super) async fn write(
        &self,
        connection: &mut Connection,
        server: &Endpoint,
        name: &str,
        number: u64,
    ) -> io::Result<()> {
        let instructions = instructions(name, number);
        let arguments = if number == 0 {
            json!({
                "action": "create", "name": name, "instructions": instructions,
                "description": "Is written in a soak. Use when nothing else is left.",
            })
        } else {
            json!({ "action": "edit", "name": name, "instructions": instructions })
        };
        let answer = connection
            .ask(&server.call("skill_edit", &arguments))
            .await?;
        if !Wanted::Text(name.to_owned()).is_met_by(&answer) {
            return Err(wrong("a write", answer.status, &answer.body));
        }
        let mut acknowledged = self.locked();
        acknowledged.insert(name.to_owned(), number);
        Ok(())
    }

    /// Reads a skill and checks that it is not older than what is acknowledged now.
    pub(super) async fn read(
        &self,
        connection: &mut Connection,
        server: &Endpoint,
        turn: usize,
    ) -> io::Result<()> {
        let known = {
            let acknowledged = self.locked();
            let at = turn % acknowledged.len().max(1);
            let one = acknowledged.iter().nth(at);
            one.map(|(name, number)| (name.clone(), *number))
        };
        let Some((name, least)) = known else {
            // Nothing is written yet.
            tokio::time::sleep(Duration::from_millis(20)).await;
            return Ok(());
        };
        self.has(connection, server, &name, least).await
    }

    /// Asks every server for every skill; gives how many were right on all of them.
    pub(super) async fn check(&self, faults: &mut Vec<String>) -> usize {
        let all = self.locked().clone();
        let mut kept = all.len();
        for (name, number) in all {
            for server in &self.servers {
                let found = match Connection::open(server.port).await {
                    Ok(mut open) => self.has(&mut open, server, &name, number).await,
                    Err(error) => Err(error),
                };
                if let Err(error) = found {
                    faults.push(format!("`{name}` is lost: {error}"));
                    kept = kept.saturating_sub(1);
                    break;
                }
            }
        }
        kept
    }

    async fn has(
        &self,
        connection: &mut Connection,
        server: &Endpoint,
        name: &str,
        least: u64,
    ) -> io::Result<()> {
        let request = server.call("skills", &json!({ "action": "get", "name": name }));
        let answer = connection.ask(&request).await?;
        let text = answer.result().unwrap_or_default();
        let text = text["content"][0]["text"].as_str().unwrap_or_default();
        match content_number(text, name) {
            Some(number) if number >= least => Ok(()),
            _ => Err(wrong("a read", answer.status, &answer.body)),
        }
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, u64>> {
        let locked = self.acknowledged.lock();
        locked.unwrap_or_else(PoisonError::into_inner)
    }
}

fn instructions(name: &str, number: u64) -> String {
    let words = "Every word of it must be there at the end. ".repeat(20);
    format!("Content {number} of {name}.\n\n{words}\n\nEnd {number} of {name}.\n")
}

/// Which content of a skill a text holds whole.
fn content_number(text: &str, name: &str) -> Option<u64> {
    let (_, rest) = text.split_once("Content ")?;
    let number = rest.split(' ').next()?.parse().ok()?;
    text.contains(instructions(name, number).trim_end())
        .then_some(number)
}

fn wrong(what: &str, status: u16, body: &[u8]) -> io::Error {
    let body: String = String::from_utf8_lossy(body).chars().take(400).collect();
    io::Error::other(format!("{what}: {status} {body}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_counts_only_whole() {
        let text = format!("Above.\n{}", instructions("tea", 7));
        assert_eq!(content_number(&text, "tea"), Some(7));
        assert_eq!(content_number(&text.replace("End 7", "End 6"), "tea"), None);
        assert_eq!(content_number("nothing", "tea"), None);
    }
}
