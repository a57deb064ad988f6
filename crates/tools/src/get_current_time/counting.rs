//! Counting days.

use super::holidays::{Country, Day};
use chrono::{Datelike, Months, NaiveDate, TimeDelta, Weekday};

/// Further than this, in days, no business days are looked for: nowhere is every day free.
const FURTHEST: i64 = 40_000;

/// An instant that was counted.
pub(super) struct Counted {
    pub(super) at_ms: i64,
    /// The holidays that were skipped, in the order of counting.
    pub(super) skipped: Vec<NaiveDate>,
    /// Whether it went through years whose holidays are not known.
    pub(super) is_beyond: bool,
}

impl Counted {
    /// One that skipped nothing.
    pub(super) fn at(at_ms: i64) -> Self {
        Self {
            at_ms,
            skipped: Vec::new(),
            is_beyond: false,
        }
    }
}

/// A business day that was counted.
pub(super) struct BusinessDay {
    pub(super) date: NaiveDate,
    pub(super) skipped: Vec<NaiveDate>,
    pub(super) is_beyond: bool,
}

/// So many days later.
pub(super) fn days(from: NaiveDate, amount: i64) -> Option<NaiveDate> {
    from.checked_add_signed(TimeDelta::try_days(amount)?)
}

/// So many months later; a day that the month lacks is its last.
pub(super) fn months(from: NaiveDate, amount: i64) -> Option<NaiveDate> {
    let months = Months::new(u32::try_from(amount.unsigned_abs()).ok()?);
    if amount < 0 {
        from.checked_sub_months(months)
    } else {
        from.checked_add_months(months)
    }
}

/// The so many-th business day from here on, this day left out.
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
