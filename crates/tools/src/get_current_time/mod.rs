//! `get_current_time`: the current time, or a date some days from now, in any time zone.
//!
//! Example: "3 business days from now in Tokyo and New York". The days are counted in the
//! calendar of Tokyo, the first zone. The result is given as the time in Tokyo and in New York. The
//! call reads the clock, so its outcome is recorded in the journal. The browser provides the time
//! zones. The holidays are a table in the extension's package, which is loaded when a call names a
//! country.

mod date_arithmetic;
mod holidays;
#[cfg(test)]
mod tests;

use super::schema::{BoundedInteger, BoundedList, arguments, choices};
use super::{Destination, ErrorKind, Output, Tool, ToolContext, ToolError};
use chrono::{DateTime, NaiveDateTime, Timelike};
use date_arithmetic::Skipped;
use futures::FutureExt;
use gloss_durable::json::put;
use gloss_durable::sorted::sort_by;
use gloss_durable::{Clock, Fut};
use gloss_host::{Assets, TimeZones};
use gloss_model::phrase::phrase;
use gloss_model::provenance::{Origin, Provenance};
use holidays::{Country, Holidays};
use serde_json::{Map, Value, json};
use std::rc::Rc;

/// The tool's name.
pub(crate) const NAME: &str = "get_current_time";

/// The name of the holiday table's file in the package.
const HOLIDAYS: &str = "holidays.txt";

/// The number of similar names in an error about an unknown zone or country.
const NEAREST: usize = 3;

choices! {
    /// The unit of a count.
    enum Unit {
        /// Exactly 60 seconds each.
        Minutes = "minutes",
        /// Exactly 60 minutes each.
        Hours = "hours",
        /// Calendar days, at the same time of day.
        Days = "days",
        /// Days that are neither weekend nor public holiday.
        BusinessDays = "businessDays",
        /// Seven calendar days each.
        Weeks = "weeks",
        /// Calendar months. If the new month does not have the day, its last day is used.
        Months = "months",
        /// Calendar years.
        Years = "years",
    }
}

arguments! {
    /// The arguments.
    pub(super) struct Arguments {
        /// IANA time zones, as in Asia/Tokyo; the user's own if left out. Dates are counted in the first valid one.
        zones: Option<BoundedList<String, 1, 8>>,
        /// The number of units from now; negative is ago. Now if neither this nor `unit` is given, else 1.
        amount: Option<BoundedInteger<-10_000, 10_000>>,
        /// The unit of `amount`, days if left out.
        unit: Option<Unit>,
        /// The country whose weekends and public holidays businessDays skip, as in DE or Germany; without it Saturdays and Sundays.
        country: Option<String>,
    }
}

pub(super) struct GetCurrentTime {
    pub(super) clock: Rc<dyn Clock>,
    pub(super) zones: Rc<dyn TimeZones>,
    pub(super) assets: Rc<dyn Assets>,
}

impl Tool for GetCurrentTime {
    type Arguments = Arguments;

    const NAME: &'static str = NAME;

    const TITLE: &'static str = "msg:tool_time";
    const SUMMARY: &'static str = "msg:tool_time_means";

    const DESTINATION: Destination = Destination::Device;

    const DESCRIPTION: &'static str = "Returns the current date and time in one or several time \
        zones, or the date some days, business days, weeks or months from now or ago. Use for \
        anything that depends on today. Don't use for dates on a page, or to count from another \
        day.";

    const EXAMPLES: [&'static str; 2] = [
        r#"{ "zones": ["Asia/Tokyo", "America/New_York"] }"#,
        r#"{ "amount": -10, "unit": "businessDays", "country": "DE" }"#,
    ];

    fn run(&self, arguments: Arguments, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        let (clock, zones, assets) = (self.clock.clone(), self.zones.clone(), self.assets.clone());
        async move {
            let country = match &arguments.country {
                Some(asked) => Some(country(assets, asked).await?),
                None => None,
            };
            let now_ms = i64::try_from(clock.now_ms()).unwrap_or(i64::MAX);
            let asked = Asked {
                zones: zones.as_ref(),
                language: &context.language,
                now_ms,
            };
            asked.answer(&arguments, country.as_ref())
        }
        .boxed_local()
    }
}

/// Finds a country by its name or code. An error lists the most similar names.
async fn country(assets: Rc<dyn Assets>, asked: &str) -> Result<Country, ToolError> {
    let bytes = assets.load(HOLIDAYS).await;
    // A retry may succeed in reading the package.
    let bytes = bytes.map_err(|error| {
        ToolError::temporary_failure(error.to_string(), phrase("time_no_holidays"))
    })?;
    let text = String::from_utf8(bytes).unwrap_or_default();
    let holidays = Holidays::of(&text).ok_or_else(|| {
        let message = format!("{HOLIDAYS} is damaged");
        ToolError::permanent_failure(ErrorKind::Other, message, phrase("time_no_holidays"))
    })?;
    holidays.country(asked).map_err(|near| {
        let near = near.join(", ");
        ToolError::permanent_failure(
            ErrorKind::NotFound,
            format!("unknown country `{asked}`; the most similar: {near}"),
            phrase("time_no_country").with(asked),
        )
    })
}

/// Returns the error for a time that the calendar or the time zone data does not include.
fn out_of_reach(message: impl Into<String>) -> ToolError {
    ToolError::permanent_failure(ErrorKind::NotFound, message, phrase("time_out_of_reach"))
}

/// The current time and the services that are needed to answer a call.
struct Asked<'a> {
    zones: &'a dyn TimeZones,
    language: &'a str,
    now_ms: i64,
}

impl Asked<'_> {
    fn answer(&self, asked: &Arguments, country: Option<&Country>) -> Result<Output, ToolError> {
        let zones = match &asked.zones {
            Some(BoundedList(zones)) => zones.clone(),
            None => vec![self.zones.own()],
        };
        let is_known = |zone: &String| self.zones.offset_seconds(zone, self.now_ms).is_some();
        let (zones, unknown): (Vec<_>, Vec<_>) = zones.into_iter().partition(is_known);
        if zones.is_empty() {
            return Err(self.none_known(&unknown));
        }
        let first = zones.first().map_or("UTC", String::as_str);
        let count = match (&asked.amount, asked.unit) {
            (None, None) => None,
            (amount, unit) => {
                let amount = amount.as_ref().map_or(1, |amount| amount.0);
                Some((amount, unit.unwrap_or(Unit::Days)))
            }
        };
        let mut data = Map::new();
        let mut at_ms = self.now_ms;
        if let Some((amount, unit)) = count {
            let counted = self.counted(first, amount, unit, country);
            let (counted_ms, skips) =
                counted.ok_or_else(|| out_of_reach("calendars don't reach that far"))?;
            data.insert("now".to_owned(), self.moment(first, self.now_ms)?);
            data.insert("countedIn".to_owned(), first.into());
            if unit == Unit::BusinessDays {
                data.insert("businessDays".to_owned(), skipped(&skips, country));
            }
            at_ms = counted_ms;
        }
        let moments = zones.iter().map(|zone| self.moment(zone, at_ms));
        let moments: Vec<Value> = moments.collect::<Result<_, _>>()?;
        let said = moments.first().and_then(|moment| moment.get("text"));
        let said = said.and_then(Value::as_str).unwrap_or_default().to_owned();
        data.insert("times".to_owned(), Value::Array(moments));
        if !unknown.is_empty() {
            let error = |zone: &String| json!({ "zone": zone, "error": self.unknown(zone) });
            data.insert("errors".to_owned(), unknown.iter().map(error).collect());
        }
        let summary = phrase("summary_time").with(&said).with(first);
        let provenance = Provenance::of(Origin::Gloss);
        Ok(Output::new(Value::Object(data), summary, provenance))
    }

    /// Describes a time in a zone.
    fn moment(&self, zone: &str, at_ms: i64) -> Result<Value, ToolError> {
        let offset = self.zones.offset_seconds(zone, at_ms);
        let told = offset.and_then(|offset| {
            let local = local(at_ms, offset)?;
            let text = self.zones.words(zone, at_ms, self.language)?;
            let offset = written(offset);
            let iso = format!("{}{offset}", iso(local));
            Some(json!({ "zone": zone, "offset": offset, "iso": iso, "text": text }))
        });
        told.ok_or_else(|| out_of_reach(format!("the time in {zone} is not known")))
    }

    /// Returns the error message for an unknown zone, with similar names.
    fn unknown(&self, zone: &str) -> String {
        let mut names = self.zones.names();
        names.push("UTC".to_owned());
        let near = nearest(names, zone, |name| name).join(", ");
        format!("unknown time zone `{zone}`; the most similar: {near}")
    }

    fn none_known(&self, zones: &[String]) -> ToolError {
        let told: Vec<String> = zones.iter().map(|zone| self.unknown(zone)).collect();
        let said = phrase("time_no_zone").with(&zones.join(", "));
        ToolError::permanent_failure(ErrorKind::NotFound, told.join(". "), said)
    }

    /// Counts units from now, in the calendar of a zone.
    fn counted(
        &self,
        zone: &str,
        amount: i64,
        unit: Unit,
        country: Option<&Country>,
    ) -> Option<(i64, Skipped)> {
        let exact = |unit_ms: i64| self.now_ms.checked_add(amount.checked_mul(unit_ms)?);
        let at = |at_ms: Option<i64>| at_ms.map(|at_ms| (at_ms, Skipped::default()));
        let offset = self.zones.offset_seconds(zone, self.now_ms)?;
        let now = local(self.now_ms, offset)?;
        let day = |date| self.at(zone, now, date);
        let today = now.date();
        match unit {
            Unit::Minutes => at(exact(60_000)),
            Unit::Hours => at(exact(3_600_000)),
            Unit::Days => at(day(date_arithmetic::days(today, amount)?)),
            Unit::Weeks => at(day(date_arithmetic::days(today, amount * 7)?)),
            Unit::Months => at(day(date_arithmetic::months(today, amount)?)),
            Unit::Years => at(day(date_arithmetic::months(today, amount * 12)?)),
            Unit::BusinessDays => {
                let (date, skipped) = date_arithmetic::business_days(today, amount, country)?;
                Some((day(date)?, skipped))
            }
        }
    }

    /// Returns the instant at which clocks in `zone` show the time of `now` on `date`. If the
    /// clocks skip that time, the result is later by the skipped duration. If the clocks show that
    /// time twice, the first instant is returned (RFC 5545).
    fn at(&self, zone: &str, now: NaiveDateTime, date: chrono::NaiveDate) -> Option<i64> {
        const DAY_MS: i64 = 86_400_000;
        let shown_ms = date.and_time(now.time()).and_utc().timestamp_millis();
        let offset_ms = |at_ms| {
            let seconds = self.zones.offset_seconds(zone, at_ms)?;
            Some(i64::from(seconds) * 1000)
        };
        let before = offset_ms(shown_ms - DAY_MS)?;
        let after = offset_ms(shown_ms + DAY_MS)?;
        for offset in [before, after] {
            if offset_ms(shown_ms - offset)? == offset {
                return Some(shown_ms - offset);
            }
        }
        Some(shown_ms - before)
    }
}

/// Describes the count of business days: the skipped holidays and the years that are known.
fn skipped(counted: &Skipped, country: Option<&Country>) -> Value {
    let Some(country) = country else {
        return json!({ "skip": "Saturdays and Sundays; name a country to skip its public holidays" });
    };
    let [first, last] = country.years;
    let skipped: Vec<String> = counted.holidays.iter().map(ToString::to_string).collect();
    let mut told = json!({
        "country": country.to_string(),
        "skip": "its weekends and national public holidays",
        "holidaysSkipped": skipped,
        "holidaysKnown": format!("{first} to {last}"),
    });
    if counted.is_beyond {
        let years =
            "some of the days counted are outside these years: there only weekends were skipped";
        put(&mut told, "warning", years.into());
    }
    told
}

/// Returns the local time at an offset from UTC, given in seconds.
fn local(at_ms: i64, offset_seconds: i32) -> Option<NaiveDateTime> {
    let shown_ms = at_ms.checked_add(i64::from(offset_seconds) * 1000)?;
    Some(DateTime::from_timestamp_millis(shown_ms)?.naive_utc())
}

/// Formats a local time as in ISO 8601, to the second.
fn iso(local: NaiveDateTime) -> String {
    format!("{:?}", local.with_nanosecond(0).unwrap_or(local))
}

/// Formats an offset in seconds as in ISO 8601: `+09:00`.
fn written(seconds: i32) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.abs() / 60;
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Returns the items whose names are most similar to `asked`, the most similar first.
fn nearest<T: Clone>(mut all: Vec<T>, asked: &str, name: impl Fn(&T) -> &str) -> Vec<T> {
    let asked = asked.to_lowercase().replace(' ', "_");
    let likeness = |it: &T| {
        let name = name(it).to_lowercase().replace(' ', "_");
        let city = name.rsplit('/').next().unwrap_or(&name);
        strsim::jaro_winkler(&name, &asked).max(strsim::jaro_winkler(city, &asked))
    };
    sort_by(&mut all, |one, other| {
        likeness(other).total_cmp(&likeness(one))
    });
    all.truncate(NEAREST);
    all
}
