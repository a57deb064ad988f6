//! The model usage of the last two weeks, by day and model.

use crate::app::options::{EstimateError, ModelUsage};
use crate::model::facts::Micros;
use std::collections::BTreeMap;

/// The number of days in the chart.
pub const DAYS: usize = 14;
/// The number of colours in the chart. If there are more models, the last colour stands for all
/// others.
const COLOURS: usize = 3;

/// The model usage of the last days, including today.
#[derive(Debug, PartialEq)]
pub struct RecentUsage {
    /// The beginning of each day in milliseconds since the Unix epoch, oldest first.
    pub days: Vec<u64>,
    /// The models that cost money, the most expensive first, with the cost of each day.
    pub priced: Vec<(String, Vec<Micros>)>,
    /// The free models, and the number of tokens that each used.
    pub free: Vec<(String, u64)>,
    /// The models of unknown price, and the number of tokens that each used.
    pub unpriced: Vec<(String, u64)>,
    /// The number of tokens that all models used.
    pub tokens: u64,
    /// The deviation of the estimates from the real token counts, by model.
    pub estimates: Vec<(String, EstimateError)>,
}

#[derive(Default)]
struct Sum {
    tokens: u64,
    cost: Vec<Micros>,
    unpriced: bool,
    estimated: EstimateError,
}

impl RecentUsage {
    /// Adds up usage by model. Each item of `used` has the beginning of its day; items of other
    /// days are ignored. `others` is the label of the models that share the last colour.
    pub fn of<'a>(
        used: impl Iterator<Item = (u64, &'a ModelUsage)>,
        days: Vec<u64>,
        others: String,
    ) -> Self {
        let mut models: BTreeMap<&str, Sum> = BTreeMap::new();
        for (day, one) in used {
            let Some(place) = days.iter().position(|it| *it == day) else {
                continue;
            };
            let sum = models.entry(&one.model).or_default();
            sum.cost.resize(DAYS, 0);
            sum.tokens += u64::from(one.spent.tokens);
            sum.estimated = sum.estimated.and(one.estimated);
            sum.unpriced |= one.spent.cost.is_none();
            if let Some(cost) = sum.cost.get_mut(place) {
                *cost += one.spent.cost.unwrap_or_default();
            }
        }
        let tokens = models.values().map(|sum| sum.tokens).sum();
        let (mut dear, mut free, mut unpriced) = (Vec::new(), Vec::new(), Vec::new());
        let mut estimates = Vec::new();
        for (model, sum) in models {
            let model = model.to_owned();
            estimates.push((model.clone(), sum.estimated));
            if sum.unpriced {
                unpriced.push((model.clone(), sum.tokens));
            }
            if sum.cost.iter().any(|cost| *cost > 0) {
                dear.push((model, sum.cost));
            } else if !sum.unpriced {
                free.push((model, sum.tokens));
            }
        }
        dear.sort_by_key(|(_, cost)| std::cmp::Reverse(cost.iter().sum::<Micros>()));
        let dear = coloured(dear, others);
        Self {
            days,
            priced: dear,
            free,
            unpriced,
            tokens,
            estimates,
        }
    }

    /// Returns the cost of a day, by its index.
    pub fn cost_on(&self, day: usize) -> Micros {
        let costs = self.priced.iter().filter_map(|(_, cost)| cost.get(day));
        costs.sum()
    }

    /// Returns the cost of all days.
    pub fn cost(&self) -> Micros {
        (0..DAYS).map(|day| self.cost_on(day)).sum()
    }
}

/// Gives each model a colour. If the colours run out, the cheapest models are added up as
/// `others`.
fn coloured(mut dear: Vec<(String, Vec<Micros>)>, others: String) -> Vec<(String, Vec<Micros>)> {
    if dear.len() > COLOURS {
        let mut sum = vec![0; DAYS];
        for (_, cost) in dear.split_off(COLOURS - 1) {
            for (all, one) in sum.iter_mut().zip(cost) {
                *all += one;
            }
        }
        dear.push((others, sum));
    }
    dear
}

/// The height of the tallest bar and the position of the base line, in SVG units.
const TALL: u64 = 120;
const GROUND: u64 = 150;

/// Returns the horizontal centre of a day's bar, in SVG units.
pub fn bar_x(day: usize) -> usize {
    66 + day * 41
}

/// The chart of the cost by day and model, as SVG paths.
#[derive(Debug, PartialEq)]
pub struct Chart {
    /// The path of the horizontal lines.
    pub grid: String,
    /// The vertical position and the cost of each line's label.
    pub marks: [(u64, Micros); 4],
    /// The path of each model's bars. They are stacked on the bars of the models before.
    pub bars: Vec<String>,
}

impl Chart {
    /// Draws the chart of the last two weeks.
    pub fn of(fortnight: &RecentUsage) -> Self {
        let most = (0..DAYS).map(|day| fortnight.cost_on(day)).max();
        let step = round_step(most.unwrap_or_default());
        let mut grounds = [GROUND; DAYS];
        let bars = fortnight.priced.iter().map(|(_, cost)| {
            let bars = grounds.iter_mut().zip(cost).enumerate();
            let bars = bars.filter_map(|(day, (ground, cost))| {
                // A cost above zero gets a bar of at least one unit, so that it is visible.
                let tall = (cost * TALL / (step * 3)).max(u64::from(*cost > 0));
                let from = std::mem::replace(ground, ground.saturating_sub(tall));
                (tall > 0).then(|| format!("M{} {from}V{ground}", bar_x(day)))
            });
            bars.collect::<Vec<_>>().concat()
        });
        let bars = bars.collect();
        let lines = [0, 1, 2, 3].map(|line| GROUND - line * TALL / 3);
        Self {
            grid: lines.map(|y| format!("M50 {y}.5H610")).concat(),
            marks: [0, 1, 2, 3].map(|line| (GROUND + 4 - line * TALL / 3, step * line)),
            bars,
        }
    }
}

/// Returns the cost between two lines of the chart: 1, 2 or 5 times a power of ten. Three such
/// steps are at least `most`.
fn round_step(most: Micros) -> Micros {
    let mut unit = 1;
    loop {
        for times in [1, 2, 5] {
            if unit * times * 3 >= most {
                return unit * times;
            }
        }
        unit *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::UsageSum;

    fn used(model: &str, tokens: u32, cost: Option<Micros>) -> ModelUsage {
        ModelUsage {
            model: model.to_owned(),
            at_ms: 0,
            spent: UsageSum { tokens, cost },
            estimated: EstimateError::default(),
        }
    }

    fn days() -> Vec<u64> {
        (0..DAYS as u64).collect()
    }

    #[test]
    fn usage_is_sorted_into_priced_free_and_unknown() {
        let all = [
            used("paid", 10, Some(5)),
            used("free", 20, Some(0)),
            used("new", 30, None),
        ];
        let all = all.iter().zip([3, 3, 4]).map(|(one, day)| (day, one));
        let fortnight = RecentUsage::of(all, days(), "others".to_owned());
        assert_eq!(fortnight.tokens, 60);
        assert_eq!((fortnight.cost(), fortnight.cost_on(3)), (5, 5));
        assert_eq!(fortnight.free, [("free".to_owned(), 20)]);
        assert_eq!(fortnight.unpriced, [("new".to_owned(), 30)]);
    }

    #[test]
    fn usage_of_other_days_does_not_count() {
        let one = used("paid", 10, Some(5));
        let fortnight = RecentUsage::of([(99, &one)].into_iter(), days(), String::new());
        assert_eq!(fortnight.tokens, 0);
    }

    #[test]
    fn models_beyond_the_colours_are_added_up() {
        let all = [8, 4, 2, 1].map(|cost| used(&format!("m{cost}"), 1, Some(cost)));
        let all = all.iter().map(|one| (0, one));
        let fortnight = RecentUsage::of(all, days(), "others".to_owned());
        let names: Vec<&str> = fortnight
            .priced
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(names, ["m8", "m4", "others"]);
        assert_eq!(fortnight.cost_on(0), 15);
    }

    #[test]
    fn bars_are_stacked_and_never_invisible() {
        let all = [used("a", 1, Some(300)), used("b", 1, Some(1))];
        let fortnight = RecentUsage::of(all.iter().map(|one| (1, one)), days(), String::new());
        let chart = Chart::of(&fortnight);
        assert_eq!(chart.marks[1], (114, 200));
        assert_eq!(chart.bars, ["M107 150V90", "M107 90V89"]);
    }

    #[test]
    fn a_step_is_round_and_three_of_them_are_enough() {
        for (most, step) in [(0, 1), (3, 1), (4, 2), (15, 5), (16, 10), (301, 200)] {
            assert_eq!(round_step(most), step);
        }
    }
}
