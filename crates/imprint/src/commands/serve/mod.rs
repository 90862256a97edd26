//! `imprint serve`: answers clients over HTTP, keeps the clients' folders current and shows what
//! happens.

mod watch;

use std::{io, net::TcpListener, sync::Arc};

use imprint_clients::Client;
use imprint_core::{ClientFolders as _, FolderReport, ItemSummary, KeyStanding};
use imprint_format::ItemKind;
use imprint_server::{HttpConfig, HttpError, HttpServer, ServerContext};
use tokio_util::sync::CancellationToken;

use self::watch::{LOOK, Watch};
use super::{reach, write};
use crate::{
    cli::{DEFAULT_LISTEN, ServeArgs},
    failure::Failure,
    home::shown,
    output::{Output, count, listed},
    wiring::App,
};

pub(super) async fn run(app: &App, out: &Output, args: ServeArgs) -> Result<(), Failure> {
    out.refuse_json("serve")?;
    let server = server(app, &args)?;
    let report = {
        let _status = out.status("Writing the folders of your clients …");
        app.folders.write().await?
    };
    let items = write::present(app).await?;
    let installed = app.folders.installed().await?;
    print_start(app, out, &report, &installed, &items);
    print_address(app, out, &args, &server).await?;
    out.line("");
    out.line("Watching for changes; Ctrl-C stops it");
    let watch = Watch::start(app, &report).await?;
    let stop = CancellationToken::new();
    let serving = tokio::spawn(server.serve(stop.clone()));
    let asked = watch_until_asked_to_stop(app, out, watch, &serving).await;
    stop.cancel();
    let ended = serving.await;
    asked?;
    match ended {
        Ok(Ok(())) => out.message("Stopped; everything is kept"),
        Ok(Err(error)) => return Err(Failure::failed(format!("the server ended: {error}"))),
        Err(_) => return Err(Failure::failed("the server ended in an unforeseen way")),
    }
    Ok(())
}

/// Shows what happens until a signal comes or the server ends by itself.
async fn watch_until_asked_to_stop(
    app: &App,
    out: &Output,
    mut watch: Watch,
    serving: &tokio::task::JoinHandle<Result<(), HttpError>>,
) -> Result<(), Failure> {
    let signal = asked_to_stop();
    tokio::pin!(signal);
    loop {
        tokio::select! {
            signal = &mut signal => {
                return signal.map_err(|error| {
                    Failure::failed(format!("can't wait for signals: {error}"))
                });
            }
            () = tokio::time::sleep(LOOK) => {
                if serving.is_finished() {
                    return Ok(());
                }
                watch.look(app, out).await;
            }
        }
    }
}

/// Returns at Ctrl-C, or when the system asks the program to end.
async fn asked_to_stop() -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut ended = signal(SignalKind::terminate())?;
        tokio::select! {
            pressed = tokio::signal::ctrl_c() => pressed,
            _ = ended.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

fn server(app: &App, args: &ServeArgs) -> Result<HttpServer, Failure> {
    raise_descriptors();
    let listener = TcpListener::bind(args.listen).map_err(|error| in_use(args, &error))?;
    let context = ServerContext {
        registry: app.remembering(),
        folders: Arc::clone(&app.folders) as _,
        clients: imprint_clients::clients(),
        named_client: None,
        bridged: false,
        toolsets: args.tools.toolsets.clone(),
        read_only: args.tools.read_only,
        recorded: true,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let config = HttpConfig {
        public_url: args.public_url.clone(),
        allowed_hosts: args.allow_host.clone(),
        allowed_origins: args.allow_origin.clone(),
        trusted_proxies: args.trusted_proxy.clone(),
        toolsets: args.tools.toolsets.clone(),
        read_only: args.tools.read_only,
        requests_per_minute: Some(args.rate_limit),
        legacy_sessions: false,
    };
    HttpServer::new(context, config, listener)
        .map_err(|error| Failure::failed(format!("can't serve: {error}")))
}

/// A thousand clients that listen take as many descriptors, more than some systems begin with.
fn raise_descriptors() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        // Where it can't be raised, the old one stays.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

fn in_use(args: &ServeArgs, error: &io::Error) -> Failure {
    let address = args.listen;
    match error.kind() {
        io::ErrorKind::AddrInUse => Failure::failed(format!(
            "{address} is taken: another `imprint serve` may run, or another program"
        ))
        .hint("name another address with `--listen 127.0.0.1:PORT`; port 0 takes a free one"),
        io::ErrorKind::AddrNotAvailable => {
            Failure::failed(format!("{address} is no address of this computer"))
                .hint(format!("leave `--listen` out for {DEFAULT_LISTEN}"))
        }
        _ => Failure::failed(format!("can't listen on {address}: {error}")),
    }
}

fn print_start(
    app: &App,
    out: &Output,
    report: &FolderReport,
    installed: &[&Client],
    items: &[ItemSummary],
) {
    out.heading(&format!("Imprint {}", env!("CARGO_PKG_VERSION")));
    out.line(&format!("Home: {}", shown(app.home.root())));
    if items.is_empty() {
        out.prose(write::NOTHING_KEPT);
    } else {
        out.line(&format!("Kept: {}", kept(items)));
    }
    out.line("");
    reach::print_reach(out, installed, report, items);
    out.line("");
    out.line(&reach::counts(report));
    reach::print_left_alone(out, &report.unplaced, &report.notes, false);
    out.prose(
        "A client gets what stands under OVER MCP once its settings start `imprint mcp` \
         (`imprint connect` writes that into them), or name the address below with a key",
    );
    out.line("");
}

/// Where clients find the server, and what they need.
async fn print_address(
    app: &App,
    out: &Output,
    args: &ServeArgs,
    server: &HttpServer,
) -> Result<(), Failure> {
    let address = server.address();
    out.line(&format!("Address: http://{address}/mcp"));
    if let Some(url) = &args.public_url {
        let origin = url.as_str().trim_end_matches('/');
        out.line(&format!("From elsewhere: {origin}/mcp"));
    }
    if !address.ip().is_loopback() {
        out.warning(&format!(
            "{address} can be reached from other computers, without encryption: keys can be read on \
             the way. Put a proxy that speaks TLS in front of it, and name it with --public-url"
        ));
    }
    let now = app.registry.clock().now();
    let keys = app.registry.keys().await?;
    let live = keys
        .iter()
        .filter(|key| key.standing(now) == KeyStanding::Live);
    match live.count() {
        0 => out.prose("Nobody has a key for it yet; `imprint keys create` makes one"),
        keys => out.line(&format!(
            "Let in: whoever has one of {}",
            count(keys, "key")
        )),
    }
    Ok(())
}

/// `24 skills, 5 personas and 2 guidelines`.
fn kept(items: &[ItemSummary]) -> String {
    let counts: Vec<_> = ItemKind::ALL
        .iter()
        .map(|kind| (kind, items.iter().filter(|item| item.kind == *kind).count()))
        .filter(|(_, number)| *number > 0)
        .map(|(kind, number)| count(number, kind.as_str()))
        .collect();
    listed(&counts)
}
