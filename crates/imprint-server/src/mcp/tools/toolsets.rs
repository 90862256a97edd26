//! Sets of tools that a user or a client can ask for.

use std::{fmt, str::FromStr};

use super::Tool;

/// A named set of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Toolset {
    /// What every agent needs, in the fewest words.
    Core,
    /// Reading and changing skills and personas.
    Skills,
    /// The user's guidelines.
    Guidelines,
    /// Every tool.
    All,
}

impl Toolset {
    const ALL: [Self; 4] = [Self::Core, Self::Skills, Self::Guidelines, Self::All];

    const fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Skills => "skills",
            Self::Guidelines => "guidelines",
            Self::All => "all",
        }
    }

    const fn tools(self) -> &'static [Tool] {
        match self {
            Self::Core => &[Tool::Skills, Tool::Guidelines],
            Self::Skills => &[Tool::Skills, Tool::SkillEdit],
            Self::Guidelines => &[Tool::Guidelines],
            Self::All => &Tool::ALL,
        }
    }
}

/// The tools of one or more sets; by default all. Parsed from names with commas between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toolsets(Vec<Toolset>);

impl Toolsets {
    /// Whether one of the sets has the tool.
    pub(crate) fn contain(&self, tool: Tool) -> bool {
        self.0.iter().any(|set| set.tools().contains(&tool))
    }

    /// The names of all sets.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Toolset::ALL.into_iter().map(Toolset::name)
    }
}

impl Default for Toolsets {
    fn default() -> Self {
        Self(vec![Toolset::All])
    }
}

/// The text names a set that there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no toolset of that name; the toolsets are {}", Toolsets::names().collect::<Vec<_>>().join(", "))]
pub struct NotAToolset;

impl FromStr for Toolsets {
    type Err = NotAToolset;

    fn from_str(text: &str) -> Result<Self, NotAToolset> {
        let known = |name: &str| {
            let mut sets = Toolset::ALL.into_iter();
            sets.find(|set| set.name() == name).ok_or(NotAToolset)
        };
        let names = text
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty());
        let sets: Vec<_> = names.map(known).collect::<Result<_, _>>()?;
        if sets.is_empty() {
            return Err(NotAToolset);
        }
        Ok(Self(sets))
    }
}

impl fmt::Display for Toolsets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.iter().map(|set| set.name()).collect();
        f.write_str(&names.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_named_with_commas() {
        let tools = |text: &str| {
            let sets: Toolsets = text.parse().unwrap();
            assert_eq!(sets.to_string().parse(), Ok(sets.clone()));
            Tool::ALL.map(|tool| sets.contain(tool))
        };
        assert_eq!(tools("all"), [true, true, true]);
        assert_eq!(tools("core"), [true, false, true]);
        assert_eq!(tools(" skills , guidelines"), [true, true, true]);
        for wrong in ["", ",", "Core", "core,none"] {
            assert_eq!(wrong.parse::<Toolsets>(), Err(NotAToolset), "{wrong:?}");
        }
    }
}
