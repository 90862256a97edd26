//! Which scopes a client can be given.

use crate::{Preset, ScopeSet};

/// All that any client can ever be given: everything but `admin`.
pub fn grantable() -> ScopeSet {
    Preset::Full.scopes()
}

/// What the owner is offered to allow when a client asks with this text: those of the asked scopes
/// that exist and may be given, one by one with what they contain. Names that nobody knows here
/// are passed over (clients ask every server for `offline_access` and the like). A client that
/// asks for nothing known, without asking for `admin`, is offered what a user's own agent does;
/// `None` when nothing that may be given is left.
pub fn offered(asked: Option<&str>) -> Option<ScopeSet> {
    let words = || {
        asked
            .unwrap_or_default()
            .split(' ')
            .filter(|word| !word.is_empty())
    };
    let known: ScopeSet = words().filter_map(|word| word.parse().ok()).collect();
    if known.is_empty() {
        return Some(Preset::Agent.scopes().narrowed_to(&grantable()));
    }
    let named = known.filtered(|scope| scope != crate::Scope::Admin);
    let offered = named.narrowed_to(&grantable());
    (!offered.is_empty()).then_some(offered)
}

/// Which of the offered scopes are chosen before the owner chooses: those that only read.
pub fn preselected(offered: &ScopeSet) -> ScopeSet {
    offered.filtered(crate::Scope::is_read_only)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scope;

    #[test]
    fn no_client_is_ever_offered_admin() {
        assert_eq!(offered(Some("admin")), None);
        assert_eq!(offered(Some("admin offline_access")), None);
        let named = |asked| offered(asked).unwrap().to_string();
        assert_eq!(named(Some("admin skills:read")), "skills:read");
        assert_eq!(
            named(Some("skills:write openid")),
            "skills:read skills:propose skills:write"
        );
        for asked in [None, Some(""), Some("offline_access")] {
            let offered = offered(asked).unwrap();
            assert!(!offered.allows(Scope::Admin) && offered.allows(Scope::SkillsWrite));
            assert!(preselected(&offered).iter().all(Scope::is_read_only));
        }
    }
}
