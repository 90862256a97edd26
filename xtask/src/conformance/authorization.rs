//! The suite's scenarios for an authorization server, with the owner and a browser played here.

use std::{
    collections::BTreeMap,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{ChildStdout, Command, Stdio},
};

use imprint_testkit::{Serving, serving};
use serde_json::{Value, json};

use super::{
    Place, failed,
    suite::{self, Outcome},
};
use crate::task::TaskError;

/// Starts the product with a public address on loopback and lets the suite ask for a grant.
pub(super) fn run(place: &Place) -> Result<BTreeMap<String, Outcome>, TaskError> {
    let address = format!("127.0.0.1:{}", place.port);
    let issuer = format!("http://{address}");
    let mut command = place.product.command(&place.sandbox);
    command.args(["serve", "--rate-limit", "60000", "--listen", &address]);
    command.args(["--public-url", &issuer]);
    let server = Serving::start(command, place.port).map_err(failed)?;
    let callback = serving::free_port().map_err(TaskError::io("a free port"))?;
    let client = register(place.port, callback).map_err(TaskError::io("registering"))?;
    let port = callback.to_string();
    let arguments = [
        "authorization",
        "--url",
        &issuer,
        "--client-id",
        &client,
        "--port",
        &port,
    ];
    let outcomes = suite::with(&arguments, |mut command| {
        let mut suite = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let lines = suite.stdout.take().map(BufReader::new);
        if let Some(page) = lines.and_then(|lines| consent_page(lines, &issuer)) {
            consent(place, &page)?;
        }
        suite.wait().map(drop)
    })?;
    server.stop().map_err(failed)?;
    Ok(outcomes)
}

/// The address that the suite wants a browser to open. What it says afterwards is read too, so
/// that it never waits for a reader.
fn consent_page(mut lines: BufReader<ChildStdout>, issuer: &str) -> Option<String> {
    let mut line = String::new();
    while lines.read_line(&mut line).is_ok_and(|read| read > 0) {
        if let Some(path) = line.trim().strip_prefix(issuer) {
            let path = path.to_owned();
            std::thread::spawn(move || io::copy(&mut lines, &mut io::sink()));
            return Some(path);
        }
        line.clear();
    }
    None
}

/// Opens the page, says yes at home, and follows the way back to the suite.
fn consent(place: &Place, page: &str) -> io::Result<()> {
    let shown = ask(place.port, "GET", page, &[], "")?;
    let cookie = header(&shown, "set-cookie").unwrap_or_default();
    let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
    let mut home = place.product.command(&place.sandbox);
    let waiting = home.args(["oauth", "requests", "--json"]).output()?;
    let waiting: Value = serde_json::from_slice(&waiting.stdout)?;
    let code = waiting[0]["code"].as_str().unwrap_or_default();
    let mut home: Command = place.product.command(&place.sandbox);
    home.args(["oauth", "approve", code, "--yes"]).output()?;
    let missing = || io::Error::other(format!("the page leads nowhere: {shown}"));
    let on = shown.split_once("action=\"").ok_or_else(missing)?.1;
    let on = on.split('"').next().unwrap_or_default();
    let sent = ask(place.port, "GET", on, &[("Cookie", &cookie)], "")?;
    let back = header(&sent, "location").ok_or_else(missing)?;
    let back = back.strip_prefix("http://127.0.0.1:").ok_or_else(missing)?;
    let (port, rest) = back.split_once('/').ok_or_else(missing)?;
    let port = port.parse().map_err(io::Error::other)?;
    ask(port, "GET", &format!("/{rest}"), &[], "").map(drop)
}

fn register(port: u16, callback: u16) -> io::Result<String> {
    let client = json!({
        "client_name": "Conformance",
        "redirect_uris": [format!("http://127.0.0.1:{callback}/callback")],
    });
    let headers = [("Content-Type", "application/json")];
    let answer = ask(
        port,
        "POST",
        "/oauth/register",
        &headers,
        &client.to_string(),
    )?;
    let body = answer.split_once("\r\n\r\n").unwrap_or_default().1;
    let registered: Value = serde_json::from_str(body)?;
    let id = registered["client_id"].as_str().map(str::to_owned);
    id.ok_or_else(|| io::Error::other(answer))
}

/// One request over a connection of its own, and all that comes back.
fn ask(
    port: u16,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> io::Result<String> {
    let mut socket = TcpStream::connect(("127.0.0.1", port))?;
    let headers = headers.iter().fold(String::new(), |lines, (name, value)| {
        lines + name + ": " + value + "\r\n"
    });
    write!(
        socket,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Length: {}\r\n{headers}\r\n{body}",
        body.len()
    )?;
    let mut answer = String::new();
    socket.read_to_string(&mut answer)?;
    Ok(answer)
}

fn header(answer: &str, wanted: &str) -> Option<String> {
    let head = answer.split("\r\n\r\n").next()?;
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    let found = lines.find(|(name, _)| name.eq_ignore_ascii_case(wanted));
    found.map(|(_, value)| value.to_owned())
}
