//! imprint-testkit
