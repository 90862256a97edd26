//! imprint-host
