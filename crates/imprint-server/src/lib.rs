//! imprint-server
