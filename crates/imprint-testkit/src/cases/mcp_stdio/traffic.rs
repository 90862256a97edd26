//! What is sent to the server, and in which pieces.

use std::{thread, time::Duration};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    cases::verdict::CaseError,
    session::{McpSession, SessionError},
};

/// In which pieces the bytes are written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WritePlan {
    /// Bytes of one write; 0: all in one.
    #[serde(default)]
    chunk_bytes: usize,
    /// Microseconds between two writes.
    #[serde(default)]
    pause_us: u64,
}

impl WritePlan {
    /// Writes everything. Stops without an error when the server has closed its input: the
    /// answers will tell.
    pub(super) fn send(
        &self,
        session: &mut McpSession,
        bytes: &[u8],
        pause_us: Option<u64>,
    ) -> Result<(), SessionError> {
        let size = match self.chunk_bytes {
            0 => bytes.len().max(1),
            size => size,
        };
        let pause = Duration::from_micros(pause_us.unwrap_or(self.pause_us));
        for chunk in bytes.chunks(size) {
            if !session.send(chunk)? {
                break;
            }
            if !pause.is_zero() {
                thread::sleep(pause);
            }
        }
        Ok(())
    }
}

/// What is too big or too much for a file of the case.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Generated {
    Request(GeneratedRequest),
    Text(GeneratedText),
}

/// Requests, or a notification, where there is no id.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GeneratedRequest {
    id: Option<Value>,
    method: String,
    #[serde(default)]
    params: Map<String, Value>,
    params_padding_bytes: Option<usize>,
    /// So many, with ids that count up from `id`.
    count: Option<u64>,
}

/// A long line, as the `repeat` of a setup makes a long file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GeneratedText {
    #[serde(default)]
    prefix: String,
    unit: String,
    times: usize,
    #[serde(default)]
    suffix: String,
}

impl Generated {
    /// Appends it, each message on a line of its own.
    pub(super) fn append(&self, bytes: &mut Vec<u8>, padding: Option<usize>) {
        end_line(bytes);
        match self {
            Self::Request(request) => request.append(bytes, padding),
            Self::Text(text) => {
                bytes.extend_from_slice(text.prefix.as_bytes());
                bytes.extend(text.unit.as_bytes().repeat(text.times));
                bytes.extend_from_slice(text.suffix.as_bytes());
                end_line(bytes);
            }
        }
    }
}

fn end_line(bytes: &mut Vec<u8>) {
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
}

impl GeneratedRequest {
    fn append(&self, bytes: &mut Vec<u8>, padding: Option<usize>) {
        let padding = self.params_padding_bytes.or(padding).unwrap_or_default();
        for i in 0..self.count.unwrap_or(1) {
            let mut params = self.params.clone();
            if padding > 0 {
                params.insert("padding".to_owned(), "x".repeat(padding).into());
            }
            let mut request = json!({"jsonrpc": "2.0", "method": self.method});
            if let Some(id) = &self.id {
                request["id"] = id.as_u64().map_or_else(|| id.clone(), |id| json!(id + i));
            }
            if !params.is_empty() {
                request["params"] = params.into();
            }
            bytes.extend_from_slice(format!("{request}\n").as_bytes());
        }
    }
}

/// The same bytes with the `params` of the last request made so many bytes bigger.
pub(super) fn pad_last_request(bytes: &[u8], padding: usize) -> Result<Vec<u8>, CaseError> {
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let request = lines.iter_mut().rev().find_map(|line| {
        let value: Value = serde_json::from_slice(line).ok()?;
        value.get("id").is_some().then_some((line, value))
    });
    let Some((line, mut request)) = request else {
        return Err(CaseError::Schema("there is no request to pad".to_owned()));
    };
    request["params"]["padding"] = "x".repeat(padding).into();
    *line = format!("{request}\n").into_bytes();
    Ok(lines.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_requests_count_up_and_are_padded() {
        let request: Generated = serde_json::from_value(
            json!({"id": 5, "method": "ping", "count": 2, "params_padding_bytes": 3}),
        )
        .unwrap();
        let mut bytes = b"first".to_vec();
        request.append(&mut bytes, None);
        let text = String::from_utf8(bytes).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines[0], "first");
        assert_eq!(
            lines[2],
            r#"{"jsonrpc":"2.0","method":"ping","id":6,"params":{"padding":"xxx"}}"#
        );
        assert_eq!(lines.len(), 3);
    }

    #[test]
    fn a_long_line_is_repeated_text() {
        let text = json!({"prefix": "[", "unit": "1,", "times": 2, "suffix": "1]"});
        let text: Generated = serde_json::from_value(text).unwrap();
        let mut bytes = b"first".to_vec();
        text.append(&mut bytes, None);
        assert_eq!(bytes, b"first\n[1,1,1]\n");
        assert!(serde_json::from_value::<Generated>(json!({"unit": "x", "lines": 2})).is_err());
    }

    #[test]
    fn the_last_request_is_padded() {
        let bytes = b"{\"id\":1}\n{\"id\":2}\n{\"method\":\"n\"}\n";
        let padded = String::from_utf8(pad_last_request(bytes, 2).unwrap()).unwrap();
        assert_eq!(
            padded,
            "{\"id\":1}\n{\"id\":2,\"params\":{\"padding\":\"xx\"}}\n{\"method\":\"n\"}\n"
        );
        assert!(pad_last_request(b"x\n", 2).is_err());
    }
}
