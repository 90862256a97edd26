//! The check of paths inside an item.
#![no_main]

use imprint_format::properties;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| properties::item_path(text));
