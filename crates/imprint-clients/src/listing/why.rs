//! Why a client doesn't list something, for people.

use std::{fmt, path::PathBuf};

use imprint_format::limits::NAME_CHARS;
use imprint_host::path_text;

use crate::client::Reject;

/// Why a client doesn't list a skill that stands in a folder that it reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyUnlisted {
    /// By a rule of this client's.
    Rejected(Reject),
    /// Another skill of its name is listed: the one here.
    Shadowed(PathBuf),
    /// It is the very folder that is listed already, as reached from here.
    SameFolder(PathBuf),
    /// It asks to be kept from the model.
    Hidden,
    /// It stands too deep for this client.
    Nested,
    /// This client follows no link to it.
    Link,
    /// No client can use it.
    Unusable(String),
}

impl fmt::Display for WhyUnlisted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(reject) => reject.fmt(f),
            Self::Shadowed(by) => {
                write!(f, "another of its name is listed: `{}`", path_text(by))
            }
            Self::SameFolder(first) => {
                write!(f, "it is the same folder as `{}`", path_text(first))
            }
            Self::Hidden => f.write_str("it asks to be kept from the model"),
            Self::Nested => f.write_str("it stands in a folder of the skills folder"),
            Self::Link => f.write_str("it is a link, which this client doesn't follow"),
            Self::Unusable(why) => f.write_str(why),
        }
    }
}

impl fmt::Display for Reject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoName => f.write_str("there is no `name`"),
            Self::NoDescription => f.write_str("there is no `description`"),
            Self::NoHeader => f.write_str("there is no front matter"),
            Self::UnquotedColon => f.write_str("a value with a colon in it stands without quotes"),
            Self::ByteOrderMark => f.write_str("the file starts with a byte order mark"),
            Self::NameStyle => f.write_str(
                "the name has other characters than lower-case letters, digits and single hyphens",
            ),
            Self::NameNotFolder => f.write_str("the name is not that of its folder"),
            Self::LongName => write!(f, "the name has more than {NAME_CHARS} characters"),
            Self::LongDescription(most) => {
                write!(f, "the description has more than {most} characters")
            }
        }
    }
}
