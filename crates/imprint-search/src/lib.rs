//! imprint-search
