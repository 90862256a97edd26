//! `cargo xtask cases`: a folder of cases against the real product.

use std::path::{Path, PathBuf};

use clap::Args;
use imprint_testkit::{
    Product,
    cases::{self, Driver, Options, Report},
};

use crate::{
    task::{Done, TaskError},
    workspace::{self, Profile},
};

#[derive(Args, Clone, Debug)]
pub(crate) struct CasesArgs {
    /// The folder, with one folder a case
    pub(crate) folder: PathBuf,
    /// Only this kind
    #[arg(long)]
    pub(crate) kind: Option<String>,
    /// Print the counts as one JSON object in the last line
    #[arg(long)]
    pub(crate) json: bool,
}

/// Runs the cases and tells what they came to.
pub(crate) fn report(args: &CasesArgs) -> Result<Report, TaskError> {
    let product = workspace::product(Profile::Dev)?;
    let program = std::env::current_exe().map_err(TaskError::io("find this program"))?;
    Ok(cases::run(&Options {
        folder: args.folder.clone(),
        kind: args.kind.clone(),
        driver: Some(Driver {
            program,
            arguments: vec![
                "measure-case".to_owned(),
                "--product".to_owned(),
                product.display().to_string(),
            ],
        }),
        product: Product::new(product),
    })?)
}

/// Runs the cases, prints what they came to, fails if one failed.
pub(crate) fn run(args: &CasesArgs) -> Done {
    let report = report(args)?;
    print!("{report}");
    if args.json {
        let line = serde_json::to_string(&report)
            .map_err(|error| TaskError::Impossible(error.to_string()))?;
        println!("{line}");
    }
    match report.failed.len() {
        0 => Ok(()),
        1 => Err(TaskError::Failed("1 case".to_owned())),
        several => Err(TaskError::Failed(format!("{several} cases"))),
    }
}

/// Runs one case in this process, or none, and prints the peak memory in KiB.
pub(crate) fn measure(case: Option<&Path>, product: PathBuf) -> Done {
    if let Some(peak) = cases::measure(case, &Product::new(product))? {
        println!("{peak}");
    }
    Ok(())
}
