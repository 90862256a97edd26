//! Headers of pages that an owner decides on: nothing foreign in them, nothing around them.

use http::{HeaderMap, HeaderName, HeaderValue, header};
use imprint_core::oauth::RedirectUri;
use url::{Host, Url};

/// Sets the headers of a page. Its forms may lead to us, and by our answer to `redirect`: browsers
/// hold the whole way of a form against `form-action`.
pub(super) fn of_page(headers: &mut HeaderMap, redirect: Option<&RedirectUri>) {
    let leads_to = redirect.map(form_source).unwrap_or_default();
    let policy = format!(
        "default-src 'none'; style-src 'self'; form-action 'self'{leads_to}; \
         frame-ancestors 'none'; base-uri 'none'"
    );
    let fixed = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        // With `no-referrer`, browsers would send our own forms with `Origin: null`.
        (header::REFERRER_POLICY, "same-origin"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
}

/// Where a form may lead beside us, in the words of the policy: a scheme and a host, or a scheme
/// where those words know no such host.
fn form_source(redirect: &RedirectUri) -> String {
    let Ok(url) = Url::parse(redirect.as_str()) else {
        return String::new();
    };
    match url.host() {
        Some(Host::Domain(_) | Host::Ipv4(_)) if matches!(url.scheme(), "http" | "https") => {
            format!(" {}", url.origin().ascii_serialization())
        }
        _ => format!(" {}:", url.scheme()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_lead_to_us_and_to_the_client_alone() {
        let policy = |redirect: &str| {
            let mut headers = HeaderMap::new();
            of_page(&mut headers, Some(&redirect.parse().unwrap()));
            let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
            let from = policy.find("form-action").unwrap();
            policy[from..].split(';').next().unwrap().to_owned()
        };
        assert_eq!(
            policy("https://claude.ai/cb?x=1;y"),
            "form-action 'self' https://claude.ai"
        );
        assert_eq!(
            policy("http://127.0.0.1:8000/cb"),
            "form-action 'self' http://127.0.0.1:8000"
        );
        assert_eq!(policy("http://[::1]:8000/cb"), "form-action 'self' http:");
        assert_eq!(policy("cursor://a/b"), "form-action 'self' cursor:");
    }
}
