//! `cargo xtask bench`: the benchmarks, in a release build.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use imprint_testkit::bench::{self, HttpServers, Servers};

use crate::{
    setup::{installed_python, interop_folder},
    task::{Done, TaskError},
    workspace::{self, Profile, build, run as run_program},
};

#[derive(Args, Clone, Debug)]
pub(crate) struct BenchArgs {
    /// Which one
    name: BenchName,
    /// Print what was measured as one JSON object in the last line
    #[arg(long)]
    json: bool,
}

/// The benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BenchName {
    /// From the start of `imprint mcp` to its answer, next to a bare server and a FastMCP server
    Handshake,
    /// Requests over HTTP, next to a bare server and a FastMCP server
    Http,
    /// The block out of 10,000 items
    Catalog,
    /// 1,000 creates and 10,000 reads at three sizes of the registry
    Store,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    bench: BenchArgs,
    /// The product
    #[arg(long)]
    product: Option<PathBuf>,
    /// The bare server
    #[arg(long)]
    bare: Option<PathBuf>,
}

/// Builds everything for release, and runs the benchmark there: this program itself may be a
/// debug build.
pub(crate) fn run(args: &BenchArgs) -> Done {
    let program = build("xtask", "xtask", Profile::Release)?;
    let mut command = std::process::Command::new(program);
    command.arg("run-bench").arg(args.name.as_str());
    if args.json {
        command.arg("--json");
    }
    let bare = match args.name {
        BenchName::Handshake => Some("bare-rmcp-server"),
        BenchName::Http => Some("bare-rmcp-http-server"),
        BenchName::Catalog | BenchName::Store => None,
    };
    if let Some(bare) = bare {
        let bare = build("imprint-testkit", bare, Profile::Release)?;
        command
            .arg("--product")
            .arg(workspace::product(Profile::Release)?)
            .arg("--bare")
            .arg(bare);
    }
    run_program(&mut command, "the benchmark")
}

/// Runs a benchmark in this process.
pub(crate) fn run_here(args: &RunArgs) -> Done {
    let bench = match args.bench.name {
        BenchName::Handshake => bench::handshake(&servers(args)?),
        BenchName::Http => {
            let servers = servers(args)?;
            let script = interop_folder().join("fastmcp_http_server.py");
            bench::http(&HttpServers {
                product: servers.product,
                bare: servers.bare,
                fastmcp: servers.fastmcp.map(|(python, _)| (python, script)),
            })
        }
        BenchName::Catalog => bench::catalog(),
        BenchName::Store => bench::store(),
    };
    let bench = bench.map_err(|error| TaskError::Impossible(error.to_string()))?;
    print!("{bench}");
    if args.bench.json {
        let line = serde_json::to_string(&bench)
            .map_err(|error| TaskError::Impossible(error.to_string()))?;
        println!("{line}");
    }
    Ok(())
}

fn servers(args: &RunArgs) -> Result<Servers, TaskError> {
    let (Some(product), Some(bare)) = (args.product.clone(), args.bare.clone()) else {
        return Err(TaskError::Impossible(
            "this benchmark needs `--product` and `--bare`".to_owned(),
        ));
    };
    // The servers are started in another folder.
    let absolute = |path: PathBuf| {
        let what = path.display().to_string();
        std::path::absolute(path).map_err(TaskError::io(what))
    };
    let script = interop_folder().join("fastmcp_server.py");
    Ok(Servers {
        product: absolute(product)?,
        bare: absolute(bare)?,
        fastmcp: installed_python()
            .map(|python| (python, script))
            .map_err(|error| error.to_string()),
    })
}

impl BenchName {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Handshake => "handshake",
            Self::Http => "http",
            Self::Catalog => "catalog",
            Self::Store => "store",
        }
    }
}
