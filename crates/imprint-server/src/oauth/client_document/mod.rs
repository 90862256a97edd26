//! Clients that describe themselves in a document at an address of their own (Client ID Metadata
//! Documents). The address is the client's id: whoever holds the domain is the client.

mod document;
mod fetch;
mod freshness;
mod public_address;
mod resolve;

use std::fmt;

use async_trait::async_trait;
use imprint_core::oauth::{ClientId, OauthClient};

pub(crate) use self::fetch::WebDocuments;

/// Where clients' documents come from.
#[async_trait]
pub(crate) trait ClientDocuments: Send + Sync + fmt::Debug {
    /// The client that the document at this address describes.
    async fn client(&self, id: &ClientId) -> Result<OauthClient, DocumentError>;
}

/// Why nothing is known of a client. Texts are for the person at the browser, who may be anyone:
/// they tell nothing about the network around the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DocumentError {
    /// The address does not lead to a public server, or that does not answer as it should.
    #[error("the client's document can't be fetched from its address")]
    Unreachable,
    /// It is larger than any such document needs to be.
    #[error("the client's document is too large")]
    TooLarge,
    /// It is no JSON object of the right form.
    #[error("the client's document is not in the form of one")]
    Form,
    /// It speaks of another client.
    #[error("the client's document is about another client than its address says")]
    Other,
    /// It names no address that a code could be sent to.
    #[error("the client's document names no redirect address that can be used")]
    NoRedirect,
    /// It says that the client has a secret, which it can't have with a public document.
    #[error("the client's document asks for a shared secret")]
    Secret,
}
