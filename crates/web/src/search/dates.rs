//! Parses the publication dates of results, and the date range that a query asks for.

use super::{Category, DateRange, Query};
use chrono::{Datelike, Days, NaiveDate};

const MS_A_DAY: u64 = 86_400_000;
const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// Returns the day in UTC of a time in milliseconds since the Unix epoch.
pub(super) fn day_of(ms: u64) -> NaiveDate {
    let days = Days::new(ms / MS_A_DAY);
    NaiveDate::default()
        .checked_add_days(days)
        .unwrap_or_default()
}

pub(super) fn iso(day: NaiveDate) -> String {
    day.to_string()
}

/// Parses a text that begins like `2026-01-31`.
pub(super) fn iso_day(text: &str) -> Option<NaiveDate> {
    text.get(..10)?.parse().ok()
}

/// Parses a provider's date: `2026-01-31T10:00:00Z`, `Sat, 31 Jan 2026 10:00:00 GMT` or `January
/// 31, 2026`. `None` if the text is not a date, or if its year is not within 1970 to 2999.
pub(super) fn published(text: &str) -> Option<String> {
    let text = text.trim();
    let day = iso_day(text).or_else(|| in_words(text))?;
    (1970..=2999).contains(&day.year()).then(|| iso(day))
}

/// Finds a year, the name of a month and a day, in any order.
fn in_words(text: &str) -> Option<NaiveDate> {
    let lower = text.to_ascii_lowercase();
    let words = lower.split(|it: char| !it.is_ascii_alphanumeric());
    let (mut day, mut month, mut year) = (None, None, None);
    for word in words.filter(|word| !word.is_empty()).take(8) {
        if let Ok(number) = word.parse::<u32>() {
            match word.len() {
                4 if year.is_none() => year = i32::try_from(number).ok(),
                1 | 2 if day.is_none() => day = Some(number),
                _ => {}
            }
        } else if month.is_none() {
            let named = MONTHS.iter().position(|name| word.starts_with(name));
            month = named.and_then(|at| u32::try_from(at + 1).ok());
        }
    }
    NaiveDate::from_ymd_opt(year?, month?, day?)
}

/// The length of a date range that ends today, in the units that providers offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RelativeRange {
    Day,
    Week,
    Month,
    Year,
}

/// The date range of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DateSpan {
    /// No restriction by date.
    Any,
    /// A range that ends today.
    Back(RelativeRange),
    /// From the first day to the second, including both.
    Between(NaiveDate, NaiveDate),
}

/// Parses the date range of a query, and puts its two days in order.
///
/// # Errors
/// The text that is not a valid day.
pub(super) fn span(query: &Query) -> Result<DateSpan, String> {
    let day = |text: &String| match text.len() {
        10 => iso_day(text).ok_or_else(|| text.clone()),
        _ => Err(text.clone()),
    };
    Ok(match &query.dates {
        None => DateSpan::Any,
        Some(DateRange::Day) => DateSpan::Back(RelativeRange::Day),
        Some(DateRange::Week) => DateSpan::Back(RelativeRange::Week),
        Some(DateRange::Month) => DateSpan::Back(RelativeRange::Month),
        Some(DateRange::Year) => DateSpan::Back(RelativeRange::Year),
        Some(DateRange::Between { from, to }) => {
            let (one, other) = (day(from)?, day(to)?);
            DateSpan::Between(one.min(other), one.max(other))
        }
    })
}

impl RelativeRange {
    /// Returns the shortest range until today that includes a day; `None` if even a year does not.
    pub(super) fn to(day: NaiveDate, today: NaiveDate) -> Option<Self> {
        match today.signed_duration_since(day).num_days() {
            ..=1 => Some(Self::Day),
            2..=7 => Some(Self::Week),
            8..=30 => Some(Self::Month),
            31..=364 => Some(Self::Year),
            _ => None,
        }
    }

    /// Returns the name of the range that most providers use.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Year => "year",
        }
    }
}

/// Returns true if a page of this day (`2026-01-31`) may be among the results, or if the day is
/// unknown.
pub(super) fn is_within(span: DateSpan, day: Option<&str>, today: NaiveDate) -> bool {
    let Some(day) = day.and_then(iso_day) else {
        return true;
    };
    match span {
        DateSpan::Any => true,
        DateSpan::Back(back) => RelativeRange::to(day, today).is_some_and(|least| least <= back),
        DateSpan::Between(from, to) => (from..=to).contains(&day),
    }
}

/// Returns true if the query asks for news.
pub(super) fn is_news(query: &Query) -> bool {
    query.kind == super::Kind::News || query.category == Some(Category::News)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn today() -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, 22).unwrap()
    }

    #[test]
    fn a_day_is_read_however_it_is_written() {
        for (text, day) in [
            ("2024-01-15", Some("2024-01-15")),
            ("2024-01-15T14:30:00", Some("2024-01-15")),
            ("2024-01-15 14:30:00+01:00", Some("2024-01-15")),
            ("2024-02-30", None),
            ("Mon, 15 Jan 2024 10:00:00 GMT", Some("2024-01-15")),
            ("Jan 5, 2024", Some("2024-01-05")),
            ("February 12, 2025", Some("2025-02-12")),
            ("12 September 2025", Some("2025-09-12")),
            ("2 days ago", None),
            ("0001-01-01T00:00:00", None),
            ("soon", None),
            ("", None),
            ("２０２４-01-15", None),
            ("May", None),
        ] {
            assert_eq!(published(text).as_deref(), day, "{text}");
        }
        assert_eq!(iso(day_of(1_795_274_972_000)), "2026-11-21");
    }

    #[test]
    fn a_range_is_two_days_in_order_or_no_range() {
        let of = |from: &str, to: &str| {
            let (from, to) = (from.to_owned(), to.to_owned());
            span(&Query {
                dates: Some(DateRange::Between { from, to }),
                ..Query::default()
            })
        };
        let day = |text| iso_day(text).unwrap();
        let january = DateSpan::Between(day("2026-01-01"), day("2026-01-31"));
        assert_eq!(of("2026-01-01", "2026-01-31"), Ok(january));
        assert_eq!(of("2026-01-31", "2026-01-01"), Ok(january));
        for wrong in ["2026-02-30", "January", "2026-01-01T00:00", ""] {
            assert_eq!(of(wrong, "2026-01-01"), Err(wrong.to_owned()));
        }
        assert!(is_within(january, Some("2026-01-31"), today()));
        assert!(!is_within(january, Some("2026-02-01"), today()));
        assert!(is_within(january, None, today()));
    }

    #[test]
    fn a_result_from_before_what_was_asked_for_is_left_out_whoever_gave_it() {
        for (back, day, within) in [
            (RelativeRange::Day, "2026-11-21", true),
            (RelativeRange::Day, "2026-11-20", false),
            (RelativeRange::Week, "2026-11-15", true),
            (RelativeRange::Week, "2026-11-14", false),
            (RelativeRange::Year, "2025-12-01", true),
            (RelativeRange::Year, "2020-01-01", false),
        ] {
            let is = is_within(DateSpan::Back(back), Some(day), today());
            assert_eq!(is, within, "{day}");
        }
    }

    #[test]
    fn what_reaches_back_far_enough_is_the_least_that_does() {
        for (day, back) in [
            ("2026-11-22", Some(RelativeRange::Day)),
            ("2026-11-21", Some(RelativeRange::Day)),
            ("2026-11-16", Some(RelativeRange::Week)),
            ("2026-10-23", Some(RelativeRange::Month)),
            ("2025-12-01", Some(RelativeRange::Year)),
            ("2024-01-01", None),
        ] {
            assert_eq!(
                RelativeRange::to(iso_day(day).unwrap(), today()),
                back,
                "{day}"
            );
        }
    }
}
