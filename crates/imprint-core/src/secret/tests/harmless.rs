//! What must not be refused: placeholders, samples, digests, ids, public halves, prose and code.

use super::{
    generate::{Rng, base64url, fill},
    rows::{self, ROWS},
    scan,
};

#[track_caller]
fn assert_harmless(text: &str) {
    let findings = scan(text);
    assert!(findings.is_empty(), "{text:?} gave {findings:#?}");
}

/// Every placeholder that fits a format's shape: the random parts replaced by filler.
#[test]
fn placeholders_in_the_shape_of_every_format() {
    let fillers: [fn(usize) -> String; 7] = [
        |length| "x".repeat(length),
        |length| "X".repeat(length),
        |length| "0".repeat(length),
        |length| "*".repeat(length),
        |length| "abcdefghijklmnopqrstuvwxyz0123456789".repeat(30)[..length].to_owned(),
        |length| "1234567890".repeat(100)[..length].to_owned(),
        |length| "a1b2c3d4e5f6".repeat(80)[..length].to_owned(),
    ];
    for row in ROWS {
        for filler in fillers {
            assert_harmless(&with_filler(row.template, filler));
        }
    }
}

fn with_filler(template: &str, filler: fn(usize) -> String) -> String {
    let mut value = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        value.push_str(before);
        let (field, after) = after.split_once('}').unwrap();
        rest = after;
        let length = match field.split_once(':') {
            None => 6,
            Some((_, length)) => length.split('-').next_back().unwrap().parse().unwrap(),
        };
        value.push_str(&filler(length));
    }
    value + rest
}

#[test]
fn placeholders_of_manuals() {
    for text in [
        "api_key: \"YOUR_API_KEY_HERE\"",
        "password: changeme",
        "password = \"correct-horse-battery-staple\"",
        "export TOKEN=${SERVICE_TOKEN}",
        "Authorization: Bearer <your-token>",
        "Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_HERE",
        "Authorization: Basic dXNlcjpwYXNzd29yZA==",
        "secret = \"...\"",
        "secret: \"***************************\"",
        "token = $(pass show mail)",
        "api_key = \"sk-...\"",
        "token: ghp_your_token_here",
        "SLACK_TOKEN=xoxb-your-token-here",
        "ANTHROPIC_API_KEY=sk-ant-api03-your-key-here",
        "OPENAI_API_KEY=sk-proj-your-project-key-goes-right-here-please-replace-it",
        "password: {{ vault_password }}",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "client_secret = \"a-very-secret-value-that-you-replace\"",
        "JWT_SECRET=your-256-bit-secret-key-change-in-production",
        "secret_key = \"django-insecure-change-me-in-production-1\"",
        "token: abc123def456ghi789jkl012",
        "key-of-the-day: AIzaSy...",
        "hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
        "AccountKey=<account-key>==",
        "TELEGRAM_BOT_TOKEN=7123456789:AAFxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "JWT_SECRET=supersecretkey_change_in_prod",
        "app.secret_key = 'ai_interviewer_secret_key_2025'",
        "SECRET_KEY = 'test-key-12345678901234567890123456789012345678901234567890'",
        "EMAIL_PASS=xxxx xxxx xxxx xxxx",
        "\"password\": \"testpassword123\"",
        "\"password\": \"senha1234\"",
        "\"password\": \"Polaris#2025!\"",
        "export HF_TOKEN=hf_your_huggingface_token_here",
        "--token \"hf_YourTokenHereYourTokenHereYourTokenHe\"",
        "SLACK_PROFILE_SYNC_SECRET=replace-with-a-long-random-value",
        "keywords = 'out', 'packoffset', 'pass', 'pixelfragment'",
    ] {
        assert_harmless(text);
    }
}

#[test]
fn placeholders_behind_a_real_prefix() {
    let prefix = ["sk-", "ant-", "api03-"].concat();
    for rest in ["secret-value-9876", "abcdefghijklmnopqrstuvwxyz0123456789"] {
        assert_harmless(&format!("api_key: \"{prefix}{rest}\""));
        assert_harmless(&format!("KEY = '{prefix}{rest}'"));
    }
}

#[test]
fn documented_samples() {
    for parts in [
        ["AK", "IAIOSFODNN7", "EXAMPLE"],
        ["wJalrXUtnFEMI/K7MD", "ENG/bPxRfiCY", "EXAMPLEKEY"],
        ["sk_te", "st_4eC39HqLyjWD", "arjtT1zdp7dc"],
        ["gh", "o_16C7e42F292c6912E77", "10c838347Ae178B4a"],
        ["1102015", "43:AAHdqTcvCH1vGWJx", "fSeofSAs0K5PALDsaw"],
        ["gls", "a_yscW25imSKJIuav8zF37", "RZmnbiDvB05G_fcaaf58a"],
        [
            "xoxb-17653672",
            "481-19874698323-",
            "pdFZKVeTuE8sk7oOcBrzbqgy",
        ],
    ] {
        let sample = parts.concat();
        assert_harmless(&sample);
        assert_harmless(&format!("api_key = \"{sample}\""));
    }
    assert_harmless(&format!(
        "{}.{}.{}",
        base64url(br#"{"alg":"HS256","typ":"JWT"}"#),
        base64url(br#"{"sub":"1234567890","name":"John Doe","iat":1516239022}"#),
        ["SflKxwRJSMeKKF2QT4fwp", "MeJf36POk6yJV_adQssw5c"].concat(),
    ));
}

#[test]
fn addresses_without_a_real_password() {
    for text in [
        "postgres://user:password@localhost/db",
        "postgresql://postgres:postgres@localhost:5432/postgres",
        "mysql://root:root@127.0.0.1/app",
        "amqp://guest:guest@localhost",
        "postgres://physio_app:physio_app_pass@localhost:5432/physio",
        "postgresql://taskboard:taskboard_secret@postgres:5432/taskboard",
        "postgres://sentinel:your_super_secret_password@db:5432/sentinel",
        "https://alice:wonderland-dreams@www.example.com/",
        "curl -u user:password https://host.invalid",
        "curl -sS -u \"$USER:$TOKEN\" https://host.invalid",
        "curl -u ${USER}:${TOKEN} https://host.invalid",
        "docker run -u 1000:1000 image; git push -u origin main:release-2",
        "root:password@tcp(127.0.0.1:3306)/db",
        "redis://default:secret@cache:6379",
        "mongodb+srv://<username>:<password>@cluster0.mongodb.net",
        "postgres://$USER:$PASSWORD@host/db",
        "https://x-access-token:${TOKEN}@github.com/a/b",
        "https://{user}:{password}@host/",
        "http://user:pass@example.com",
        "https://user:YOUR_TOKEN@github.com",
        "postgres://app:changeme@db",
        "https://oauth2:personal_access_token@gitlab.com/a/b.git",
        "https://me:the-token-from-the-dashboard@host.invalid/",
        "amqp://user:bitnami@rabbitmq:5672",
        "postgres://user:P%40ssw0rd@db.internal/x",
        "http://localhost:8080/path@v2",
        "https://unpkg.com/react@18",
        "docker://alpine:3.20@sha256:deadbeef",
        "git@github.com:owner/repo.git",
        "ssh://git@github.com:22/owner/repo.git",
        "postgres://app:xxxxxxxx@host/db",
        "smtp://user%40host:%s@mail",
        "https://user:he%2F%2Fo@host.invalid/simple",
        "cvs://:pserver:anoncvs@host.invalid:/cvs/src",
    ] {
        assert_harmless(text);
    }
}

#[test]
fn words_with_prefixes() {
    for text in [
        "Write a task-brief and a risk-check at the desk-based role.",
        "disk-usage-monitoring-and-alerting-for-everyone",
        "ask_secret STRIPE_SECRET_KEY \"Paste the key\"",
        "A GitHub token begins with `ghp_`, an npm token with `npm_`, a Slack one with `xoxb-`.",
        "The file starts with BEGIN PRIVATE KEY, look for it.",
        "The prefixes are sk-, sk-ant-, sk-proj-, sk_live_, AKIA, AIza, glpat- and hf_.",
        "BSA-something-that-is-quite-long-but-made-of-words",
        "re_compiled_expressionsandotherthings",
        "EAAASomethingThatIsOnlyLettersInWords",
        "pattern.match and path.join and Pat.Smith",
        "fix(key-handling-of-the-very-long-identifiers): done",
        "https://dashboard.example.com/test/apikeys",
        "The publishable key starts pk_test_).",
        "hf_transformersbasedmodelsforclassification",
        "sk-learn, sk-image; scikit-learn's sk-estimator-html-representation",
    ] {
        assert_harmless(text);
    }
}

#[test]
fn digests_ids_and_blobs() {
    let mut rng = Rng::new(20);
    for template in [
        "content_hash: sha256:{hex:64}",
        "{hex:32}  file.tar.gz",
        "{hex:40}",
        "commit {hex:40}\nparent {hex:40}\n",
        "sha512-{base64:86}==",
        "\"integrity\": \"sha512-{base64:86}==\"",
        "id: {hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
        "client_token: token-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
        "token: {hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
        "cache-key-{hex:32}",
        "task-{hex:32}",
        "etag: \"{hex:32}-2\"",
        "data:image/png;base64,{base64:4000}",
        "<img src=\"data:font/woff2;base64,{base64:9000}\">",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{base64:43} me@desk",
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{base64:350} me@desk",
        "age1{az09:58}",
        "{base64:64}\n{base64:20}/EAAA{base64:38}+\n{base64:64}\n",
        "{base64:64}\nEAAA{base64:60}\n{base64:64}\n",
        "{base64:64}\n{base64:9}+EAAAAAAB{base64:46}\n",
        "{base64url:60}-hf_{letter:34}-{base64url:60}",
        "{base64:76}\n{base64:76}\n{base64:76}\n{base64:40}==\n",
        "https://drive.google.com/file/d/{base64url:33}/view",
        "https://youtu.be/{base64url:11}",
        "public_key = \"{base64:43}=\"",
        "pk_test_{base62:24}",
        "publishable: pk_live_{base62:99}",
        "POSTHOG_KEY = \"phc_{base62:43}\"",
        "api_key = \"pk_test_{base62:24}\"",
        "password_hash: $2b$12${base62:53}",
        "nonce={base64:22}==",
        "primary_key: {hex:32}",
        "private_key_id: {hex:40}",
        "0x{hex:40}",
        "0x{hex:64}",
    ] {
        for _ in 0..50 {
            assert_harmless(&fill(template, &mut rng));
        }
    }
}

#[test]
fn public_halves_in_pem() {
    let mut rng = Rng::new(21);
    for label in [
        "PUBLIC KEY",
        "CERTIFICATE",
        "RSA PUBLIC KEY",
        "PGP PUBLIC KEY BLOCK",
        "PGP SIGNATURE",
    ] {
        assert_harmless(&rows::pem(label, 8, "\n", &mut rng));
    }
}

#[test]
fn labels_of_private_keys_without_a_key() {
    let label = ["-----BEGIN PRIV", "ATE KEY-----"].concat();
    let end = ["-----END PRIV", "ATE KEY-----"].concat();
    for text in [
        format!("{label}\n...\n{end}"),
        format!("{label}\n<your key>\n{end}"),
        format!("{label}\nYOUR_PRIVATE_KEY_CONTENT_HERE\n{end}"),
        format!("{label}\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC...\n{end}"),
        format!("{label}\\nMIIEv...\\n{end}\\n"),
        format!("{label}\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n{end}"),
        format!("if text.contains(\"{label}\") {{ return internationalization(); }}"),
        format!("A key begins with `{label}`, followed by base64"),
        format!("{label} {end}"),
        format!("{label}\n${{PRIVATE_KEY}}\n{end}"),
    ] {
        assert_harmless(&text);
    }
}

#[test]
fn code_that_reads_a_secret() {
    for text in [
        "const key = process.env.OPENAI_API_KEY;",
        "api_key = os.environ[\"OPENAI_API_KEY\"]",
        "api_key=os.getenv('STRIPE_SECRET_KEY_2024')",
        "token: config.get('services.github.token1')",
        "let password = env::var(\"DB_PASSWORD\")?;",
        "secret = settings.AUTH0_CLIENT_SECRET_V2",
        "password = getpass.getpass()",
        "token = response.json()[\"access_token\"]",
        "const token = await getAccessToken({ scope: 'read:user2' });",
        "$env:API_KEY = Read-Host",
        "apiKey: import.meta.env.VITE_API_KEY_V2,",
        "secretKey := viper.GetString(\"jwt.secretKey\")",
        "secretKeyRef:\n  name: app-secrets-2024\n  key: DATABASE_PASSWORD",
        "token_type: Bearer, max_tokens: 4096, next_page_token: CAUQAA1b2C3d4E5f6G",
        "secret: arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/db",
        "Next page token: eav1OzQB0OM8rLdGXOEsyQWSG",
        "const ADMINS_CANNOT_CHANGE_PASSWORD: u32 = 0x80550008_u32;",
        "const BAD_PASSWORD: i32 = -2147212282i32;",
        "private_key: PKCS7PrivateKeyTypes,",
        "pub generate_master_key: SslGeneratePreMasterKeyFn,",
        "METHOD can be \"md5\", \"password\", \"scram-sha-256\"",
        "key: sha256:0a1b2c3d4e5f60718293a4b5c6d7e8f9",
        "api_key_file: /run/secrets/api_key_2024_09",
        "model_token = \"claude-3-5-sonnet-20241022\"",
        "secret_name = \"projects/p1/secrets/db-password-2/versions/7\"",
        "token = \"refs/heads/release-2024-10-01-hotfix2\"",
    ] {
        assert_harmless(text);
    }
}

#[test]
fn json_web_tokens_that_open_nothing() {
    let header = base64url(br#"{"alg":"HS256","typ":"JWT"}"#);
    let claims = base64url(br#"{"sub":"42"}"#);
    let mut rng = Rng::new(22);
    let signature = fill("{base64url:42}{base62:1}", &mut rng);
    let public = base64url(br#"{"iss":"supabase","role":"anon"}"#);
    let example = base64url(br#"{"iss":"https://login.example.com/"}"#);
    let no_algorithm = base64url(br#"{"typ":"JWT"}"#);
    for text in [
        format!("{header}.{claims}"),
        format!("{header}.{claims}.signature"),
        format!("{header}.{claims}.{}", "x".repeat(43)),
        format!("{header}.{public}.{signature}"),
        format!("{header}.{example}.{signature}"),
        format!("{no_algorithm}.{claims}.{signature}"),
        format!("{header}..."),
    ] {
        assert_harmless(&text);
    }
}
