//! One client on a pair of pipes, from its first line to its last.

use std::{io, sync::Arc, time::Duration};

use rmcp::service::serve_directly;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use crate::{
    ServerContext,
    mcp::{Announcer, Handler, PipeError, PipeLog, SessionLog, pair},
};

/// How long answers that are under way at the end of input may take. With the last session record
/// the process is gone within two seconds, after which clients send signals.
const LAST_ANSWERS: Duration = Duration::from_millis(1_400);

/// Why serving ended before the client hung up.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The input can't be read.
    #[error("can't read from the client: {0}")]
    Read(io::Error),
    /// The output can't be written.
    #[error("can't write to the client: {0}")]
    Write(io::ErrorKind),
    /// The protocol service ended by itself, which only a fault in it can cause.
    #[error("the protocol service has stopped")]
    Stopped,
}

/// Serves one client until its input ends: answers under way are finished, for at most two
/// seconds. A client that is gone (its end of the output is closed) is a normal end as well.
///
/// `output` gets protocol messages and nothing else. Nothing is done before the first line is
/// there. Call it on a runtime with a timer; the caller should not wait for a blocked read of the
/// process's input when this returns with an error.
pub async fn serve_stdio<R, W>(
    context: ServerContext,
    input: R,
    output: W,
) -> Result<(), ServeError>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let sessions = if context.recorded {
        PipeLog::start(context.registry.clone(), context.named_client.clone())
    } else {
        PipeLog::none()
    };
    let (inbound, transport) = pair(input, output, sessions.clone());
    let notes = SessionLog::to(Arc::new(sessions.clone()));
    let hung_up = CancellationToken::new();
    let _end_of_announcements = hung_up.clone().drop_guard();
    let handler = Handler::new(context, notes, Announcer::new(hung_up));
    // The gate in front of rmcp keeps the eras apart, so rmcp needs no handshake of its own.
    let service = serve_directly(handler, transport, None);
    let ended = inbound.run().await;
    if tokio::time::timeout(LAST_ANSWERS, service.waiting())
        .await
        .is_err()
    {
        tracing::warn!("the client hung up before its last answers were there");
    }
    sessions.end().await;
    match ended {
        Ok(()) | Err(PipeError::Write(io::ErrorKind::BrokenPipe)) => Ok(()),
        Err(PipeError::Read(error)) => Err(ServeError::Read(error)),
        Err(PipeError::Write(kind)) => Err(ServeError::Write(kind)),
        Err(PipeError::Stopped) => Err(ServeError::Stopped),
    }
}
