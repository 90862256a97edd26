//! What a server answered that was started as a client starts it.

use std::{path::PathBuf, time::Duration};

use imprint_core::fit::Fitted;

use super::{Ailment, Finding};
use crate::known::known_client;

/// From here on people notice that they wait.
const SLOW: Duration = Duration::from_secs(2);

/// A real handshake.
#[derive(Clone, Debug)]
pub struct Handshake {
    /// The client as which it was made, by id.
    pub client: &'static str,
    /// The file with the entry.
    pub file: PathBuf,
    /// What the client should get.
    pub expected: Fitted,
    /// What it got, or why nothing.
    pub answers: Result<Answers, String>,
    /// How long the whole took.
    pub took: Duration,
}

/// What a server answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// The version that it says it has.
    pub version: String,
    /// The handshake's instructions.
    pub instructions: String,
    /// The names of its tools.
    pub tools: Vec<String>,
    /// The description of the tool `skills`.
    pub skills_description: Option<String>,
}

pub(super) fn findings(handshakes: &[Handshake]) -> Vec<Finding> {
    handshakes.iter().flat_map(of_one).collect()
}

fn of_one(handshake: &Handshake) -> Vec<Finding> {
    let entry = format!("the entry in `{}`", handshake.file.display());
    let title =
        known_client(handshake.client).map_or(handshake.client, |client| client.facts.title);
    let answers = match &handshake.answers {
        Ok(answers) => answers,
        Err(why) => {
            let what = format!("the server of {entry} doesn't answer as {title} would ask: {why}");
            let finding = Finding::error(Ailment::NoAnswer, what).of(handshake.client);
            return vec![finding.command(format!("imprint connect {}", handshake.client))];
        }
    };
    let mut findings = Vec::new();
    let differs = difference(&handshake.expected, answers);
    if let Some(differs) = differs {
        let what = format!(
            "{title} gets something else from the server of {entry} than it should: {differs}"
        );
        let finding = Finding::warning(Ailment::OtherAnswer, what).of(handshake.client);
        findings.push(finding.by_hand("run `imprint doctor` again: an item may have been changed meanwhile; if it stays so, the entry serves from another home"));
    }
    if handshake.took > SLOW {
        let what = format!(
            "the server of {entry} took {:.1} seconds to answer, and some clients don't wait long",
            handshake.took.as_secs_f64()
        );
        findings.push(Finding::note(Ailment::SlowAnswer, what).of(handshake.client));
    }
    findings
}

/// What is not as it should be, in words.
fn difference(expected: &Fitted, answers: &Answers) -> Option<&'static str> {
    let Some(description) = &answers.skills_description else {
        return Some("there is no tool `skills`");
    };
    match (
        answers.instructions == expected.instructions,
        *description == expected.skills_description,
    ) {
        (true, true) => None,
        (false, true) => Some("the instructions are others"),
        (true, false) => Some("the description of the tool `skills` is another"),
        (false, false) => {
            Some("the instructions and the description of the tool `skills` are others")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handshake() -> Handshake {
        let answers = Answers {
            version: "1".to_owned(),
            instructions: "Read this.".to_owned(),
            tools: vec!["skills".to_owned()],
            skills_description: Some("Skills.".to_owned()),
        };
        Handshake {
            client: "codex",
            file: "/home/ada/.codex/config.toml".into(),
            expected: Fitted {
                instructions: answers.instructions.clone(),
                skills_description: "Skills.".to_owned(),
                page_chars: 20_000,
                client: None,
                left_out: Vec::new(),
            },
            answers: Ok(answers),
            took: Duration::from_millis(40),
        }
    }

    fn told(handshake: Handshake) -> Vec<Ailment> {
        findings(&[handshake])
            .iter()
            .map(|finding| finding.id)
            .collect()
    }

    #[test]
    fn what_a_client_should_get_is_no_finding() {
        assert_eq!(told(handshake()), []);
    }

    #[test]
    fn silence_other_answers_and_waiting_are_told() {
        let silent = Handshake {
            answers: Err("it ended".to_owned()),
            ..handshake()
        };
        assert_eq!(told(silent), [Ailment::NoAnswer]);
        let mut other = handshake();
        other.expected.instructions.push_str(" And that.");
        assert_eq!(told(other), [Ailment::OtherAnswer]);
        let mut without = handshake();
        if let Ok(answers) = &mut without.answers {
            answers.skills_description = None;
        }
        assert_eq!(told(without), [Ailment::OtherAnswer]);
        let slow = Handshake {
            took: Duration::from_secs(3),
            ..handshake()
        };
        assert_eq!(told(slow), [Ailment::SlowAnswer]);
    }
}
