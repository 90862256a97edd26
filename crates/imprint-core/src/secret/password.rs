//! Passwords that people choose: telling a real one from the one in every manual.

use super::{entropy, placeholder, words};

/// Words of which the passwords in examples are made: `mysecretpassword`, `test-db-pass`.
const VOCABULARY: &[&str] = &[
    "a",
    "abc",
    "abcd",
    "access",
    "account",
    "actual",
    "admin",
    "admins",
    "alice",
    "an",
    "api",
    "app",
    "application",
    "auth",
    "bar",
    "basic",
    "battery",
    "bearer",
    "bob",
    "change",
    "changeme",
    "client",
    "cluster",
    "company",
    "complex",
    "config",
    "correct",
    "credential",
    "credentials",
    "custom",
    "database",
    "db",
    "default",
    "demo",
    "dev",
    "development",
    "dragon",
    "dummy",
    "elastic",
    "email",
    "encoded",
    "encrypted",
    "enter",
    "env",
    "example",
    "fake",
    "foo",
    "foobar",
    "for",
    "from",
    "generate",
    "generated",
    "github",
    "gitlab",
    "good",
    "guest",
    "hash",
    "hashed",
    "here",
    "hidden",
    "horse",
    "host",
    "hunter",
    "id",
    "in",
    "insecure",
    "insert",
    "is",
    "it",
    "jwt",
    "keep",
    "key",
    "keys",
    "letmein",
    "local",
    "localhost",
    "login",
    "long",
    "mail",
    "mariadb",
    "master",
    "me",
    "minio",
    "mongo",
    "mongodb",
    "monkey",
    "my",
    "mysql",
    "name",
    "new",
    "none",
    "not",
    "null",
    "oauth",
    "of",
    "old",
    "one",
    "only",
    "open",
    "own",
    "pass",
    "passphrase",
    "passwd",
    "password",
    "passwords",
    "personal",
    "placeholder",
    "please",
    "postgres",
    "postgresql",
    "private",
    "prod",
    "production",
    "proxy",
    "pw",
    "pwd",
    "qwerty",
    "rabbitmq",
    "random",
    "read",
    "real",
    "redacted",
    "redis",
    "registry",
    "replace",
    "root",
    "s",
    "safe",
    "sample",
    "sec",
    "secret",
    "secrets",
    "secure",
    "server",
    "service",
    "sesame",
    "smtp",
    "some",
    "staging",
    "staple",
    "string",
    "strong",
    "super",
    "swordfish",
    "test",
    "testing",
    "the",
    "this",
    "to",
    "token",
    "tokens",
    "top",
    "use",
    "user",
    "username",
    "users",
    "value",
    "very",
    "with",
    "word",
    "write",
    "xyz",
    "your",
];

/// Whether a password stands for one that is filled in, or is a sample's.
pub(super) fn is_placeholder(password: &str) -> bool {
    password.is_empty()
        || placeholder::is_template(password)
        || placeholder::is_repetitive(password)
        || placeholder::is_sequence(password)
        || placeholder::names_itself(password)
        || is_of_vocabulary(password)
}

/// Whether this is the password in `user:password`, and worth refusing.
///
/// Short words of one kind of letter are in examples far more often than in use, and so are
/// passwords made of the user's name: `app:app_password`.
pub(super) fn is_of(user: &str, password: &str) -> bool {
    let kinds = kinds(password);
    let length = password.chars().count();
    let is_guessable = user.len() >= 3 && is_of_vocabulary(&password.replace(user, ""));
    ((length >= 6 && kinds >= 2) || length >= 10)
        && user != password
        && !is_guessable
        && !is_placeholder(password)
        && !(password.contains(['-', '_', ' ']) && is_phrase(password))
}

/// Whether a password is a phrase, as in a manual or a poem.
pub(super) fn is_phrase(password: &str) -> bool {
    words::are_spelled(password, 10)
}

/// Whether a value that is called a password was chosen with care: mixed, not short, and not a
/// word with a number and a mark.
pub(super) fn is_strong(password: &str) -> bool {
    let longest_word = password
        .as_bytes()
        .chunk_by(|_, next| next.is_ascii_lowercase())
        .map(<[u8]>::len)
        .max()
        .unwrap_or_default();
    password.len() >= 10
        && kinds(password) >= 3
        && longest_word * 2 < password.len()
        && entropy::is_random(password)
        && !is_phrase(password)
        && !is_placeholder(password)
}

/// How many of lower case, upper case, digits and marks a text has. Marks that join words in
/// names, as in `scram-sha-256`, are none.
fn kinds(text: &str) -> usize {
    let has = |is: fn(&char) -> bool| usize::from(text.chars().any(|letter| is(&letter)));
    has(|c| c.is_lowercase())
        + has(|c| c.is_uppercase())
        + has(char::is_ascii_digit)
        + has(|&c| !c.is_alphanumeric() && !"-_.:/".contains(c))
}

/// Whether every run of letters is made of words of the vocabulary, also in the spelling of
/// `P@ssw0rd`. Digits and marks between them count for nothing.
fn is_of_vocabulary(password: &str) -> bool {
    let lower = password.to_lowercase();
    let plain = lower
        .split(|c: char| !c.is_alphabetic())
        .all(is_made_of_words);
    plain || {
        let disguised = lower.trim_matches(|c: char| !c.is_alphanumeric());
        let letters = disguised.chars().map(unmask).filter(|c| c.is_alphabetic());
        is_made_of_words(&letters.collect::<String>())
    }
}

/// The letter that a digit or mark stands for in a disguised word.
fn unmask(letter: char) -> char {
    match letter {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        other => other,
    }
}

fn is_made_of_words(letters: &str) -> bool {
    /// Longer texts are judged by [`words::are_spelled`].
    const LONGEST: usize = 48;
    if letters.len() > LONGEST {
        return false;
    }
    let mut reachable = [false; LONGEST + 1];
    reachable[0] = true;
    for at in 0..letters.len() {
        if !reachable[at] {
            continue;
        }
        let rest = &letters.as_bytes()[at..];
        let begins =
            |word: &&&str| word.as_bytes()[0] == rest[0] && rest.starts_with(word.as_bytes());
        for word in VOCABULARY.iter().filter(begins) {
            reachable[at + word.len()] = true;
        }
    }
    reachable[letters.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_of_manuals() {
        for password in [
            "password",
            "pass",
            "secret",
            "changeme",
            "mysecretpassword",
            "my-secret-pw",
            "P@ssw0rd",
            "Passw0rd!",
            "password123",
            "postgres",
            "guest",
            "root",
            "hunter2",
            "test1234",
            "dbpass",
            "your_password",
            "<password>",
            "${DB_PASSWORD}",
            "$PASSWORD",
            "{password}",
            "***",
            "xxxxx",
            "YOUR-PASSWORD-HERE",
            "123456",
            "s3cr3t",
            "...",
            "correcthorsebatterystaple",
            "registry-password",
            "personal-access-token",
            "testpassword123",
        ] {
            assert!(is_placeholder(password), "{password}");
            assert!(!is_of("someone", password), "{password}");
        }
        for (user, password) in [
            ("taskboard", "taskboard_secret"),
            ("app", "app"),
            ("u", "sesam"),
        ] {
            assert!(!is_of(user, password), "{password}");
        }
    }

    #[test]
    fn real_ones() {
        for password in [
            "q8Zr3nVt",
            "Tr0ub4dor&3x",
            "kX9#mP2$vL",
            "zqfw83kd",
            "grün8Zr3nV",
        ] {
            assert!(is_of("app", password), "{password}");
        }
        assert!(is_strong("kX9#mP2$vL"));
        for password in [
            "zqfw83kd",
            "Polaris#2025!",
            "nodeseeker@123456",
            "scram-sha-256",
        ] {
            assert!(!is_strong(password), "{password}");
        }
    }
}
