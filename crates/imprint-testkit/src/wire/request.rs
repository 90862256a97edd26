//! Requests of both eras, and whether an answer is the right one.

use serde_json::{Value, json};

use super::Answer;

/// The protocol's two ways over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// 2025-11-25, without a session.
    Legacy,
    /// 2026-07-28, where each request says all.
    Stateless,
}

/// An MCP endpoint on loopback, and how to ask it.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// Its port.
    pub port: u16,
    /// The key, where it takes one.
    pub key: Option<String>,
    /// The era in which it is asked.
    pub era: Era,
}

/// What an answer must hold.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// A list of tools that isn't empty.
    Tools,
    /// The result of a tool, no error, with this in its text.
    Text(String),
}

impl Era {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Legacy, Self::Stateless];

    /// The protocol's version.
    pub const fn version(self) -> &'static str {
        match self {
            Self::Legacy => "2025-11-25",
            Self::Stateless => "2026-07-28",
        }
    }
}

impl Endpoint {
    /// The bytes of a request for the tools.
    pub fn tools_list(&self) -> Vec<u8> {
        self.request("tools/list", None, json!({}))
    }

    /// The bytes of a call of a tool.
    pub fn call(&self, tool: &str, arguments: &Value) -> Vec<u8> {
        let params = json!({ "name": tool, "arguments": arguments });
        self.request("tools/call", Some(tool), params)
    }

    /// The bytes of a request to be told of changes; its answer is a stream. Only 2026-07-28
    /// has it.
    pub fn listen(&self) -> Vec<u8> {
        let wanted = json!({ "toolsListChanged": true, "resourcesListChanged": true });
        let params = json!({ "notifications": wanted });
        self.request("subscriptions/listen", None, params)
    }

    fn request(&self, method: &str, name: Option<&str>, mut params: Value) -> Vec<u8> {
        let version = self.era.version();
        let mut head = format!(
            "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: {version}\r\n",
            self.port
        );
        if let Some(key) = &self.key {
            head += &["Authorization: Bearer ", key, "\r\n"].concat();
        }
        if self.era == Era::Stateless {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": version,
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": { "name": "bench", "version": "1" },
            });
            head += &["Mcp-Method: ", method, "\r\n"].concat();
            if let Some(name) = name {
                head += &["Mcp-Name: ", name, "\r\n"].concat();
            }
        }
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let body = message.to_string();
        format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
    }
}

impl Answer {
    /// The result of JSON-RPC, where the answer holds one.
    pub fn result(&self) -> Option<Value> {
        if self.status != 200 {
            return None;
        }
        let mut message: Value = serde_json::from_slice(&self.body).ok()?;
        message.get_mut("result").map(Value::take)
    }
}

impl Wanted {
    /// Whether this is a right answer.
    pub fn is_met_by(&self, answer: &Answer) -> bool {
        let Some(result) = answer.result() else {
            return false;
        };
        match self {
            Self::Tools => result["tools"]
                .as_array()
                .is_some_and(|all| !all.is_empty()),
            Self::Text(wanted) => {
                let text = result["content"][0]["text"].as_str().unwrap_or_default();
                result["isError"] != true && text.contains(wanted)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, body: &Value) -> Answer {
        let body = body.to_string().into_bytes();
        Answer { status, body }
    }

    #[test]
    fn a_quick_error_is_no_answer() {
        let wanted = Wanted::Text("tea".to_owned());
        let said = |text: &str, error: bool| json!({ "result": { "content": [{ "text": text }], "isError": error } });
        assert!(wanted.is_met_by(&answer(200, &said("green tea", false))));
        assert!(!wanted.is_met_by(&answer(200, &said("green tea", true))));
        assert!(!wanted.is_met_by(&answer(200, &said("coffee", false))));
        assert!(!wanted.is_met_by(&answer(429, &said("green tea", false))));
        assert!(!Wanted::Tools.is_met_by(&answer(200, &json!({ "result": { "tools": [] } }))));
    }

    #[test]
    fn only_the_stateless_era_says_all_in_each_request() {
        let text = |era| {
            let endpoint = Endpoint {
                port: 1,
                key: None,
                era,
            };
            String::from_utf8(endpoint.call("skills", &json!({}))).unwrap()
        };
        let (legacy, stateless) = (text(Era::Legacy), text(Era::Stateless));
        assert!(stateless.contains("Mcp-Name: skills") && stateless.contains("_meta"));
        assert!(!legacy.contains("Mcp-Name") && !legacy.contains("_meta"));
    }
}
