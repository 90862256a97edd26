//! How long a document may be remembered.

use std::time::Duration;

use http::{HeaderMap, header};

/// Never longer, whatever the server of a document says.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// Where it says nothing.
const USUAL: Duration = Duration::from_secs(60 * 60);

/// How long the answer with these headers stays fresh (RFC 9111, as far as this needs it).
pub(super) fn fresh_for(headers: &HeaderMap) -> Duration {
    let lines = headers.get_all(header::CACHE_CONTROL).iter();
    let mut fresh = USUAL;
    for directive in lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
    {
        let directive = directive.trim().to_ascii_lowercase();
        match directive.split_once('=') {
            None if matches!(directive.as_str(), "no-store" | "no-cache") => return Duration::ZERO,
            Some(("max-age", seconds)) => {
                let seconds = seconds.trim_matches('"').parse().unwrap_or(0);
                fresh = Duration::from_secs(seconds);
            }
            _ => {}
        }
    }
    fresh.min(LONGEST)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn the_server_says_how_long_up_to_a_day() {
        let seconds = |line: &'static str| {
            let line = HeaderValue::from_static(line);
            fresh_for(&HeaderMap::from_iter([(header::CACHE_CONTROL, line)])).as_secs()
        };
        assert_eq!(seconds("max-age=60"), 60);
        assert_eq!(seconds("public, Max-Age=\"60\""), 60);
        assert_eq!(seconds("max-age=99999999999"), 86_400);
        assert_eq!(seconds("max-age=60, no-store"), 0);
        assert_eq!(seconds("max-age=soon"), 0);
        assert_eq!(seconds("public"), 3_600);
        assert_eq!(fresh_for(&HeaderMap::new()).as_secs(), 3_600);
    }
}
