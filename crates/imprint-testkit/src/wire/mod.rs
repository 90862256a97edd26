//! MCP over HTTP from the client's side with nothing between: every byte is ours, so a client can
//! be as quick, slow or broken as a measurement needs it.

mod connection;
mod request;

pub use connection::{Answer, Connection};
pub use request::{Endpoint, Era, Wanted};
