//! `cargo xtask soak`: a long time with clients that come, go, stall and break.

use std::time::Duration;

use clap::Args;
use imprint_testkit::{Product, soak::soak};

use crate::{
    task::{Done, TaskError},
    workspace::{self, Profile},
};

#[derive(Args, Clone, Debug)]
pub(crate) struct SoakArgs {
    /// How long, in minutes; a part of one is 0.5
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
}

/// Runs it against a release build, and fails if anything was lost, kept or told.
pub(crate) fn run(args: &SoakArgs) -> Done {
    let time = Duration::try_from_secs_f64(args.minutes * 60.0)
        .map_err(|error| TaskError::Impossible(format!("`--minutes`: {error}")))?;
    let product = Product::new(workspace::product(Profile::Release)?);
    let soak = soak(&product, time).map_err(|error| TaskError::Impossible(error.to_string()))?;
    print!("{soak}");
    match soak.faults.len() {
        0 => Ok(()),
        faults => Err(TaskError::Failed(format!("{faults} faults"))),
    }
}
