//! The browser that began a request: it alone may go on with it.

use http::{HeaderMap, HeaderValue, header};
use imprint_core::{
    TokenDigest,
    oauth::{AuthorizationRequest, PublicUrl, REQUEST_MS},
};
use imprint_format::Digest;

/// How much longer than the request the cookie is kept, in seconds: an approved request waits a
/// minute more.
const LONGER_S: i64 = 60;

/// What proves to us that a request comes from the browser that began it: a cookie's value.
#[derive(Clone)]
pub(super) struct Browser(String);

impl Browser {
    /// The secret of a request that has just begun.
    pub(super) fn new(secret: String) -> Self {
        Self(secret)
    }

    /// The browser behind a request's headers, if it is the one that began it.
    pub(super) fn of(
        headers: &HeaderMap,
        public: &PublicUrl,
        request: &AuthorizationRequest,
    ) -> Option<Self> {
        let name = cookie_name(public, request);
        let cookies = headers.get_all(header::COOKIE).iter();
        let mut pairs = cookies
            .filter_map(|line| line.to_str().ok())
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='));
        let secret = pairs.find(|(key, secret)| *key == name && request.is_of(secret));
        secret.map(|(_, secret)| Self(secret.to_owned()))
    }

    /// The header that gives it the cookie.
    pub(super) fn cookie(
        &self,
        public: &PublicUrl,
        request: &AuthorizationRequest,
    ) -> Option<HeaderValue> {
        let name = cookie_name(public, request);
        let seconds = REQUEST_MS / 1_000 + LONGER_S;
        let secure = if public.is_https() { "; Secure" } else { "" };
        let cookie = format!(
            "{name}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}",
            self.0
        );
        HeaderValue::from_str(&cookie).ok()
    }

    /// What a form of ours holds, so that no other page's form is taken for one.
    pub(super) fn form_token(&self) -> String {
        Digest::of(format!("imprint-form-1\0{}", self.0).as_bytes()).to_string()
    }

    /// Whether a form is ours.
    pub(super) fn wrote(&self, form_token: &str) -> bool {
        let digest = |text: &str| text.parse::<Digest>().ok();
        // Token digests are compared in constant time.
        let comparable = |digest: Digest| TokenDigest::from_bytes(*digest.as_bytes());
        let (ours, theirs) = (digest(&self.form_token()), digest(form_token));
        theirs.is_some() && ours.map(comparable) == theirs.map(comparable)
    }
}

/// One cookie per request, so that two at once don't disturb each other. Over https the name
/// itself forbids that another host of the domain, or a page in clear, has set it.
fn cookie_name(public: &PublicUrl, request: &AuthorizationRequest) -> String {
    let prefix = if public.is_https() { "__Host-" } else { "" };
    let id = request.id.to_string();
    format!("{prefix}imprint-{}", &id[..8])
}
