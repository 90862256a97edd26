//! The least that an MCP server over HTTP can be on rmcp: two answers from memory. What the
//! benchmarks measure the real server against.

use std::{error::Error, sync::Arc};

use axum::Router;
use rmcp::{
    ErrorData, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ListToolsResult,
        PaginatedRequestParams, ServerCapabilities, ServerConfig,
    },
    service::{RequestContext, RoleServer},
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use serde::Deserialize;

/// The answers.
#[derive(Debug, Deserialize)]
struct Answers {
    list: ListToolsResult,
    get: CallToolResult,
}

#[derive(Clone, Debug)]
struct Bare(Arc<Answers>);

impl ServerHandler for Bare {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(self.0.list.clone())
    }

    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(self.0.get.clone().into())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(answers), Some(port)) = (arguments.next(), arguments.next()) else {
        return Err("usage: bare-rmcp-http-server ANSWERS PORT".into());
    };
    let answers: Arc<Answers> = Arc::new(serde_json::from_slice(&std::fs::read(answers)?)?);
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true);
    let handler = move || Ok(Bare(Arc::clone(&answers)));
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(handler, sessions, config);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port.parse()?)).await?;
    axum::serve(listener, Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
