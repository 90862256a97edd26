//! Finding the fences, and repairing the one-line values that people leave unquoted.
