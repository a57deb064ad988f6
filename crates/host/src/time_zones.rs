//! Time zones, taken from the machine.

/// The rules of IANA's time zones. Read only within a recorded step, because they change with the
/// machine.
pub trait TimeZones {
    /// The user's time zone, such as `Europe/Paris`.
    fn own(&self) -> String;

    /// The names of all known zones, without older aliases.
    fn names(&self) -> Vec<String>;

    /// Returns a zone's offset from UTC at an instant, in seconds; `None` if the zone is unknown or
    /// the instant is out of range.
    fn offset_seconds(&self, zone: &str, at_ms: i64) -> Option<i32>;

    /// Formats an instant with day, time and zone, in the language of a BCP 47 tag.
    fn words(&self, zone: &str, at_ms: i64, language: &str) -> Option<String>;
}
