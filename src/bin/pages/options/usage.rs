//! What models used in the last two weeks: a chart of the cost by day and model, and the
//! same as a table, a fold over the runs that are kept. Below, what this month came to of
//! its budget.

use super::counted::{Counted, counted};
use super::limits::field;
use super::page::Page;
use crate::browser::{DAY_MS, day_and_month, midnight, now_ms};
use crate::live::live;
use crate::words::{grouped, msg, msg_with};
use gloss::app::options::{Estimated, Used};
use gloss::app::preferences::Limit;
use gloss::model::facts::{MICROS_A_CENT, Micros, money};
use std::collections::BTreeMap;
use sycamore::prelude::*;

const DAYS: usize = 14;
/// Models with a colour of their own; the last is that of all others.
const COLOURS: usize = 3;

/// The section.
pub(crate) fn usage() -> View {
    let Counted { used, spent } = counted();
    let name = msg("options_usage");
    let body = live(move || {
        used.get_clone()
            .map(|(used, session): (Vec<Used>, Option<String>)| {
                shown(&Fortnight::of(&used, now_ms()), session)
            })
    });
    let budget = budget(spent);
    view! {
        section(class="sect", id="usage", aria-labelledby="usage-h") {
            h2(id="usage-h") { (name) }
            (body)
            (budget)
        }
    }
}

/// The month's limit, the share that is warned at, and what was used.
fn budget(spent: Signal<Option<Micros>>) -> View {
    let set = Page::here().preferences();
    let (name, caption) = (msg("options_budget"), msg("options_month_used"));
    let (month, warning) = (field(Limit::Month), field(Limit::Warning));
    let used = live(move || {
        let (dollars, warn) = set.with(|set| (set.max_month_dollars, set.warn_percent));
        spent.get().map(|spent| meter(spent, dollars, warn))
    });
    view! {
        h3 { (name) }
        (month)
        (warning)
        div(class="field") {
            span(class="cap", id="month-used") { (caption) }
            div(class="meter") { (used) }
        }
    }
}

fn meter(spent: Micros, dollars: Option<u32>, warn: u8) -> View {
    let used = money(spent);
    let Some(dollars) = dollars else {
        let words = msg_with("options_month_free", &[&used]);
        return view! { p(class="meta num", id="month-sum") { (words) } };
    };
    let most = Micros::from(dollars) * MICROS_A_CENT * 100;
    let words = msg_with("options_month_of", &[&used, &money(most)]);
    let high = (most * Micros::from(warn) / 100).to_string();
    let (value, max) = (spent.min(most).to_string(), most.to_string());
    view! {
        meter(
            class="budget",
            aria-labelledby="month-used",
            aria-describedby="month-sum",
            min="0",
            max=max,
            high=high,
            optimum="0",
            value=value,
        ) {}
        p(class="meta num", id="month-sum") { (words) }
    }
}

/// The last days, today included.
struct Fortnight {
    /// When each begins, oldest first.
    days: Vec<u64>,
    /// What cost something, dearest first, with the cost of each day.
    dear: Vec<(String, Vec<Micros>)>,
    /// What cost nothing, and its tokens.
    free: Vec<(String, u64)>,
    /// What cost something that is not known, and its tokens.
    unpriced: Vec<(String, u64)>,
    tokens: u64,
    /// How the calls of each model were estimated.
    estimates: Vec<(String, Estimated)>,
}

#[derive(Default)]
struct Sum {
    tokens: u64,
    cost: Vec<Micros>,
    unpriced: bool,
    estimated: Estimated,
}

impl Fortnight {
    fn of(used: &[Used], now_ms: u64) -> Self {
        let today = midnight(now_ms);
        // From noon, so that a day of 23 or 25 hours is one too.
        let noon = today + DAY_MS / 2;
        let days: Vec<u64> = (0..DAYS as u64)
            .rev()
            .map(|ago| midnight(noon.saturating_sub(ago * DAY_MS)))
            .collect();
        let mut models: BTreeMap<&str, Sum> = BTreeMap::new();
        for one in used {
            let day = midnight(one.at_ms);
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
        Self {
            days,
            dear: together(dear),
            free,
            unpriced,
            tokens,
            estimates,
        }
    }

    fn cost_on(&self, day: usize) -> Micros {
        let costs = self.dear.iter().filter_map(|(_, cost)| cost.get(day));
        costs.sum()
    }

    fn cost(&self) -> Micros {
        (0..DAYS).map(|day| self.cost_on(day)).sum()
    }
}

/// As many as have colours; the others are one.
fn together(mut dear: Vec<(String, Vec<Micros>)>) -> Vec<(String, Vec<Micros>)> {
    if dear.len() > COLOURS {
        let rest = dear.split_off(COLOURS - 1);
        let mut sum = vec![0; DAYS];
        for (_, cost) in rest {
            for (all, one) in sum.iter_mut().zip(cost) {
                *all += one;
            }
        }
        dear.push((msg("options_usage_others"), sum));
    }
    dear
}

fn shown(fortnight: &Fortnight, session: Option<String>) -> View {
    if fortnight.tokens == 0 {
        let none = msg("options_usage_none");
        return view! { p { (none) } };
    }
    let tokens = grouped(fortnight.tokens);
    let cost = fortnight.cost();
    let sum = if cost > 0 {
        msg_with("options_usage_sum", &[&money(cost), &tokens])
    } else {
        msg_with("options_usage_tokens", &[&tokens])
    };
    let figure = (cost > 0).then(|| figure(fortnight));
    let table = (cost > 0).then(|| table(fortnight));
    let free = lines("options_usage_free", &fortnight.free);
    let unpriced = lines("options_usage_unpriced", &fortnight.unpriced);
    let kept = msg("options_usage_kept");
    let session = session.map(|words| view! { p(class="meta num") { (words) } });
    let estimates = fortnight.estimates.iter();
    let estimates = estimates.filter_map(|(model, estimated)| estimate(model, *estimated));
    let estimates: Vec<View> = estimates.collect();
    view! {
        p(class="num") { (sum) }
        (session)
        (figure)
        (free)
        (unpriced)
        (table)
        (estimates)
        p(class="meta") { (kept) }
    }
}

/// How well a model's calls were estimated before they were made.
fn estimate(model: &str, estimated: Estimated) -> Option<View> {
    let error = estimated.error_percent()?;
    let (percent, calls) = (error.abs().to_string(), grouped(estimated.calls.into()));
    let words = match error {
        0 => msg_with("options_estimates_right", &[model, &calls]),
        1.. => msg_with("options_estimates_low", &[model, &percent, &calls]),
        _ => msg_with("options_estimates_high", &[model, &percent, &calls]),
    };
    Some(view! { p(class="meta num") { (words) } })
}

fn lines(key: &str, models: &[(String, u64)]) -> Vec<View> {
    let line = |(model, tokens): &(String, u64)| {
        let words = msg_with(key, &[model, &grouped(*tokens)]);
        view! { p(class="meta num") { (words) } }
    };
    models.iter().map(line).collect()
}

/// The height of the tallest bar, where the lowest line stands and where a bar does, in the
/// chart's own units.
const TALL: u64 = 120;
const GROUND: u64 = 150;
const FIRST: usize = 66;
const APART: usize = 41;

fn figure(fortnight: &Fortnight) -> View {
    let most = (0..DAYS).map(|day| fortnight.cost_on(day)).max();
    let step = step(most.unwrap_or_default());
    let top = step * 3;
    let height = |cost: Micros| cost * TALL / top.max(1);
    let grid = (0..=3).map(|line| format!("M50 {}.5H610", GROUND - line * TALL / 3));
    let grid = grid.collect::<Vec<_>>().concat();
    let marks: Vec<View> = (0..=3)
        .map(|line| {
            let y = (GROUND + 4 - line * TALL / 3).to_string();
            let words = money(step * line);
            view! { text(x="0", y=y) { (words) } }
        })
        .collect();
    let mut grounds = [GROUND; DAYS];
    let bars: Vec<View> = fortnight
        .dear
        .iter()
        .zip(1..)
        .map(|((_, cost), colour): (_, usize)| {
            let mut path = Vec::new();
            for (day, (ground, cost)) in grounds.iter_mut().zip(cost).enumerate() {
                // What cost anything is seen.
                let tall = height(*cost).max(u64::from(*cost > 0));
                if tall > 0 {
                    let (x, from) = (FIRST + day * APART, *ground);
                    *ground = from.saturating_sub(tall);
                    path.push(format!("M{x} {from}V{ground}"));
                }
            }
            let (class, path) = (format!("c{colour}"), path.concat());
            view! { path(class=class, d=path) }
        })
        .collect();
    let dates: Vec<View> = [0, DAYS / 2 - 1, DAYS - 1]
        .into_iter()
        .filter_map(|day| Some((day, fortnight.days.get(day)?)))
        .map(|(day, at)| {
            let (x, words) = ((FIRST + day * APART).to_string(), day_and_month(*at));
            view! { text(x=x, y="170", text-anchor="middle") { (words) } }
        })
        .collect();
    let keys: Vec<View> = fortnight
        .dear
        .iter()
        .zip(1..)
        .map(|((model, cost), colour): (_, usize)| {
            let class = format!("key c{colour}");
            let words = format!("{model} {}", money(cost.iter().sum()));
            view! { span(class="row") { span(class=class) {} (words) } }
        })
        .collect();
    let title = title(fortnight);
    view! {
        figure {
            svg(class="chart", viewBox="0 0 620 178", "role"="img", aria-labelledby="usage-chart") {
                title(id="usage-chart") { (title) }
                path(d=grid, stroke="var(--line)", style="stroke-width:1")
                (marks)
                (bars)
                (dates)
            }
            figcaption(class="row wrap meta") { (keys) }
        }
    }
}

fn title(fortnight: &Fortnight) -> String {
    let name = |day: usize| fortnight.days.get(day).copied().map(day_and_month);
    let highest = (0..DAYS).max_by_key(|day| fortnight.cost_on(*day));
    let highest = highest.unwrap_or_default();
    let [first, last, day] = [0, DAYS - 1, highest].map(|day| name(day).unwrap_or_default());
    let cost = money(fortnight.cost_on(highest));
    msg_with("options_usage_chart", &[&first, &last, &day, &cost])
}

/// A third of the chart: 1, 2 or 5 times a power of ten, so that the dearest day fits.
fn step(most: Micros) -> Micros {
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

fn table(fortnight: &Fortnight) -> View {
    let (summary, day_word) = (msg("options_usage_table"), msg("options_usage_day"));
    let heads: Vec<View> = fortnight
        .dear
        .iter()
        .map(|(model, _)| {
            let model = model.clone();
            view! { th(scope="col", class="n") { (model) } }
        })
        .collect();
    let days = fortnight.days.iter().enumerate();
    let rows: Vec<View> = days
        .filter(|(day, _)| fortnight.cost_on(*day) > 0)
        .map(|(day, at)| {
            let cells: Vec<View> = fortnight
                .dear
                .iter()
                .map(|(_, cost)| {
                    let cost = money(cost.get(day).copied().unwrap_or_default());
                    view! { td(class="n") { (cost) } }
                })
                .collect();
            let name = day_and_month(*at);
            view! { tr { td { (name) } (cells) } }
        })
        .collect();
    view! {
        details {
            summary { (summary) }
            div(class="scroll-x") {
                table {
                    thead { tr { th(scope="col") { (day_word) } (heads) } }
                    tbody { (rows) }
                }
            }
        }
    }
}
