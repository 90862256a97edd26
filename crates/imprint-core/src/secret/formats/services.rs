//! Payments, messages, work and monitoring.

use crate::secret::{
    charset::{
        BASE32, BASE58, BASE62, BASE64, BASE64URL, Charset, DIGITS, HEX, LOWER_ALNUM, LOWER_HEX,
        UPPER_ALNUM,
    },
    format::{Check, Format, Mix, Part, Random, run, run_between, run_from},
};

const BASE64_AND_SLASH: Charset = Charset::of("0-9A-Za-z+/");
const BASE64URL_AND_DOT: Charset = Charset::of("0-9A-Za-z_.-");
const DOT: Part = Part::Literal(".");
const HYPHEN: Part = Part::Literal("-");
const UNDERSCORE: Part = Part::Literal("_");

pub(super) const FORMATS: &[Format] = &[
    Format::new(
        "stripe-key",
        &[
            "sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_",
        ],
        &[run_between(BASE62, 10, 247)],
    ),
    Format::new("stripe-key", &["whsec_"], &[run_between(BASE64, 32, 100)]),
    Format::new(
        "square-token",
        &["sq0atp-", "sq0csp-"],
        &[run_between(BASE64URL, 22, 60)],
    ),
    Format::new("square-token", &["EAAA"], &[run_between(BASE64URL, 22, 60)])
        .apart()
        .mixing(Mix::Scrambled)
        .checked(Check::NotBinary),
    Format::new(
        "shopify-token",
        &["shpat_", "shpca_", "shppa_", "shpss_"],
        &[run(HEX, 32)],
    ),
    // Team and user ids, then the secret.
    Format::new(
        "slack-token",
        &[
            "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xapp-",
        ],
        &[
            SLACK_ID,
            HYPHEN,
            SLACK_ID,
            HYPHEN,
            run_between(BASE62, 16, 64),
        ],
    )
    .random_in(Random::LastRun),
    Format::new(
        "slack-token",
        &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxc-"],
        &[
            SLACK_ID,
            HYPHEN,
            SLACK_ID,
            HYPHEN,
            SLACK_ID,
            HYPHEN,
            run_between(BASE62, 16, 64),
        ],
    )
    .random_in(Random::LastRun),
    // The two shorter forms of older legacy and configuration tokens.
    Format::new(
        "slack-token",
        &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-"],
        &[SLACK_ID, HYPHEN, run_between(BASE62, 16, 64)],
    )
    .random_in(Random::LastRun),
    Format::new(
        "slack-token",
        &["xapp-"],
        &[
            run_between(DIGITS, 1, 2),
            HYPHEN,
            run_between(UPPER_ALNUM, 8, 14),
            HYPHEN,
            SLACK_ID,
            HYPHEN,
            run_between(BASE62, 24, 80),
        ],
    )
    .random_in(Random::LastRun),
    Format::new(
        "slack-token",
        &["xoxe-", "xoxe.xoxp-", "xoxe.xoxb-"],
        &[
            run_between(DIGITS, 1, 14),
            HYPHEN,
            run_between(BASE64, 24, 250),
        ],
    )
    .random_in(Random::LastRun),
    Format::new(
        "slack-token",
        &["xoxe-", "xoxe.xoxp-", "xoxe.xoxb-"],
        &[
            SLACK_ID,
            HYPHEN,
            SLACK_ID,
            HYPHEN,
            run_between(BASE62, 16, 250),
        ],
    )
    .random_in(Random::LastRun),
    Format::new(
        "slack-webhook",
        &[
            "hooks.slack.com/services/",
            "hooks.slack.com/workflows/",
            "hooks.slack.com/triggers/",
        ],
        &[run_between(BASE64_AND_SLASH, 40, 80)],
    ),
    // The bot's id, a time, a signature.
    Format::new(
        "discord-token",
        &["."],
        &[run(BASE64URL, 6), DOT, run_between(BASE64URL, 27, 38)],
    )
    .preceded_by(BASE64URL, 24, 26)
    .checked(Check::Snowflake),
    Format::new("telegram-token", &[":AA"], &[run(BASE64URL, 33)]).preceded_by(DIGITS, 8, 10),
    Format::new(
        "sendgrid-key",
        &["SG."],
        &[run(BASE64URL, 22), DOT, run(BASE64URL, 43)],
    ),
    // Lower case only; no digest has 34 digits. The account's id is half of its credentials.
    Format::new("twilio-key", &["SK", "AC"], &[run(LOWER_HEX, 32)])
        .apart()
        .mixing(Mix::Scrambled),
    Format::new("mailgun-key", &["key-"], &[run(LOWER_ALNUM, 32)])
        .apart()
        .mixing(Mix::Scrambled),
    Format::new("mailchimp-key", &["-us"], &[run_between(DIGITS, 1, 2)])
        .preceded_by(HEX, 32, 32)
        .random_in(Random::BeforeAnchor),
    Format::new(
        "resend-key",
        &["re_"],
        &[run(BASE58, 8), UNDERSCORE, run(BASE58, 24)],
    )
    .apart()
    .mixing(Mix::Scrambled),
    Format::new(
        "brevo-key",
        &["xkeysib-"],
        &[run(HEX, 64), HYPHEN, run(BASE62, 16)],
    ),
    Format::new("linear-key", &["lin_api_"], &[run(BASE62, 40)]),
    Format::new("linear-key", &["lin_oauth_"], &[run(HEX, 64)]),
    Format::new(
        "notion-token",
        &["ntn_"],
        &[run(DIGITS, 11), run(BASE62, 35)],
    ),
    Format::new("notion-token", &["secret_"], &[run(BASE62, 43)]).mixing(Mix::Scrambled),
    Format::new(
        "atlassian-token",
        &["ATATT3xFfGF0", "ATCTT3xFfGN0"],
        &[
            run_between(BASE64URL, 80, 400),
            Part::Literal("="),
            run(HEX, 8),
        ],
    )
    .checked(Check::Crc32Hex('=')),
    Format::new("figma-token", &["figd_"], &[run_between(BASE64URL, 38, 42)]),
    Format::new(
        "airtable-token",
        &["pat"],
        &[run(BASE62, 14), DOT, run(HEX, 64)],
    ),
    Format::new(
        "grafana-token",
        &["glsa_"],
        &[run(BASE62, 32), UNDERSCORE, run(HEX, 8)],
    )
    .checked(Check::Crc32Hex('_')),
    Format::new("grafana-token", &["glc_eyJ"], &[run_from(BASE64, 32)]),
    Format::new(
        "dynatrace-token",
        &["dt0c01."],
        &[run(BASE32, 24), DOT, run(BASE32, 64)],
    ),
    // `phc_` is the public half.
    Format::new("posthog-key", &["phx_"], &[run_between(BASE62, 41, 49)]),
    Format::new("newrelic-key", &["NRAK-"], &[run(UPPER_ALNUM, 27)]),
    Format::new(
        "dropbox-token",
        &["sl."],
        &[run_between(BASE64URL, 130, 152)],
    ),
    Format::new(
        "dropbox-token",
        &["sl.u."],
        &[run_between(BASE64URL_AND_DOT, 130, 2000)],
    ),
];

const SLACK_ID: Part = run_between(DIGITS, 8, 14);
