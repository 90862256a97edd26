//! `imprint connect claude-ai` and `chatgpt`: chats on the web, which take an address and no key.

use imprint_core::oauth::PublicUrl;
use serde::Serialize;
use url::{Host, Url};

use crate::{cli::ConnectArgs, failure::Failure, output::Output};

/// A chat on the web. What is entered there is entered by a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WebClient {
    ClaudeAi,
    ChatGpt,
}

/// What scripts read.
#[derive(Debug, Serialize)]
struct Told<'a> {
    client: &'a str,
    address: &'a str,
    steps: Vec<String>,
}

impl WebClient {
    /// The one that the arguments mean, if it is one.
    pub(super) fn meant(args: &ConnectArgs) -> Result<Option<Self>, Failure> {
        let names = &args.clients.names;
        let found: Vec<_> = names.iter().filter_map(|name| Self::of(name)).collect();
        match (found.as_slice(), &args.public_url) {
            // Its app on this computer is another client, which takes no address.
            ([Self::ChatGpt] | [], None) => Ok(None),
            ([one], _) if names.len() == 1 => Ok(Some(*one)),
            ([], Some(_)) => Err(Failure::usage(
                "`--public-url` is for the chats on the web: claude-ai, chatgpt",
            )
            .hint("clients on this computer start `imprint mcp` themselves: leave it out")),
            _ => Err(Failure::usage(
                "name a chat on the web alone: other clients are connected in another way",
            )),
        }
    }

    fn of(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "claude-ai" | "claude.ai" => Some(Self::ClaudeAi),
            "chatgpt" => Some(Self::ChatGpt),
            _ => None,
        }
    }

    const fn id(self) -> &'static str {
        match self {
            Self::ClaudeAi => "claude-ai",
            Self::ChatGpt => "chatgpt",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::ClaudeAi => "Claude.ai",
            Self::ChatGpt => "ChatGPT",
        }
    }

    /// Whose servers fetch from the address.
    const fn owner(self) -> &'static str {
        match self {
            Self::ClaudeAi => "Anthropic",
            Self::ChatGpt => "OpenAI",
        }
    }

    /// What a person does there, a step each.
    fn steps(self, public: &PublicUrl) -> Vec<String> {
        let address = public.at("/mcp");
        let serve = format!("Here: keep `imprint serve --public-url {public}` running");
        let last = "In the page that opens: choose what it may do, then run the `imprint oauth \
                    approve` command that it shows, here"
            .to_owned();
        let there: &[&str] = match self {
            Self::ClaudeAi => &[
                "On claude.ai: open Settings, then Connectors, then Add custom connector",
                "Enter the name Imprint and the address ADDRESS; leave the advanced settings empty",
                "Press Add, then Connect",
            ],
            Self::ChatGpt => &[
                "On chatgpt.com: open Settings, then Apps, and turn developer mode on under Advanced",
                "Press Create app; enter the name Imprint, the address ADDRESS, and OAuth",
                "Press Create, then Connect",
            ],
        };
        let there = there.iter().map(|step| step.replace("ADDRESS", &address));
        std::iter::once(serve).chain(there).chain([last]).collect()
    }

    /// Why a chat on the web doesn't get to this computer, or to an address that leads nowhere
    /// outside.
    fn unreachable(self, address: Option<&str>) -> Failure {
        let (title, owner) = (self.title(), self.owner());
        let why = match address {
            None => format!(
                "{title} can't reach this computer: its requests come from {owner}'s servers, and \
                 the address of `imprint serve` leads nowhere but to this computer"
            ),
            Some(address) => format!(
                "{title} can't reach {address}: its requests come from {owner}'s servers, and this \
                 address leads nowhere but to your own computer or network"
            ),
        };
        Failure::failed(why)
            .hint("put a proxy or tunnel with an https address in front of `imprint serve`")
            .hint(format!(
                "then run `imprint connect {} --public-url https://…` with that address",
                self.id()
            ))
    }
}

/// Says what to enter where.
pub(super) fn run(out: &Output, client: WebClient, args: &ConnectArgs) -> Result<(), Failure> {
    let Some(given) = &args.public_url else {
        return Err(client.unreachable(None));
    };
    let public = public_url(client, given)?;
    let address = public.at("/mcp");
    let told = Told {
        client: client.id(),
        address: &address,
        steps: client.steps(&public),
    };
    out.data(&told, |out| {
        out.line(&format!(
            "{} connects by address: {address}",
            client.title()
        ));
        for (number, step) in (1..).zip(&told.steps) {
            out.prose(&format!("{number}. {step}"));
        }
    });
    Ok(())
}

fn public_url(client: WebClient, given: &str) -> Result<PublicUrl, Failure> {
    if let Ok(url) = Url::parse(given)
        && is_inside(&url)
    {
        return Err(client.unreachable(Some(given)));
    }
    given.parse().map_err(|error| {
        Failure::usage(format!("`{given}` can't be the public address: {error}"))
            .hint("write it without a path, such as `https://imprint.example.com`")
    })
}

/// Whether an address leads nowhere outside, as far as it tells by itself.
fn is_inside(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let inner = [".local", ".lan", ".internal", ".localhost", ".home.arpa"];
            !name.contains('.') || inner.iter().any(|end| name.ends_with(end))
        }
        Some(Host::Ipv4(address)) => {
            address.is_loopback()
                || address.is_private()
                || address.is_link_local()
                || address.is_unspecified()
        }
        Some(Host::Ipv6(address)) => {
            address.is_loopback()
                || address.is_unique_local()
                || address.is_unicast_link_local()
                || address.is_unspecified()
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_lead_nowhere_outside_are_told() {
        for address in [
            "http://127.0.0.1:4750",
            "https://localhost",
            "https://[::1]",
            "https://192.168.1.7",
            "https://[fd00::1]",
            "https://mac.local",
            "https://nas",
        ] {
            let failure = public_url(WebClient::ClaudeAi, address).unwrap_err();
            assert!(failure.message.contains("can't reach"), "{address}");
        }
        for address in [
            "imprint.example.com",
            "http://imprint.example.com",
            "https://e.com/mcp",
        ] {
            let failure = public_url(WebClient::ChatGpt, address).unwrap_err();
            assert!(failure.message.contains("public address"), "{address}");
        }
        assert!(public_url(WebClient::ChatGpt, "https://imprint.example.com/").is_ok());
    }
}
