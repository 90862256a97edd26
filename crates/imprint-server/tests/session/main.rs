//! Whole sessions over pipes, in process: what a client sends and what it gets.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that can't go on fails"
)]

mod edit;
mod handshake;
mod lines;
mod records;
mod served;
mod skills;
mod support;
