//! Who asks, as a handler takes it.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::request::Parts;
use imprint_core::{Author, EditRight, Registry, Scope};
use imprint_format::ItemKind;

use super::super::{authority::Admitted, problem::Problem};

/// The bearer of a good key.
#[derive(Clone, Debug)]
pub(super) struct Asker(Arc<Admitted>);

impl Asker {
    /// The items that the asker sees, changed in the asker's name.
    pub(super) fn registry(&self) -> &Registry {
        &self.0.caller.registry
    }

    /// What the asker may do.
    pub(super) fn access(&self) -> &imprint_core::Access {
        &self.0.caller.access
    }

    /// Whom history names: an administrator's key is the user's own.
    pub(super) fn author(&self) -> Author {
        if self.access().allows(Scope::Admin) {
            return Author::User;
        }
        let client = self.0.caller.named_client.clone();
        Author::Agent {
            client: client.unwrap_or_else(|| "the REST API".to_owned()),
        }
    }

    /// Fails without this scope.
    pub(super) fn needs(&self, scope: Scope) -> Result<(), Problem> {
        if self.access().allows(scope) {
            return Ok(());
        }
        Err(Problem::forbidden(scope))
    }

    /// Fails where items of the kind may not be changed at once.
    pub(super) fn may_write(&self, kind: ItemKind) -> Result<(), Problem> {
        if self.access().edit_right(kind) == EditRight::Write {
            return Ok(());
        }
        Err(Problem::forbidden(match kind {
            ItemKind::Skill => Scope::SkillsWrite,
            ItemKind::Persona => Scope::PersonasWrite,
            ItemKind::Guideline => Scope::GuidelinesWrite,
        }))
    }
}

impl<S: Sync> FromRequestParts<S> for Asker {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let admitted = parts.extensions.get::<Arc<Admitted>>();
        // The layer in front lets nobody pass without.
        admitted
            .cloned()
            .map(Self)
            .ok_or_else(|| Problem::internal("-"))
    }
}
