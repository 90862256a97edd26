//! OAuth 2.1 as rules: who may be let in, by whom, and what becomes of codes and tokens.
//!
//! Everything here is a pure function of what was kept, the time and fresh randomness. A rule
//! gives back the [`OauthChange`]s to commit; the commit judges once more, inside its transaction,
//! what two processes could both do ([`OauthFacts`]). [`crate::Registry`] reads, asks the rules
//! and commits.
//!
//! One consent makes one grant with one code. The tokens that come of that code are the grant's
//! family: they end with it.

mod change;
mod client;
mod grant;
mod pkce;
mod redirect;
mod request;
mod resource;
mod scopes;
mod store;
mod token;

pub use change::{OauthChange, OauthFacts, OauthNeeds};
pub use client::{
    ClientId, ClientNameError, MOST_REDIRECTS, NotAClientId, OauthClient, UNUSED_CLIENT_MS,
};
pub use grant::{GrantStanding, OauthGrant};
pub use pkce::{Challenge, NotAChallenge};
pub use redirect::{NotARedirect, RedirectUri};
pub use request::{
    AuthorizationRequest, Decision, Finished, NewRequest, REQUEST_MS, RequestId, RequestOver,
    RequestStatus, ShortCode, Started, TRIES,
};
pub use resource::{NotAPublicUrl, NotOurResource, PublicUrl, Resource};
pub use scopes::{grantable, offered, preselected};
pub use store::OauthStore;
pub use token::{
    ACCESS_MS, Asks, CODE_MS, CodeTerms, GRACE_MS, GRANT_MS, Issued, OauthToken, REFRESH_MS,
    TokenRefusal, TokenUse, exchange, may_use, refresh,
};

/// The first 128 bits.
fn first_bits(entropy: [u8; 32]) -> u128 {
    let bytes = entropy.iter().take(16);
    bytes.fold(0, |number, byte| number << 8 | u128::from(*byte))
}
