//! Every format is found, wherever it stands.

use std::collections::BTreeSet;

use super::{
    assert_secret_is_kept,
    generate::{Rng, crc_base62, fill},
    rows::{self, ROWS},
    scan, the_finding,
};

/// Where values stand in real texts, and on which line.
const CONTEXTS: &[(&str, u32)] = &[
    ("{}", 1),
    ("{}\n", 1),
    ("# Title\n\ntoken: {}\nmore\n", 3),
    ("first\r\nsecond {}\r\nthird\r\n", 2),
    ("old\rmac\rlines {}\r", 3),
    ("export KEY={}\n", 1),
    ("KEY=\"{}\"\n", 1),
    ("key: '{}'\n", 1),
    ("{\"a\": 1, \"value\": \"{}\"}", 1),
    ("{\"text\": \"line\\n{}\\nline\"}", 1),
    ("use `{}` here\n", 1),
    ("(see {})\n", 1),
    ("[{}]\n", 1),
    ("it is {}.\n", 1),
    ("one of {}, or another; end\n", 1),
    ("**{}**\n", 1),
    ("“{}”\n", 1),
    ("键{}键\n", 1),
    ("<code>{}</code>\n", 1),
    ("| a | {} | b |\n", 1),
    ("+{}\n", 1),
    ("curl -H 'X-Auth: {}' https://host.invalid/a\n", 1),
    ("https://host.invalid/path?a=1&k={}&b=2\n", 1),
    ("https://host.invalid/v1/{}/more\n", 1),
    ("https://host.invalid/?q=%22{}%22\n", 1),
    ("git clone https://u:{}@host.invalid/x.git\n", 1),
    ("const key = \"{}\"; // comment\n", 1),
    (
        "a long line with many words before it, then {} and as many words after it\n",
        1,
    ),
];

fn put(context: &str, value: &str) -> String {
    // The outermost braces of the JSON contexts are not the place.
    let at = context.find("{}").unwrap();
    format!("{}{value}{}", &context[..at], &context[at + 2..])
}

#[test]
fn every_row_is_found_in_every_context() {
    let mut rng = Rng::new(1);
    for row in ROWS {
        for (context, line) in CONTEXTS {
            let value = rows::value(row, &mut rng);
            let finding = the_finding(&put(context, &value));
            assert_eq!(finding.rule, row.rule, "{} in {context:?}", row.template);
            assert_eq!(finding.line, *line, "{} in {context:?}", row.template);
            assert_secret_is_kept(&finding, &value);
        }
    }
}

#[test]
fn many_values_of_every_row_are_found() {
    let mut rng = Rng::new(2);
    for row in ROWS {
        for _ in 0..200 {
            let value = rows::value(row, &mut rng);
            let rules: Vec<String> = scan(&value).into_iter().map(|f| f.rule).collect();
            assert_eq!(rules, [row.rule], "{} {value}", row.template);
        }
    }
}

#[test]
fn the_rows_are_complete() {
    let here: BTreeSet<u32> = ROWS.iter().map(|row| row.number).collect();
    // Service account files, AWS secrets, Discord, JSON Web Tokens, blocks and addresses have
    // tests of their own.
    let apart = [24, 26, 52, 88, 89, 90];
    for number in 0..=90 {
        assert!(
            here.contains(&number) != apart.contains(&number),
            "{number}"
        );
    }
}

#[test]
fn discord_and_json_web_tokens() {
    let mut rng = Rng::new(3);
    for (context, line) in CONTEXTS {
        for (rule, value) in [
            ("discord-token", rows::discord(&mut rng)),
            ("jwt", rows::jwt(&mut rng)),
        ] {
            let finding = the_finding(&put(context, &value));
            assert_eq!(
                (finding.rule.as_str(), finding.line),
                (rule, *line),
                "{context:?}"
            );
            assert_secret_is_kept(&finding, &value);
        }
    }
}

#[test]
fn a_right_checksum_is_proof_even_of_a_dull_value() {
    for body in ["0".repeat(30), "example".repeat(5)[..30].to_owned()] {
        let sum = crc_base62(&body);
        for (prefix, rule) in [
            ("sak_", "imprint-key"),
            ("ghp_", "github-token"),
            ("npm_", "npm-token"),
        ] {
            assert_eq!(the_finding(&format!("{prefix}{body}{sum}")).rule, rule);
            let wrong = format!("{prefix}{body}{}", "1".repeat(6));
            assert!(scan(&wrong).is_empty(), "{prefix} with a wrong sum");
        }
    }
    let grafana = format!("gl{}_{}", "sa", "0".repeat(32));
    let crc = crc32fast::hash(grafana.as_bytes());
    assert_eq!(
        the_finding(&format!("{grafana}_{:08x}", crc.swap_bytes())).rule,
        "grafana-token"
    );
    assert!(scan(&format!("{grafana}_{:08x}", crc ^ 1)).is_empty());
}

#[test]
fn a_wrong_checksum_clears_nothing() {
    let mut rng = Rng::new(4);
    for (template, rule) in [
        ("sak_{base62:30}{crc}", "imprint-key"),
        ("ghp_{base62:30}{crc}", "github-token"),
        ("npm_{base62:30}{crc}", "npm-token"),
        ("glpat-{base64url:40}.1c{az09:7}", "gitlab-token"),
        ("glsa_{base62:32}_{hex:8}", "grafana-token"),
        ("AGE-SECRET-KEY-1{bech32:58}", "age-secret-key"),
    ] {
        let value = fill(template, &mut rng);
        let last = if value.ends_with('2') { '3' } else { '2' };
        let wrong = format!("{}{last}", &value[..value.len() - 1]);
        assert_eq!(the_finding(&wrong).rule, rule);
    }
}

#[test]
fn private_keys_of_all_kinds() {
    let mut rng = Rng::new(5);
    for label in [
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "DSA PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ] {
        let key = rows::pem(label, 6, "\n", &mut rng);
        let text = format!("one\ntwo\n{key}");
        let finding = the_finding(&text);
        assert_eq!(
            (finding.rule.as_str(), finding.line),
            ("private-key", 3),
            "{label}"
        );
        assert_secret_is_kept(&finding, key.lines().nth(1).unwrap());
        assert_eq!(the_finding(&text[..text.len() - 300]).rule, "private-key");
    }
}

#[test]
fn private_keys_however_they_are_written() {
    let mut rng = Rng::new(6);
    let key = rows::pem("PRIVATE KEY", 4, "\n", &mut rng);
    let fingerprint = the_finding(&key).fingerprint;
    let lines: Vec<&str> = key.lines().collect();
    let around = |before: &str, after: &str| -> String {
        let joint = format!("{after}\n{before}");
        format!("{before}{}{after}\n", lines.join(&joint))
    };
    let writings = [
        key.replace('\n', "\r\n"),
        key.replace('\n', "\r"),
        format!(
            "{{\"client_email\": \"a@b.invalid\", \"private_key\": \"{}\"}}",
            key.replace('\n', "\\n")
        ),
        format!("{{\"nested\": \"{}\"}}", key.replace('\n', "\\\\n")),
        key.replace('\n', " "),
        format!("KEY=\"{}\"", key.trim_end()),
        around("    \"", "\\n\" +"),
        around("// ", ""),
        around("> ", ""),
        around("  ", ""),
        key[..key.len() - 27].to_owned(),
    ];
    for writing in writings {
        let finding = the_finding(&writing);
        assert_eq!(finding.rule, "private-key");
        assert_eq!(finding.fingerprint, fingerprint, "{writing}");
    }
    let encrypted = key.replacen(
        '\n',
        "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0F0F\n\n",
        1,
    );
    assert_eq!(the_finding(&encrypted).fingerprint, fingerprint);
}

#[test]
fn passwords_in_addresses() {
    let mut rng = Rng::new(7);
    for template in [
        "postgres://app:{base62:12}@db.internal:5432/app",
        "postgresql+asyncpg://app:{base62:12}@db.invalid/app",
        "DATABASE_URL=\"mysql://root:{base62:16}@127.0.0.1/x\"",
        "redis://:{base62:20}@cache.internal:6379/0",
        "mongodb+srv://me:{base62:14}@cluster0.ab1cd.mongodb.net/?retryWrites=true",
        "https://user:{hex:20}@host.invalid/repo.git",
        "amqp://svc:{az09:10}@[::1]/vhost",
        "ftp://user:{base62:8}%21@files.invalid",
    ] {
        let text = fill(template, &mut rng);
        let finding = the_finding(&text);
        assert_eq!(finding.rule, "url-credentials", "{template}");
        let password = text.split_once("://").unwrap().1.split_once(':').unwrap().1;
        assert_secret_is_kept(&finding, password.split_once('@').unwrap().0);
    }
}

#[test]
fn passwords_after_a_user() {
    let mut rng = Rng::new(12);
    for template in [
        "curl -u admin:{base62:16} https://host.invalid",
        "curl -s --user 'admin:{base62:16}' https://host.invalid",
        "dsn := \"root:{base62:14}@tcp(127.0.0.1:3306)/db\"",
    ] {
        let finding = the_finding(&fill(template, &mut rng));
        assert_eq!(finding.rule, "login-password", "{template}");
    }
}

#[test]
fn random_values_with_a_telling_name() {
    let mut rng = Rng::new(8);
    for template in [
        "secret = {base62:32}",
        "secret = \"{base64url:40}\"",
        "client_secret: {hex:40}",
        "\"apiKey\": \"{hex:32}\",",
        "API_TOKEN={base62:24}",
        "export DB_PASSWORD='{base62:20}'",
        "password: kX9#{base62:6}!q2",
        "let token: &str = \"{base62:30}\";",
        "--api-key={base62:32}",
        "--token {base62:32} --verbose",
        "<password>{base62:20}</password>",
        "headers.set(\"X-Api-Key\", \"{base62:32}\")",
        "os.environ[\"SERVICE_TOKEN\"] = '{base62:32}'",
        "//host.invalid/:_authToken={base62:36}",
        "Server=db;User=sa;Password={base62:16};",
        "{\\\"secret\\\":\\\"{base62:32}\\\"}",
        "Authorization: Bearer {base62:40}",
        "-H \"Authorization: token {hex:40}\"",
        "API key: {base62:32}",
        "**API key:** `{base62:32}`",
        "| API key | {base62:32} |",
        "My API key is {base62:32}.",
        "- name: API_KEY\n  value: {base62:32}",
        "<add key=\"ApiKey\" value=\"{base62:32}\"/>",
        "ENV SECRET_KEY {base62:32}",
        "machine host.invalid login me password {base62:20}",
        "signing_key := \"{base64:43}=\"",
    ] {
        let template = template.replace("{\\\"", "[\\\"").replace("\"}", "\"]");
        for _ in 0..20 {
            let text = fill(&template, &mut rng);
            let rules: Vec<String> = scan(&text).into_iter().map(|f| f.rule).collect();
            assert_eq!(rules.len(), 1, "{text}");
        }
    }
    let pair =
        super::generate::base64url(format!("admin:{}", fill("{base62:12}", &mut rng)).as_bytes());
    assert_eq!(
        the_finding(&format!("Authorization: Basic {pair}")).rule,
        "basic-auth"
    );
}

#[test]
fn aws_secrets_beside_their_id_or_name() {
    let mut rng = Rng::new(9);
    let rules = |text: &str| -> Vec<String> { scan(text).into_iter().map(|f| f.rule).collect() };
    let pair = ["aws-access-key-id", "aws-secret-access-key"];
    for template in [
        "AKIA{base32:16}\n{base64:40}\n",
        "id: AKIA{base32:16}, secret: {base64:40}",
        "aws_access_key_id = AKIA{base32:16}\naws_secret_access_key = {base64:40}\n",
    ] {
        assert_eq!(rules(&fill(template, &mut rng)), pair, "{template}");
    }
    for template in [
        "AWS_SECRET_ACCESS_KEY={base64:40}",
        "\"SecretAccessKey\": \"{base64:40}\"",
    ] {
        assert_eq!(rules(&fill(template, &mut rng)), pair[1..], "{template}");
    }
    assert!(rules(&fill("a line with {base64:40}", &mut rng)).is_empty());
}

#[test]
fn findings_stand_in_the_order_of_the_text() {
    let mut rng = Rng::new(10);
    let text = fill(
        "a: ghp_{base62:36}\nb: hf_{letter:34}\nc: ghp_{base62:36} d: npm_{base62:36}\n",
        &mut rng,
    );
    let found: Vec<(String, u32)> = scan(&text).into_iter().map(|f| (f.rule, f.line)).collect();
    let expected = [
        ("github-token", 1),
        ("huggingface-token", 2),
        ("github-token", 3),
        ("npm-token", 3),
    ];
    assert_eq!(found, expected.map(|(rule, line)| (rule.to_owned(), line)));
}

#[test]
fn the_same_value_has_the_same_fingerprint_everywhere() {
    let mut rng = Rng::new(11);
    let value = fill("ghp_{base62:36}", &mut rng);
    let first = the_finding(&value);
    let second = the_finding(&format!("\n\ntoken = \"{value}\".\n"));
    assert_eq!(first.fingerprint, second.fingerprint);
    assert_eq!(second.masked, format!("ghp_… ({} characters)", value.len()));
    let other = the_finding(&fill("ghp_{base62:36}", &mut rng));
    assert_ne!(first.fingerprint, other.fingerprint);
}
