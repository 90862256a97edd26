//! TOML values as values of ours, and the other way round.

use toml_edit::{Item, TableLike, Value as TomlValue};

use super::super::{ConfigError, Value};

/// An item as a value: dates as text, numbers that JSON doesn't know too.
pub(super) fn of_item(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Value(value) => of_value(value),
        Item::Table(table) => of_table(table),
        Item::ArrayOfTables(tables) => tables.iter().map(|table| of_table(table)).collect(),
    }
}

pub(super) fn of_table(table: &dyn TableLike) -> Value {
    let members = table.iter();
    let members = members.map(|(name, item)| (name.to_owned(), of_item(item)));
    Value::Object(members.collect())
}

pub(super) fn of_value(value: &TomlValue) -> Value {
    match value {
        TomlValue::String(text) => Value::String(text.value().clone()),
        TomlValue::Integer(number) => Value::from(*number.value()),
        TomlValue::Float(number) => match serde_json::Number::from_f64(*number.value()) {
            Some(number) => Value::Number(number),
            None => Value::String(number.value().to_string()),
        },
        TomlValue::Boolean(truth) => Value::Bool(*truth.value()),
        TomlValue::Datetime(moment) => Value::String(moment.value().to_string()),
        TomlValue::Array(values) => values.iter().map(of_value).collect(),
        TomlValue::InlineTable(table) => of_table(table),
    }
}

/// A value on one line.
pub(super) fn inline(value: &Value) -> Result<String, ConfigError> {
    Ok(match value {
        Value::Null => return Err(ConfigError::no_room("TOML has no null")),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => {
            if number.is_u64() && !number.is_i64() {
                return Err(ConfigError::no_room("TOML has no number that big"));
            }
            number.to_string()
        }
        Value::String(text) => quoted(text),
        Value::Array(values) => {
            let values = values.iter().map(inline).collect::<Result<Vec<_>, _>>()?;
            format!("[{}]", values.join(", "))
        }
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let pairs = members.iter().map(|(name, value)| pair(name, value));
            format!("{{ {} }}", pairs.collect::<Result<Vec<_>, _>>()?.join(", "))
        }
    })
}

/// `name = value`.
pub(super) fn pair(name: &str, value: &Value) -> Result<String, ConfigError> {
    Ok(format!("{} = {}", key(name), inline(value)?))
}

/// `[the.path]`.
pub(super) fn header(path: &[&str]) -> String {
    let keys = path.iter().map(|name| key(name)).collect::<Vec<_>>();
    format!("[{}]", keys.join("."))
}

fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !name.is_empty() && name.chars().all(is_bare) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// JSON's escapes are TOML's; only DEL must be escaped in TOML alone.
fn quoted(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}
