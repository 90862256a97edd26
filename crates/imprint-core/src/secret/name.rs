//! Names that call their value a credential: `api_key`, `clientSecret`, `DB_PASSWORD`.

/// What a name calls its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Called {
    /// Chosen by a person.
    Password,
    /// Made by a machine.
    Secret,
    /// The value of an `Authorization` header.
    Authorization,
}

/// Pieces of which every such name has one, in lower case; the search looks for these.
pub(super) const ANCHORS: [&str; 7] = [
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "credential",
    "authorization",
];

const PASSWORDS: [&str; 5] = ["password", "passwd", "passphrase", "pwd", "passwort"];
const SECRETS: [&str; 4] = ["secret", "credential", "credentials", "token"];
/// A key is secret only by what it is for: a primary, public or sort key is none.
const SECRET_KEYS: [&str; 21] = [
    "api",
    "access",
    "secret",
    "private",
    "auth",
    "authentication",
    "signing",
    "encryption",
    "master",
    "storage",
    "account",
    "shared",
    "admin",
    "service",
    "webhook",
    "subscription",
    "functions",
    "hmac",
    "app",
    "write",
    "deploy",
];
/// Tokens that say where one was, not who one is.
const HARMLESS_TOKENS: [&str; 13] = [
    "page",
    "next",
    "previous",
    "prev",
    "continuation",
    "cursor",
    "sync",
    "csrf",
    "xsrf",
    "cancellation",
    "design",
    "resume",
    "pagination",
];
/// What may follow: `API_KEY_PROD`, `secret_value`, `token2`.
const SUFFIXES: [&str; 11] = [
    "value",
    "prod",
    "production",
    "live",
    "dev",
    "staging",
    "base",
    "b",
    "text",
    "string",
    "main",
];

/// What this name calls its value, if it is a credential.
pub(super) fn called(name: &str) -> Option<Called> {
    let words = words(name);
    let mut words: &[String] = &words;
    while let Some((last, rest)) = words.split_last()
        && (SUFFIXES.contains(&last.as_str()) || last.bytes().all(|byte| byte.is_ascii_digit()))
    {
        words = rest;
    }
    let (last, before) = words.split_last()?;
    let previous = before.last().map_or("", String::as_str);
    if words
        .iter()
        .any(|word| matches!(word.as_str(), "public" | "publishable"))
    {
        return None;
    }
    let ends_with = |names: &[&str]| names.iter().any(|name| last.ends_with(name));
    if last == "authorization" {
        Some(Called::Authorization)
    } else if ends_with(&PASSWORDS) || last == "pass" {
        Some(Called::Password)
    } else if last.ends_with("token") && HARMLESS_TOKENS.contains(&previous) {
        None
    } else if ends_with(&SECRETS) {
        Some(Called::Secret)
    } else {
        let what_for = last.strip_suffix("key")?;
        let what_for = if what_for.is_empty() {
            previous
        } else {
            what_for
        };
        SECRET_KEYS.contains(&what_for).then_some(Called::Secret)
    }
}

/// The words of an identifier in lower case, split at marks, capitals and before digits.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut previous = b'_';
    for byte in name.bytes() {
        let begins = !previous.is_ascii_alphanumeric()
            || (byte.is_ascii_uppercase() && previous.is_ascii_lowercase())
            || (byte.is_ascii_digit() != previous.is_ascii_digit());
        if byte.is_ascii_alphanumeric() {
            let letter = char::from(byte.to_ascii_lowercase());
            match words.last_mut() {
                Some(word) if !begins => word.push(letter),
                _ => words.push(letter.to_string()),
            }
        }
        previous = byte;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_credentials() {
        for name in [
            "api_key",
            "apiKey",
            "APIKEY",
            "X-API-Key",
            "secret",
            "client_secret",
            "clientSecret",
            "access_token",
            "npm_config__authToken",
            "GITHUB_TOKEN_2",
            "secret_key_base64",
            "AWS_SECRET_ACCESS_KEY",
            "stripe.secretKey",
            "webhookSecret",
            "private_key",
        ] {
            assert_eq!(called(name), Some(Called::Secret), "{name}");
        }
        for name in [
            "password",
            "DB_PASSWORD",
            "dbpassword",
            "userPwd",
            "DB_PASS",
            "passphrase",
        ] {
            assert_eq!(called(name), Some(Called::Password), "{name}");
        }
        assert_eq!(called("Proxy-Authorization"), Some(Called::Authorization));
    }

    #[test]
    fn other_names() {
        for name in [
            "key",
            "primary_key",
            "public_key",
            "cache_key",
            "keyboard",
            "monkey",
            "tokens",
            "max_tokens",
            "next_page_token",
            "token_type",
            "secret_name",
            "private_key_id",
            "password_hash",
            "NEXT_PUBLIC_API_KEY",
            "pageToken",
            "tokenizer",
            "compass",
            "csrf_token",
        ] {
            assert_eq!(called(name), None, "{name}");
        }
    }
}
