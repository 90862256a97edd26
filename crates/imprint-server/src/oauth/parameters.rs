//! The parameters of a query or a form.

use axum::response::{IntoResponse, Response};
use http::{HeaderMap, header};

use super::refusal::Refusal;

/// Parameters by name, in their order.
#[derive(Debug)]
pub(super) struct Parameters(Vec<(String, String)>);

/// A parameter that may be there once is there more than once (RFC 6749 §3.1).
#[derive(Debug)]
pub(super) struct Repeated(&'static str);

impl Repeated {
    pub(super) fn description(&self) -> String {
        format!("`{}` is there more than once", self.0)
    }
}

impl From<Repeated> for Refusal {
    fn from(repeated: Repeated) -> Self {
        Self::invalid_request(repeated.description())
    }
}

impl IntoResponse for Repeated {
    fn into_response(self) -> Response {
        Refusal::from(self).into_response()
    }
}

impl Parameters {
    pub(super) fn parse(encoded: &[u8]) -> Self {
        let pairs = url::form_urlencoded::parse(encoded);
        Self(pairs.into_owned().collect())
    }

    /// The parameters of a form in a body.
    pub(super) fn of_form(headers: &HeaderMap, body: &[u8]) -> Result<Self, Refusal> {
        let kind = headers.get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(Refusal::invalid_request(
                "send the parameters as `application/x-www-form-urlencoded`",
            ));
        }
        Ok(Self::parse(body))
    }

    /// The parameter's value. An empty one counts as absent, as OAuth has it.
    pub(super) fn one(&self, name: &'static str) -> Result<Option<&str>, Repeated> {
        let mut values = self.all(name);
        let first = values.next();
        match values.next() {
            Some(_) => Err(Repeated(name)),
            None => Ok(first.filter(|value| !value.is_empty())),
        }
    }

    /// The parameter's value, which must be there.
    pub(super) fn needed(&self, name: &'static str) -> Result<&str, Refusal> {
        self.one(name)?
            .ok_or_else(|| Refusal::invalid_request(format!("`{name}` is missing")))
    }

    /// All values of a parameter that may be there more than once.
    pub(super) fn all(&self, name: &'static str) -> impl Iterator<Item = &str> {
        let named = self.0.iter().filter(move |(key, _)| key == name);
        named.map(|(_, value)| value.as_str())
    }
}
