//! Clouds, hosting, networks and secret stores.

use crate::secret::{
    charset::{
        BASE32, BASE62, BASE64, BASE64URL, BECH32_UPPER, Charset, HEX, LOWER_ALNUM, UPPER_ALNUM,
    },
    format::{Check, Format, Mix, Part, run, run_between, run_from},
};

const AZURE_AD: Charset = Charset::of("0-9A-Za-z_~.-");
const BASE64_UNPADDED: Charset = Charset::of("0-9A-Za-z+/");
const MACAROONS: Charset = Charset::of("0-9A-Za-z+/=,_-");
const PLANETSCALE: Charset = Charset::of("0-9A-Za-z_.=-");

pub(super) const FORMATS: &[Format] = &[
    // Base32 of the account and a number.
    Format::new(
        "aws-access-key-id",
        &["AKIA", "ASIA", "ABIA", "ACCA"],
        &[run(BASE32, 16)],
    )
    .mixing(Mix::Any),
    Format::new("aws-access-key-id", &["A3T"], &[run(UPPER_ALNUM, 17)])
        .apart()
        .mixing(Mix::Any),
    // Base64 of `BedrockAPIKey-…`.
    Format::new(
        "aws-bedrock-key",
        &["ABSK"],
        &[run_between(BASE64, 109, 269)],
    ),
    Format::new(
        "aws-bedrock-key",
        &["bedrock-api-key-"],
        &[run_from(BASE64, 32)],
    ),
    Format::new("google-api-key", &["AIza"], &[run(BASE64URL, 35)]),
    Format::new("google-api-key", &["AQ.Ab8RN6"], &[run(BASE64URL, 44)]),
    Format::new("google-oauth-secret", &["GOCSPX-"], &[run(BASE64URL, 28)]),
    Format::new(
        "google-oauth-token",
        &["ya29."],
        &[run_between(BASE64URL, 30, 400)],
    ),
    Format::new(
        "google-oauth-token",
        &["1//0"],
        &[run_between(BASE64URL, 40, 300)],
    )
    .apart(),
    // Three characters before the infix, 31 to 34 after it.
    Format::new(
        "azure-client-secret",
        &[
            "0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "7Q~", "8Q~", "9Q~",
        ],
        &[run_between(AZURE_AD, 31, 34)],
    )
    .preceded_by(AZURE_AD, 3, 3)
    .mixing(Mix::Scrambled),
    Format::new(
        "azure-storage-key",
        &["AccountKey=", "accountKey=", "accountkey="],
        &[run(BASE64_UNPADDED, 86), Part::Literal("==")],
    ),
    Format::new(
        "alibaba-access-key-id",
        &["LTAI"],
        &[run_between(BASE62, 12, 26)],
    )
    .apart()
    .mixing(Mix::Any),
    Format::new(
        "digitalocean-token",
        &["dop_v1_", "doo_v1_", "dor_v1_"],
        &[run(HEX, 64)],
    ),
    // 40 characters and what looks like a checksum.
    Format::new(
        "cloudflare-token",
        &["cfut_", "cfat_"],
        &[run_between(BASE62, 48, 48)],
    ),
    Format::new(
        "cloudflare-origin-ca-key",
        &["v1.0-"],
        &[run(HEX, 24), Part::Literal("-"), run(HEX, 146)],
    ),
    Format::new(
        "vercel-token",
        &["vcp_", "vci_", "vca_", "vcr_", "vck_"],
        &[run(BASE64URL, 56)],
    ),
    Format::new("supabase-token", &["sbp_"], &[run(LOWER_ALNUM, 40)]),
    Format::new("supabase-key", &["sb_secret_"], &[run(BASE64URL, 31)]),
    Format::new("neon-key", &["napi_"], &[run(BASE62, 64)]),
    Format::new(
        "planetscale-token",
        &["pscale_tkn_", "pscale_oauth_", "pscale_pw_"],
        &[run_between(PLANETSCALE, 32, 64)],
    ),
    Format::new("flyio-token", &["fo1_"], &[run(BASE64URL, 43)]),
    Format::new(
        "flyio-token",
        &["fm1r_", "fm1a_", "fm2_"],
        &[run_from(MACAROONS, 100)],
    )
    .apart(),
    Format::new("heroku-key", &["HRKU-AA"], &[run(BASE64URL, 58)]),
    Format::new(
        "tailscale-key",
        &[
            "tskey-auth-",
            "tskey-api-",
            "tskey-client-",
            "tskey-scim-",
            "tskey-webhook-",
        ],
        &[
            Part::Literal("k"),
            run_between(BASE62, 4, 16),
            Part::Literal("CNTRL-"),
            run_between(BASE62, 28, 40),
        ],
    ),
    Format::new("vault-token", &["hvs."], &[run_between(BASE64URL, 90, 120)]),
    Format::new(
        "vault-token",
        &["hvb."],
        &[run_between(BASE64URL, 138, 300)],
    ),
    Format::new(
        "terraform-token",
        &[".atlasv1."],
        &[run_between(BASE64URL, 60, 70)],
    )
    .preceded_by(BASE62, 14, 14),
    Format::new("pulumi-token", &["pul-"], &[run(HEX, 40)]),
    Format::new(
        "doppler-token",
        &["dp.pt.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
        &[run_between(LOWER_ALNUM, 40, 44)],
    ),
    // A JSON document in base64.
    Format::new("onepassword-token", &["ops_eyJ"], &[run_from(BASE64, 250)]),
    // Groups of five or six, of which older keys have two run together.
    Format::new("onepassword-secret-key", &["A3-"], ONEPASSWORD_FIVE),
    Format::new("onepassword-secret-key", &["A3-"], ONEPASSWORD_SIX),
    Format::new("onepassword-secret-key", &["A3-"], ONEPASSWORD_JOINED),
    Format::new(
        "age-secret-key",
        &["AGE-SECRET-KEY-1"],
        &[run(BECH32_UPPER, 58)],
    )
    .checked(Check::Bech32),
];

const GROUP: Part = run_between(UPPER_ALNUM, 5, 6);
const HYPHEN: Part = Part::Literal("-");
const ONEPASSWORD_FIVE: &[Part] = &[
    GROUP, HYPHEN, GROUP, HYPHEN, GROUP, HYPHEN, GROUP, HYPHEN, GROUP,
];
const ONEPASSWORD_SIX: &[Part] = &[
    GROUP, HYPHEN, GROUP, HYPHEN, GROUP, HYPHEN, GROUP, HYPHEN, GROUP, HYPHEN, GROUP,
];
const ONEPASSWORD_JOINED: &[Part] = &[
    GROUP,
    HYPHEN,
    run(UPPER_ALNUM, 11),
    HYPHEN,
    GROUP,
    HYPHEN,
    GROUP,
    HYPHEN,
    GROUP,
];
