//! Imprint over HTTP.

mod address;
mod guard;
mod problem;
