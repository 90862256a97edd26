//! What kind of content a file is, by its name.

/// The media type of a file by its ending, if that is known.
pub(crate) fn by_name(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    Some(match ending.to_ascii_lowercase().as_str() {
        "md" | "markdown" => "text/markdown",
        "txt" | "log" => "text/plain",
        "html" | "htm" => "text/html",
        "css" => "text/css",
        "csv" => "text/csv",
        "tsv" => "text/tab-separated-values",
        "js" | "mjs" | "cjs" => "text/javascript",
        "ts" | "mts" | "tsx" => "text/x-typescript",
        "py" => "text/x-python",
        "rs" => "text/x-rust",
        "rb" => "text/x-ruby",
        "go" => "text/x-go",
        "sh" | "bash" | "zsh" => "text/x-shellscript",
        "toml" => "application/toml",
        "json" => "application/json",
        "jsonl" => "application/jsonl",
        "yaml" | "yml" => "application/yaml",
        "xml" => "application/xml",
        "sql" => "application/sql",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "ico" => "image/vnd.microsoft.icon",
        "pdf" => "application/pdf",
        "zip" => "application/zip",
        "gz" | "tgz" => "application/gzip",
        "tar" => "application/x-tar",
        "wasm" => "application/wasm",
        "mp3" => "audio/mpeg",
        "wav" => "audio/wav",
        "mp4" => "video/mp4",
        "woff2" => "font/woff2",
        "ttf" => "font/ttf",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx" => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx" => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        _ => return None,
    })
}

/// Whether content of this type is to be given as text if it can be: what has no type, or one of
/// texts.
pub(crate) fn is_textual(media_type: Option<&str>) -> bool {
    let Some(media_type) = media_type else {
        return true;
    };
    media_type.starts_with("text/")
        || matches!(
            media_type,
            "application/json"
                | "application/jsonl"
                | "application/yaml"
                | "application/toml"
                | "application/xml"
                | "application/sql"
                | "image/svg+xml"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_tell_types_in_any_case() {
        assert_eq!(by_name("SKILL.md"), Some("text/markdown"));
        assert_eq!(by_name("Logo.PNG"), Some("image/png"));
        assert_eq!(by_name("Makefile"), None);
        assert_eq!(by_name("a.unheard-of"), None);
        assert!(is_textual(by_name("x.svg")) && is_textual(None));
        assert!(!is_textual(by_name("x.pdf")));
    }
}
