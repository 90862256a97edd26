//! Clients that ask in a browser, the owner at the command line, and the server between them.

use std::{
    io::{BufRead, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::{Child, ChildStdout, Stdio},
};

use serde_json::{Value, json};

use super::User;

/// RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const FORM: &str = "application/x-www-form-urlencoded";

/// `imprint serve`, ended when the test is.
struct Served {
    process: Child,
    /// Held open: a program whose screen is gone ends.
    _screen: BufReader<ChildStdout>,
    port: u16,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// An answer: its status, its head and its body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn read(from: &mut impl BufRead) -> Self {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(from.read_line(&mut head).unwrap() > 0, "cut off: {head}");
        }
        let mut answer = Self {
            status: head[9..12].parse().unwrap(),
            head,
            body: String::new(),
        };
        let length = answer.header("content-length").parse().unwrap_or(0);
        let mut body = vec![0; length];
        from.read_exact(&mut body).unwrap();
        answer.body = String::from_utf8(body).unwrap();
        answer
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        let mut found = lines.filter(|(key, _)| key.eq_ignore_ascii_case(name));
        found.next().map_or("", |(_, value)| value)
    }
}

impl Served {
    fn start(user: &User) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let (listen, public) = (
            format!("127.0.0.1:{port}"),
            format!("http://127.0.0.1:{port}"),
        );
        let mut process = user
            .command(&["serve", "--listen", &listen, "--public-url", &public])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut screen = BufReader::new(process.stdout.take().unwrap());
        let mut lines = screen.by_ref().lines();
        let is_up = lines.any(|line| line.unwrap().starts_with("Address: "));
        assert!(is_up, "it does not serve");
        Self {
            process,
            _screen: screen,
            port,
        }
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut socket = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: {}\r\n",
            self.port,
            body.len()
        );
        for (name, value) in headers {
            request += &[name, ": ", value, "\r\n"].concat();
        }
        write!(socket, "{request}\r\n{body}").unwrap();
        Answer::read(&mut BufReader::new(socket))
    }

    fn get(&self, path: &str, cookie: &str) -> Answer {
        self.send("GET", path, &[("Cookie", cookie)], "")
    }

    fn register(&self) -> String {
        let metadata = json!({
            "client_name": "Wren",
            "redirect_uris": ["http://127.0.0.1/callback"],
        });
        let kind = [("Content-Type", "application/json")];
        let answer = self.send("POST", "/oauth/register", &kind, &metadata.to_string());
        answer.json()["client_id"].as_str().unwrap().to_owned()
    }

    /// The consent page of a client that wants to read and change skills.
    fn authorize(&self, client: &str) -> Answer {
        let path = format!(
            "/oauth/authorize?response_type=code&client_id={client}&state=xyz&scope=skills:write\
             &redirect_uri=http://127.0.0.1:9/callback&code_challenge={CHALLENGE}\
             &code_challenge_method=S256"
        );
        self.get(&path, "")
    }

    fn exchange(&self, client: &str, code: &str) -> Answer {
        let form = format!(
            "grant_type=authorization_code&client_id={client}&code={code}\
             &code_verifier={VERIFIER}&redirect_uri=http://127.0.0.1:9/callback"
        );
        self.send("POST", "/oauth/token", &[("Content-Type", FORM)], &form)
    }

    /// A call of the MCP endpoint.
    fn list_tools(&self, token: &str) -> Answer {
        let bearer = format!("Bearer {token}");
        let headers = [
            ("Authorization", bearer.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
        self.send("POST", "/mcp", &headers, &message.to_string())
    }
}

fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let rest = text.split_once(from).unwrap().1;
    rest.split_once(to).unwrap().0
}

#[test]
fn a_client_is_let_in_at_home_and_shut_out_again() {
    let user = User::new();
    user.create("tea");
    let server = Served::start(&user);
    let refused = server.list_tools("");
    let metadata = between(
        refused.header("www-authenticate"),
        "resource_metadata=\"",
        "\"",
    );
    let path = metadata.split_once(&server.port.to_string()).unwrap().1;
    let resource = server.get(path, "").json();
    assert_eq!(
        resource["resource"],
        format!("http://127.0.0.1:{}/mcp", server.port)
    );

    let client = server.register();
    let page = server.authorize(&client);
    assert_eq!(page.status, 200, "{}", page.body);
    let consent = between(&page.body, "action=\"", "\"");
    let cookie = page.header("set-cookie").split(';').next().unwrap();

    let waiting = user.json(&["oauth", "requests"]);
    let code = waiting[0]["code"].as_str().unwrap();
    assert!(page.body.contains(&format!("imprint oauth approve {code}")));
    assert_eq!(waiting[0]["redirect_host"], "127.0.0.1:9");
    let (exit, said) = user.fails(&["oauth", "approve", code]);
    assert_eq!(exit, 2, "without a yes: {said}");
    let (exit, _) = user.fails(&["oauth", "approve", code, "--yes", "--scopes", "admin"]);
    assert_eq!(exit, 2);
    assert_eq!(server.get(consent, cookie).header("location"), "");
    user.ok(&["oauth", "approve", &code.to_lowercase(), "--yes"]);

    let stranger = server.get(consent, "");
    assert_eq!(stranger.status, 404);
    let answer = server.get(consent, cookie);
    let sent = answer.header("location");
    assert!(
        sent.starts_with("http://127.0.0.1:9/callback?code="),
        "{sent}"
    );
    let code = between(sent, "code=", "&");
    let tokens = server.exchange(&client, code).json();
    assert_eq!(tokens["scope"], "skills:read");
    let access = tokens["access_token"].as_str().unwrap();
    let listed = server.list_tools(access);
    assert_eq!(listed.status, 200, "{}", listed.body);
    assert!(listed.body.contains("\"skills\"") && !listed.body.contains("\"skill_edit\""));

    assert_eq!(user.json(&["oauth", "list"])[0]["client"], "Wren");
    user.ok(&["oauth", "revoke", "Wren", "--yes"]);
    assert_eq!(server.list_tools(access).status, 401);
    assert_eq!(user.json(&["oauth", "list"]), json!([]));
    assert_eq!(
        user.json(&["oauth", "list", "--all"])[0]["standing"],
        "revoked"
    );
}

#[test]
fn nobody_waits_and_nobody_is_in() {
    let user = User::new();
    let screens = [
        user.screen(&["oauth", "requests"]),
        user.screen(&["oauth", "list"]),
        user.screen(&["oauth", "approve", "KXQ7-2MPD"]),
        user.screen(&["oauth", "revoke", "Wren"]),
    ];
    assert!(!user.path("imprint").exists(), "looking made a home");
    insta::assert_snapshot!(screens.join("\n"), @r"
    --- stderr
    No request waits for you

    --- stderr
    No client was let in yet

    exit 4
    --- stderr
    error: no request that waits for you has the code `KXQ7-2MPD`
    hint: `imprint oauth requests` lists them; one ends five minutes after it began

    exit 4
    --- stderr
    error: no client was let in as `Wren`
    hint: `imprint oauth list --all` lists those who were let in
    ");
}

#[test]
fn chats_on_the_web_are_told_what_to_enter() {
    let user = User::new();
    let public = "https://imprint.example.com";
    let screens = [
        user.screen(&["connect", "claude-ai", "--public-url", public]),
        user.screen(&["connect", "chatgpt", "--public-url", public]),
        user.screen(&["connect", "claude-ai"]),
        user.screen(&[
            "connect",
            "chatgpt",
            "--public-url",
            "http://127.0.0.1:4750",
        ]),
        user.screen(&["connect", "codex", "--public-url", public]),
    ];
    insta::assert_snapshot!(screens.join("\n"), @r"
    Claude.ai connects by address: https://imprint.example.com/mcp
    1. Here: keep `imprint serve --public-url https://imprint.example.com` running
    2. On claude.ai: open Settings, then Connectors, then Add custom connector
    3. Enter the name Imprint and the address https://imprint.example.com/mcp; leave the advanced settings empty
    4. Press Add, then Connect
    5. In the page that opens: choose what it may do, then run the `imprint oauth approve` command that it shows, here

    ChatGPT connects by address: https://imprint.example.com/mcp
    1. Here: keep `imprint serve --public-url https://imprint.example.com` running
    2. On chatgpt.com: open Settings, then Apps, and turn developer mode on under Advanced
    3. Press Create app; enter the name Imprint, the address https://imprint.example.com/mcp, and OAuth
    4. Press Create, then Connect
    5. In the page that opens: choose what it may do, then run the `imprint oauth approve` command that it shows, here

    exit 1
    --- stderr
    error: Claude.ai can't reach this computer: its requests come from Anthropic's servers, and the address of `imprint serve` leads nowhere but to this computer
    hint: put a proxy or tunnel with an https address in front of `imprint serve`
    hint: then run `imprint connect claude-ai --public-url https://…` with that address

    exit 1
    --- stderr
    error: ChatGPT can't reach http://127.0.0.1:4750: its requests come from OpenAI's servers, and this address leads nowhere but to your own computer or network
    hint: put a proxy or tunnel with an https address in front of `imprint serve`
    hint: then run `imprint connect chatgpt --public-url https://…` with that address

    exit 2
    --- stderr
    error: `--public-url` is for the chats on the web: claude-ai, chatgpt
    hint: clients on this computer start `imprint mcp` themselves: leave it out
    ");
}
