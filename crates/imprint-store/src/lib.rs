//! imprint-store
