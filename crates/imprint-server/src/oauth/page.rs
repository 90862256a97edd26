//! What the owner sees in the browser. Plain pages: no script, nothing from elsewhere.

use axum::response::{IntoResponse, Response};
use http::{HeaderName, StatusCode, header};
use imprint_core::{
    StoreError,
    oauth::{AuthorizationRequest, ClientId, RedirectUri, RequestOver},
};
use maud::{DOCTYPE, Markup, html};
use url::Url;

use super::{browser::Browser, headers};

/// How often a waiting page looks again, in seconds.
const LOOK_AGAIN_S: u8 = 3;

/// The looks of all pages.
pub(super) async fn style() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/css; charset=utf-8"),
        (header::CACHE_CONTROL, "max-age=300"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ];
    (headers, include_str!("style.css")).into_response()
}

/// The page in which the owner decides.
pub(super) fn consent(
    request: &AuthorizationRequest,
    browser: &Browser,
    notice: Option<&str>,
) -> Response {
    let title = format!("Let {} in?", request.client_name);
    let body = html! {
        h1 { (title) }
        @if let Some(notice) = notice {
            p.warning role="alert" { (notice) }
        }
        (who(request))
        form method="post" action=(action(request)) {
            input type="hidden" name="form" value=(browser.form_token());
            fieldset {
                legend { "What it may do here" }
                @for scope in request.offered.iter() {
                    label.scope {
                        input type="checkbox" name="scope" value=(scope)
                            checked[request.chosen.allows(scope)];
                        span { (scope.about()) " " small { code { (scope) } } }
                    }
                }
            }
            h2 { "At home" }
            (at_home(request))
            p { button type="submit" name="do" value="wait" { "Continue" } }
            h2 { "Or with a key" }
            p {
                label for="key" { "A key that may administer (" code { "sak_…" } ")" }
                input #key type="password" name="key" autocomplete="off" spellcheck="false";
                @if request.tries_left < imprint_core::oauth::TRIES {
                    small { "Tries left: " (request.tries_left) }
                }
            }
            p {
                button type="submit" name="do" value="allow" { "Allow" }
                " "
                button.plain type="submit" name="do" value="deny" { "Deny" }
            }
        }
        p { small { "This request ends five minutes after it began." } }
    };
    let mut response = page(&title, None, &body).into_response();
    headers::of_page(response.headers_mut(), Some(&request.redirect));
    response
}

/// The page that waits for the command line.
pub(super) fn waiting(request: &AuthorizationRequest, browser: &Browser) -> Response {
    let title = "Waiting for you at home";
    let body = html! {
        h1 { (title) }
        (at_home(request))
        p {
            "It will be asked to let " strong { (request.client_name) } " in, for:"
        }
        ul {
            @for scope in request.chosen.iter() {
                li { (scope.about()) " " small { code { (scope) } } }
            }
        }
        p { "This page goes on by itself when you have decided." }
        form method="post" action=(action(request)) {
            input type="hidden" name="form" value=(browser.form_token());
            p { button.plain type="submit" name="do" value="deny" { "Deny" } }
        }
    };
    let mut response = page(title, Some(LOOK_AGAIN_S), &body).into_response();
    headers::of_page(response.headers_mut(), Some(&request.redirect));
    response
}

fn action(request: &AuthorizationRequest) -> String {
    format!("/oauth/consent/{}", request.id)
}

fn who(request: &AuthorizationRequest) -> Markup {
    html! {
        dl {
            dt { "Client" }
            dd {
                strong { (request.client_name) }
                @match &request.client {
                    ClientId::Document(address) => {
                        " " small { "says " code { (host_of(address)) } ", where it describes itself" }
                    }
                    ClientId::Registered(_) => {
                        " " small { "by its own account; anyone can use this name" }
                    }
                }
            }
            dt { "Its answer goes to" }
            dd { code.host { (destination(&request.redirect)) } }
            dt { "To use" }
            dd { code { (request.resource) } }
        }
        @if request.only_local {
            p.warning {
                "The answer goes to a program on the computer of this browser, and any program "
                "there can ask like this. Go on only if you have just started it yourself."
            }
        }
    }
}

fn at_home(request: &AuthorizationRequest) -> Markup {
    html! {
        p { "On the computer where Imprint runs, run this command, then continue here:" }
        pre { "imprint oauth approve " (request.code) }
        p { "Check that it shows this code: " strong.code { (request.code) } }
    }
}

/// The whole host; for an application's own scheme, the whole address.
fn destination(redirect: &RedirectUri) -> String {
    let host = redirect.host();
    if host.ends_with(':') {
        redirect.to_string()
    } else {
        host
    }
}

fn host_of(address: &str) -> String {
    let url = Url::parse(address).ok();
    let host = url.and_then(|url| url.host_str().map(str::to_owned));
    host.unwrap_or_default()
}

/// Why the browser is sent nowhere.
#[derive(Debug)]
pub(super) struct Trouble {
    status: StatusCode,
    title: &'static str,
    detail: String,
}

impl Trouble {
    /// The client asked wrongly. Nobody is sent back, because nobody knows to whom.
    pub(super) fn request(detail: impl Into<String>) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            title: "This can't be asked like this",
            detail: detail.into(),
        }
    }

    /// Nothing more can be done with the request.
    pub(super) fn over(over: RequestOver) -> Self {
        Self {
            status: StatusCode::GONE,
            title: "Nothing more to do here",
            detail: over.to_string(),
        }
    }

    /// No such request, or another browser has begun it: which of the two is not told.
    pub(super) fn stranger() -> Self {
        Self {
            status: StatusCode::NOT_FOUND,
            title: "No such request",
            detail: "it has ended, or it began in another browser; begin again in the client"
                .to_owned(),
        }
    }

    /// A form that is none of ours.
    pub(super) fn foreign() -> Self {
        Self {
            status: StatusCode::FORBIDDEN,
            title: "This form is not ours",
            detail: "it was not sent from the page that this server shows".to_owned(),
        }
    }

    /// The store failed.
    pub(super) fn store(error: &StoreError) -> Self {
        tracing::error!(%error, "the store failed");
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            title: "This can't be answered now",
            detail: "look into the server's log, then try again".to_owned(),
        }
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        let body = html! {
            h1 { (self.title) }
            p { (self.detail) }
        };
        let mut response = (self.status, page(self.title, None, &body)).into_response();
        headers::of_page(response.headers_mut(), None);
        response
    }
}

fn page(title: &str, look_again: Option<u8>, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                @if let Some(seconds) = look_again {
                    meta http-equiv="refresh" content=(seconds);
                }
                title { (title) " · Imprint" }
                link rel="stylesheet" href="/oauth/style.css";
            }
            body { main { (body) } }
        }
    };
    page.into_string()
}
