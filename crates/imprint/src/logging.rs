//! Logs go to standard error, never to standard output, which belongs to data and to the protocol.

use std::io::IsTerminal as _;

use imprint_server::TARGETS_THAT_LOG_MESSAGES;
use tracing::Metadata;
use tracing_subscriber::{
    EnvFilter, Layer,
    filter::{FilterExt, filter_fn},
    fmt,
    layer::SubscriberExt,
    registry,
    util::SubscriberInitExt,
};

/// Starts logging: warnings, and with each `-v` a level more. `IMPRINT_LOG` (an `env_filter`
/// directive list such as `imprint_server=debug`) overrides both. What would log whole messages
/// stays silent whatever is asked for.
pub(crate) fn start(verbose: u8) {
    let level = match verbose {
        0 => "warn",
        1 => "info",
        2 => "debug",
        _ => "trace",
    };
    let wanted = EnvFilter::try_from_env("IMPRINT_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    let layer = fmt::layer()
        .with_writer(std::io::stderr)
        // Clients put what a server says there into their logs.
        .with_ansi(std::io::stderr().is_terminal())
        .with_filter(filter_fn(logs_no_messages).and(wanted));
    // A second subscriber in one process can only be a test's: the first one stays.
    let _ = registry().with(layer).try_init();
}

fn logs_no_messages(metadata: &Metadata<'_>) -> bool {
    !TARGETS_THAT_LOG_MESSAGES
        .iter()
        .any(|target| metadata.target().starts_with(target))
}
