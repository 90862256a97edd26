//! A registry in memory, folders that are none, and a client that speaks lines.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
};

use async_trait::async_trait;
use imprint_core::{
    Author, ClientFacts, ClientFolders, ClientTable, Clock, Cut, FolderReport, FoldersError,
    InstructionCut, ItemId, ItemSummary, LogPosition, OwnerId, Reach, Reader, Registry, Store,
    Timestamp, registry::NewItem,
};
use imprint_format::{BundleFile, ItemKind};
use imprint_server::{ServeError, ServerContext, Toolsets, serve_stdio};
use imprint_store::{InMemoryStore, SqliteStore};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::{
    io::{
        AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines,
    },
    task::JoinHandle,
};
use uuid::Uuid;

const NOBODY: ClientFacts = ClientFacts {
    id: "nobody",
    title: "Nobody",
    names: &[],
    name_prefixes: &[],
    instruction_cuts: &[],
    description_cuts: &[],
    instructions_reach_model: Reach::Yes,
    result_chars: None,
    reads_our_folders: false,
    honours_hidden: true,
};
/// A client that reads skills from folders.
const FOLDER_READER: ClientFacts = ClientFacts {
    id: "folder-reader",
    names: &["folder-reader"],
    reads_our_folders: true,
    ..NOBODY
};
/// A client that shows its model no instructions and little of a result.
const SMALL: ClientFacts = ClientFacts {
    id: "small",
    names: &["small"],
    description_cuts: &[InstructionCut {
        from: "",
        cut: Cut::Utf16(9_000),
    }],
    instructions_reach_model: Reach::No,
    result_chars: Some(8_000),
    ..NOBODY
};
const CLIENTS: ClientTable = ClientTable::new(&[&FOLDER_READER, &SMALL]);

/// Time that passes by one millisecond at each look.
#[derive(Debug, Default)]
struct StepClock(AtomicU64);

impl Clock for StepClock {
    fn now(&self) -> Timestamp {
        let step = self.0.fetch_add(1, Ordering::Relaxed);
        Timestamp(1_700_000_000_000 + i64::try_from(step).unwrap())
    }

    fn new_uuid(&self) -> Uuid {
        Uuid::from_u128(1_000 + u128::from(self.0.fetch_add(1, Ordering::Relaxed)))
    }

    fn entropy(&self) -> [u8; 32] {
        *imprint_format::Digest::of(self.new_uuid().as_bytes()).as_bytes()
    }
}

/// Folders that only count their passes.
#[derive(Debug, Default)]
pub(crate) struct FakeFolders {
    pub(crate) passes: AtomicUsize,
    pub(crate) failing: AtomicBool,
    /// Which items are placed, and the report.
    pub(crate) placed: AtomicBool,
}

#[async_trait]
impl ClientFolders for FakeFolders {
    async fn write(&self) -> Result<FolderReport, FoldersError> {
        if self.failing.load(Ordering::Relaxed) {
            return Err(FoldersError {
                message: "the folder is locked".to_owned(),
            });
        }
        self.passes.fetch_add(1, Ordering::Relaxed);
        Ok(FolderReport::default())
    }

    async fn last_report(&self) -> Option<FolderReport> {
        self.placed.load(Ordering::Relaxed).then(|| FolderReport {
            position: LogPosition(u64::MAX),
            readers: vec![Reader {
                client: "folder-reader".to_owned(),
                kind: ItemKind::Skill,
                folder: "/home/u/.agents/skills".to_owned(),
            }],
            ..FolderReport::default()
        })
    }

    async fn folder_of(&self, item: ItemId) -> Option<String> {
        let placed = self.placed.load(Ordering::Relaxed);
        placed.then(|| format!("/home/u/.agents/skills/{item}"))
    }
}

/// What a server works with, for several sessions.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) registry: Registry,
    pub(crate) folders: Arc<FakeFolders>,
    pub(crate) named: Option<String>,
    /// Where a store's file is, as long as the scene lasts.
    _home: Option<Arc<TempDir>>,
}

impl Scene {
    pub(crate) fn new() -> Self {
        Self::over(Arc::new(InMemoryStore::new()))
    }

    /// Over a database whose file is damaged.
    pub(crate) fn broken() -> Self {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("imprint.db");
        std::fs::write(&file, "this is no database ".repeat(500)).unwrap();
        Self {
            _home: Some(Arc::new(home)),
            ..Self::over(Arc::new(SqliteStore::new(file)))
        }
    }

    fn over(store: Arc<dyn Store>) -> Self {
        Self {
            registry: Registry::new(store, Arc::new(StepClock::default()), OwnerId::LOCAL),
            folders: Arc::default(),
            named: None,
            _home: None,
        }
    }

    /// Keeps an item of the user's.
    pub(crate) async fn keep(&self, kind: ItemKind, name: &str, instructions: &str) -> ItemSummary {
        self.keep_with(kind, name, instructions, &[]).await
    }

    pub(crate) async fn keep_with(
        &self,
        kind: ItemKind,
        name: &str,
        instructions: &str,
        files: &[(&str, &[u8])],
    ) -> ItemSummary {
        let new = NewItem::Texts {
            kind,
            name: name.parse().unwrap(),
            description: format!("What {name} is for."),
            instructions: instructions.to_owned(),
            files: files
                .iter()
                .map(|(path, bytes)| (path.parse().unwrap(), BundleFile::plain(*bytes)))
                .collect(),
        };
        self.registry.create(&Author::User, new).await.unwrap()
    }

    pub(crate) fn open(&self) -> Client {
        let (input, server_input) = tokio::io::duplex(64 * 1024);
        let (server_output, output) = tokio::io::duplex(64 * 1024);
        let context = ServerContext {
            registry: self.registry.clone(),
            folders: Arc::clone(&self.folders) as Arc<dyn ClientFolders>,
            clients: CLIENTS,
            named_client: self.named.clone(),
            bridged: false,
            toolsets: Toolsets::default(),
            read_only: false,
            recorded: true,
            version: "1.2.3".to_owned(),
        };
        Client {
            server: tokio::spawn(serve_stdio(context, server_input, server_output)),
            input: Some(input),
            output: BufReader::new(output).lines(),
            next_id: 100,
        }
    }

    /// A session after its handshake as this client.
    pub(crate) async fn connect(&self, client: &str) -> Client {
        let mut client_side = self.open();
        client_side.shake_hands(client).await;
        client_side
    }
}

/// The other end of the pipes.
#[derive(Debug)]
pub(crate) struct Client {
    input: Option<DuplexStream>,
    output: Lines<BufReader<DuplexStream>>,
    server: JoinHandle<Result<(), ServeError>>,
    next_id: u64,
}

impl Client {
    pub(crate) async fn shake_hands(&mut self, client: &str) -> Value {
        let result = self
            .ask("initialize", handshake(client, "2025-11-25"))
            .await;
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
            .await;
        result
    }

    pub(crate) async fn send(&mut self, message: &Value) {
        self.send_bytes(format!("{message}\n").as_bytes()).await;
    }

    pub(crate) async fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("not hung up");
        input.write_all(bytes).await.unwrap();
    }

    /// The next message from the server.
    pub(crate) async fn hear(&mut self) -> Value {
        let line = self.output.next_line().await.unwrap();
        serde_json::from_str(&line.expect("a line")).expect("a line of JSON")
    }

    /// Asks and gives the result.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.exchange(method, params).await;
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].take()
    }

    /// Asks and gives the error's code.
    pub(crate) async fn ask_wrong(&mut self, method: &str, params: Value) -> (i64, String) {
        let answer = self.exchange(method, params).await;
        let error = &answer["error"];
        let code = error["code"].as_i64().unwrap_or_else(|| panic!("{answer}"));
        (code, error["message"].as_str().unwrap().to_owned())
    }

    async fn exchange(&mut self, method: &str, params: Value) -> Value {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
            .await;
        // News of changes comes when it comes.
        let mut answer = self.hear().await;
        while answer.get("id").is_none() {
            answer = self.hear().await;
        }
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool and gives its text.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> String {
        let (text, is_error) = self.call_any(tool, arguments).await;
        assert!(!is_error, "{text}");
        text
    }

    /// Calls a tool in a way that can't be answered, and gives what it says.
    pub(crate) async fn call_wrong(&mut self, tool: &str, arguments: Value) -> String {
        let (text, is_error) = self.call_any(tool, arguments).await;
        assert!(is_error, "{text}");
        text
    }

    async fn call_any(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let params = json!({ "name": tool, "arguments": arguments });
        let result = self.ask("tools/call", params).await;
        let text = result["content"][0]["text"].as_str().unwrap().to_owned();
        (text, result["isError"] == true)
    }

    /// Hangs up: what is still answered, after the server has ended well.
    pub(crate) async fn hang_up(mut self) -> Vec<Value> {
        drop(self.input.take());
        let mut rest = String::new();
        self.output
            .into_inner()
            .read_to_string(&mut rest)
            .await
            .unwrap();
        self.server.await.unwrap().expect("a normal end");
        rest.lines()
            .map(|line| serde_json::from_str(line).expect("a line of JSON"))
            .collect()
    }
}

pub(crate) fn handshake(client: &str, version: &str) -> Value {
    json!({
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": { "name": client, "version": "1.0" },
    })
}

/// The params of a request of 2026-07-28.
pub(crate) fn modern(client: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": client, "version": "1.0" },
    });
    params
}
