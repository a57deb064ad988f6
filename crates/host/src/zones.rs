//! Time zones, which the machine knows and we don't ship.

/// The rules of the IANA's time zones. Read only within a journalled step: they change
/// with the machine.
pub trait Zones {
    /// The person's own, as in `Europe/Paris`.
    fn own(&self) -> String;

    /// The names of all that it knows, but for older names of the same.
    fn names(&self) -> Vec<String>;

    /// How far a zone is ahead of UTC at an instant, in seconds; `None` if there is no such
    /// zone, or the instant is out of all bounds.
    fn offset_seconds(&self, zone: &str, at_ms: i64) -> Option<i32>;

    /// An instant in words, in the language of this BCP 47 tag, with day, time and zone.
    fn words(&self, zone: &str, at_ms: i64, language: &str) -> Option<String>;
}
