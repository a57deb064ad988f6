//! The time that a server asks the client to wait before a retry. The header `Retry-After` contains
//! seconds or a date (RFC 9110). `OpenAI`'s own header contains milliseconds.

use chrono::DateTime;
use gloss_durable::json;

/// The maximum wait: one day, in milliseconds. A longer wait is reduced to one day, because no user
/// waits that long.
pub const MOST_MS: u64 = 86_400_000;

/// Returns the wait that the headers request, in milliseconds, at most one day. Returns `None` if
/// the headers request no wait. `now_ms` is the time of the response.
pub fn retry_after_ms(headers: &[(String, String)], now_ms: u64) -> Option<u64> {
    asked_ms(headers, now_ms).map(|ms| ms.min(MOST_MS))
}

fn asked_ms(headers: &[(String, String)], now_ms: u64) -> Option<u64> {
    let header = |name: &str| {
        let found = headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.trim())
    };
    if let Some(ms) = header("retry-after-ms").and_then(json::number) {
        return Some(ms.max(0.0) as u64);
    }
    let after = header("retry-after")?;
    match json::number(after) {
        Some(seconds) => Some((seconds.max(0.0) * 1_000.0) as u64),
        None => Some(date_ms(after)?.saturating_sub(now_ms)),
    }
}

/// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT`, the only format in use. Returns
/// milliseconds since the Unix epoch.
fn date_ms(date: &str) -> Option<u64> {
    let date = DateTime::parse_from_rfc2822(date).ok()?;
    u64::try_from(date.timestamp_millis()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_a_day_counts_as_a_day_and_not_as_nothing() {
        for (name, value, expected) in [
            ("retry-after", "7", Some(7_000)),
            ("retry-after", "86400", Some(86_400_000)),
            ("retry-after", "86401", Some(86_400_000)),
            ("retry-after", "1000000000", Some(86_400_000)),
            ("retry-after", "99999999999999999999", Some(86_400_000)),
            ("retry-after", "inf", None),
            ("retry-after", "NaN", None),
            ("retry-after", "-3", Some(0)),
            (
                "retry-after",
                "Fri, 02 Jan 1970 00:00:00 GMT",
                Some(86_400_000),
            ),
            (
                "retry-after",
                "Sat, 03 Jan 1970 00:00:00 GMT",
                Some(86_400_000),
            ),
            (
                "retry-after",
                "Fri, 31 Dec 9999 23:59:59 GMT",
                Some(86_400_000),
            ),
            (
                "retry-after",
                "Sat, 03 Jan 999999999999999999 00:00:00 GMT",
                None,
            ),
            ("retry-after-ms", "1500", Some(1_500)),
            ("retry-after-ms", "1e30", Some(86_400_000)),
        ] {
            let headers = [(name.to_owned(), value.to_owned())];
            assert_eq!(retry_after_ms(&headers, 0), expected, "{name}: {value}");
        }
    }

    #[test]
    fn dates_are_read() {
        for (date, seconds) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Thu, 29 Feb 2024 12:00:00 GMT", Some(1_709_208_000)),
            ("Sat, 21 Nov 2026 15:29:32 GMT", Some(1_795_274_972)),
            ("soon", None),
            ("Sat, 21 Foo 2026 15:29:32 GMT", None),
            ("", None),
        ] {
            assert_eq!(date_ms(date), seconds.map(|s: u64| s * 1_000), "{date}");
        }
    }
}
