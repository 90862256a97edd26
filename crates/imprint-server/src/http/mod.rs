//! Imprint over HTTP.

pub(crate) mod address;
mod answer;
mod api;
mod authority;
mod endpoint;
mod fences;
mod guard;
pub(crate) mod identity;
pub(crate) mod limits;
mod listen;
mod metrics;
mod narrowing;
mod outer;
mod problem;
mod request;
mod revocation;
mod server;
mod sessions;
mod shield;
mod socket;
#[cfg(test)]
mod tests;

pub use api::openapi;
pub use server::{HttpConfig, HttpError, HttpServer};
