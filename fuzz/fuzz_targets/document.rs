//! Reading and strict checking of any bytes.
#![no_main]

use imprint_format::properties;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| properties::document(bytes));
