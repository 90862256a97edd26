//! `catalog`: the block at the end of the instructions, as a client gets it from the real server.

mod facts;
mod get;
mod seed;

use std::collections::BTreeSet;

use imprint_clients::clients;
use imprint_core::catalog::is_listed;
use imprint_core::{Cut, InstructionCut};
use imprint_format::ItemKind;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use self::{
    facts::{Facts, Given},
    seed::{CaseItem, Generate},
};
use super::{
    Run,
    block::Block,
    schema::OneOrMore,
    verdict::{CaseError, Verdict, shortened},
};
use crate::session::McpSession;

/// A client of which nothing is known.
const UNKNOWN_CLIENT: &str = "case-client";

/// What a case of this kind says.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub(super) struct CatalogSpec {
    registry: Kept,
    base: Asked,
    variants: Vec<Asked>,
}

/// What is in the registry.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    #[serde(default)]
    items: Vec<CaseItem>,
    generate: Option<Generate>,
    guidelines_chars: Option<usize>,
}

/// One client's view, and what it must be.
#[derive(Clone, Debug)]
struct Asked {
    session: Session,
    facts: Facts,
}

/// Who asks, and what the last pass reported.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Session {
    client: Option<CaseClient>,
    /// The kinds that the last pass wrote for this client.
    #[serde(alias = "folders_written")]
    reported: Option<Reported>,
    /// `IMPRINT_WSL_DISTRO` is set.
    bridged: Option<bool>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum CaseClient {
    Name(String),
    Known(KnownClient),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownClient {
    name: String,
    /// UTF-16 code units: the cut that this client is known for.
    instructions_cap_chars: Option<usize>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Reported {
    Kinds(BTreeSet<ReportedKind>),
    /// Both kinds, or none.
    Any(bool),
}

/// A kind, of which several are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ReportedKind {
    #[serde(alias = "skills")]
    Skill,
    #[serde(alias = "personas")]
    Persona,
}

impl From<ReportedKind> for ItemKind {
    fn from(kind: ReportedKind) -> Self {
        match kind {
            ReportedKind::Skill => Self::Skill,
            ReportedKind::Persona => Self::Persona,
        }
    }
}

const KEPT: [&str; 3] = ["items", "generate", "guidelines_chars"];
const SESSION: [&str; 4] = ["client", "folders_written", "reported", "bridged"];

impl TryFrom<Map<String, Value>> for CatalogSpec {
    type Error = serde_json::Error;

    fn try_from(mut keys: Map<String, Value>) -> Result<Self, Self::Error> {
        let kept = take(&mut keys, &KEPT);
        let variants = keys.remove("variants").unwrap_or_else(|| json!([]));
        let variants: Vec<Map<String, Value>> = serde_json::from_value(variants)?;
        // What stands at the top holds for each variant that does not say otherwise.
        let variants = variants.into_iter().map(|variant| {
            let mut all = keys.clone();
            if variant.contains_key("reported") {
                all.remove("folders_written");
            }
            all.extend(variant);
            Asked::read(all)
        });
        Ok(Self {
            registry: serde_json::from_value(kept.into())?,
            variants: variants.collect::<Result<_, _>>()?,
            base: Asked::read(keys)?,
        })
    }
}

impl Asked {
    fn read(mut keys: Map<String, Value>) -> Result<Self, serde_json::Error> {
        let session = take(&mut keys, &SESSION);
        Ok(Self {
            session: serde_json::from_value(session.into())?,
            facts: serde_json::from_value(keys.into())?,
        })
    }
}

fn take(keys: &mut Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    names
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), keys.remove(*name)?)))
        .collect()
}

impl CaseClient {
    fn name(&self) -> &str {
        match self {
            Self::Name(name) => name,
            Self::Known(client) => &client.name,
        }
    }

    fn cap(&self) -> Option<usize> {
        match self {
            Self::Name(_) => None,
            Self::Known(client) => client.instructions_cap_chars,
        }
    }

    /// A version of the client that is known for the cut; any, where none is asked for.
    fn version(&self) -> &'static str {
        self.known_cut()
            .map(|row| row.from)
            .filter(|from| !from.is_empty())
            .unwrap_or("1")
    }

    /// What we know of the cut that is asked for.
    fn known_cut(&self) -> Option<&'static InstructionCut> {
        let cap = self.cap()?;
        let client = clients().recognise(self.name())?;
        client.instruction_cuts.iter().find(|row| match row.cut {
            Cut::Utf16(units) | Cut::FirstLine(units) => units == cap,
        })
    }

    /// What of the instructions has to be within the client's cut: all of it, or the first line
    /// where the client passes on no other.
    fn cut_text<'t>(&self, instructions: &'t str) -> &'t str {
        match self.known_cut().map(|row| row.cut) {
            Some(Cut::FirstLine(_)) => instructions.lines().next().unwrap_or_default(),
            _ => instructions,
        }
    }
}

impl Reported {
    fn kinds(&self) -> BTreeSet<ItemKind> {
        match self {
            Self::Kinds(kinds) => kinds.iter().map(|kind| (*kind).into()).collect(),
            Self::Any(true) => BTreeSet::from([ItemKind::Skill, ItemKind::Persona]),
            Self::Any(false) => BTreeSet::new(),
        }
    }
}

pub(super) fn run(spec: &CatalogSpec, run: &Run<'_>) -> Result<Verdict, CaseError> {
    let mut verdict = Verdict::default();
    run.block_on(spec.registry.seed(&run.sandbox.registry()))?;
    if spec.variants.is_empty() {
        return spec.base.check(run);
    }
    for (at, variant) in spec.variants.iter().enumerate() {
        let client = variant.session.client.as_ref();
        let client = client.map_or(UNKNOWN_CLIENT, CaseClient::name);
        let of_variant = variant.check(run)?;
        verdict.absorb(&format!("variant {} ({client})", at + 1), of_variant);
    }
    Ok(verdict)
}

impl Asked {
    /// Asks as this client and compares what it gets.
    fn check(&self, run: &Run<'_>) -> Result<Verdict, CaseError> {
        let mut verdict = Verdict::default();
        seed::report(&self.session, run)?;
        let (instructions, mut session) = self.session.ask(run)?;
        for again in 1..self.facts.stable_over_runs.unwrap_or(1) {
            let (next, _) = self.session.ask(run)?;
            verdict.holds(next == instructions, || {
                format!("run {} differs", again + 1)
            });
        }
        let registry = run.sandbox.registry();
        let items = run.block_on(seed::items(&registry))?;
        let client = self.session.client.as_ref();
        let cap = client.and_then(CaseClient::cap);
        let given = Given {
            block: Block::find(&instructions),
            instructions: &instructions,
            listed: items.iter().filter(|item| is_listed(item)).collect(),
            is_fitted: cap.is_some() || items.iter().any(|item| item.kind == ItemKind::Guideline),
        };
        self.facts.compare(&mut verdict, &given)?;
        if let (Some(client), Some(cap)) = (client, cap) {
            let text = client.cut_text(&instructions);
            facts::within(&mut verdict, "the client's cut", text, cap);
        }
        for get in self.facts.get.iter().flat_map(OneOrMore::as_slice) {
            get.compare(&mut verdict, &given, &mut session)?;
        }
        if let Some(created) = self.facts.registry_created {
            drop(session);
            let exists = run.sandbox.data().exists();
            verdict.equal("registry created", &created, &exists);
        }
        verdict.output_bytes += instructions.len();
        Ok(verdict)
    }
}

impl Session {
    /// The instructions that this client gets, and the session for more.
    fn ask(&self, run: &Run<'_>) -> Result<(String, McpSession), CaseError> {
        let mut command = run.command();
        command.arg("mcp");
        if self.bridged == Some(true) {
            command.env("IMPRINT_WSL_DISTRO", "Ubuntu");
        }
        let mut session = McpSession::start(command)?;
        let client = self.client.as_ref();
        let name = client.map_or(UNKNOWN_CLIENT, CaseClient::name);
        let version = client.map_or("1", CaseClient::version);
        let result = session.initialize(name, version)?;
        let instructions = result["instructions"].as_str().ok_or_else(|| {
            CaseError::Product(format!(
                "no instructions: {}",
                shortened(&result.to_string())
            ))
        })?;
        Ok((instructions.to_owned(), session))
    }
}
