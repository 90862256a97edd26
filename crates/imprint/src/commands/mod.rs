//! One file per noun. A command is short: arguments → a call into the domain → output.

mod accept;
mod adopt;
mod audit;
mod clients;
mod completions;
mod config;
mod connect;
mod demo;
mod diff;
mod doctor;
mod editor;
mod guidelines;
mod import;
mod items;
mod keys;
mod manual;
mod mcp;
mod oauth;
mod provision;
mod reach;
mod serve;
mod service;
mod sessions;
mod setup;
mod write;

pub(crate) use mcp::PROBE;

use imprint_clients::EnvironmentOf;
use imprint_format::ItemKind;

use crate::{
    cli::{Cli, Command},
    failure::Failure,
    output::Output,
    wiring::App,
};

/// Runs what the command line asks for.
pub(crate) fn run(cli: Cli, out: &Output) -> Result<(), Failure> {
    let mut builder = match cli.command {
        Command::Serve(_) => tokio::runtime::Builder::new_multi_thread(),
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = builder
        .enable_all()
        .build()
        .map_err(|error| Failure::failed(format!("can't start: {error}")))?;
    let result = runtime.block_on(dispatch(cli, out));
    // A blocking read of standard input can't be interrupted and must not hold the exit up.
    runtime.shutdown_background();
    result
}

async fn dispatch(cli: Cli, out: &Output) -> Result<(), Failure> {
    let app = || App::new(&cli.global, EnvironmentOf::User);
    match cli.command {
        Command::Skills { command } => items::run(&app()?, out, ItemKind::Skill, command).await,
        Command::Personas { command } => items::run(&app()?, out, ItemKind::Persona, command).await,
        Command::Guidelines { command } => guidelines::run(&app()?, out, command).await,
        Command::Setup(args) => setup::run(&app()?, out, args).await,
        Command::Import(args) => import::run(&app()?, out, args).await,

        Command::Adopt(args) => adopt::run(&app()?, out, args).await,

        Command::Connect(args) => connect::run(&cli.global, out, &args),
        Command::Disconnect(args) => connect::disconnect::run(&cli.global, out, &args),

        Command::Write(args) => write::run(&app()?, out, args).await,
        Command::Clients(args) => clients::run(&app()?, out, args).await,
        Command::Doctor(args) => doctor::run(&cli.global, out, args).await,
        Command::Keys { command } => keys::run(&app()?, out, command).await,
        Command::Provision(args) => provision::run(&app()?, out, args).await,
        Command::Audit(args) => audit::run(&app()?, out, args).await,
        Command::Oauth { command } => oauth::run(&app()?, out, command).await,
        Command::Sessions(args) => sessions::run(&app()?, out, args).await,
        Command::Mcp(args) => mcp::run(&cli.global, out, args).await,
        Command::Serve(args) => serve::run(&app()?, out, args).await,
        Command::Service { command } => service::run(&cli.global, out, command),
        Command::Config { command } => config::run(&cli.global, out, command),
        Command::Completions { shell } => {
            completions::run(out, shell);
            Ok(())
        }
        Command::Manual { folder } => manual::run(&folder),
        Command::Demo(args) => demo::run(out, args).await,
    }
}
