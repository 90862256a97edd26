//! What a case may say. Everything that stands in an `expect.json` must be known here: an unknown
//! kind, operation, key or value is an error, so that nothing is passed over in silence.

use std::path::{Path, PathBuf};

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::{
    catalog::CatalogSpec, config::ConfigSpec, config_form::ConfigFormSpec, crash::CrashSpec,
    discover::DiscoverSpec, edit::EditSpec, edit_conflict::EditConflictSpec, install::InstallSpec,
    mcp_http::McpHttpSpec, mcp_stdio::McpStdioSpec, path::PathSpec, persona::PersonaSpec,
    persona_render::PersonaRenderSpec, secret::SecretSpec, setup::SetupOp, skill::SkillSpec,
    verdict::CaseError,
};

/// One case.
#[derive(Debug)]
pub(super) struct Case {
    /// Its folder.
    pub(super) folder: PathBuf,
    /// Its kind's name.
    pub(super) kind: String,
    pub(super) setup: Vec<SetupOp>,
    pub(super) requires: Vec<Requirement>,
    pub(super) run_also_with: Option<Setting>,
    pub(super) limits: Limits,
    pub(super) diagnostics: ExpectedDiagnostics,
    pub(super) spec: Spec,
}

/// What is particular to each kind.
#[derive(Debug)]
pub(super) enum Spec {
    Skill(Box<SkillSpec>),
    Discover(Box<DiscoverSpec>),
    Install(Box<InstallSpec>),
    Path(PathSpec),
    Persona(Box<PersonaSpec>),
    PersonaRender(Box<PersonaRenderSpec>),
    Catalog(Box<CatalogSpec>),
    Config(Box<ConfigSpec>),
    ConfigForm(ConfigFormSpec),
    Edit(EditSpec),
    EditConflict(EditConflictSpec),
    Crash(CrashSpec),
    Secret(SecretSpec),
    McpStdio(Box<McpStdioSpec>),
    McpHttp(McpHttpSpec),
    /// A kind of the schema whose part of the product does not exist yet.
    Unsupported,
}

/// What a system must have for a case to make sense there: the only ground for skipping.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Requirement {
    Posix,
    CaseSensitiveFs,
}

/// A setting of a second run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum Setting {
    #[serde(rename = "most verbose logging")]
    VerboseLogging,
}

/// What a case may cost.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "the schema's names")]
pub(super) struct Limits {
    pub(super) max_ms: Option<u64>,
    pub(super) max_extra_mib: Option<u64>,
    pub(super) max_output_kib: Option<u64>,
}

/// The diagnostics that must be there.
#[derive(Clone, Debug, Default)]
pub(super) struct ExpectedDiagnostics {
    pub(super) least: Vec<ExpectedDiagnostic>,
    /// Whether there may be others.
    pub(super) no_other: bool,
}

/// One diagnostic that must be there.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectedDiagnostic {
    pub(super) severity: ExpectedSeverity,
    pub(super) about: ExpectedAbout,
    /// How its path ends.
    pub(super) path: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ExpectedSeverity {
    Error,
    Warning,
    Any,
}

/// What diagnostics can be about, in the schema's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ExpectedAbout {
    Name,
    Description,
    Frontmatter,
    File,
    Path,
    Tools,
    Color,
    Trust,
    Config,
}

impl ExpectedAbout {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Frontmatter => "frontmatter",
            Self::File => "file",
            Self::Path => "path",
            Self::Tools => "tools",
            Self::Color => "color",
            Self::Trust => "trust",
            Self::Config => "config",
        }
    }
}

/// The kinds that this product runs.
pub(super) const SUPPORTED: [&str; 15] = [
    "skill",
    "discover",
    "install",
    "path",
    "persona",
    "persona_render",
    "catalog",
    "config",
    "config_form",
    "edit",
    "edit_conflict",
    "crash",
    "secret",
    "mcp_stdio",
    "mcp_http",
];
/// The kinds of the schema whose part of the product does not exist yet.
const UNSUPPORTED: [&str; 2] = ["memory", "sync"];

/// Whether the schema knows this kind.
pub(super) fn is_known_kind(kind: &str) -> bool {
    SUPPORTED.contains(&kind) || UNSUPPORTED.contains(&kind)
}

/// The kind that a case that can't be read says it is, for counting.
pub(super) fn kind_of(folder: &Path) -> String {
    let kind = std::fs::read(folder.join("expect.json"))
        .ok()
        .and_then(|text| serde_json::from_slice::<Value>(&text).ok())
        .and_then(|value| value["kind"].as_str().map(str::to_owned));
    kind.unwrap_or_else(|| "(none)".to_owned())
}

impl Case {
    /// Reads the case in a folder.
    pub(super) fn read(folder: &Path) -> Result<Self, CaseError> {
        let file = folder.join("expect.json");
        let text = std::fs::read(&file).map_err(CaseError::at(&file))?;
        let value: Value = serde_json::from_slice(&text)
            .map_err(|error| CaseError::Schema(format!("expect.json: {error}")))?;
        let Value::Object(mut keys) = value else {
            return Err(CaseError::Schema("expect.json holds no object".to_owned()));
        };
        let kind: String = required(&mut keys, "kind")?;
        let id: String = required(&mut keys, "id")?;
        if folder.file_name().is_none_or(|name| name != id.as_str()) {
            return Err(CaseError::Schema(format!(
                "the id `{id}` is not the folder's name"
            )));
        }
        let _title: Option<String> = optional(&mut keys, "title")?;
        let _why: Option<String> = optional(&mut keys, "why")?;
        let _sources: Option<Vec<String>> = optional(&mut keys, "sources")?;
        let requires: Option<OneOrMore<Requirement>> = optional(&mut keys, "requires")?;
        let least: Option<Vec<ExpectedDiagnostic>> = optional(&mut keys, "diagnostics")?;
        let no_other: Option<bool> = optional(&mut keys, "no_other_diagnostics")?;
        Ok(Self {
            folder: folder.to_owned(),
            setup: optional(&mut keys, "setup")?.unwrap_or_default(),
            requires: requires.map(OneOrMore::into_vec).unwrap_or_default(),
            run_also_with: optional(&mut keys, "run_also_with")?,
            limits: optional(&mut keys, "limits")?.unwrap_or_default(),
            diagnostics: ExpectedDiagnostics {
                least: least.unwrap_or_default(),
                no_other: no_other.unwrap_or_default(),
            },
            spec: Spec::read(&kind, keys)?,
            kind,
        })
    }

    /// Where the case's input is, if it has one.
    pub(super) fn input(&self) -> Option<PathBuf> {
        Some(self.folder.join("input")).filter(|input| input.is_dir())
    }
}

impl Spec {
    fn read(kind: &str, keys: Map<String, Value>) -> Result<Self, CaseError> {
        Ok(match kind {
            "skill" => Self::Skill(rest(keys)?),
            "discover" => Self::Discover(rest(keys)?),
            "install" => Self::Install(rest(keys)?),
            "path" => Self::Path(rest(keys)?),
            "persona" => Self::Persona(rest(keys)?),
            "persona_render" => Self::PersonaRender(rest(keys)?),
            "catalog" => Self::Catalog(rest(keys)?),
            "config" => Self::Config(rest(keys)?),
            "config_form" => Self::ConfigForm(rest(keys)?),
            "edit" => Self::Edit(rest(keys)?),
            "edit_conflict" => Self::EditConflict(rest(keys)?),
            "crash" => Self::Crash(rest(keys)?),
            "secret" => Self::Secret(rest(keys)?),
            "mcp_stdio" => Self::McpStdio(rest(keys)?),
            "mcp_http" => Self::McpHttp(rest(keys)?),
            other if is_known_kind(other) => Self::Unsupported,
            other => {
                return Err(CaseError::Schema(format!(
                    "`{other}` is no kind of the schema"
                )));
            }
        })
    }
}

fn required<T: DeserializeOwned>(keys: &mut Map<String, Value>, key: &str) -> Result<T, CaseError> {
    optional(keys, key)?.ok_or_else(|| CaseError::Schema(format!("there is no `{key}`")))
}

/// Takes a key out. `null` counts as absent: not asserted.
fn optional<T: DeserializeOwned>(
    keys: &mut Map<String, Value>,
    key: &str,
) -> Result<Option<T>, CaseError> {
    match keys.remove(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => serde_json::from_value(value)
            .map(Some)
            .map_err(|error| CaseError::Schema(format!("`{key}`: {error}"))),
    }
}

fn rest<T: DeserializeOwned>(keys: Map<String, Value>) -> Result<T, CaseError> {
    serde_json::from_value(Value::Object(keys))
        .map_err(|error| CaseError::Schema(error.to_string()))
}

/// A value, or a list of such.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum OneOrMore<T> {
    More(Vec<T>),
    One(T),
}

impl<T> OneOrMore<T> {
    pub(super) fn into_vec(self) -> Vec<T> {
        match self {
            Self::More(values) => values,
            Self::One(value) => vec![value],
        }
    }

    pub(super) fn as_slice(&self) -> &[T] {
        match self {
            Self::More(values) => values,
            Self::One(value) => std::slice::from_ref(value),
        }
    }
}
