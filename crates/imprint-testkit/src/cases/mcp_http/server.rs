//! The server of a case: made anew when the case says so, and all that it wrote.

use std::path::Path;

use crate::{
    Serving,
    cases::{Run, verdict::CaseError},
    serving::{self, ServingError},
};

/// The name of the key that a case uses.
const KEY_NAME: &str = "case";

/// A server on a port of its own.
#[derive(Debug)]
pub(super) struct Server {
    port: u16,
    origins: Vec<String>,
    serving: Option<Serving>,
    /// What the processes before wrote.
    log: Vec<u8>,
}

/// A key that allows everything but administration.
pub(super) fn make_key(run: &Run<'_>) -> Result<String, CaseError> {
    serving::make_key(run.product, &run.sandbox, KEY_NAME, "full").map_err(fault)
}

/// Takes the case's key back.
pub(super) fn revoke_key(run: &Run<'_>) -> Result<(), CaseError> {
    let mut command = run.command();
    command.args(["keys", "revoke", KEY_NAME, "--yes"]);
    let output = command
        .output()
        .map_err(CaseError::at(Path::new("imprint keys")))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(CaseError::Product(format!(
        "`imprint keys revoke` failed: {said}"
    )))
}

impl Server {
    /// Starts a server on a free port and waits until it answers. Origins without a place for the
    /// port are named to it; the others are its own anyway.
    pub(super) fn start(run: &Run<'_>, origins: &[String]) -> Result<Self, CaseError> {
        let foreign = origins.iter().filter(|origin| !origin.contains("{port}"));
        let port = serving::free_port().map_err(|error| fault(error.into()))?;
        let mut server = Self {
            port,
            origins: foreign.cloned().collect(),
            serving: None,
            log: Vec::new(),
        };
        server.serve(run)?;
        Ok(server)
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Ends the server and starts another in its place.
    pub(super) fn restart(&mut self, run: &Run<'_>) -> Result<(), CaseError> {
        self.end()?;
        self.serve(run)
    }

    /// Ends the server and gives all that it wrote.
    pub(super) fn stop(mut self) -> Result<Vec<u8>, CaseError> {
        self.end()?;
        Ok(self.log)
    }

    fn serve(&mut self, run: &Run<'_>) -> Result<(), CaseError> {
        let mut command = run.command();
        command.args(["serve", "--rate-limit", "60000", "--listen"]);
        command.arg(format!("127.0.0.1:{}", self.port));
        for origin in &self.origins {
            command.args(["--allow-origin", origin]);
        }
        self.serving = Some(Serving::start(command, self.port).map_err(fault)?);
        Ok(())
    }

    fn end(&mut self) -> Result<(), CaseError> {
        if let Some(serving) = self.serving.take() {
            let served = serving.stop().map_err(fault)?;
            self.log.extend(served.written);
        }
        Ok(())
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn fault(error: ServingError) -> CaseError {
    CaseError::Product(error.to_string())
}
