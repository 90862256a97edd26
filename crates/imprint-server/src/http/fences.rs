//! The registry as narrowed keys see it, kept from request to request: the tags that a fence asks
//! for are read once.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use imprint_core::{Access, Registry};

use crate::caller::Caller;

/// So many views are kept; then it begins anew.
const MOST: usize = 256;

/// Views by what they let see.
#[derive(Debug, Default)]
pub(super) struct Fences {
    views: Mutex<HashMap<Access, Registry>>,
}

impl Fences {
    /// The registry as this access sees it.
    pub(super) fn registry(&self, whole: &Registry, access: &Access) -> Registry {
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(view) = views.get(access) {
            return view.clone();
        }
        if views.len() >= MOST {
            views.clear();
        }
        let view = Caller::fenced(whole, access);
        views.insert(access.clone(), view.clone());
        view
    }
}
