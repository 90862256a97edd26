//! Edits of a field and of the body, and the spelling of the new value.
#![no_main]

use imprint_format::properties;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str, &str)| {
    let (header, key, value) = input;
    let file = format!("---\n{header}\n---\nBody.\n");
    properties::edit(&file, key, value);
    properties::edit(&file, "description", value);
    properties::scalar(value);
});
