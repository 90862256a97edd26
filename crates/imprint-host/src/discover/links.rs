//! The links of one scan that lead nowhere, told once for each kind of trouble.

use std::path::Path;

use imprint_format::{About, Diagnostic};

use crate::{
    folder::TargetFault,
    shown::{named_few, path_text},
};

/// Links that were not followed.
#[derive(Debug, Default)]
pub(super) struct LinkTroubles {
    loops: Vec<String>,
    dangling: Vec<String>,
    unreadable: Vec<String>,
}

impl LinkTroubles {
    /// A link back to a folder around it.
    pub(super) fn leads_back(&mut self, link: &Path) {
        self.loops.push(path_text(link));
    }

    /// A link that could not be resolved.
    pub(super) fn unresolved(&mut self, link: &Path, fault: TargetFault) {
        let links = match fault {
            TargetFault::Missing => &mut self.dangling,
            TargetFault::Unreadable | TargetFault::Outside => &mut self.unreadable,
            TargetFault::Circle => &mut self.loops,
        };
        links.push(path_text(link));
    }

    /// One warning about each kind of trouble.
    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        let kinds = [
            (self.loops, "in a circle"),
            (self.dangling, "to something that is not there"),
            (self.unreadable, "to something that can't be read"),
        ];
        let told = kinds.into_iter().filter_map(|(links, whereto)| {
            let first = links.first()?;
            let (noun, verb) = if links.len() == 1 {
                ("the link", "leads")
            } else {
                ("the links", "lead")
            };
            let message = format!("{noun} {} {verb} {whereto}", named_few(&links));
            let warning = Diagnostic::warning(About::Path, message).at_path(first);
            Some(warning.with_hint("remove what is of no use; everything else was read"))
        });
        told.collect()
    }
}
