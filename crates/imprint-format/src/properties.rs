//! What must hold for every input: the bodies of the fuzz targets, which also run as property
//! tests. Each function panics when its property is broken.

use crate::{
    Document, EditFieldError, ItemKind, ItemPath, Severity, is_archive_junk, parse_tools,
    quote_scalar, read_header, safe_folder_name,
    text::{clip, hidden_text, one_line, visible},
    validate,
    yaml::Value,
};

/// Reading any bytes ends, loses nothing, and either yields a value or says why not. What passes
/// the strict rules is read without a remark.
pub fn document(bytes: &[u8]) {
    for kind in [ItemKind::Skill, ItemKind::Persona] {
        let reading = read_header(kind, Some("home"), bytes);
        let errors = reading
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error);
        assert_eq!(reading.value.is_none(), errors.count() > 0);
        for diagnostic in &reading.diagnostics {
            assert_eq!(visible(&diagnostic.message), diagnostic.message);
        }
        if let Some((header, document)) = &reading.value {
            assert_eq!(document.text().as_bytes(), bytes);
            assert_eq!(document.body(), document.body().trim());
            shown_text(&header.description);
            assert!(!header.name.contains(['/', '\\']) && !header.name.is_empty());
            assert!(!safe_folder_name(&header.name).as_str().is_empty());
            for field in document.fields() {
                assert_eq!(document.get(&field.key), Some(&field.value));
                parse_tools(&field.value);
            }
        }
        match validate(kind, None, bytes) {
            Ok(strict) => {
                assert!(reading.value.is_some_and(|(header, _)| {
                    header.name == strict.name.as_str() && header.description == strict.description
                }));
            }
            Err(faults) => {
                assert!(!faults.is_empty());
                assert!(faults.iter().all(|fault| fault.severity == Severity::Error));
            }
        }
    }
    if let Ok(guideline) = validate(ItemKind::Guideline, Some("home"), bytes) {
        assert!(!guideline.description.is_empty());
    }
}

/// One line for a model is one line, without anything that a person can't see.
fn shown_text(text: &str) {
    let line = one_line(text);
    assert!(!line.chars().any(char::is_control));
    assert_eq!(hidden_text(&line), None);
    assert_eq!(one_line(&line), line);
    let clipped = clip(&line, 20);
    assert!(clipped.chars().count() <= 20);
}

/// An edit gives the field its value and leaves every byte outside the old value.
pub fn edit(file: &str, key: &str, value: &str) {
    let Some(before) = Document::read(file.as_bytes()).value else {
        return;
    };
    edited_field(&before, key, value);
    edited_body(&before, value);
    quoted_repairs(&before);
}

/// Quoting what was repaired leaves nothing to repair and every value as it was read.
fn quoted_repairs(before: &Document) {
    let Ok(after) = before.with_repairs_quoted() else {
        return;
    };
    assert!(after.front_matter.repairs.is_empty());
    assert_eq!(after.body(), before.body());
    for field in before.fields() {
        assert_eq!(after.get(&field.key), Some(&field.value));
    }
    if before.front_matter.repairs.is_empty() {
        assert_eq!(after.text(), before.text());
    }
}

/// The edit of one field; says whether it could be made.
pub(crate) fn edited_field(before: &Document, key: &str, value: &str) -> bool {
    let after = match before.with_field(key, value) {
        Ok(after) => after,
        Err(EditFieldError::NotAScalar { .. }) => {
            let old = before.get(key);
            assert!(matches!(old, Some(Value::Sequence(_) | Value::Mapping(_))));
            return false;
        }
        Err(EditFieldError::Character { .. }) => {
            assert!(value.contains('\0') || key.contains('\0'));
            return false;
        }
        Err(EditFieldError::Spelling { .. } | EditFieldError::TooLarge { .. }) => return false,
    };
    let read = after.get(key).and_then(Value::as_str);
    if after.text() == before.text() {
        assert_eq!(read.map(str::trim), Some(value.trim()));
        return true;
    }
    assert_eq!(read, Some(value));
    assert_eq!(after.body(), before.body());
    for field in before.fields().iter().filter(|field| field.key != key) {
        assert_eq!(after.get(&field.key), Some(&field.value));
    }
    let entry = before
        .front_matter
        .entries
        .iter()
        .rfind(|entry| entry.key == key);
    let header_end = before.fences.header.end;
    let old = entry.map_or(header_end..header_end, |entry| entry.span.clone());
    let (old_text, new_text) = (before.text(), after.text());
    let behind = match &old_text[old.end..] {
        // A value where none was may stand behind the blanks.
        rest if old.is_empty() => rest.trim_start_matches([' ', '\t']),
        rest => rest,
    };
    assert!(new_text.starts_with(&old_text[..old.start]));
    assert!(new_text.ends_with(behind));
    assert_eq!(after.with_field(key, value).as_ref(), Ok(&after));
    true
}

/// The edit of the body.
fn edited_body(before: &Document, body: &str) {
    let Ok(after) = before.with_body(body) else {
        return;
    };
    let header = &before.text()[..before.fences.rest];
    assert!(after.text().starts_with(header));
    assert_eq!(after.front_matter, before.front_matter);
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(words(after.body()), words(body));
}

/// A path that is taken stays inside the folder that it is joined to, and has one spelling.
pub fn item_path(text: &str) {
    is_archive_junk(text);
    let Ok(path) = text.parse::<ItemPath>() else {
        return;
    };
    let native = std::path::Path::new(path.as_str());
    let plain = |component| matches!(component, std::path::Component::Normal(_));
    assert!(native.components().all(plain));
    assert_eq!(native.components().count(), path.components().count());
    assert!(!path.as_str().contains(['\\', ':', '\0']));
    assert_eq!(path.as_str().parse().as_ref(), Ok(&path));
    if let Ok(upper) = path.as_str().to_uppercase().parse::<ItemPath>() {
        assert_eq!(upper.collision_key(), path.collision_key());
    }
}

/// A written scalar is read back as the same text by our own reader.
pub fn scalar(text: &str) {
    let line = format!("key: {}\nnext: x\n", quote_scalar(text));
    let entries = crate::yaml::parse_mapping(&line);
    let read = entries.as_ref().map(|entries| {
        let values = entries.iter().map(|entry| entry.value.as_str());
        values.collect::<Vec<_>>()
    });
    assert_eq!(read, Ok(vec![Some(text), Some("x")]), "{line:?}");
}

#[cfg(test)]
mod tests;
