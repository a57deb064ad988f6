//! Adds days, business days and months to dates.

use super::holidays::{Country, Day};
use chrono::{Datelike, Months, NaiveDate, TimeDelta, Weekday};

/// The number of days after which the search for business days ends, in case the country's calendar
/// has none.
const FURTHEST: i64 = 40_000;

/// The holidays that a count skipped.
#[derive(Default)]
pub(super) struct Skipped {
    /// The holidays, in the order of counting.
    pub(super) holidays: Vec<NaiveDate>,
    /// True if the count included years whose holidays are not known.
    pub(super) is_beyond: bool,
}

/// Adds days to a date; `None` if the calendar does not reach that far.
pub(super) fn days(from: NaiveDate, amount: i64) -> Option<NaiveDate> {
    from.checked_add_signed(TimeDelta::try_days(amount)?)
}

/// Adds months to a date. If the new month does not have the day, its last day is used: 31 January
/// plus one month is 28 or 29 February.
pub(super) fn months(from: NaiveDate, amount: i64) -> Option<NaiveDate> {
    let months = Months::new(u32::try_from(amount.unsigned_abs()).ok()?);
    if amount < 0 {
        from.checked_sub_months(months)
    } else {
        from.checked_add_months(months)
    }
}

/// Counts business days from a date, without the date itself.
pub(super) fn business_days(
    from: NaiveDate,
    amount: i64,
    country: Option<&Country>,
) -> Option<(NaiveDate, Skipped)> {
    let (mut date, mut skipped) = (from, Skipped::default());
    let (mut left, step) = (amount.abs(), amount.signum());
    for _ in 0..FURTHEST {
        if left == 0 {
            return Some((date, skipped));
        }
        date = days(date, step)?;
        let day = match country {
            Some(country) => country.day(date),
            None if matches!(date.weekday(), Weekday::Sat | Weekday::Sun) => Day::Weekend,
            None => Day::Business,
        };
        skipped.is_beyond |= country.is_some_and(|country| !country.knows(date));
        match day {
            Day::Weekend => {}
            Day::Holiday => skipped.holidays.push(date),
            Day::Business => left -= 1,
        }
    }
    None
}
