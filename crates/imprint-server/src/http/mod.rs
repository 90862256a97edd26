//! Imprint over HTTP.

mod address;
mod guard;
mod limits;
mod problem;
