//! Every token format that has to be found, as templates that are independent of the table the
//! scanner works by.

use super::generate::{Rng, base64url, fill};

/// A format's number in the list of formats, the rule that finds it, and how a value is made.
pub(super) struct Row {
    pub(super) number: u32,
    pub(super) rule: &'static str,
    pub(super) template: &'static str,
}

const fn row(number: u32, rule: &'static str, template: &'static str) -> Row {
    Row {
        number,
        rule,
        template,
    }
}

pub(super) const ROWS: &[Row] = &[
    row(0, "imprint-key", "sak_{base62:30}{crc}"),
    row(0, "imprint-key", "sat_{base62:36}"),
    row(0, "imprint-key", "sar_{base62:36}"),
    row(0, "imprint-key", "sdk_{base62:36}"),
    row(1, "github-token", "ghp_{base62:30}{crc}"),
    row(1, "github-token", "ghp_{base62:36}"),
    row(2, "github-token", "gho_{base62:30}{crc}"),
    row(3, "github-token", "ghu_{base62:36}"),
    row(4, "github-token", "ghs_{base62:36}"),
    row(
        4,
        "github-token",
        "ghs_{base64url:40}.{base64url:120}.{base64url:43}",
    ),
    row(5, "github-token", "ghr_{base62:36}"),
    row(5, "github-token", "ghr_{base62:76}"),
    row(6, "github-token", "github_pat_{base62:22}_{base62:59}"),
    row(7, "npm-token", "npm_{base62:30}{crc}"),
    row(7, "npm-token", "npm_{base62:36}"),
    row(8, "pypi-token", "pypi-AgEIcHlwaS5vcmc{base64url:50-180}"),
    row(9, "cargo-token", "cio{base62:32}"),
    row(10, "rubygems-key", "rubygems_{hex:48}"),
    row(11, "nuget-key", "oy2{az09:43}"),
    row(12, "docker-token", "dckr_pat_{base64url:27}"),
    row(12, "docker-token", "dckr_oat_{base64url:32}"),
    row(13, "gitlab-token", "glpat-{base64url:20}"),
    row(13, "gitlab-token", "glpat-{base64url:27-300}.{az09:9}"),
    row(13, "gitlab-token", "glpat-{base64url:40}.01.{az09:9}"),
    row(14, "gitlab-token", "gldt-{base64url:20}"),
    row(14, "gitlab-token", "glrt-{base64url:20}"),
    row(14, "gitlab-token", "glcbt-{base62:1-5}_{base64url:20}"),
    row(14, "gitlab-token", "glptt-{hex:40}"),
    row(14, "gitlab-token", "glft-{base64url:20}"),
    row(14, "gitlab-token", "glsoat-{base64url:20}"),
    row(14, "gitlab-token", "glffct-{base64url:20}"),
    row(14, "gitlab-token", "glagent-{base64url:50}"),
    row(14, "gitlab-token", "gloas-{base64url:64}"),
    row(14, "gitlab-token", "glimt-{base64url:25}"),
    row(
        15,
        "openai-key",
        "sk-proj-{base64url:74}T3BlbkFJ{base64url:74}",
    ),
    row(
        15,
        "openai-key",
        "sk-svcacct-{base64url:58}T3BlbkFJ{base64url:58}",
    ),
    row(
        15,
        "openai-key",
        "sk-admin-{base64url:20}T3BlbkFJ{base64url:20}",
    ),
    row(16, "openai-key", "sk-{base62:20}T3BlbkFJ{base62:20}"),
    row(17, "anthropic-key", "sk-ant-api03-{base64url:93}AA"),
    row(18, "anthropic-key", "sk-ant-admin01-{base64url:93}AA"),
    row(19, "anthropic-key", "sk-ant-oat01-{base64url:93}AA"),
    row(19, "anthropic-key", "sk-ant-ort01-{base64url:95}"),
    row(20, "google-api-key", "AIza{base64url:35}"),
    row(21, "google-api-key", "AQ.Ab8RN6{base64url:44}"),
    row(22, "google-oauth-secret", "GOCSPX-{base64url:28}"),
    row(23, "google-oauth-token", "ya29.{base64url:30-200}"),
    row(23, "google-oauth-token", "1//0{base64url:40-100}"),
    row(25, "aws-access-key-id", "AKIA{base32:16}"),
    row(25, "aws-access-key-id", "ASIA{base32:16}"),
    row(25, "aws-access-key-id", "ABIA{base32:16}"),
    row(25, "aws-access-key-id", "ACCA{base32:16}"),
    row(25, "aws-access-key-id", "A3T{AZ09:1}{base32:16}"),
    row(27, "aws-bedrock-key", "ABSK{base64:109-269}"),
    row(27, "aws-bedrock-key", "bedrock-api-key-{base64:120}"),
    row(
        28,
        "azure-client-secret",
        "{base62:3}{digit:1}Q~{azure:30-33}{base62:1}",
    ),
    row(29, "azure-storage-key", "AccountKey={base64:86}=="),
    row(30, "alibaba-access-key-id", "LTAI{az09:20}"),
    row(31, "digitalocean-token", "dop_v1_{hex:64}"),
    row(31, "digitalocean-token", "doo_v1_{hex:64}"),
    row(31, "digitalocean-token", "dor_v1_{hex:64}"),
    row(32, "cloudflare-token", "cfut_{base62:40}{hex:8}"),
    row(32, "cloudflare-token", "cfat_{base62:40}{hex:8}"),
    row(33, "cloudflare-origin-ca-key", "v1.0-{hex:24}-{hex:146}"),
    row(34, "vercel-token", "vcp_{base64url:56}"),
    row(34, "vercel-token", "vci_{base64url:56}"),
    row(34, "vercel-token", "vca_{base64url:56}"),
    row(34, "vercel-token", "vcr_{base64url:56}"),
    row(34, "vercel-token", "vck_{base64url:56}"),
    row(35, "supabase-token", "sbp_{az09:40}"),
    row(35, "supabase-key", "sb_secret_{base64url:31}"),
    row(36, "neon-key", "napi_{base62:64}"),
    row(37, "planetscale-token", "pscale_tkn_{planetscale:32-64}"),
    row(37, "planetscale-token", "pscale_oauth_{planetscale:32-64}"),
    row(37, "planetscale-token", "pscale_pw_{planetscale:32-64}"),
    row(38, "flyio-token", "fo1_{base64url:43}"),
    row(38, "flyio-token", "fm1r_{base64:100-300}"),
    row(38, "flyio-token", "fm1a_{base64:100-300}"),
    row(38, "flyio-token", "fm2_{base64:100-300}"),
    row(39, "heroku-key", "HRKU-AA{base64url:58}"),
    row(
        40,
        "tailscale-key",
        "tskey-auth-k{base62:4-16}CNTRL-{base62:28-40}",
    ),
    row(
        40,
        "tailscale-key",
        "tskey-api-k{base62:4-16}CNTRL-{base62:28-40}",
    ),
    row(
        40,
        "tailscale-key",
        "tskey-client-k{base62:4-16}CNTRL-{base62:28-40}",
    ),
    row(41, "vault-token", "hvs.{base64url:90-120}"),
    row(41, "vault-token", "hvb.{base64url:138-300}"),
    row(
        42,
        "terraform-token",
        "{base62:14}.atlasv1.{base64url:60-70}",
    ),
    row(43, "pulumi-token", "pul-{hex:40}"),
    row(44, "doppler-token", "dp.pt.{az09:43}"),
    row(45, "onepassword-token", "ops_eyJ{base64:250-800}"),
    row(
        45,
        "onepassword-secret-key",
        "A3-{AZ09:6}-{AZ09:5}-{AZ09:5}-{AZ09:5}-{AZ09:5}",
    ),
    row(
        45,
        "onepassword-secret-key",
        "A3-{AZ09:6}-{AZ09:6}-{AZ09:5}-{AZ09:5}-{AZ09:5}-{AZ09:5}",
    ),
    row(
        45,
        "onepassword-secret-key",
        "A3-{AZ09:6}-{AZ09:11}-{AZ09:5}-{AZ09:5}-{AZ09:5}",
    ),
    row(46, "age-secret-key", "AGE-SECRET-KEY-1{bech32:58}"),
    row(47, "stripe-key", "sk_live_{base62:24}"),
    row(47, "stripe-key", "sk_test_{base62:99}"),
    row(47, "stripe-key", "rk_live_{base62:14}"),
    row(47, "stripe-key", "whsec_{base62:32}"),
    row(48, "square-token", "sq0atp-{base64url:22-60}"),
    row(48, "square-token", "EAAA{base64url:22-60}"),
    row(49, "shopify-token", "shpat_{hex:32}"),
    row(49, "shopify-token", "shpca_{hex:32}"),
    row(49, "shopify-token", "shppa_{hex:32}"),
    row(49, "shopify-token", "shpss_{hex:32}"),
    row(50, "slack-token", "xoxb-{digit:12}-{digit:13}-{base62:24}"),
    row(
        50,
        "slack-token",
        "xoxp-{digit:12}-{digit:12}-{digit:13}-{hex:32}",
    ),
    row(50, "slack-token", "xoxp-{digit:12}-{digit:12}-{base62:24}"),
    row(50, "slack-token", "xoxe-{digit:12}-{digit:12}-{base62:24}"),
    row(50, "slack-token", "xoxe-1-{base62:146}"),
    row(50, "slack-token", "xapp-1-A{AZ09:10}-{digit:13}-{hex:64}"),
    row(50, "slack-token", "xapp-{digit:12}-{digit:12}-{base62:24}"),
    row(50, "slack-token", "xoxe.xoxp-1-{base62:163}"),
    row(
        50,
        "slack-token",
        "xoxe.xoxp-{digit:12}-{digit:12}-{base62:24}",
    ),
    row(
        51,
        "slack-webhook",
        "hooks.slack.com/services/T{AZ09:8}/B{AZ09:10}/{base62:24}",
    ),
    row(
        51,
        "slack-webhook",
        "hooks.slack.com/services/{base64:43-56}",
    ),
    row(53, "telegram-token", "{digit:8-10}:AA{base64url:33}"),
    row(54, "sendgrid-key", "SG.{base64url:22}.{base64url:43}"),
    row(55, "twilio-key", "SK{hex:32}"),
    row(55, "twilio-key", "AC{hex:32}"),
    row(56, "mailgun-key", "key-{hex:32}"),
    row(56, "mailchimp-key", "{hex:32}-us{digit:1-2}"),
    row(57, "resend-key", "re_{base58:8}_{base58:24}"),
    row(58, "brevo-key", "xkeysib-{hex:64}-{base62:16}"),
    row(59, "huggingface-token", "hf_{letter:34}"),
    row(59, "huggingface-token", "api_org_{letter:34}"),
    row(60, "groq-key", "gsk_{base62:52}"),
    row(61, "xai-key", "xai-{xai:70-120}"),
    row(62, "perplexity-key", "pplx-{base62:48}"),
    row(63, "openrouter-key", "sk-or-v1-{hex:64}"),
    row(64, "replicate-token", "r8_{base62:37}"),
    row(65, "cerebras-key", "csk-{az09:48}"),
    row(65, "together-key", "tgp_v1_{base64url:43}"),
    row(66, "nvidia-key", "nvapi-{base64url:60-70}"),
    row(67, "sk-api-key", "sk-{hex:32}"),
    row(67, "sk-api-key", "sk-{base62:48}"),
    row(68, "elevenlabs-key", "sk_{hex:48}"),
    row(69, "langsmith-key", "lsv2_pt_{hex:32}_{hex:10}"),
    row(69, "langsmith-key", "lsv2_sk_{hex:32}_{hex:10}"),
    row(
        70,
        "langfuse-key",
        "sk-lf-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
    ),
    row(
        70,
        "langfuse-key",
        "pk-lf-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
    ),
    row(71, "brave-search-key", "BSA{base64url:24-40}"),
    row(71, "tavily-key", "tvly-{base62:32}"),
    row(72, "linear-key", "lin_api_{base62:40}"),
    row(72, "linear-key", "lin_oauth_{hex:64}"),
    row(73, "notion-token", "ntn_{digit:11}{base62:35}"),
    row(73, "notion-token", "secret_{base62:43}"),
    row(
        74,
        "atlassian-token",
        "ATATT3xFfGF0{base64url:100-180}={hex:8}",
    ),
    row(75, "figma-token", "figd_{base64url:38-42}"),
    row(76, "airtable-token", "pat{base62:14}.{hex:64}"),
    row(77, "postman-key", "PMAK-{hex:24}-{hex:34}"),
    row(78, "sentry-token", "sntryu_{hex:64}"),
    row(78, "sentry-token", "sntrys_eyJ{base64:60-300}_{base64:43}"),
    row(79, "grafana-token", "glsa_{base62:32}_{hex:8}"),
    row(79, "grafana-token", "glc_eyJ{base64:60-200}"),
    row(80, "databricks-token", "dapi{hex:32}"),
    row(80, "databricks-token", "dapi{hex:32}-2"),
    row(81, "dynatrace-token", "dt0c01.{base32:24}.{base32:64}"),
    row(82, "posthog-key", "phx_{base62:41-49}"),
    row(83, "circleci-token", "CCIPAT_{base62:22}_{hex:40}"),
    row(83, "buildkite-token", "bkua_{hex:40}"),
    row(84, "jfrog-token", "AKCp{base62:69}"),
    row(84, "jfrog-token", "cmVmd{base62:59}"),
    row(85, "sourcegraph-token", "sgp_{hex:40}"),
    row(85, "sourcegraph-token", "sgp_{hex:16}_{hex:40}"),
    row(86, "newrelic-key", "NRAK-{AZ09:27}"),
    row(87, "dropbox-token", "sl.{base64url:130-152}"),
];

/// A value of a row.
pub(super) fn value(row: &Row, rng: &mut Rng) -> String {
    loop {
        let value = fill(row.template, rng);
        // Text that follows decides whether a final mark belongs to a value of no fixed length.
        if !value.ends_with(['-', '_', '.', '=', '/', '+']) || row.number == 29 {
            return value;
        }
    }
}

/// A Discord bot's token: the id, a time and a signature.
pub(super) fn discord(rng: &mut Rng) -> String {
    let id = rng.text("123456789", 18);
    base64url(id.as_bytes()) + &fill(".{base64url:6}.{base64url:26}{base62:1}", rng)
}

/// A JSON Web Token.
pub(super) fn jwt(rng: &mut Rng) -> String {
    let header = base64url(br#"{"alg":"HS256","typ":"JWT"}"#);
    let subject = rng.text("0123456789", 9);
    let claims = base64url(format!(r#"{{"sub":"{subject}","iat":1716239022}}"#).as_bytes());
    format!(
        "{header}.{claims}.{}",
        fill("{base64url:42}{base62:1}", rng)
    )
}

/// A private key of so many lines of base64, with a line end of choice.
pub(super) fn pem(label: &str, lines: usize, line_end: &str, rng: &mut Rng) -> String {
    let mut key = format!("-----BEGIN {label}-----{line_end}");
    for _ in 0..lines {
        key += &fill("{base64:64}", rng);
        key += line_end;
    }
    format!("{key}-----END {label}-----{line_end}")
}
