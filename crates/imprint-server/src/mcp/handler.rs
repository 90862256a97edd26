//! The protocol's methods: the handshake of both eras, the list of tools and their calls, and what
//! the skills extension serves.

mod listening;
mod served;

use std::{borrow::Cow, future::Future, sync::Arc};

use imprint_core::fit::{Fitted, Peer};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult,
        DiscoverResult, ErrorCode, GetSkillRequestParams, GetSkillResult, Implementation,
        InitializeRequestParams, InitializeResult, ListResourceTemplatesResult,
        ListResourcesResult, ListSkillsResult, ListToolsResult, MetaObject, PaginatedRequestParams,
        ProtocolVersion, ReadResourceDirectoryRequestParams, ReadResourceRequestParams,
        ReadResourceResponse, RequestMetaObject, ServerCapabilities, ServerConfig,
        SubscriptionFilter,
    },
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use serde_json::Value;

pub(crate) use listening::Announcer;

use super::{
    SessionLog,
    changes::Changes,
    extension::Extension,
    fittings::Fittings,
    instructions,
    session::Heard,
    tools::{self, Call},
};
use crate::{ServerContext, caller::Caller};

/// How long a client may take a list or the instructions for fresh: an item that the user makes
/// should not stay unseen.
const TTL_MS: u64 = 5_000;
const CLIENT_INFO_KEY: &str = "io.modelcontextprotocol/clientInfo";
const SERVER_INFO_KEY: &str = "io.modelcontextprotocol/serverInfo";
/// Methods of ours that arrive here only when their params are not what they take.
const OWN_METHODS: [&str; 12] = [
    "initialize",
    "ping",
    "resources/directory/read",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "server/discover",
    "skills/get",
    "skills/list",
    "subscriptions/listen",
    "tools/call",
    "tools/list",
];

/// One of our methods, as a name that may be logged: of others nobody knows what their names hold.
pub(crate) fn own_method(method: &str) -> Option<&'static str> {
    OWN_METHODS.into_iter().find(|own| *own == method)
}

/// Answers requests. Holds nothing between them but what a handshake said.
#[derive(Clone, Debug)]
pub struct Handler {
    context: Arc<ServerContext>,
    /// Who asks where requests don't say so themselves.
    caller: Arc<Caller>,
    extension: Arc<Extension>,
    changes: Changes,
    /// Over pipes a client asks a few times, and then for what is there now.
    fittings: Option<Arc<Fittings>>,
    /// Where the other side need not ask to be told of changes.
    announcer: Option<Announcer>,
}

/// What the handlers of a server share.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    context: Arc<ServerContext>,
    extension: Arc<Extension>,
    changes: Changes,
    fittings: Arc<Fittings>,
}

impl Shared {
    /// What is shared by all who are served these items.
    pub(crate) fn new(context: Arc<ServerContext>) -> Self {
        Self {
            changes: Changes::new(context.registry.clone()),
            extension: Arc::default(),
            fittings: Arc::default(),
            context,
        }
    }
}

impl Handler {
    /// Over pipes there is one asker.
    pub(crate) fn new(context: ServerContext, sessions: SessionLog, announcer: Announcer) -> Self {
        let caller = Arc::new(context.over_pipes(sessions));
        Self {
            announcer: Some(announcer),
            fittings: None,
            ..Self::of(&Shared::new(Arc::new(context)), caller)
        }
    }

    /// Over HTTP the layers in front leave the asker with each request.
    pub(crate) fn of(shared: &Shared, nobody: Arc<Caller>) -> Self {
        Self {
            context: Arc::clone(&shared.context),
            caller: nobody,
            extension: Arc::clone(&shared.extension),
            changes: shared.changes.clone(),
            fittings: Some(Arc::clone(&shared.fittings)),
            announcer: None,
        }
    }

    fn caller(&self, request: &RequestContext<RoleServer>) -> Arc<Caller> {
        let parts = request.extensions.get::<http::request::Parts>();
        let caller = parts.and_then(|parts| parts.extensions.get::<Arc<Caller>>());
        Arc::clone(caller.unwrap_or(&self.caller))
    }

    fn server_info(&self) -> Implementation {
        Implementation::new("imprint", &self.context.version).with_title("Imprint")
    }

    /// Who asks, and in which era. A modern request says all of it itself; of one of the older era
    /// that came over HTTP without a session, rmcp says that it comes from rmcp.
    fn asker(&self, request: &RequestContext<RoleServer>) -> Asker {
        let caller = self.caller(request);
        let Some(version) = request.meta.protocol_version().filter(is_modern) else {
            return shaken(caller, &request.peer);
        };
        let (name, own_version) = client_of(&request.meta);
        Asker {
            peer: caller.peer(name, own_version),
            caller,
            modern: true,
            protocol: version.to_string(),
        }
    }

    /// Who shook hands at the other end of the pipes.
    fn shaken(&self, peer: &rmcp::Peer<RoleServer>) -> Asker {
        shaken(Arc::clone(&self.caller), peer)
    }

    async fn fitted(&self, asker: &Asker) -> Result<Fitted, ErrorData> {
        let Some(fittings) = &self.fittings else {
            return self.fitted_now(asker).await;
        };
        let registry = &asker.caller.registry;
        // Before the items are read, so that a change meanwhile is not hidden.
        let Ok(position) = registry.store().position(registry.owner()).await else {
            return self.fitted_now(asker).await;
        };
        let who = (asker.caller.access.clone(), asker.peer.clone());
        if let Some(fitted) = fittings.get(&who, position) {
            return Ok(fitted);
        }
        let fitted = self.fitted_now(asker).await?;
        fittings.put(who, position, &fitted);
        Ok(fitted)
    }

    async fn fitted_now(&self, asker: &Asker) -> Result<Fitted, ErrorData> {
        let context = Arc::clone(&self.context);
        let (caller, peer) = (Arc::clone(&asker.caller), asker.peer.clone());
        apart(async move { instructions::fitted(&context, &caller.registry, &peer).await }).await
    }

    /// What a modern result says about its server.
    fn meta(&self, asker: &Asker) -> Option<MetaObject> {
        asker.modern.then(|| {
            let info = serde_json::to_value(self.server_info()).unwrap_or_default();
            let mut meta = MetaObject::new();
            meta.insert(SERVER_INFO_KEY.to_owned(), info);
            meta
        })
    }
}

/// Who sent a request.
#[derive(Debug)]
struct Asker {
    caller: Arc<Caller>,
    peer: Peer,
    modern: bool,
    protocol: String,
}

impl Asker {
    fn be_heard(&self) {
        self.caller.sessions.heard(&Heard {
            name: self.peer.name.clone(),
            version: self.peer.version.clone(),
            protocol: self.protocol.clone(),
        });
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_skills_with_directory_read()
            .build();
        ServerConfig::new(capabilities)
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
            .with_server_info(self.server_info())
    }

    async fn initialize(
        &self,
        params: InitializeRequestParams,
        request: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let mut result = self.negotiate_initialize(&params)?;
        let (name, version) = said(&params.client_info);
        let caller = self.caller(&request);
        let asker = Asker {
            peer: caller.peer(name, version),
            caller,
            modern: false,
            protocol: result.protocol_version.to_string(),
        };
        let mut agreed = params;
        agreed.protocol_version = result.protocol_version.clone();
        request.peer.set_peer_info(agreed);
        asker.be_heard();
        let fitted = self.fitted(&asker).await?;
        result.instructions = Some(fitted.instructions);
        Ok(result)
    }

    async fn discover(
        &self,
        request: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let asker = self.asker(&request);
        asker.be_heard();
        let fitted = self.fitted(&asker).await?;
        let versions = self.supported_protocol_versions().into_owned();
        let mut result = DiscoverResult::from_server_info(versions, self.get_info());
        result.instructions = Some(fitted.instructions);
        result.ttl_ms = TTL_MS;
        result.cache_scope = CacheScope::Private;
        Ok(result)
    }

    async fn list_tools(
        &self,
        params: Option<PaginatedRequestParams>,
        request: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let cursor = params.and_then(|params| params.cursor);
        if cursor.is_some_and(|cursor| !cursor.is_empty()) {
            let fault = "`cursor` is none of ours: the list of tools has one page";
            return Err(ErrorData::invalid_params(fault, None));
        }
        let asker = self.asker(&request);
        asker.be_heard();
        let meta = self.meta(&asker);
        let fitted = self.fitted(&asker).await?;
        let offers = |tool| asker.caller.offers(tool);
        let listed = tools::list(&fitted.skills_description, offers);
        let mut result = ListToolsResult::with_all_items(listed);
        result.meta = meta;
        if asker.modern {
            result.ttl_ms = Some(TTL_MS);
            result.cache_scope = Some(CacheScope::Private);
        }
        Ok(result)
    }

    async fn call_tool(
        &self,
        params: CallToolRequestParams,
        request: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let asker = self.asker(&request);
        let tool = tools::find(&params.name, |tool| asker.caller.offers(tool))?;
        asker.be_heard();
        let call = Call {
            context: Arc::clone(&self.context),
            caller: Arc::clone(&asker.caller),
            registry: asker.caller.registry_for(&asker.peer),
            peer: asker.peer.clone(),
            arguments: params.arguments.unwrap_or_default(),
        };
        let mut result = apart(tools::run(tool, call)).await?;
        let done = result.is_error != Some(true);
        asker.caller.sessions.called(tool, done);
        result.meta = self.meta(&asker);
        Ok(result.into())
    }

    async fn list_skills(
        &self,
        params: Option<PaginatedRequestParams>,
        request: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        self.skills_page(params, &request).await
    }

    async fn get_skill(
        &self,
        params: GetSkillRequestParams,
        request: RequestContext<RoleServer>,
    ) -> Result<GetSkillResult, ErrorData> {
        self.one_skill(params, &request).await
    }

    async fn list_resources(
        &self,
        params: Option<PaginatedRequestParams>,
        request: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.resources_page(params, &request).await
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        request: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(self.templates(&request))
    }

    async fn read_resource(
        &self,
        params: ReadResourceRequestParams,
        request: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        Ok(self.resource(params, &request).await?.into())
    }

    async fn read_resource_directory(
        &self,
        params: ReadResourceDirectoryRequestParams,
        request: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        self.directory_page(params, &request).await
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(Self::honoured())
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        self.keep_telling(&subscription).await;
        Ok(())
    }

    async fn on_initialized(&self, notification: NotificationContext<RoleServer>) {
        self.announce(notification.peer);
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method.as_str();
        let modern = context
            .meta
            .protocol_version()
            .is_some_and(|it| is_modern(&it));
        let gone = modern && matches!(method, "initialize" | "ping");
        if gone || !OWN_METHODS.contains(&method) {
            let method = imprint_core::secret::masked_in(method);
            let shown = imprint_format::text::clip(&imprint_format::text::one_line(&method), 100);
            let message = format!("there is no method `{shown}` here");
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None));
        }
        Err(ErrorData::invalid_params(
            wrong_params(method, request.params.as_ref()),
            None,
        ))
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::KNOWN_VERSIONS)
    }
}

/// Does the work in a task of its own: a client that cancels or hangs up doesn't stop a write half
/// way, and a fault in the work is an answer instead of silence.
async fn apart<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> Result<T, ErrorData> {
    tokio::spawn(work).await.map_err(|error| {
        // What a panic says may hold text of the user's.
        tracing::error!(
            panic = error.is_panic(),
            "a request failed in an unforeseen way"
        );
        ErrorData::internal_error("Imprint failed in an unforeseen way; try again", None)
    })
}

fn wrong_params(method: &str, params: Option<&Value>) -> String {
    if method != "tools/call" {
        return format!("`params` are not what `{method}` takes");
    }
    let name = params.and_then(|params| params.get("name"));
    match name {
        Some(Value::String(_)) => "`arguments` must be an object, one member an argument".into(),
        Some(_) => "`name` must be text: the name of a tool".into(),
        None => "`name` is missing: the name of a tool".into(),
    }
}

/// Who shook hands here, as far as the handshake says.
fn shaken(caller: Arc<Caller>, peer: &rmcp::Peer<RoleServer>) -> Asker {
    let handshake = peer.peer_info();
    let (name, version) = handshake
        .as_ref()
        .filter(|info| info.client_info != Implementation::default())
        .map(|info| said(&info.client_info))
        .unwrap_or_default();
    Asker {
        peer: caller.peer(name, version),
        caller,
        modern: false,
        protocol: handshake
            .map(|info| info.protocol_version.to_string())
            .unwrap_or_default(),
    }
}

fn is_modern(version: &ProtocolVersion) -> bool {
    !super::HANDSHAKE_VERSIONS.contains(&version.as_str())
}

/// Name and version of a client from a request's metadata, whatever else of it is amiss.
fn client_of(meta: &RequestMetaObject) -> (Option<String>, Option<String>) {
    let client = meta.get(CLIENT_INFO_KEY);
    let text = |key| {
        let text = client?.get(key)?.as_str()?;
        (!text.is_empty()).then(|| text.to_owned())
    };
    (text("name"), text("version"))
}

fn said(client: &Implementation) -> (Option<String>, Option<String>) {
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    (text(&client.name), text(&client.version))
}
