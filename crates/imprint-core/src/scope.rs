//! What a key or a grant allows, in words that people choose.

use std::{collections::BTreeSet, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// One thing that may be allowed. `write` contains `propose` and `feedback`, and those `read`, of
/// the same noun; `admin` contains everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Scope {
    /// Reading skills.
    #[serde(rename = "skills:read")]
    SkillsRead,
    /// Suggesting changes to skills, which the user accepts or rejects.
    #[serde(rename = "skills:propose")]
    SkillsPropose,
    /// Making and changing skills.
    #[serde(rename = "skills:write")]
    SkillsWrite,
    /// Reading personas.
    #[serde(rename = "personas:read")]
    PersonasRead,
    /// Suggesting changes to personas.
    #[serde(rename = "personas:propose")]
    PersonasPropose,
    /// Making and changing personas.
    #[serde(rename = "personas:write")]
    PersonasWrite,
    /// Reading the user's guidelines.
    #[serde(rename = "guidelines:read")]
    GuidelinesRead,
    /// Suggesting guidelines.
    #[serde(rename = "guidelines:propose")]
    GuidelinesPropose,
    /// Making and changing guidelines.
    #[serde(rename = "guidelines:write")]
    GuidelinesWrite,
    /// Searching and reading memory.
    #[serde(rename = "memory:read")]
    MemoryRead,
    /// Saving and changing memory.
    #[serde(rename = "memory:write")]
    MemoryWrite,
    /// Reading the judgment profile.
    #[serde(rename = "profile:read")]
    ProfileRead,
    /// Saying whether the profile fits.
    #[serde(rename = "profile:feedback")]
    ProfileFeedback,
    /// Recording decisions.
    #[serde(rename = "profile:write")]
    ProfileWrite,
    /// Keys, audit, import, connecting, and whatever takes a path.
    #[serde(rename = "admin")]
    Admin,
}

impl Scope {
    /// Every scope, in the order of screens.
    pub const ALL: [Self; 15] = [
        Self::SkillsRead,
        Self::SkillsPropose,
        Self::SkillsWrite,
        Self::PersonasRead,
        Self::PersonasPropose,
        Self::PersonasWrite,
        Self::GuidelinesRead,
        Self::GuidelinesPropose,
        Self::GuidelinesWrite,
        Self::MemoryRead,
        Self::MemoryWrite,
        Self::ProfileRead,
        Self::ProfileFeedback,
        Self::ProfileWrite,
        Self::Admin,
    ];

    /// The scope as it is written: `skills:read`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SkillsRead => "skills:read",
            Self::SkillsPropose => "skills:propose",
            Self::SkillsWrite => "skills:write",
            Self::PersonasRead => "personas:read",
            Self::PersonasPropose => "personas:propose",
            Self::PersonasWrite => "personas:write",
            Self::GuidelinesRead => "guidelines:read",
            Self::GuidelinesPropose => "guidelines:propose",
            Self::GuidelinesWrite => "guidelines:write",
            Self::MemoryRead => "memory:read",
            Self::MemoryWrite => "memory:write",
            Self::ProfileRead => "profile:read",
            Self::ProfileFeedback => "profile:feedback",
            Self::ProfileWrite => "profile:write",
            Self::Admin => "admin",
        }
    }

    /// What it allows, in a person's words.
    pub const fn about(self) -> &'static str {
        match self {
            Self::SkillsRead => "Read your skills",
            Self::SkillsPropose => "Propose changes to skills, for you to accept",
            Self::SkillsWrite => "Make and change skills",
            Self::PersonasRead => "Read your personas",
            Self::PersonasPropose => "Propose changes to personas, for you to accept",
            Self::PersonasWrite => "Make and change personas",
            Self::GuidelinesRead => "Read your guidelines",
            Self::GuidelinesPropose => "Propose guidelines, for you to accept",
            Self::GuidelinesWrite => "Make and change guidelines",
            Self::MemoryRead => "Search and read your memory",
            Self::MemoryWrite => "Save to your memory and change it",
            Self::ProfileRead => "Read your profile",
            Self::ProfileFeedback => "Say whether your profile fits",
            Self::ProfileWrite => "Record your decisions",
            Self::Admin => "Administer",
        }
    }

    /// Whether it allows nothing but reading.
    pub fn is_read_only(self) -> bool {
        self.as_str().ends_with(":read")
    }

    /// What it contains beside itself; empty for `admin`, which contains all.
    const fn contains(self) -> &'static [Self] {
        match self {
            Self::SkillsPropose => &[Self::SkillsRead],
            Self::SkillsWrite => &[Self::SkillsPropose, Self::SkillsRead],
            Self::PersonasPropose => &[Self::PersonasRead],
            Self::PersonasWrite => &[Self::PersonasPropose, Self::PersonasRead],
            Self::GuidelinesPropose => &[Self::GuidelinesRead],
            Self::GuidelinesWrite => &[Self::GuidelinesPropose, Self::GuidelinesRead],
            Self::MemoryWrite => &[Self::MemoryRead],
            Self::ProfileFeedback => &[Self::ProfileRead],
            Self::ProfileWrite => &[Self::ProfileFeedback, Self::ProfileRead],
            _ => &[],
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text is no scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no scope `{0}`")]
pub struct NotAScope(String);

impl FromStr for Scope {
    type Err = NotAScope;

    fn from_str(text: &str) -> Result<Self, NotAScope> {
        Self::ALL
            .into_iter()
            .find(|scope| scope.as_str() == text)
            .ok_or_else(|| {
                let shown = imprint_format::text::one_line(&crate::secret::masked_in(text));
                NotAScope(imprint_format::text::clip(&shown, 60))
            })
    }
}

/// Scopes together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ScopeSet(BTreeSet<Scope>);

impl ScopeSet {
    /// Whether the set allows it, as itself or inside another.
    pub fn allows(&self, scope: Scope) -> bool {
        self.0.contains(&Scope::Admin)
            || self
                .0
                .iter()
                .any(|held| *held == scope || held.contains().contains(&scope))
    }

    /// Whether everything that `other` allows is allowed here too.
    pub fn covers(&self, other: &Self) -> bool {
        other.0.iter().all(|scope| self.allows(*scope))
    }

    /// What both allow.
    #[must_use]
    pub fn narrowed_to(&self, other: &Self) -> Self {
        let both = |scope: &Scope| self.allows(*scope) && other.allows(*scope);
        Self(Scope::ALL.into_iter().filter(both).collect())
    }

    /// Those of the set for which `keep` holds.
    #[must_use]
    pub fn filtered(&self, mut keep: impl FnMut(Scope) -> bool) -> Self {
        Self(
            self.0
                .iter()
                .copied()
                .filter(|scope| keep(*scope))
                .collect(),
        )
    }

    /// The scopes, in the order of screens.
    pub fn iter(&self) -> impl Iterator<Item = Scope> + '_ {
        self.0.iter().copied()
    }

    /// Whether nothing is allowed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Scope> for ScopeSet {
    fn from_iter<T: IntoIterator<Item = Scope>>(scopes: T) -> Self {
        Self(scopes.into_iter().collect())
    }
}

impl fmt::Display for ScopeSet {
    /// With blanks between, as OAuth writes them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, scope) in self.0.iter().enumerate() {
            let blank = if index > 0 { " " } else { "" };
            write!(f, "{blank}{scope}")?;
        }
        Ok(())
    }
}

impl FromStr for ScopeSet {
    type Err = NotAScope;

    /// Scopes with blanks or commas between.
    fn from_str(text: &str) -> Result<Self, NotAScope> {
        text.split([' ', ','])
            .filter(|part| !part.is_empty())
            .map(str::parse)
            .collect()
    }
}

/// Scopes that go well together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// Reading everything, and saying whether the profile fits.
    Read,
    /// What a user's own agent does: reading, remembering, making and changing skills.
    Agent,
    /// Everything but administration.
    Full,
    /// Everything.
    Admin,
}

impl Preset {
    /// All of them, from the narrowest.
    pub const ALL: [Self; 4] = [Self::Read, Self::Agent, Self::Full, Self::Admin];

    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Agent => "agent",
            Self::Full => "full",
            Self::Admin => "admin",
        }
    }

    /// What it allows, in words.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Read => "read everything, say whether the profile fits",
            Self::Agent => "read, remember, make and change skills and personas",
            Self::Full => "everything but keys, import and whatever takes a path",
            Self::Admin => "everything",
        }
    }

    /// Its scopes.
    pub fn scopes(self) -> ScopeSet {
        let wanted = |scope: Scope| match self {
            Self::Read => scope.is_read_only() || scope == Scope::ProfileFeedback,
            Self::Agent => !matches!(scope, Scope::Admin | Scope::GuidelinesWrite),
            Self::Full => scope != Scope::Admin,
            Self::Admin => scope == Scope::Admin,
        };
        let named: ScopeSet = Scope::ALL
            .into_iter()
            .filter(|scope| wanted(*scope))
            .collect();
        named.shortest()
    }
}

impl ScopeSet {
    /// The set without what others of it contain.
    fn shortest(&self) -> Self {
        self.filtered(|scope| !self.0.iter().any(|other| other.contains().contains(&scope)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_written_as_they_are_read() {
        for scope in Scope::ALL {
            assert_eq!(scope.as_str().parse(), Ok(scope));
            let json = serde_json::to_string(&scope).unwrap();
            assert_eq!(json, format!("\"{scope}\""));
        }
        assert!("skills".parse::<Scope>().is_err());
        let set: ScopeSet = "memory:read,skills:write  skills:write".parse().unwrap();
        assert_eq!(set.to_string(), "skills:write memory:read");
    }

    #[test]
    fn every_scope_is_told_in_other_words() {
        let told: BTreeSet<_> = Scope::ALL.into_iter().map(Scope::about).collect();
        assert_eq!(told.len(), Scope::ALL.len());
    }

    #[test]
    fn the_wider_contains_the_narrower_of_its_noun() {
        let set: ScopeSet = "skills:write profile:feedback".parse().unwrap();
        let allowed: Vec<_> = Scope::ALL.iter().filter(|one| set.allows(**one)).collect();
        insta::assert_debug_snapshot!(allowed, @"
        [
            SkillsRead,
            SkillsPropose,
            SkillsWrite,
            ProfileRead,
            ProfileFeedback,
        ]
        ");
        assert!(Preset::Admin.scopes().covers(&Preset::Full.scopes()));
        assert!(!Preset::Full.scopes().covers(&Preset::Admin.scopes()));
        assert!(
            set.narrowed_to(&Preset::Read.scopes())
                .allows(Scope::SkillsRead)
        );
        assert!(
            !set.narrowed_to(&Preset::Read.scopes())
                .allows(Scope::SkillsWrite)
        );
    }

    #[test]
    fn presets_say_what_they_allow() {
        let lines: Vec<_> = Preset::ALL
            .iter()
            .map(|preset| format!("{}: {}", preset.as_str(), preset.scopes()))
            .collect();
        insta::assert_snapshot!(lines.join("\n"), @"
        read: skills:read personas:read guidelines:read memory:read profile:feedback
        agent: skills:write personas:write guidelines:propose memory:write profile:write
        full: skills:write personas:write guidelines:write memory:write profile:write
        admin: admin
        ");
    }
}
