//! Imprint over HTTP.

mod guard;
mod problem;
