//! imprint-core
