//! What a client gives up of its own accord: some of the tools, or all that change something.

use http::{HeaderMap, StatusCode};

use super::problem::Problem;
use crate::mcp::Toolsets;

/// Where the endpoint stands; the second is the address that older set-ups have.
pub(super) const BASES: [&str; 2] = ["/mcp", "/api/agent/v1/mcp"];
const READ_ONLY: &str = "x-mcp-readonly";
const TOOLSETS: &str = "x-mcp-toolsets";

/// What a request gives up, by its path (`/readonly`, `/x/TOOLSETS`) or its headers
/// (`X-MCP-Readonly`, `X-MCP-Toolsets`). Giving up in one place can't be taken back in another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Narrowing {
    /// Nothing may be changed.
    pub(super) read_only: bool,
    /// Only these tools.
    pub(super) toolsets: Option<Toolsets>,
}

impl Narrowing {
    /// What a request gives up.
    pub(super) fn of(path: &str, headers: &HeaderMap) -> Result<Self, Problem> {
        let mut narrowing = Self::of_path(path)?;
        if let Some(value) = headers.get(READ_ONLY) {
            let value = value
                .to_str()
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase();
            narrowing.read_only |= !matches!(value.as_str(), "false" | "0");
        }
        if let Some(value) = headers.get(TOOLSETS)
            && narrowing.toolsets.is_none()
        {
            narrowing.toolsets = Some(toolsets(value.to_str().unwrap_or_default())?);
        }
        Ok(narrowing)
    }

    fn of_path(path: &str) -> Result<Self, Problem> {
        let rest = BASES.iter().find_map(|base| path.strip_prefix(base));
        let mut segments = rest
            .unwrap_or_default()
            .split('/')
            .filter(|it| !it.is_empty());
        let mut narrowing = Self::default();
        while let Some(segment) = segments.next() {
            match segment {
                "readonly" => narrowing.read_only = true,
                "x" => {
                    let names = segments.next().unwrap_or_default();
                    narrowing.toolsets = Some(toolsets(names)?);
                }
                _ => {}
            }
        }
        Ok(narrowing)
    }
}

fn toolsets(names: &str) -> Result<Toolsets, Problem> {
    names.parse().map_err(|fault: crate::mcp::NotAToolset| {
        Problem::new(
            StatusCode::BAD_REQUEST,
            "unknown-toolset",
            "Unknown toolset",
            fault.to_string(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn narrowed(path: &str, pairs: &[(&'static str, &str)]) -> Result<(bool, String), u16> {
        let pairs = pairs.iter().map(|(name, value)| {
            let name = http::HeaderName::from_static(name);
            (name, value.parse().unwrap())
        });
        let narrowing =
            Narrowing::of(path, &pairs.collect()).map_err(|problem| problem.status().as_u16())?;
        let toolsets = narrowing.toolsets.map(|sets| sets.to_string());
        Ok((narrowing.read_only, toolsets.unwrap_or_default()))
    }

    #[test]
    fn paths_and_headers_give_up() {
        let none = &[][..];
        assert_eq!(narrowed("/mcp", none), Ok((false, String::new())));
        assert_eq!(narrowed("/mcp/", none), Ok((false, String::new())));
        assert_eq!(narrowed("/mcp/readonly", none), Ok((true, String::new())));
        assert_eq!(narrowed("/mcp/x/core", none), Ok((false, "core".into())));
        let both = narrowed("/api/agent/v1/mcp/x/skills,guidelines/readonly", none);
        assert_eq!(both, Ok((true, "skills,guidelines".into())));
        assert_eq!(narrowed("/mcp/x/nothing", none), Err(400));
        for (value, expected) in [("true", true), ("1", true), ("", true), ("False", false)] {
            assert_eq!(
                narrowed("/mcp", &[(READ_ONLY, value)]),
                Ok((expected, String::new()))
            );
        }
        let header = narrowed("/mcp/readonly", &[(READ_ONLY, "false"), (TOOLSETS, "core")]);
        assert_eq!(header, Ok((true, "core".into())));
        let path_first = narrowed("/mcp/x/core", &[(TOOLSETS, "all")]);
        assert_eq!(path_first, Ok((false, "core".into())));
    }
}
