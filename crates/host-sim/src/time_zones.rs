//! [`TimeZones`] with IANA's database from the `chrono-tz` crate.

use super::Sim;
use chrono::{DateTime, Offset, TimeZone, Utc};
use chrono_tz::{TZ_VARIANTS, Tz};
use gloss_host::TimeZones;

impl TimeZones for Sim {
    fn own(&self) -> String {
        "Europe/Paris".to_owned()
    }

    fn names(&self) -> Vec<String> {
        TZ_VARIANTS
            .iter()
            .map(|zone| zone.name().to_owned())
            .collect()
    }

    fn offset_seconds(&self, zone: &str, at_ms: i64) -> Option<i32> {
        let at = at(at_ms)?.naive_utc();
        let zone: Tz = zone.parse().ok()?;
        Some(zone.offset_from_utc_datetime(&at).fix().local_minus_utc())
    }

    /// Returns English text for every language, with the language's tag at the end.
    fn words(&self, zone: &str, at_ms: i64, language: &str) -> Option<String> {
        let zone: Tz = zone.parse().ok()?;
        let local = at(at_ms)?.with_timezone(&zone);
        Some(format!(
            "{} [{language}]",
            local.format("%A, %-d %B %Y, %H:%M:%S %Z")
        ))
    }
}

fn at(at_ms: i64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_millis(at_ms)
}
