//! The parts of a search query, as arguments.

use super::schema::{Argument, InvalidArgument};
use gloss_web::search::DateRange;
use gloss_web::search::MOST_CHARACTERS;
use serde_json::{Value, json};

/// A text that is short enough to be sent to a search provider without asking (DETAILS §12).
#[derive(Debug)]
pub(super) struct QueryText(pub(super) String);

impl Argument for QueryText {
    fn schema() -> Value {
        json!({ "type": "string", "pattern": r"\S", "maxLength": MOST_CHARACTERS })
    }

    fn expected() -> String {
        format!("a text of 1 to {MOST_CHARACTERS} characters")
    }

    fn read(value: &Value) -> Result<Self, InvalidArgument> {
        let wrong = || InvalidArgument::but(Self::expected(), value);
        let is_short = |text: &&str| text.chars().count() <= MOST_CHARACTERS;
        value.as_str().filter(is_short).ok_or_else(wrong)?;
        let words = String::read(value).map_err(|_| wrong())?;
        Ok(Self(words))
    }
}

/// A range of publication dates.
#[derive(Debug)]
pub(super) struct Dates(pub(super) DateRange);

/// The regular expression for a day: `2026-01-31`.
const DAY: &str = r"[0-9]{4}-[0-9]{2}-[0-9]{2}";

impl Argument for Dates {
    fn schema() -> Value {
        json!({
            "type": "string",
            "pattern": format!(r"^(day|week|month|year|{DAY}\.\.{DAY})$"),
        })
    }

    fn expected() -> String {
        "day, week, month, year, or two days as in 2026-01-01..2026-01-31".to_owned()
    }

    fn read(value: &Value) -> Result<Self, InvalidArgument> {
        let range = match value.as_str() {
            Some("day") => Some(DateRange::Day),
            Some("week") => Some(DateRange::Week),
            Some("month") => Some(DateRange::Month),
            Some("year") => Some(DateRange::Year),
            Some(text) => between(text),
            None => None,
        };
        let wrong = || InvalidArgument::but(Self::expected(), value);
        range.map(Self).ok_or_else(wrong)
    }
}

fn between(text: &str) -> Option<DateRange> {
    let (from, to) = text.split_once("..")?;
    (is_day(from) && is_day(to)).then(|| DateRange::Between {
        from: from.to_owned(),
        to: to.to_owned(),
    })
}

fn is_day(text: &str) -> bool {
    text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_dates_is_a_word_or_two_days() {
        for (text, expected) in [
            ("week", true),
            ("2026-01-01..2026-01-31", true),
            ("2026-01-01", false),
            ("2026-1-1..2026-01-31", false),
            ("decade", false),
        ] {
            assert_eq!(Dates::read(&json!(text)).is_ok(), expected, "{text}");
        }
    }
}
