//! Access tokens of OAuth clients at the endpoints that they open.

use imprint_core::{
    Registry, Token,
    oauth::{OauthGrant, PublicUrl},
    registry::TokenError,
};

/// The grant behind an access token, if it opens this path of the server now. A path that is no
/// resource of its own is open only to tokens for the server as a whole.
pub(crate) async fn access(
    registry: &Registry,
    public: &PublicUrl,
    token: &Token,
    path: &str,
) -> Result<OauthGrant, TokenError> {
    let resource = public.resource_at(path).unwrap_or_else(|| public.whole());
    registry.use_access(token, &resource).await
}
