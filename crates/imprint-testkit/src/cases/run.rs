//! One run of one case: its own empty machine, the product, a runtime.

use std::{path::Path, process::Command};

use tokio::runtime::{Builder, Runtime};

use super::{
    schema::{Case, Setting},
    setup::copy_tree,
    verdict::CaseError,
};
use crate::{Product, Sandbox};

/// What all runs of a case share.
#[derive(Debug)]
pub(super) struct Shared {
    product: Product,
    runtime: Runtime,
}

impl Shared {
    pub(super) fn new(product: Product) -> Result<Self, CaseError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(CaseError::at(Path::new("the runtime")))?;
        Ok(Self { product, runtime })
    }
}

/// One run. The sandbox is gone with it.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(super) sandbox: Sandbox,
    pub(super) product: &'a Product,
    shared: &'a Shared,
    setting: Option<Setting>,
}

impl<'a> Run<'a> {
    /// A run on an empty machine.
    pub(super) fn new(shared: &'a Shared, setting: Option<Setting>) -> Result<Self, CaseError> {
        let sandbox = Sandbox::new().map_err(CaseError::at(Path::new("a temporary folder")))?;
        Ok(Self {
            sandbox,
            product: &shared.product,
            shared,
            setting,
        })
    }

    /// The same run on another empty machine.
    pub(super) fn fresh(&self) -> Result<Self, CaseError> {
        Self::new(self.shared, self.setting)
    }

    /// Puts the case's input in place and carries out its setup.
    pub(super) fn fill(&self, case: &Case) -> Result<(), CaseError> {
        let work = self.sandbox.work();
        if let Some(input) = case.input() {
            copy_tree(&input, &work)?;
        }
        case.setup.iter().try_for_each(|op| op.run(&work))
    }

    /// The product, with the run's setting.
    pub(super) fn command(&self) -> Command {
        let mut command = self.product.command(&self.sandbox);
        match self.setting {
            None => {}
            Some(Setting::VerboseLogging) => {
                command.env("IMPRINT_LOG", "trace").env("RUST_LOG", "trace");
            }
        }
        command
    }

    /// Waits for the product's own code.
    pub(super) fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.shared.runtime.block_on(future)
    }
}
