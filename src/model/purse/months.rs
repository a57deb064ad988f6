//! The months' sums as a text: `24311:1870000 24310:5000000`.
//!
//! A persisted shape: a month, counted from the year 0, and millionths of a dollar; what
//! is no such pair is skipped.

use crate::model::Micros;
use std::collections::BTreeMap;

/// This month, and the one before: who travels may come back to it.
const KEPT: usize = 2;

/// What each month came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Months(BTreeMap<u32, Micros>);

impl Months {
    pub(super) fn read(text: &str) -> Self {
        let pairs = text.split(' ').filter_map(pair);
        Self(
            pairs
                .filter_map(|(month, spent)| Some((u32::try_from(month).ok()?, spent)))
                .collect(),
        )
    }

    pub(super) fn text(&self) -> String {
        let newest = self.0.iter().rev().take(KEPT);
        let pairs = newest.map(|(month, spent)| format!("{month}:{spent}"));
        pairs.collect::<Vec<_>>().join(" ")
    }

    pub(super) fn of(&self, month: u32) -> Micros {
        self.0.get(&month).copied().unwrap_or_default()
    }

    /// One charge in the place of another.
    pub(super) fn change(&mut self, month: u32, more: Micros, less: Micros) {
        if more != less {
            let spent = self.0.entry(month).or_default();
            *spent = spent.saturating_add(more).saturating_sub(less);
        }
    }
}

/// Two numbers, a colon between.
pub(super) fn pair(text: &str) -> Option<(u64, u64)> {
    let (first, second) = text.split_once(':')?;
    Some((first.parse().ok()?, second.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_months_are_kept_and_what_is_no_month_is_skipped() {
        let mut months = Months::read("24310:5000000 24311:17 x 12 :4 7:z 24309:3");
        assert_eq!(months.of(24_310), 5_000_000);
        assert_eq!(months.of(24_311), 17);
        assert_eq!(months.text(), "24311:17 24310:5000000");
        months.change(24_312, 40, 0);
        months.change(24_312, 50, 40);
        // Nothing was spent in it: it takes no other's place.
        months.change(24_313, 0, 0);
        assert_eq!(months.text(), "24312:50 24311:17");
        assert_eq!(Months::read(&months.text()).of(24_312), 50);
        assert_eq!(Months::read("").text(), "");
    }
}
