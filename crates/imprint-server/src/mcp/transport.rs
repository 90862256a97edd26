//! Between the pipes and rmcp: what comes in is judged, what goes out is one message a line.

use std::{io, sync::Arc};

use rmcp::{
    RoleServer,
    model::{
        CancelledNotification, CancelledNotificationParam, ClientJsonRpcMessage, ClientRequest,
        InitializedNotification, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
    },
    transport::Transport,
};
use serde::{Deserialize as _, Serialize};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt as _},
    sync::{Mutex, mpsc, watch},
};

use super::{
    framing::{Frame, Notification, Refusal, Request, classify},
    gate::Gate,
    in_flight::{InFlight, Lasts},
    lines::{Line, Lines},
    session::PipeLog,
};

/// How many messages wait between the pipe and rmcp.
const QUEUE: usize = 16;

/// Both ends: the one that reads until the input ends, and the one that rmcp holds.
pub(crate) fn pair<R, W>(
    input: R,
    output: W,
    sessions: PipeLog,
) -> (Inbound<R, W>, PipeTransport<W>)
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let (deliver, delivered) = mpsc::channel(QUEUE);
    let outbox = Outbox::new(output);
    let in_flight = InFlight::new();
    let inbound = Inbound {
        lines: Lines::new(input),
        gate: Gate::default(),
        in_flight: in_flight.clone(),
        outbox: outbox.clone(),
        deliver,
    };
    let transport = PipeTransport {
        delivered,
        in_flight,
        outbox,
        sessions,
    };
    (inbound, transport)
}

/// Reads lines, answers the damaged ones and passes the good ones on.
#[derive(Debug)]
pub(crate) struct Inbound<R, W> {
    lines: Lines<R>,
    gate: Gate,
    in_flight: InFlight,
    outbox: Outbox<W>,
    deliver: mpsc::Sender<ClientJsonRpcMessage>,
}

impl<R, W> Inbound<R, W>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin + Send + 'static,
{
    /// Works until the input ends or the output is gone. Dropping what remains ends rmcp's side.
    pub(crate) async fn run(mut self) -> Result<(), PipeError> {
        let outbox = self.outbox.clone();
        tokio::select! {
            read = self.read_on() => read,
            error = outbox.failed() => Err(PipeError::Write(error)),
        }
    }

    async fn read_on(&mut self) -> Result<(), PipeError> {
        while let Some(line) = self.lines.next().await.map_err(PipeError::Read)? {
            let frame = match line {
                Line::Whole(line) => classify(line),
                Line::TooLong => Frame::Refused(Refusal::line("the line is too long")),
            };
            match frame {
                Frame::Blank => {}
                Frame::Request(request) => self.pass_on(request).await?,
                Frame::Notification(notification) => self.notice(notification).await?,
                Frame::Refused(refusal) => self.refuse(&refusal).await,
                Frame::Ignored(why) => tracing::debug!(why, "a message is ignored"),
            }
        }
        // rmcp waits for answers under way, and these would never come.
        for subscription in self.in_flight.subscriptions() {
            self.cancel(subscription).await?;
        }
        Ok(())
    }

    async fn pass_on(&mut self, request: Request) -> Result<(), PipeError> {
        let id = request.id.clone();
        let is_handshake = request.method == "initialize";
        let request = match self.gate.admit(request) {
            Ok(request) => request,
            Err(refusal) => {
                self.refuse(&refusal).await;
                return Ok(());
            }
        };
        let lasts = match request {
            ClientRequest::SubscriptionsListenRequest(_) => Lasts::Long,
            _ => Lasts::Shortly,
        };
        if let Err(full) = self.in_flight.begin(&id, lasts).await {
            let id = Some(id.into_json_value());
            self.refuse(&Refusal::request(id, full.to_string())).await;
            return Ok(());
        }
        self.deliver(ClientJsonRpcMessage::request(request, id.clone()))
            .await?;
        if is_handshake {
            // What follows relies on what was agreed.
            self.in_flight.ended(&id).await;
        }
        Ok(())
    }

    /// Of all notifications two mean something here: that a client is ready for ours, and a
    /// cancellation of a request that is under way. Methods that need an id are no notifications:
    /// they are not carried out.
    async fn notice(&self, notification: Notification) -> Result<(), PipeError> {
        match notification.method.as_str() {
            "notifications/initialized" if self.gate.is_handshaken() => {
                let ready = InitializedNotification::default();
                self.deliver(ClientJsonRpcMessage::notification(ready.into()))
                    .await
            }
            "notifications/cancelled" => {
                let id = notification
                    .params
                    .and_then(|mut params| params.remove("requestId"))
                    .and_then(|id| RequestId::deserialize(id).ok());
                match id {
                    Some(id) => self.cancel(id).await,
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    async fn cancel(&self, id: RequestId) -> Result<(), PipeError> {
        if !self.in_flight.end(&id) {
            return Ok(());
        }
        let params = CancelledNotificationParam::new(Some(id), None);
        let cancelled = CancelledNotification::new(params);
        self.deliver(ClientJsonRpcMessage::notification(cancelled.into()))
            .await
    }

    async fn refuse(&self, refusal: &Refusal) {
        self.outbox.send(&refusal.to_json()).await;
    }

    async fn deliver(&self, message: ClientJsonRpcMessage) -> Result<(), PipeError> {
        let sent = self.deliver.send(message).await;
        sent.map_err(|_| PipeError::Stopped)
    }
}

/// Why reading ended before the input did.
#[derive(Debug)]
pub(crate) enum PipeError {
    Read(io::Error),
    Write(io::ErrorKind),
    /// rmcp's side has ended.
    Stopped,
}

/// rmcp's end.
#[derive(Debug)]
pub(crate) struct PipeTransport<W> {
    delivered: mpsc::Receiver<ClientJsonRpcMessage>,
    in_flight: InFlight,
    outbox: Outbox<W>,
    sessions: PipeLog,
}

impl<W> Transport<RoleServer> for PipeTransport<W>
where
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let outbox = self.outbox.clone();
        let in_flight = self.in_flight.clone();
        let sessions = self.sessions.clone();
        async move {
            outbox.send(&message).await;
            let answered = match &message {
                JsonRpcMessage::Response(response) => Some(&response.id),
                JsonRpcMessage::Error(error) => error.id.as_ref(),
                _ => None,
            };
            if let Some(id) = answered {
                in_flight.end(id);
                sessions.answered();
            }
            Ok(())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.delivered.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The one place that writes to the output: a message, a line feed, flushed.
#[derive(Debug)]
struct Outbox<W> {
    output: Arc<Mutex<W>>,
    failure: Arc<watch::Sender<Option<io::ErrorKind>>>,
}

impl<W> Clone for Outbox<W> {
    fn clone(&self) -> Self {
        Self {
            output: Arc::clone(&self.output),
            failure: Arc::clone(&self.failure),
        }
    }
}

impl<W: AsyncWrite + Unpin> Outbox<W> {
    fn new(output: W) -> Self {
        Self {
            output: Arc::new(Mutex::new(output)),
            failure: Arc::new(watch::Sender::new(None)),
        }
    }

    /// Sends a message. A failure ends the whole service, so nobody else need look at it.
    async fn send(&self, message: &impl Serialize) {
        let mut line = match serde_json::to_vec(message) {
            Ok(line) => line,
            Err(error) => {
                tracing::error!(%error, "a message could not be written as JSON");
                return;
            }
        };
        line.push(b'\n');
        let mut output = self.output.lock().await;
        let written = match output.write_all(&line).await {
            Ok(()) => output.flush().await,
            Err(error) => Err(error),
        };
        if let Err(error) = written {
            self.failure.send_replace(Some(error.kind()));
        }
    }

    /// Returns once a message could not be written.
    async fn failed(&self) -> io::ErrorKind {
        let mut failure = self.failure.subscribe();
        match failure.wait_for(Option::is_some).await {
            Ok(kind) => kind.unwrap_or(io::ErrorKind::Other),
            Err(_) => io::ErrorKind::Other,
        }
    }
}
