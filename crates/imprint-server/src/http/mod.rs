//! Imprint over HTTP.

mod problem;
