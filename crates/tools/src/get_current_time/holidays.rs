//! The table of public holidays, which `xtask/src/build/holidays.mjs` generates.

use super::nearest;
use chrono::{Datelike, NaiveDate};
use std::fmt;

pub(super) struct Holidays<'t> {
    years: [i32; 2],
    countries: Vec<Line<'t>>,
}

#[derive(Clone, Copy)]
struct Line<'t> {
    code: &'t str,
    name: &'t str,
    weekend: &'t str,
    holidays: &'t str,
}

/// The weekends and public holidays of a country.
#[derive(Debug)]
pub(super) struct Country {
    code: String,
    name: String,
    /// The days of the weekend, as numbers of weekdays; Monday is 1.
    weekend: Vec<u32>,
    /// The first and the last year whose holidays are known.
    pub(super) years: [i32; 2],
    /// The holidays of each year, as days of the year; 1 January is 0.
    holidays: Vec<Vec<u32>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Day {
    /// A working day.
    Business,
    /// A day of the weekend, which may also be a holiday.
    Weekend,
    /// A public holiday outside of the weekend.
    Holiday,
}

impl<'t> Holidays<'t> {
    /// Parses the table; `None` if the table is malformed.
    pub(super) fn of(table: &'t str) -> Option<Self> {
        let mut lines = table.lines();
        let (first, last) = lines.next()?.split_once(' ')?;
        let countries = lines.map(|line| {
            let mut cells = line.split('\t');
            Some(Line {
                code: cells.next()?,
                name: cells.next()?,
                weekend: cells.next()?,
                holidays: cells.next()?,
            })
        });
        Some(Self {
            years: [first.parse().ok()?, last.parse().ok()?],
            countries: countries.collect::<Option<_>>()?,
        })
    }

    /// Finds a country by its ISO 3166 code or its English name.
    ///
    /// # Errors
    /// If there is no such country; returns the most similar names.
    pub(super) fn country(&self, asked: &str) -> Result<Country, Vec<String>> {
        let asked = asked.trim();
        let is_it =
            |it: &&Line| it.code.eq_ignore_ascii_case(asked) || it.name.eq_ignore_ascii_case(asked);
        let Some(line) = self.countries.iter().find(is_it) else {
            let near = nearest(self.countries.clone(), asked, |it| it.name);
            return Err(near.iter().map(|it| named(it.name, it.code)).collect());
        };
        Ok(Country {
            code: line.code.to_owned(),
            name: line.name.to_owned(),
            weekend: line
                .weekend
                .chars()
                .filter_map(|it| it.to_digit(10))
                .collect(),
            years: self.years,
            holidays: line.holidays.split(',').map(days).collect(),
        })
    }
}

/// Parses days of a year. Each day is written as two digits in base 36.
fn days(digits: &str) -> Vec<u32> {
    let digits: Vec<u32> = digits.chars().filter_map(|it| it.to_digit(36)).collect();
    let pairs = digits.chunks_exact(2);
    pairs
        .map(|pair| pair.iter().fold(0, |day, digit| day * 36 + digit))
        .collect()
}

fn named(name: &str, code: &str) -> String {
    format!("{name} ({code})")
}

impl fmt::Display for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&named(&self.name, &self.code))
    }
}

impl Country {
    /// Returns the kind of a day in this country. A year outside of the table has no holidays.
    pub(super) fn day(&self, date: NaiveDate) -> Day {
        if self.weekend.contains(&date.weekday().number_from_monday()) {
            return Day::Weekend;
        }
        let [first, _] = self.years;
        let year = usize::try_from(date.year() - first).ok();
        let holidays = year.and_then(|year| self.holidays.get(year));
        if holidays.is_some_and(|days| days.contains(&date.ordinal0())) {
            Day::Holiday
        } else {
            Day::Business
        }
    }

    pub(super) fn knows(&self, date: NaiveDate) -> bool {
        let [first, last] = self.years;
        (first..=last).contains(&date.year())
    }
}
