//! Strangers, thieves and pages of other sites at a server over HTTP: the real program, its log at
//! the most verbose, and no key in it, nor in any file, whatever was tried.

#[cfg(unix)]
mod ending;
mod keys;
mod pages;
mod server;
