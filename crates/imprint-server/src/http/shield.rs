//! What a handler must not have to think of: a panic becomes an answer, and a body that trickles in
//! ends.

use std::{
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    BoxError,
    body::{Body, Bytes},
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use futures_util::FutureExt as _;
use http::{HeaderValue, StatusCode, header};
use http_body::{Body as _, Frame, SizeHint};
use thiserror::Error;
use tokio::time::{Instant, Sleep, sleep_until};

use super::{problem::Problem, request::RequestId};

/// How long a whole request body may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BodyDeadline(pub(crate) Duration);

impl Default for BodyDeadline {
    fn default() -> Self {
        Self(Duration::from_secs(60))
    }
}

/// The innermost of the outer layers. A panic of a handler becomes 500 with the request's id; a body
/// that is not complete by the deadline fails to be read, and the answer is 408. A panic while
/// a response's body is written ends that connection only.
pub(crate) async fn shield(
    State(BodyDeadline(deadline)): State<BodyDeadline>,
    request: Request,
    next: Next,
) -> Response {
    let id = request.extensions().get::<RequestId>().cloned();
    let late = Arc::new(AtomicBool::new(false));
    let request = request.map(|body| {
        if body.is_end_stream() {
            return body;
        }
        let until = Instant::now() + deadline;
        let late = Arc::clone(&late);
        Body::new(TimedBody {
            body,
            until,
            sleep: None,
            late,
        })
    });
    let response = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    if late.load(Ordering::Relaxed) {
        return too_slow(deadline);
    }
    response.unwrap_or_else(|_panic| {
        let id = id.as_ref().map_or("", RequestId::as_str);
        tracing::error!(target: "imprint::http", request_id = id, "a handler panicked");
        Problem::internal(id).into_response()
    })
}

fn too_slow(deadline: Duration) -> Response {
    let detail = format!(
        "The body was not complete after {} s",
        deadline.as_secs_f32()
    );
    let problem = Problem::new(
        StatusCode::REQUEST_TIMEOUT,
        "slow-body",
        "Request took too long",
        detail,
    );
    let mut response = problem.into_response();
    // The rest of the body may still come: the connection can't be used again.
    response
        .headers_mut()
        .insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// The body was not complete in time.
#[derive(Debug, Error)]
#[error("the body was not complete in time")]
struct TooSlow;

/// A body that fails when its time is up. One that is there already costs no timer.
struct TimedBody {
    body: Body,
    until: Instant,
    sleep: Option<Pin<Box<Sleep>>>,
    late: Arc<AtomicBool>,
}

impl http_body::Body for TimedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(BoxError::from)));
        }
        let until = self.until;
        let sleep = self
            .sleep
            .get_or_insert_with(|| Box::pin(sleep_until(until)));
        ready!(sleep.as_mut().poll(context));
        self.late.store(true, Ordering::Relaxed);
        Poll::Ready(Some(Err(TooSlow.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
