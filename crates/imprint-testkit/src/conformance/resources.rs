//! The suite's resources.

use rmcp::{
    ErrorData,
    model::{ReadResourceResult, Resource, ResourceTemplate},
};
use serde_json::{Value, json};

use super::{content::PICTURE, from_json, result};

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const WATCHED: &str = "test://watched-resource";

pub(super) fn list() -> Result<Vec<Resource>, ErrorData> {
    let resource = |uri: &str, name: &str, kind: &str| json!({ "uri": uri, "name": name, "description": name, "mimeType": kind });
    from_json(json!([
        resource(TEXT, "A text", "text/plain"),
        resource(BINARY, "A picture", "image/png"),
        resource(WATCHED, "A text that is watched", "text/plain"),
    ]))
}

pub(super) fn templates() -> Result<Vec<ResourceTemplate>, ErrorData> {
    from_json(json!([{
        "uriTemplate": "test://template/{id}/data",
        "name": "Data by id",
        "description": "Data by id",
        "mimeType": "application/json",
    }]))
}

/// One of the suite's resources; `None` for any other.
pub(super) fn read(uri: &str) -> Result<Option<ReadResourceResult>, ErrorData> {
    let contents = match uri {
        TEXT => text(
            uri,
            "text/plain",
            "This is the content of the static text resource.",
        ),
        WATCHED => text(
            uri,
            "text/plain",
            "This is the content of the watched resource.",
        ),
        BINARY => json!({ "uri": uri, "mimeType": "image/png", "blob": PICTURE }),
        _ => match by_id(uri) {
            Some(contents) => contents,
            None => return Ok(None),
        },
    };
    result(json!({ "contents": [contents], "ttlMs": 0, "cacheScope": "private" })).map(Some)
}

fn by_id(uri: &str) -> Option<Value> {
    let id = uri
        .strip_prefix("test://template/")?
        .strip_suffix("/data")?;
    let data = format!("Data for ID: {id}");
    let data = json!({ "id": id, "templateTest": true, "data": data });
    Some(text(uri, "application/json", &data.to_string()))
}

fn text(uri: &str, kind: &str, text: &str) -> Value {
    json!({ "uri": uri, "mimeType": kind, "text": text })
}
