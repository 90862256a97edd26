//! Connections: taken in, given to the routes, and finished at the end.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, body::Body, extract::ConnectInfo};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
};
use tokio_util::sync::CancellationToken;
use tower::Service as _;

use super::{revocation::OpenStreams, socket::Socket};

/// How long a client may take to send the head of a request; it begins when the last answer ended,
/// so it is also how long a connection is kept for the next request.
const HEAD: Duration = Duration::from_secs(60);
/// How long a client may take nothing of an answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long answers under way may take when the server stops.
const LAST_ANSWERS: Duration = Duration::from_secs(10);
/// Connections at one time; more wait to be taken in.
const MOST: usize = 8_192;
/// How long to wait when the system has no room for another connection.
const NO_ROOM: Duration = Duration::from_millis(100);

/// Serves until `stop`: streams are ended then, and requests under way are finished.
pub(super) async fn serve(
    listener: TcpListener,
    routes: Router,
    streams: Arc<OpenStreams>,
    stop: CancellationToken,
) -> io::Result<()> {
    let room = Arc::new(Semaphore::new(MOST));
    let graceful = GracefulShutdown::new();
    while let Some(taken) = stop.run_until_cancelled(take(&listener, &room)).await {
        match taken {
            Ok((stream, peer, held)) => connect(stream, peer, held, &routes, &graceful),
            // Of one connection, or for want of descriptors: the next may do better.
            Err(error) => {
                tracing::debug!(%error, "a connection could not be taken in");
                tokio::time::sleep(NO_ROOM).await;
            }
        }
    }
    drop(listener);
    streams.close();
    if tokio::time::timeout(LAST_ANSWERS, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("the server stopped before its last answers were there");
    }
    Ok(())
}

async fn take(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let closed = |_| io::Error::other("no connections are taken in any more");
    let held = Arc::clone(room).acquire_owned().await.map_err(closed)?;
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, held))
}

fn connect(
    stream: TcpStream,
    peer: SocketAddr,
    held: OwnedSemaphorePermit,
    routes: &Router,
    graceful: &GracefulShutdown,
) {
    // Answers are small and waited for.
    let _ = stream.set_nodelay(true);
    let routes = routes.clone();
    let service = service_fn(move |request: http::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        routes.clone().call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .serve_connection(TokioIo::new(Socket::new(stream, PATIENCE)), service);
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        let _held = held;
        if let Err(error) = connection.await {
            tracing::trace!(%error, "a connection broke");
        }
    });
}
