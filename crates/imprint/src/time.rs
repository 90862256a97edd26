//! Times for people.

use imprint_core::Timestamp;
use jiff::{Timestamp as Instant, tz::TimeZone};

/// The local time to the minute, `2026-01-31 18:05`.
pub(crate) fn shown(at: Timestamp) -> String {
    shown_in(at, &TimeZone::system())
}

/// The local day, `2026-01-31`.
pub(crate) fn day(at: Timestamp) -> String {
    formatted(at, &TimeZone::system(), "%Y-%m-%d")
}

/// The local time of the day to the second, `18:05:09`.
pub(crate) fn clock(at: Timestamp) -> String {
    formatted(at, &TimeZone::system(), "%H:%M:%S")
}

fn shown_in(at: Timestamp, zone: &TimeZone) -> String {
    formatted(at, zone, "%Y-%m-%d %H:%M")
}

fn formatted(at: Timestamp, zone: &TimeZone, format: &str) -> String {
    Instant::from_millisecond(at.0).map_or_else(
        |_| "(unknown time)".to_owned(),
        |instant| {
            instant
                .to_zoned_datetime(zone.clone())
                .strftime(format)
                .to_string()
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_to_the_minute() {
        assert_eq!(shown_in(Timestamp(0), &TimeZone::UTC), "1970-01-01 00:00");
        assert_eq!(
            shown_in(Timestamp(i64::MAX), &TimeZone::UTC),
            "(unknown time)"
        );
    }
}
