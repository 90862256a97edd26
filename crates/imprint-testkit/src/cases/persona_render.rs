//! `persona_render`: one persona as each client reads it, parsed as that client parses it.

use std::{collections::BTreeMap, path::Path};

use imprint_clients::{Client, Persona, Rendered, known_client, render_for};
use imprint_format::{Diagnostic, ItemKind, quote_scalar, read_header, validate};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    Run, diagnostics,
    item::regex,
    schema::Case,
    verdict::{CaseError, Verdict},
    yaml,
};

/// What a case of this kind says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PersonaRenderSpec {
    persona: PersonaText,
    targets: BTreeMap<String, Target>,
    #[serde(default)]
    yaml_must_parse_in: Vec<YamlVersion>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PersonaText {
    name: String,
    description: String,
    tools: Option<Vec<String>>,
    model: Option<String>,
    color: Option<String>,
    body: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Target {
    /// Where it stands in the client's configuration folder.
    file: Option<String>,
    #[serde(default)]
    frontmatter: Map<String, Value>,
    #[serde(default)]
    must_not_have: Vec<String>,
    tools_equal: Option<Vec<String>>,
    color_absent_or_matches: Option<String>,
    #[serde(default)]
    tools_absent_or_object: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum YamlVersion {
    #[serde(rename = "yaml-1.1")]
    V1_1,
    #[serde(rename = "yaml-1.2")]
    V1_2,
}

pub(super) fn run(
    case: &Case,
    spec: &PersonaRenderSpec,
    run: &Run<'_>,
) -> Result<Verdict, CaseError> {
    let mut verdict = Verdict::default();
    let text = spec.persona.file();
    if let Err(faults) = validate(ItemKind::Persona, None, text.as_bytes()) {
        verdict.differs(format!("the persona can't be kept: {faults:?}"));
    }
    let reading = read_header(ItemKind::Persona, None, text.as_bytes());
    let mut said: Vec<Diagnostic> = reading.diagnostics;
    let Some((header, document)) = reading.value else {
        return Err(CaseError::Product(format!("no persona was read: {said:?}")));
    };
    let persona = Persona {
        header: &header,
        instructions: document.body(),
    };
    for (id, target) in &spec.targets {
        let (Some(client), Some(rendered)) = (known_client(id), render_for(persona, id)) else {
            verdict.differs(format!("{id}: no personas are written for it"));
            continue;
        };
        said.extend(rendered.diagnostics.clone());
        let mut of_target = Verdict::default();
        of_target.output_bytes += rendered.bytes.len();
        let asked = Asked {
            target,
            yaml: &spec.yaml_must_parse_in,
            persona: &spec.persona,
        };
        asked.compare(&mut of_target, client, &rendered, run)?;
        verdict.absorb(id, of_target);
    }
    diagnostics::compare(&mut verdict, &case.diagnostics, &said);
    Ok(verdict)
}

impl PersonaText {
    /// The persona as a `PERSONA.md` holds it.
    fn file(&self) -> String {
        let mut lines = vec![
            "---".to_owned(),
            format!("name: {}", quote_scalar(&self.name)),
            format!("description: {}", quote_scalar(&self.description)),
        ];
        if let Some(tools) = &self.tools {
            // A JSON list of strings is a YAML list of double-quoted strings.
            lines.push(format!("tools: {}", Value::from(tools.clone())));
        }
        for (key, value) in [("model", &self.model), ("color", &self.color)] {
            if let Some(value) = value {
                lines.push(format!("{key}: {}", quote_scalar(value)));
            }
        }
        format!("{}\n---\n\n{}", lines.join("\n"), self.body)
    }
}

/// What one target's file must be.
struct Asked<'a> {
    target: &'a Target,
    yaml: &'a [YamlVersion],
    persona: &'a PersonaText,
}

impl Asked<'_> {
    fn compare(
        &self,
        verdict: &mut Verdict,
        client: &Client,
        rendered: &Rendered,
        run: &Run<'_>,
    ) -> Result<(), CaseError> {
        if let Some(refused) = rendered.refused() {
            verdict.differs(format!("it would not be written: {refused}"));
        }
        self.compare_file(verdict, client, rendered, run);
        let Ok(text) = std::str::from_utf8(&rendered.bytes) else {
            verdict.differs("the file is not UTF-8");
            return Ok(());
        };
        match self.parse(verdict, &rendered.file_name, text) {
            Some((keys, body)) => {
                verdict.equal("the body", self.persona.body.trim(), body.trim());
                self.compare_keys(verdict, &keys)
            }
            None => Ok(()),
        }
    }

    fn compare_file(
        &self,
        verdict: &mut Verdict,
        client: &Client,
        rendered: &Rendered,
        run: &Run<'_>,
    ) {
        let Some(expected) = &self.target.file else {
            return;
        };
        let folder = client
            .personas
            .as_ref()
            .map(|personas| (personas.folder)(&run.sandbox.machine()))
            .unwrap_or_default();
        let written = folder.join(&rendered.file_name);
        verdict.holds(written.ends_with(expected), || {
            format!("the file is {}, not {expected}", written.display())
        });
    }

    /// The keys and the body, the same in every parser that is asked.
    fn parse(
        &self,
        verdict: &mut Verdict,
        file_name: &str,
        text: &str,
    ) -> Option<(Map<String, Value>, String)> {
        if Path::new(file_name)
            .extension()
            .is_some_and(|end| end == "toml")
        {
            return parse_toml(verdict, text);
        }
        let Some((header, body)) = split(text) else {
            verdict.differs("the file has no front matter");
            return None;
        };
        let keys = match yaml::parse_1_2(header) {
            Ok(keys) => keys,
            Err(error) => {
                verdict.differs(format!("a YAML 1.2 parser refuses it: {error}"));
                return None;
            }
        };
        if self.yaml.contains(&YamlVersion::V1_1) {
            match yaml::parse_1_1(header) {
                Ok(older) => verdict.equal("the values in YAML 1.1", &keys, &older),
                Err(error) => verdict.differs(format!("a YAML 1.1 parser refuses it: {error}")),
            }
        }
        Some((keys, body.to_owned()))
    }

    fn compare_keys(
        &self,
        verdict: &mut Verdict,
        keys: &Map<String, Value>,
    ) -> Result<(), CaseError> {
        for (key, expected) in &self.target.frontmatter {
            verdict.equal(&format!("`{key}`"), &Some(expected), &keys.get(key));
        }
        for key in &self.target.must_not_have {
            verdict.holds(!keys.contains_key(key), || format!("there is a `{key}`"));
        }
        if let Some(expected) = &self.target.tools_equal {
            let tools = keys.get("tools").map(tool_list);
            verdict.equal("tools", &Some(expected.clone()), &tools);
        }
        if let (Some(pattern), Some(color)) =
            (&self.target.color_absent_or_matches, keys.get("color"))
        {
            let matches = color
                .as_str()
                .map(|color| regex(pattern).map(|regex| regex.is_match(color)))
                .transpose()?;
            verdict.holds(matches == Some(true), || {
                format!("the colour {color} doesn't match `{pattern}`")
            });
        }
        if self.target.tools_absent_or_object {
            let tools = keys.get("tools");
            verdict.holds(tools.is_none_or(Value::is_object), || {
                format!("the tools are no object: {tools:?}")
            });
        }
        Ok(())
    }
}

/// The tools of a client that takes a list or a comma string.
fn tool_list(tools: &Value) -> Vec<String> {
    let texts: Vec<_> = match tools {
        Value::String(text) => text.split(',').map(str::trim).collect(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let texts = texts.into_iter().filter(|text| !text.is_empty());
    texts.map(str::to_owned).collect()
}

/// What stands between the fences, and behind them.
fn split(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("---\n")?;
    let end = rest.find("\n---\n")?;
    Some((&rest[..=end], &rest[end + "\n---\n".len()..]))
}

/// Codex' form: all keys in one TOML table, the body as one of them.
fn parse_toml(verdict: &mut Verdict, text: &str) -> Option<(Map<String, Value>, String)> {
    let document: toml_edit::DocumentMut = match text.parse() {
        Ok(document) => document,
        Err(error) => {
            verdict.differs(format!("a TOML parser refuses it: {error}"));
            return None;
        }
    };
    let keys: Map<_, _> = document
        .iter()
        .filter_map(|(key, item)| Some((key.to_owned(), item.as_str()?.into())))
        .collect();
    let body = keys.get("developer_instructions").and_then(Value::as_str);
    let body = body.unwrap_or_default().to_owned();
    Some((keys, body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_and_body_come_apart() {
        assert_eq!(
            split("---\na: b\n---\n\nText.\n"),
            Some(("a: b\n", "\nText.\n"))
        );
        assert_eq!(split("a: b\n"), None);
    }

    #[test]
    fn tools_are_a_list_however_they_are_written() {
        let expected = ["Read", "Glob"];
        assert_eq!(tool_list(&Value::from("Read, Glob")), expected);
        assert_eq!(tool_list(&Value::from(expected.to_vec())), expected);
    }
}
