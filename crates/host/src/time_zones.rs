//! Time zones, from the machine's database.

/// The rules of IANA's time zones. They are read only in a recorded step, because an update of the
/// machine may change the rules.
pub trait TimeZones {
    /// Returns the user's time zone, such as `Europe/Paris`.
    fn own(&self) -> String;

    /// Returns the names of all known zones, without older aliases.
    fn names(&self) -> Vec<String>;

    /// Returns a zone's offset from UTC at an instant, in seconds. `at_ms` is in milliseconds since
    /// the Unix epoch. Returns `None` if the zone is unknown or the instant is out of range.
    fn offset_seconds(&self, zone: &str, at_ms: i64) -> Option<i32>;

    /// Formats an instant with day, time and zone. `language` is a BCP 47 tag. Returns `None` if
    /// the zone is unknown or the instant is out of range.
    fn words(&self, zone: &str, at_ms: i64, language: &str) -> Option<String>;
}
