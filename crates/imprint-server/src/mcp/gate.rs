//! Which messages may pass to rmcp when: one process serves clients of both eras.
//!
//! rmcp picks one era for the life of a connection and answers `initialize` only as its first
//! word. The specification lets both stand side by side on one pipe, and clients do probe with
//! `server/discover` before they `initialize`; so the choice is made here, request by request, and
//! rmcp is told nothing of it.

use rmcp::model::{ClientCapabilities, ClientRequest};
use serde::Deserialize as _;
use serde_json::{Map, Value, json};

use super::framing::{Refusal, Request};

/// What a request's `_meta` must name when no handshake stands behind it.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";

/// Stands for the version of a client that names none: an unknown one, answered with our newest.
const NO_VERSION: &str = "";

/// What has happened on this connection.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    handshaken: bool,
}

impl Gate {
    /// Whether an `initialize` was let through.
    pub(crate) fn is_handshaken(&self) -> bool {
        self.handshaken
    }

    /// The request as rmcp takes it, or why it may not pass.
    pub(crate) fn admit(&mut self, request: Request) -> Result<ClientRequest, Refusal> {
        let Request { id, method, params } = request;
        let params = match method.as_str() {
            "ping" => params,
            "initialize" => {
                let params = complete_handshake(params.unwrap_or_default())
                    .map_err(|fault| Refusal::params(&id, fault))?;
                self.handshaken = true;
                Some(params)
            }
            _ if self.handshaken || stands_alone(params.as_ref()) => params,
            _ => {
                let fault = format!(
                    "no handshake yet: send `initialize` first, or name `{VERSION_KEY}` and \
                     `{CAPABILITIES_KEY}` in the request's `_meta`"
                );
                return Err(Refusal::params(&id, fault));
            }
        };
        let mut message = Map::new();
        message.insert("method".to_owned(), method.into());
        message.extend(params.map(|params| ("params".to_owned(), params.into())));
        ClientRequest::deserialize(Value::Object(message))
            .map_err(|_| Refusal::params(&id, "`params` are not what the method takes"))
    }
}

/// Whether a request brings its own protocol version, known or not: rmcp then checks the rest of
/// its metadata. One that names a version of the handshake era must bring all of it.
pub(crate) fn stands_alone(params: Option<&Map<String, Value>>) -> bool {
    let Some(meta) = params.and_then(|params| params.get("_meta")) else {
        return false;
    };
    let version = meta.get(VERSION_KEY).and_then(Value::as_str);
    version.is_some_and(|version| {
        !super::HANDSHAKE_VERSIONS.contains(&version) || meta.get(CAPABILITIES_KEY).is_some()
    })
}

/// Fills in what a client left out of `initialize`. Nothing that follows depends on it: a version
/// that is missing is as good as an unknown one, and capabilities aren't used.
pub(crate) fn complete_handshake(
    mut params: Map<String, Value>,
) -> Result<Map<String, Value>, &'static str> {
    match params.get("protocolVersion") {
        Some(Value::String(_)) => {}
        None | Some(Value::Null) => {
            params.insert("protocolVersion".to_owned(), NO_VERSION.into());
        }
        Some(_) => return Err("`protocolVersion` must be text"),
    }
    match params.get("capabilities") {
        Some(known @ Value::Object(_)) if ClientCapabilities::deserialize(known).is_ok() => {}
        None | Some(Value::Null | Value::Object(_)) => {
            params.insert("capabilities".to_owned(), json!({}));
        }
        Some(_) => return Err("`capabilities` must be an object"),
    }
    let client = match params.get("clientInfo") {
        None | Some(Value::Null) => json!({ "name": "", "version": "" }),
        Some(Value::Object(client)) => {
            let text = |key| client.get(key).and_then(Value::as_str).unwrap_or_default();
            json!({ "name": text("name"), "version": text("version") })
        }
        Some(_) => return Err("`clientInfo` must be an object"),
    };
    params.insert("clientInfo".to_owned(), client);
    Ok(params)
}

#[cfg(test)]
mod tests {
    use rmcp::model::RequestId;

    use super::*;

    fn request(method: &str, params: Value) -> Request {
        let Value::Object(params) = params else {
            panic!("params are an object")
        };
        Request {
            id: RequestId::Number(1),
            method: method.to_owned(),
            params: Some(params),
        }
    }

    fn modern(version: &str) -> Value {
        json!({ "_meta": { VERSION_KEY: version, CAPABILITIES_KEY: {} } })
    }

    #[test]
    fn nothing_but_ping_passes_before_a_handshake_or_without_metadata() {
        let mut gate = Gate::default();
        assert!(gate.admit(request("ping", json!({}))).is_ok());
        for (method, params) in [
            ("tools/list", json!({})),
            ("tools/list", json!({ "_meta": {} })),
            ("tools/list", json!({ "_meta": { VERSION_KEY: 5 } })),
            (
                "tools/list",
                json!({ "_meta": { VERSION_KEY: "2025-11-25" } }),
            ),
            ("server/discover", json!({})),
            ("no/such", json!({})),
        ] {
            let refusal = gate.admit(request(method, params)).expect_err(method);
            assert_eq!(refusal.to_json()["error"]["code"], -32602);
        }
        for version in ["2026-07-28", "2099-01-01"] {
            assert!(gate.admit(request("tools/list", modern(version))).is_ok());
        }
        assert!(gate.admit(request("tools/list", json!({}))).is_err());
        assert!(gate.admit(request("initialize", json!({}))).is_ok());
        assert!(gate.admit(request("tools/list", json!({}))).is_ok());
        assert!(
            gate.admit(request("tools/list", modern("2026-07-28")))
                .is_ok()
        );
        assert!(gate.admit(request("initialize", json!({}))).is_ok());
    }

    #[test]
    fn a_handshake_with_gaps_is_completed() {
        for params in [
            json!({}),
            json!({ "protocolVersion": null, "capabilities": null, "clientInfo": null }),
            json!({ "protocolVersion": "2025-06-18", "capabilities": { "roots": "yes" } }),
            json!({ "clientInfo": { "name": 7 } }),
        ] {
            let passed = Gate::default().admit(request("initialize", params));
            assert!(
                matches!(passed, Ok(ClientRequest::InitializeRequest(_))),
                "{passed:?}"
            );
        }
    }

    #[test]
    fn a_handshake_of_wrong_types_is_none() {
        for params in [
            json!({ "protocolVersion": 20_251_125 }),
            json!({ "capabilities": [] }),
            json!({ "clientInfo": "me" }),
        ] {
            let mut gate = Gate::default();
            assert!(gate.admit(request("initialize", params)).is_err());
            assert!(gate.admit(request("tools/list", json!({}))).is_err());
        }
    }
}
