//! Code hosts, package registries, continuous integration, and our own keys.

use crate::secret::{
    charset::{BASE62, BASE64, BASE64URL, Charset, DIGITS, HEX, LOWER_ALNUM},
    format::{Check, Format, Mix, Part, run, run_between},
};

const BASE64URL_AND_DOT: Charset = Charset::of("0-9A-Za-z_.-");

pub(super) const FORMATS: &[Format] = &[
    // 30 random characters and their checksum. No other service begins its keys with `sak_`, so one
    // that was cut or mistyped is taken for a key as well.
    Format::new("imprint-key", &["sak_"], &[run_between(BASE62, 24, 64)])
        .checked(Check::Crc32Base62),
    Format::new("imprint-key", &["sat_", "sar_", "sdk_"], &[run(BASE62, 36)])
        .checked(Check::Crc32Base62),
    // 36 characters; refresh tokens also 76, and GitHub reserves up to 255.
    Format::new(
        "github-token",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        &[run_between(BASE62, 36, 255)],
    )
    .checked(Check::Crc32Base62),
    // Newer installation tokens carry a JSON Web Token.
    Format::new(
        "github-token",
        &["ghs_"],
        &[run_between(BASE64URL_AND_DOT, 60, 1000)],
    )
    .apart(),
    Format::new(
        "github-token",
        &["github_pat_"],
        &[run(BASE62, 22), Part::Literal("_"), run(BASE62, 59)],
    ),
    Format::new("npm-token", &["npm_"], &[run(BASE62, 36)]).checked(Check::Crc32Base62),
    // A macaroon; the first characters encode the location, the index or its test instance.
    Format::new(
        "pypi-token",
        &["pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZw"],
        &[run_between(BASE64URL, 50, 1000)],
    ),
    Format::new("cargo-token", &["cio"], &[run(BASE62, 32)])
        .apart()
        .mixing(Mix::Scrambled),
    Format::new("rubygems-key", &["rubygems_"], &[run(HEX, 48)]),
    Format::new("nuget-key", &["oy2"], &[run(LOWER_ALNUM, 43)])
        .apart()
        .mixing(Mix::Scrambled),
    Format::new("docker-token", &["dckr_pat_"], &[run(BASE64URL, 27)]),
    Format::new("docker-token", &["dckr_oat_"], &[run(BASE64URL, 32)]),
    Format::new(
        "gitlab-token",
        &[
            "glpat-", "gldt-", "glrt-", "glrt-t1_", "glrt-t2_", "glrt-t3_", "glft-", "glsoat-",
            "glffct-",
        ],
        &[run(BASE64URL, 20)],
    ),
    // Routable tokens: a payload, its length, a checksum; newer ones with a version.
    Format::new(
        "gitlab-token",
        GITLAB_ROUTABLE,
        &[
            run_between(BASE64URL, 27, 300),
            Part::Literal("."),
            run(LOWER_ALNUM, 9),
        ],
    )
    .apart()
    .checked(Check::Crc32Base36),
    Format::new(
        "gitlab-token",
        GITLAB_ROUTABLE,
        &[
            run_between(BASE64URL, 27, 300),
            Part::Literal("."),
            run(LOWER_ALNUM, 2),
            Part::Literal("."),
            run(LOWER_ALNUM, 9),
        ],
    )
    .apart()
    .checked(Check::Crc32Base36),
    Format::new(
        "gitlab-token",
        &["glcbt-"],
        &[
            run_between(BASE62, 1, 5),
            Part::Literal("_"),
            run(BASE64URL, 20),
        ],
    ),
    Format::new("gitlab-token", &["glptt-"], &[run(HEX, 40)]),
    Format::new("gitlab-token", &["glagent-"], &[run(BASE64URL, 50)]),
    Format::new("gitlab-token", &["gloas-"], &[run(BASE64URL, 64)]),
    Format::new("gitlab-token", &["glimt-"], &[run(BASE64URL, 25)]),
    Format::new(
        "circleci-token",
        &["CCIPAT_"],
        &[run(BASE62, 22), Part::Literal("_"), run(HEX, 40)],
    ),
    Format::new("buildkite-token", &["bkua_"], &[run_between(HEX, 40, 53)]),
    Format::new("jfrog-token", &["AKCp"], &[run(BASE62, 69)]),
    // Base64 of `reft`, with which reference tokens begin.
    Format::new("jfrog-token", &["cmVmd"], &[run(BASE62, 59)])
        .apart()
        .checked(Check::NotBinary),
    Format::new("sourcegraph-token", &["sgp_"], &[run(HEX, 40)]),
    Format::new(
        "sourcegraph-token",
        &["sgp_"],
        &[run(HEX, 16), Part::Literal("_"), run(HEX, 40)],
    ),
    Format::new("sourcegraph-token", &["sgp_local_"], &[run(HEX, 40)]),
    Format::new("sentry-token", &["sntryu_"], &[run(HEX, 64)]),
    Format::new(
        "sentry-token",
        &["sntrys_eyJ"],
        &[
            run_between(BASE64, 20, 1000),
            Part::Literal("_"),
            run(BASE64, 43),
        ],
    ),
    Format::new(
        "postman-key",
        &["PMAK-"],
        &[run(HEX, 24), Part::Literal("-"), run(HEX, 34)],
    ),
    Format::new("databricks-token", &["dapi"], &[run(HEX, 32)]),
    Format::new(
        "databricks-token",
        &["dapi"],
        &[run(HEX, 32), Part::Literal("-"), run_between(DIGITS, 1, 2)],
    ),
];

const GITLAB_ROUTABLE: &[&str] = &["glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glcbt-"];
