//! How a JSON text is laid out, and values in that layout.

use jsonc_parser::{ast::Object, common::Ranged};

use super::{
    super::{Value, layout},
    parsed::{Node, Parsed},
};

/// Line ends and the indent of one level.
pub(super) struct Style<'t> {
    pub(super) line_end: &'static str,
    unit: &'t str,
    text: &'t str,
}

impl<'t> Style<'t> {
    pub(super) fn of(parsed: &Parsed<'t>) -> Self {
        let text = parsed.text;
        let unit = parsed.root.as_ref().and_then(|root| unit_in(text, root));
        Self {
            line_end: layout::line_end(text),
            unit: unit.unwrap_or("  "),
            text,
        }
    }

    /// The indent of an object's members: that of its last one, if it starts a line.
    pub(super) fn indent_in(&self, object: &Object<'_>) -> String {
        let last = object.properties.last().map(Ranged::start);
        match last.filter(|at| layout::is_first_on_line(self.text, *at)) {
            Some(at) => layout::indent(self.text, at).to_owned(),
            None => self.deeper(layout::indent(self.text, object.range.start)),
        }
    }

    fn deeper(&self, indent: &str) -> String {
        format!("{indent}{}", self.unit)
    }

    /// A value; objects on lines of their own, the closing brace at `indent`, lists on one line.
    pub(super) fn value(&self, value: &Value, indent: &str) -> String {
        let Some(members) = value.as_object().filter(|members| !members.is_empty()) else {
            return on_one_line(value);
        };
        let inner = self.deeper(indent);
        let members = members.iter();
        let members = members.map(|(name, value)| self.member(name, value, &inner));
        let members = members.collect::<Vec<_>>();
        let end = self.line_end;
        format!("{{{end}{}{end}{indent}}}", members.join(&format!(",{end}")))
    }

    /// A member on lines of its own, without the last line end.
    pub(super) fn member(&self, name: &str, value: &Value, indent: &str) -> String {
        format!("{indent}{}: {}", quoted(name), self.value(value, indent))
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn on_one_line(value: &Value) -> String {
    match value {
        Value::Array(values) => {
            let values = values.iter().map(on_one_line).collect::<Vec<_>>();
            format!("[{}]", values.join(", "))
        }
        Value::Object(members) if !members.is_empty() => {
            let members = members.iter();
            let members =
                members.map(|(name, value)| format!("{}: {}", quoted(name), on_one_line(value)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        simple => simple.to_string(),
    }
}

/// By how much the first member that stands on a line of its own is indented in its object.
fn unit_in<'t>(text: &'t str, node: &Node<'_>) -> Option<&'t str> {
    match node {
        Node::Object(object) => {
            let outer = layout::indent(text, object.range.start);
            let mut starts = object.properties.iter().map(Ranged::start);
            let own = starts.find(|at| layout::is_first_on_line(text, *at));
            own.and_then(|at| layout::indent(text, at).strip_prefix(outer))
                .filter(|unit| !unit.is_empty())
                .or_else(|| {
                    let mut members = object.properties.iter();
                    members.find_map(|member| unit_in(text, &member.value))
                })
        }
        Node::Array(array) => array.elements.iter().find_map(|node| unit_in(text, node)),
        _ => None,
    }
}
