//! Imprint over HTTP.

mod address;
mod guard;
mod limits;
mod metrics;
mod outer;
mod problem;
mod request;
mod shield;
mod socket;
