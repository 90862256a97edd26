//! `imprint oauth`: the owner's part in letting clients in that ask in a browser.

use imprint_core::{
    Scope, ScopeSet, Timestamp,
    oauth::{AuthorizationRequest, Decision, GrantStanding, OauthGrant, RequestStatus},
    registry::{GrantError, RequestError},
};
use serde::Serialize;

use crate::{
    cli::{OauthApproveArgs, OauthCommand, OauthListArgs, OauthRevokeArgs},
    failure::{Failure, FailureKind},
    output::{Output, count},
    time,
    wiring::App,
};

/// How much of a grant's id lists show, in characters from its end.
const ID_CHARS: usize = 8;

pub(super) async fn run(app: &App, out: &Output, command: OauthCommand) -> Result<(), Failure> {
    match command {
        OauthCommand::Approve(args) => approve(app, out, &args).await,
        OauthCommand::Requests => requests(app, out).await,
        OauthCommand::List(args) => list(app, out, &args).await,
        OauthCommand::Revoke(args) => revoke(app, out, &args).await,
    }
}

/// A request as scripts read it.
#[derive(Debug, Serialize)]
struct RequestData<'a> {
    code: &'a str,
    client: &'a str,
    client_id: String,
    redirect: &'a str,
    redirect_host: String,
    only_local: bool,
    resource: &'a str,
    offered: &'a ScopeSet,
    /// What is allowed, or is chosen so far.
    scopes: &'a ScopeSet,
    approved: bool,
    created_at: Timestamp,
    expires_at: Timestamp,
}

impl<'a> RequestData<'a> {
    fn of(request: &'a AuthorizationRequest) -> Self {
        let allowed = match &request.status {
            RequestStatus::Approved { scopes } => Some(scopes),
            _ => None,
        };
        Self {
            code: request.code.as_str(),
            client: &request.client_name,
            client_id: request.client.to_string(),
            redirect: request.redirect.as_str(),
            redirect_host: request.redirect.host(),
            only_local: request.only_local,
            resource: request.resource.as_str(),
            offered: &request.offered,
            scopes: allowed.unwrap_or(&request.chosen),
            approved: allowed.is_some(),
            created_at: request.created_at,
            expires_at: request.expires_at,
        }
    }
}

/// A grant as scripts read it.
#[derive(Debug, Serialize)]
struct GrantData<'a> {
    id: String,
    client: &'a str,
    client_id: String,
    redirect_host: &'a str,
    resource: &'a str,
    scopes: &'a ScopeSet,
    standing: GrantStanding,
    created_at: Timestamp,
    expires_at: Timestamp,
    last_used_at: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
}

impl<'a> GrantData<'a> {
    fn of(grant: &'a OauthGrant, now: Timestamp) -> Self {
        Self {
            id: grant.id.to_string(),
            client: &grant.client_name,
            client_id: grant.client.to_string(),
            redirect_host: &grant.redirect_host,
            resource: grant.resource.as_str(),
            scopes: &grant.scopes,
            standing: grant.standing(now),
            created_at: grant.created_at,
            expires_at: grant.expires_at,
            last_used_at: grant.last_used_at,
            revoked_at: grant.revoked_at,
        }
    }
}

async fn approve(app: &App, out: &Output, args: &OauthApproveArgs) -> Result<(), Failure> {
    let request = app.registry.find_request(&args.code).await?;
    let scopes = scopes(&request, &args.scopes)?;
    if !args.yes {
        out.needs_someone("`--yes` approves it without asking")?;
        print_request(out, &request, &scopes);
        if !out.ask(&format!("Let {} in?", request.client_name)) {
            out.message("Nothing was changed; the request ends by itself");
            return Ok(());
        }
    }
    let decision = Decision::Allow(scopes);
    let approved = app.registry.decide_request(&request, &decision).await?;
    out.data(&RequestData::of(&approved), |out| {
        out.message(&format!(
            "{} may come in; the page in your browser goes on by itself",
            approved.client_name
        ));
        if args.yes {
            out.message(&format!("Its answer goes to {}", approved.redirect.host()));
        }
    });
    Ok(())
}

/// What is to be allowed: as given, or as chosen in the page.
fn scopes(request: &AuthorizationRequest, given: &[Scope]) -> Result<ScopeSet, Failure> {
    let scopes: ScopeSet = match given {
        [] => request.chosen.clone(),
        given => given.iter().copied().collect(),
    };
    let offered = || format!("the client asks for: {}", request.offered);
    if scopes.is_empty() {
        return Err(Failure::usage("nothing is chosen in the page")
            .hint("choose there, press Continue, and approve again; or name `--scopes`")
            .hint(offered()));
    }
    if let Some(more) = scopes
        .iter()
        .find(|scope| *scope == Scope::Admin || !request.offered.allows(*scope))
    {
        return Err(
            Failure::usage(format!("the client does not ask for `{more}`")).hint(offered()),
        );
    }
    Ok(scopes)
}

fn print_request(out: &Output, request: &AuthorizationRequest, scopes: &ScopeSet) {
    out.line(&format!("Client:     {}", request.client_name));
    out.line(&format!("            {}", request.client));
    out.line(&format!("Answer to:  {}", request.redirect.host()));
    out.line(&format!("To use:     {}", request.resource));
    out.line(&format!("Code:       {}", request.code));
    out.line("It may:");
    for scope in scopes.iter() {
        out.line(&format!("  {} ({scope})", scope.about()));
    }
    if request.only_local {
        out.warning(
            "the answer goes to a program on the computer of the browser, and any program there \
             can ask like this",
        );
    }
    out.message("Go on only if you have just begun this yourself, and the page shows this code");
}

async fn requests(app: &App, out: &Output) -> Result<(), Failure> {
    let waiting = app.registry.pending_requests().await?;
    let data: Vec<_> = waiting.iter().map(RequestData::of).collect();
    out.data(&data, |out| {
        if waiting.is_empty() {
            out.message("No request waits for you");
            return;
        }
        let header = ["CODE", "CLIENT", "ANSWER TO", "CHOSEN", "ENDS"];
        out.table(
            &header,
            waiting.iter().map(|request| {
                vec![
                    request.code.to_string(),
                    request.client_name.clone(),
                    request.redirect.host(),
                    request.chosen.to_string(),
                    time::clock(request.expires_at),
                ]
            }),
        );
        out.message("`imprint oauth approve CODE` lets one in; others end by themselves");
    });
    Ok(())
}

async fn list(app: &App, out: &Output, args: &OauthListArgs) -> Result<(), Failure> {
    let now = app.registry.clock().now();
    let mut grants = app.registry.grants().await?;
    let all = grants.len();
    grants.retain(|grant| args.all || grant.standing(now) == GrantStanding::Live);
    let data: Vec<_> = grants
        .iter()
        .map(|grant| GrantData::of(grant, now))
        .collect();
    out.data(&data, |out| {
        if !grants.is_empty() {
            let header = [
                "ID",
                "CLIENT",
                "ANSWERS TO",
                "MAY",
                "SINCE",
                "ENDS",
                "LAST USED",
            ];
            out.table(&header, grants.iter().map(|grant| row(grant, now)));
        }
        match (grants.len(), all - grants.len()) {
            (0, 0) => out.message("No client was let in yet"),
            (_, 0) => {}
            (_, over) => out.message(&format!(
                "{} revoked or expired; `--all` lists them too",
                count(over, "client")
            )),
        }
    });
    Ok(())
}

fn row(grant: &OauthGrant, now: Timestamp) -> Vec<String> {
    let ends = match grant.standing(now) {
        GrantStanding::Revoked => "revoked".to_owned(),
        GrantStanding::Expired => "expired".to_owned(),
        GrantStanding::Live => time::day(grant.expires_at),
    };
    vec![
        short_id(grant),
        grant.client_name.clone(),
        grant.redirect_host.clone(),
        grant.scopes.to_string(),
        time::day(grant.created_at),
        ends,
        grant
            .last_used_at
            .map_or_else(|| "never".to_owned(), time::shown),
    ]
}

/// The end of a grant's id: its beginning is the time, which it shares with others.
fn short_id(grant: &OauthGrant) -> String {
    let id = grant.id.to_string();
    id[id.len() - ID_CHARS..].to_owned()
}

async fn revoke(app: &App, out: &Output, args: &OauthRevokeArgs) -> Result<(), Failure> {
    let grant = app.registry.find_grant(&args.client).await?;
    let name = &grant.client_name;
    if grant.revoked_at.is_some() {
        out.message(&format!("{name} is shut out already"));
        return Ok(());
    }
    if !args.yes {
        out.needs_someone("`--yes` revokes it without asking")?;
        if !out.ask(&format!("Shut {name} ({}) out?", grant.redirect_host)) {
            out.message("Nothing was changed");
            return Ok(());
        }
    }
    app.registry.revoke_grant(&grant).await?;
    out.message(&format!(
        "Shut {name} out: what it was given opens nothing any more"
    ));
    Ok(())
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        let message = error.to_string();
        match error {
            RequestError::Unknown(_) => Self::new(FailureKind::NotFound, message)
                .hint("`imprint oauth requests` lists them; one ends five minutes after it began"),
            RequestError::Store(error) => error.into(),
            RequestError::Overtaken => Self::new(FailureKind::Conflict, message)
                .hint("`imprint oauth requests` shows what waits now"),
            RequestError::Over(_) | RequestError::TooMany => Self::failed(message),
        }
    }
}

impl From<GrantError> for Failure {
    fn from(error: GrantError) -> Self {
        let message = error.to_string();
        match error {
            GrantError::Unknown(_) => Self::new(FailureKind::NotFound, message)
                .hint("`imprint oauth list --all` lists those who were let in"),
            GrantError::Ambiguous { candidates, .. } => candidates
                .iter()
                .fold(
                    Self::new(FailureKind::NotFound, message),
                    |failure, grant| {
                        failure.detail(format!(
                            "{} {} {}",
                            short_id(grant),
                            grant.client_name,
                            grant.redirect_host
                        ))
                    },
                )
                .hint("name it by its id"),
            GrantError::Store(error) => error.into(),
        }
    }
}
