//! Identities of things that are kept.

use std::{fmt, str::FromStr};

use imprint_format::Digest;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, uuid::Error> {
                text.parse().map(Self)
            }
        }
    };
}

uuid_id! {
    /// An item, whatever it is called (UUIDv7).
    ItemId
}
uuid_id! {
    /// One copy of a home: a restored or copied home gets a new one.
    DeviceId
}
uuid_id! {
    /// Whose records these are.
    OwnerId
}
uuid_id! {
    /// One connection of a client.
    SessionId
}

uuid_id! {
    /// An API key, whatever it is called.
    KeyId
}
uuid_id! {
    /// What the owner let an OAuth client do.
    GrantId
}
uuid_id! {
    /// A change that an agent suggests.
    ProposalId
}

impl OwnerId {
    /// The one owner of a home that isn't shared.
    pub const LOCAL: Self = Self(Uuid::nil());
}

/// A revision: SHA-256 of its canonical encoding (see [`crate::Revision::id_of`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RevisionId(pub Digest);

impl RevisionId {
    /// The first 12 hexadecimal digits, for people.
    pub fn short(&self) -> String {
        self.0.short()
    }
}

impl fmt::Display for RevisionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A place in this home's log: counts the records that it holds. 0 is before the first.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct LogPosition(pub u64);

/// Milliseconds since 1970-01-01T00:00:00Z. Wall clocks only label: nothing is ordered by them.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(pub i64);
