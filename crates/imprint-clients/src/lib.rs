//! imprint-clients
