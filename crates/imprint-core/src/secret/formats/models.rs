//! Model providers and what serves them: inference, search, speech, tracing.

use crate::secret::{
    charset::{BASE62, BASE64URL, Charset, HEX, LOWER_ALNUM, LOWER_HEX},
    format::{Format, Mix, Part, Random, run, run_between},
};

const BASE62_AND_UNDERSCORE: Charset = Charset::of("0-9A-Za-z_");
/// Base64 of `OpenAI`, in the middle of the company's keys.
const OPENAI: Part = Part::Literal("T3BlbkFJ");
const UUID: &[Part] = &[
    run(HEX, 8),
    Part::Literal("-"),
    run(HEX, 4),
    Part::Literal("-"),
    run(HEX, 4),
    Part::Literal("-"),
    run(HEX, 4),
    Part::Literal("-"),
    run(HEX, 12),
];

pub(super) const FORMATS: &[Format] = &[
    // 20, 58 or 74 characters on each side of the infix.
    Format::new(
        "openai-key",
        &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"],
        &[
            run_between(BASE64URL, 20, 90),
            OPENAI,
            run_between(BASE64URL, 20, 90),
        ],
    )
    .random_in(Random::LastRun),
    Format::new(
        "openai-key",
        &["sk-"],
        &[
            run_between(BASE62, 20, 74),
            OPENAI,
            run_between(BASE62, 20, 74),
        ],
    )
    .random_in(Random::LastRun),
    // A project key whose infix is another one.
    Format::new(
        "openai-key",
        &["sk-proj-", "sk-svcacct-", "sk-admin-"],
        &[run_between(BASE64URL, 48, 200)],
    )
    .mixing(Mix::Scrambled),
    // The kind with its version, `-`, 93 characters and `AA`.
    Format::new(
        "anthropic-key",
        &["sk-ant-"],
        &[run_between(BASE64URL, 60, 160)],
    ),
    Format::new("openrouter-key", &["sk-or-v1-"], &[run(HEX, 64)]),
    Format::new("langfuse-key", &["sk-lf-", "pk-lf-"], UUID),
    // DeepSeek, DashScope and others: 32 hexadecimal digits; Moonshot and others: 48 characters.
    // Many providers share the prefix, so the rule names none.
    Format::new("sk-api-key", &["sk-"], &[run(HEX, 32)])
        .apart()
        .mixing(Mix::Scrambled),
    Format::new("sk-api-key", &["sk-"], &[run_between(BASE62, 48, 51)])
        .apart()
        .mixing(Mix::Scrambled),
    Format::new("elevenlabs-key", &["sk_"], &[run(LOWER_HEX, 48)]).mixing(Mix::Scrambled),
    Format::new(
        "huggingface-token",
        &["hf_", "api_org_"],
        &[run(BASE62, 34)],
    ),
    Format::new("groq-key", &["gsk_"], &[run(BASE62, 52)]),
    Format::new(
        "xai-key",
        &["xai-"],
        &[run_between(BASE62_AND_UNDERSCORE, 70, 120)],
    ),
    Format::new("perplexity-key", &["pplx-"], &[run(BASE62, 48)]),
    Format::new("replicate-token", &["r8_"], &[run(BASE62, 37)]).mixing(Mix::Scrambled),
    Format::new("cerebras-key", &["csk-"], &[run(LOWER_ALNUM, 48)]).mixing(Mix::Scrambled),
    Format::new("together-key", &["tgp_v1_"], &[run(BASE64URL, 43)]),
    Format::new("nvidia-key", &["nvapi-"], &[run_between(BASE64URL, 60, 70)]),
    Format::new(
        "langsmith-key",
        &["lsv2_pt_", "lsv2_sk_"],
        &[run(HEX, 32), Part::Literal("_"), run(HEX, 10)],
    ),
    Format::new(
        "brave-search-key",
        &["BSA"],
        &[run_between(BASE64URL, 24, 40)],
    )
    .apart()
    .mixing(Mix::Scrambled),
    Format::new("tavily-key", &["tvly-"], &[run(BASE62, 32)]),
    Format::new(
        "tavily-key",
        &["tvly-dev-", "tvly-prod-"],
        &[run_between(BASE62, 32, 40)],
    ),
];
