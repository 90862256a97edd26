//! Random documents in every syntax, as people and programs leave them.

use proptest::{collection::vec, prelude::*};

use super::*;

const SYNTAXES: [Syntax; 4] = [Syntax::Json, Syntax::Jsonc, Syntax::Toml, Syntax::Yaml];

/// A document of members, each a key that is unlike ours, with what may stand around them.
#[derive(Clone, Debug)]
struct Parts {
    /// Per server: a scalar's text, and how it is laid out.
    servers: Vec<(usize, usize)>,
    others: Vec<(usize, usize)>,
    indent: &'static str,
    crlf: bool,
    mark: bool,
    last_line_end: bool,
    comments: bool,
    has_servers: bool,
}

fn parts() -> impl Strategy<Value = Parts> {
    let members = || vec((0..6_usize, 0..6_usize), 0..5);
    (
        (members(), members()),
        prop::sample::select(vec!["  ", "    ", "\t", "   "]),
        (any::<bool>(), any::<bool>(), any::<bool>()),
        (any::<bool>(), any::<bool>()),
    )
        .prop_map(
            |(members, indent, (crlf, mark, end), (comments, has_servers))| Parts {
                servers: members.0,
                others: members.1,
                indent,
                crlf,
                mark,
                last_line_end: end,
                comments,
                has_servers,
            },
        )
}

const JSON_VALUES: [&str; 6] = [
    "1.10",
    "\"d\\u00e4 {\"",
    "{}",
    "[ 1,2 ]",
    "{\"env\": {}}",
    "null",
];
const TOML_VALUES: [&str; 6] = [
    "1.10",
    "\"d\\u00e4 [\"",
    "{}",
    "[ 1,\n2 ]",
    "{ env = {} }",
    "'''\n[x]\n'''",
];
const YAML_VALUES: [&str; 6] = ["1.10", "'d # x'", "{}", "[ 1,2 ]", "{ env: {} }", ""];

impl Parts {
    fn text(&self, syntax: Syntax) -> String {
        let text = match syntax {
            Syntax::Json => self.json(false),
            Syntax::Jsonc => self.json(self.comments),
            Syntax::Toml => self.toml(),
            Syntax::Yaml => self.yaml(),
        };
        let text = text.trim_end_matches('\n');
        let end = if self.last_line_end { "\n" } else { "" };
        let text = format!("{text}{end}");
        let text = if self.crlf {
            text.replace('\n', "\r\n")
        } else {
            text
        };
        if self.mark {
            format!("\u{feff}{text}")
        } else {
            text
        }
    }

    fn json(&self, comments: bool) -> String {
        let members = |members: &[(usize, usize)], indent: &str| {
            let each = members.iter().enumerate().map(|(at, (value, layout))| {
                let space = ["\n", "", " ", "\n\n", "\n", "\n"][*layout];
                let lead = if space.contains('\n') { indent } else { "" };
                let comment = if comments && *layout == 4 {
                    " // c, }\n"
                } else {
                    ""
                };
                let note = if comments && *layout == 5 {
                    "/* \" */"
                } else {
                    ""
                };
                format!(
                    "{space}{lead}{note}\"k{at}\" : {}{comment}",
                    JSON_VALUES[*value]
                )
            });
            each.collect::<Vec<_>>()
        };
        let mut all = members(&self.others, self.indent);
        if self.has_servers {
            let servers = members(&self.servers, &self.indent.repeat(2));
            let trailing = if comments && !servers.is_empty() {
                ","
            } else {
                ""
            };
            let close = format!("\n{}}}", self.indent);
            let close = if self.servers.len().is_multiple_of(2) {
                "}"
            } else {
                &close
            };
            // A line comment needs the line end that a one-line form hasn't.
            let close = if comments {
                format!("\n{close}")
            } else {
                close.to_owned()
            };
            let body = servers.join(",");
            all.insert(
                all.len() / 2,
                format!("\n{}\"servers\": {{{body}{trailing}{close}", self.indent),
            );
        }
        format!("{{{}\n}}", all.join(","))
    }

    fn toml(&self) -> String {
        let mut text = String::new();
        for (at, (value, layout)) in self.others.iter().enumerate() {
            let comment = if self.comments { " # c" } else { "" };
            let blank = "\n".repeat(layout % 3);
            text.extend([format!(
                "{blank}k{at}  = {}{comment}\n",
                TOML_VALUES[*value]
            )]);
        }
        if self.has_servers {
            for (at, (value, layout)) in self.servers.iter().enumerate() {
                let head = ["", "\n", "# of it\n", "\n\n# of it\n", "", "\n"][*layout];
                text.extend([format!(
                    "{head}[servers.\"s.{at}\"]\n{}a = {}\n",
                    self.indent, TOML_VALUES[*value]
                )]);
                if *layout > 3 {
                    text.extend([format!("[servers.\"s.{at}\".env]\n[[list]]\n")]);
                }
            }
        }
        text
    }

    fn yaml(&self) -> String {
        let indent = self.indent.replace('\t', "  ");
        let mut text = String::new();
        let comment = |at: usize| {
            if self.comments && at.is_multiple_of(2) {
                "  # c"
            } else {
                ""
            }
        };
        for (at, (value, layout)) in self.others.iter().enumerate() {
            let block = [
                "",
                "\n- 1\n- 2",
                " |\n  # t\n\n  u",
                " >-\n  f",
                "\n\n  n: 1",
                "",
            ][*layout];
            let value = if block.is_empty() {
                YAML_VALUES[*value]
            } else {
                ""
            };
            let tail = if block.is_empty() { comment(at) } else { "" };
            text.extend([format!("k{at}:{block} {value}{tail}\n")]);
        }
        if self.has_servers {
            text.extend([format!("servers:{}\n", comment(self.servers.len()))]);
            for (at, (value, layout)) in self.servers.iter().enumerate() {
                let value = YAML_VALUES[*value];
                let note = ["", "\n", "# x\n", "", "", "\n"][*layout];
                text.extend([format!(
                    "{note}{indent}s{at}:\n{indent}{indent}a: {value}\n"
                )]);
            }
        }
        text.push_str(if self.comments { "# end\n" } else { "" });
        text
    }
}

fn value() -> impl Strategy<Value = Value> {
    let text = prop::sample::select(vec![
        "x",
        "C:\\new \"x\"",
        "",
        "yes",
        "a: b # c",
        "ä\u{85}\n",
        "1",
    ]);
    (text, vec("[a-z -]{0,6}", 0..3), any::<bool>()).prop_map(|(command, args, env)| {
        let mut value = serde_json::json!({ "command": command, "args": args });
        if env {
            value["env"] = serde_json::json!({ "A.b": "1", "c": { "d": 1.5, "e": [true] } });
        }
        value
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn what_is_put_is_there_and_goes_without_a_trace(parts in parts(), value in value()) {
        for syntax in SYNTAXES {
            let text = parts.text(syntax);
            for path in [&["servers", "our.own"][..], &["servers", "a", "b", "ours"], &["new"]] {
                put_and_back(syntax, path, &text, &value);
            }
        }
    }

    #[test]
    fn nothing_panics_and_no_other_member_changes(
        text in ".{0,40}|[\\[\\]{}:,\"'#/*=\\-|>&!a1 \\t\\r\\n]{0,60}",
        value in value(),
    ) {
        for syntax in SYNTAXES {
            let slot = slot(syntax, &["a", "b"]);
            let _ = get(&text, &slot);
            if let Ok(put) = super::put(&text, &slot, &value) {
                prop_assert_eq!(get(&put.text, &slot).unwrap(), Some(value.clone()));
                let taken = take_out(&put.text, &slot, &put.made);
                prop_assert_eq!(taken.as_deref(), Ok(text.as_str()), "{:?} {:?}", syntax, put);
            }
        }
    }

    #[test]
    fn a_cut_text_is_edited_wholly_or_not_at_all(parts in parts(), cut in 0..400_usize) {
        for syntax in SYNTAXES {
            let text = parts.text(syntax);
            let cut = (0..=cut.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
            let text = &text[..cut.unwrap_or(0)];
            let slot = slot(syntax, &["servers", "ours"]);
            if let Ok(put) = super::put(text, &slot, &entry()) {
                prop_assert_eq!(take_out(&put.text, &slot, &put.made).unwrap(), text);
            }
        }
    }
}
