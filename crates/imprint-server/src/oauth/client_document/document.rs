//! What a client's document says.

use imprint_core::{
    Timestamp,
    oauth::{ClientId, OauthClient, RedirectUri},
};
use serde::Deserialize;

use super::DocumentError;

/// The most redirect addresses that are read.
const MOST_REDIRECTS: usize = 50;

#[derive(Debug, Deserialize)]
struct Document {
    client_id: String,
    client_name: Option<String>,
    #[serde(default)]
    redirect_uris: Vec<String>,
    token_endpoint_auth_method: Option<String>,
}

/// The client with this id, by its document.
pub(super) fn read(
    id: &ClientId,
    document: &[u8],
    now: Timestamp,
) -> Result<OauthClient, DocumentError> {
    let document: Document = serde_json::from_slice(document).map_err(|_| DocumentError::Form)?;
    if document.client_id != id.to_string() {
        return Err(DocumentError::Other);
    }
    let method = document.token_endpoint_auth_method.unwrap_or_default();
    if method.starts_with("client_secret") {
        return Err(DocumentError::Secret);
    }
    // Those for other platforms and protocols are none of ours.
    let redirects: Vec<RedirectUri> = document
        .redirect_uris
        .iter()
        .take(MOST_REDIRECTS)
        .filter_map(|text| text.parse().ok())
        .collect();
    if redirects.is_empty() {
        return Err(DocumentError::NoRedirect);
    }
    let name = OauthClient::shown_name(document.client_name.as_deref(), &redirects);
    Ok(OauthClient {
        id: id.clone(),
        name: name.map_err(|_| DocumentError::Form)?,
        redirects,
        created_at: now,
        used_at: None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    const ADDRESS: &str = "https://client.example/oauth/client.json";

    fn of(document: &Value) -> Result<OauthClient, DocumentError> {
        let id = ADDRESS.parse().unwrap();
        read(&id, document.to_string().as_bytes(), Timestamp(5))
    }

    #[test]
    fn a_document_describes_the_client_at_its_address() {
        let client = of(&json!({
            "client_id": ADDRESS,
            "client_name": "A client",
            "redirect_uris": ["https://client.example/cb", "javascript:alert(1)"],
            "grant_types": ["authorization_code"],
            "token_endpoint_auth_method": "none",
        }))
        .unwrap();
        assert_eq!(
            (client.name.as_str(), client.redirects.len()),
            ("A client", 1)
        );
    }

    #[test]
    fn documents_that_can_t_be_trusted_are_refused() {
        let redirects = ["https://client.example/cb"];
        for (document, error) in [
            (json!([]), DocumentError::Form),
            (json!({"redirect_uris": redirects}), DocumentError::Form),
            (
                json!({"client_id": "https://client.example/other.json", "redirect_uris": redirects}),
                DocumentError::Other,
            ),
            (
                json!({"client_id": format!("{ADDRESS}/"), "redirect_uris": redirects}),
                DocumentError::Other,
            ),
            (json!({"client_id": ADDRESS}), DocumentError::NoRedirect),
            (
                json!({"client_id": ADDRESS, "redirect_uris": ["http://client.example/cb"]}),
                DocumentError::NoRedirect,
            ),
            (
                json!({"client_id": ADDRESS, "redirect_uris": redirects, "token_endpoint_auth_method": "client_secret_post"}),
                DocumentError::Secret,
            ),
        ] {
            assert_eq!(of(&document), Err(error), "{document}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>) {
            let _ = read(&ADDRESS.parse().unwrap(), &bytes, Timestamp(5));
        }
    }
}
