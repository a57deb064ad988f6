//! Adds days, business days and months to dates.

use super::holidays::{Country, Day};
use chrono::{Datelike, Months, NaiveDate, TimeDelta, Weekday};

/// The number of days after which the search for business days ends, in case the country's calendar
/// has none.
const FURTHEST: i64 = 40_000;

/// The result of counting from now.
pub(super) struct DateCount {
    pub(super) at_ms: i64,
    /// The holidays that were skipped, in the order of counting.
    pub(super) skipped: Vec<NaiveDate>,
    /// True if the count included years whose holidays are not known.
    pub(super) is_beyond: bool,
}

impl DateCount {
    /// The result of a count that skipped no holidays.
    pub(super) fn at(at_ms: i64) -> Self {
        Self {
            at_ms,
            skipped: Vec::new(),
            is_beyond: false,
        }
    }
}

/// The result of counting business days.
pub(super) struct BusinessDay {
    pub(super) date: NaiveDate,
    pub(super) skipped: Vec<NaiveDate>,
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
) -> Option<BusinessDay> {
    let mut counted = BusinessDay {
        date: from,
        skipped: Vec::new(),
        is_beyond: false,
    };
    let (mut left, step) = (amount.abs(), amount.signum());
    for _ in 0..FURTHEST {
        if left == 0 {
            return Some(counted);
        }
        counted.date = days(counted.date, step)?;
        let day = match country {
            Some(country) => country.day(counted.date),
            None if matches!(counted.date.weekday(), Weekday::Sat | Weekday::Sun) => Day::Weekend,
            None => Day::Business,
        };
        counted.is_beyond |= country.is_some_and(|country| !country.knows(counted.date));
        match day {
            Day::Weekend => {}
            Day::Holiday => counted.skipped.push(counted.date),
            Day::Business => left -= 1,
        }
    }
    None
}
