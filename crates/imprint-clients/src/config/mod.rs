//! Clients' configuration files as text.

/// The language of a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// JSON as its specification has it.
    Json,
    /// JSON with comments and trailing commas.
    Jsonc,
    /// TOML 1.0.
    Toml,
    /// YAML 1.2.
    Yaml,
}
