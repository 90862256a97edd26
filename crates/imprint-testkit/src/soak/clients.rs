//! Manners of clients.

use std::{
    io,
    time::{Duration, Instant},
};

use super::ledger::Ledger;
use crate::wire::{Connection, Era, Wanted};

/// Skills that one client writes.
const SKILLS: usize = 50;
/// How long a client thinks between two writes.
const THOUGHT: Duration = Duration::from_millis(150);
/// Requests that a client sends without taking the answers.
const UNANSWERED: usize = 64;

/// How a client behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// Creates and edits skills.
    Writes,
    /// Reads what was acknowledged, through whatever server.
    Reads,
    /// Connects for one request, in turns of both eras.
    Comes,
    /// Sends many requests and takes the answers byte by byte, then none.
    Stalls,
    /// Sends a part of a request and is gone.
    Breaks,
    /// Opens a subscription and drops it.
    Subscribes,
}

/// What a client did.
#[derive(Clone, Debug, Default)]
pub(super) struct Acted {
    /// How often.
    pub(super) times: usize,
    /// The first thing that went wrong; it stopped then.
    pub(super) fault: Option<String>,
}

impl Manner {
    /// All of them, and how many clients have each.
    pub(super) const ALL: [(Self, usize); 6] = [
        (Self::Writes, 2),
        (Self::Reads, 4),
        (Self::Comes, 2),
        (Self::Stalls, 4),
        (Self::Breaks, 2),
        (Self::Subscribes, 8),
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Writes => "writes",
            Self::Reads => "reads of what was acknowledged",
            Self::Comes => "connections for one request",
            Self::Stalls => "connections that stalled",
            Self::Breaks => "requests that broke off",
            Self::Subscribes => "subscriptions that were dropped",
        }
    }

    /// Does it again and again until the end.
    pub(super) async fn act(self, ledger: &Ledger, worker: usize, end: Instant) -> Acted {
        let mut acted = Acted::default();
        let kept = match Connection::open(ledger.server(worker).port).await {
            Ok(kept) => kept,
            Err(error) => {
                acted.fault = Some(error.to_string());
                return acted;
            }
        };
        let mut client = Client {
            ledger,
            worker,
            kept,
        };
        while Instant::now() < end {
            if let Err(error) = client.once(self, acted.times).await {
                acted.fault = Some(error.to_string());
                return acted;
            }
            acted.times += 1;
        }
        acted
    }
}

struct Client<'a> {
    ledger: &'a Ledger,
    worker: usize,
    /// The connection that those of good manners keep.
    kept: Connection,
}

impl Client<'_> {
    async fn once(&mut self, manner: Manner, time: usize) -> io::Result<()> {
        match manner {
            Manner::Writes => self.write(time).await,
            Manner::Reads => {
                let server = self.ledger.server(self.worker);
                self.ledger.read(&mut self.kept, server, time).await
            }
            Manner::Comes => self.come(time).await,
            Manner::Stalls => self.stall(time).await,
            Manner::Breaks => self.break_off(time).await,
            Manner::Subscribes => self.subscribe(time).await,
        }
    }

    async fn write(&mut self, time: usize) -> io::Result<()> {
        let server = self.ledger.server(self.worker);
        let name = format!("soak-{}-{}", self.worker, time % SKILLS);
        let number = self.ledger.next(&name);
        self.ledger
            .write(&mut self.kept, server, &name, number)
            .await?;
        tokio::time::sleep(THOUGHT).await;
        Ok(())
    }

    async fn come(&self, time: usize) -> io::Result<()> {
        let mut server = self.ledger.server(time).clone();
        server.era = Era::ALL[time / 2 % 2];
        let mut connection = Connection::open(server.port).await?;
        let answer = connection.ask(&server.tools_list()).await?;
        if !Wanted::Tools.is_met_by(&answer) {
            return Err(io::Error::other(format!("status {}", answer.status)));
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
        Ok(())
    }

    async fn stall(&self, time: usize) -> io::Result<()> {
        let server = self.ledger.server(time);
        let mut connection = Connection::open(server.port).await?;
        let requests = server.tools_list().repeat(UNANSWERED);
        // The server may stop reading before all is sent: its answers are not taken.
        let sent = connection.send(&requests);
        if let Ok(sent) = tokio::time::timeout(Duration::from_secs(1), sent).await {
            sent?;
        }
        for _ in 0..20 {
            connection.sip(1).await?;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
        Ok(())
    }

    async fn break_off(&self, time: usize) -> io::Result<()> {
        let server = self.ledger.server(time);
        let request = server.tools_list();
        // Somewhere in the head or the body, at another place each time.
        let part = 1 + time * 37 % (request.len() - 1);
        let mut connection = Connection::open(server.port).await?;
        connection.send(&request[..part]).await?;
        tokio::time::sleep(Duration::from_millis(20)).await;
        Ok(())
    }

    async fn subscribe(&self, time: usize) -> io::Result<()> {
        let server = self.ledger.server(time);
        let mut connection = Connection::open(server.port).await?;
        connection.send(&server.listen()).await?;
        connection
            .wait_for("notifications/subscriptions/acknowledged")
            .await?;
        let while_open = Duration::from_millis(50 + time as u64 * 13 % 400);
        tokio::time::sleep(while_open).await;
        Ok(())
    }
}
