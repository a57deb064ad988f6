//! The model usage of the last two weeks. A chart and a table show the cost by day and model.
//! Below are the cost of this month and the monthly limit.

use super::limits::field;
use super::prelude::*;
use super::usage_figures::{UsageFigures, usage_figures};
use crate::browser::{DAY_MS, day_and_month, midnight, now_ms};
use gloss::app::options::EstimateError;
use gloss::app::preferences::Limit;
use gloss::model::facts::{MICROS_A_CENT, Micros, money};
use gloss::ui::usage::{Chart, DAYS, RecentUsage, bar_x};

/// Builds the section *Usage*.
pub(crate) fn usage() -> Tag {
    let UsageFigures { used, spent } = usage_figures();
    let body = live(move || {
        used.get_clone().map(|(used, session)| {
            let days = days(now_ms());
            let used = used.iter().map(|one| (midnight(one.at_ms), one));
            shown(
                &RecentUsage::of(used, days, msg("options_usage_others")),
                session,
            )
        })
    });
    section("usage", msg("options_usage"), (body, budget(spent)))
}

/// Returns the beginning of each of the last [`DAYS`] days, in milliseconds since the Unix epoch.
/// Today is last.
fn days(now_ms: u64) -> Vec<u64> {
    // Days are counted back from noon, because a day can have 23 or 25 hours.
    let noon = midnight(now_ms) + DAY_MS / 2;
    let day = |ago| midnight(noon.saturating_sub(ago * DAY_MS));
    (0..DAYS as u64).rev().map(day).collect()
}

/// The monthly limit, the percentage at which Gloss warns, and the cost of this month.
fn budget(spent: Signal<Option<Micros>>) -> View {
    let set = Page::from_context().preferences();
    let used = live(move || {
        let (dollars, warn) = set.with(|set| (set.max_month_dollars, set.warn_percent));
        spent.get().map(|spent| meter(spent, dollars, warn))
    });
    let caption = tag("span.cap", msg("options_month_used")).id("month-used");
    let used = tag("div.field", (caption, tag("div.meter", used)));
    let fields = (field(Limit::Month), field(Limit::Warning));
    fragment((tag("h3", msg("options_budget")), fields, used))
}

fn meter(spent: Micros, dollars: Option<u32>, warn: u8) -> View {
    let used = money(spent);
    let sum = |words| tag("p.meta.num", words).id("month-sum");
    let Some(dollars) = dollars else {
        return sum(msg_with("options_month_free", &[&used])).into();
    };
    let most = Micros::from(dollars) * MICROS_A_CENT * 100;
    let meter = tag("meter.budget", ())
        .attr("aria-labelledby", "month-used")
        .attr("aria-describedby", "month-sum")
        .attr("min", "0")
        .attr("max", most.to_string())
        .attr("high", (most * Micros::from(warn) / 100).to_string())
        .attr("optimum", "0")
        .attr("value", spent.min(most).to_string());
    fragment((
        meter,
        sum(msg_with("options_month_of", &[&used, &money(most)])),
    ))
}

fn shown(fortnight: &RecentUsage, session: Option<String>) -> View {
    if fortnight.tokens == 0 {
        return tag("p", msg("options_usage_none")).into();
    }
    let tokens = grouped(fortnight.tokens);
    let cost = fortnight.cost();
    let sum = if cost > 0 {
        msg_with("options_usage_sum", &[&money(cost), &tokens])
    } else {
        msg_with("options_usage_tokens", &[&tokens])
    };
    let estimates = fortnight.estimates.iter();
    let estimates: Vec<_> = estimates
        .filter_map(|(model, it)| estimate(model, *it))
        .collect();
    fragment((
        tag("p.num", sum),
        session.map(|words| tag("p.meta.num", words)),
        (cost > 0).then(|| figure(fortnight)),
        lines("options_usage_free", &fortnight.free),
        lines("options_usage_unpriced", &fortnight.unpriced),
        (cost > 0).then(|| table(fortnight)),
        estimates,
        meta(msg("options_usage_kept")),
    ))
}

/// A line that compares a model's estimated token counts with the real ones.
fn estimate(model: &str, estimated: EstimateError) -> Option<View> {
    let error = estimated.error_percent()?;
    let (percent, calls) = (error.abs().to_string(), grouped(estimated.calls.into()));
    let words = match error {
        0 => msg_with("options_estimates_right", &[model, &calls]),
        1.. => msg_with("options_estimates_low", &[model, &percent, &calls]),
        _ => msg_with("options_estimates_high", &[model, &percent, &calls]),
    };
    Some(tag("p.meta.num", words).into())
}

fn lines(key: &str, models: &[(String, u64)]) -> Vec<View> {
    let line = |(model, tokens): &(String, u64)| {
        tag("p.meta.num", msg_with(key, &[model, &grouped(*tokens)])).into()
    };
    models.iter().map(line).collect()
}

fn figure(fortnight: &RecentUsage) -> View {
    let Chart { grid, marks, bars } = Chart::of(fortnight);
    let marks = marks.map(|(y, cost)| {
        let (y, words) = (y.to_string(), money(cost));
        view! { text(x="0", y=y) { (words) } }
    });
    let marks = Vec::from(marks);
    let bars = bars.into_iter().zip(1..).map(|(path, colour): (_, usize)| {
        let class = format!("c{colour}");
        view! { path(class=class, d=path) }
    });
    let bars: Vec<_> = bars.collect();
    let dates: Vec<_> = [0, DAYS / 2 - 1, DAYS - 1]
        .into_iter()
        .filter_map(|day| Some((day, fortnight.days.get(day)?)))
        .map(|(day, at)| {
            let (x, words) = (bar_x(day).to_string(), day_and_month(*at));
            view! { text(x=x, y="170", text-anchor="middle") { (words) } }
        })
        .collect();
    let keys: Vec<_> = fortnight
        .priced
        .iter()
        .zip(1..)
        .map(|((model, cost), colour): (_, usize)| {
            let key = tag("span", ()).class(format!("key c{colour}"));
            tag(
                "span.row",
                (key, format!("{model} {}", money(cost.iter().sum()))),
            )
            .into()
        })
        .collect();
    let title = title(fortnight);
    view! {
        figure {
            svg(class="chart", viewBox="0 0 620 178", "role"="img", aria-labelledby="usage-chart") {
                title(id="usage-chart") { (title) }
                path(class="grid", d=grid)
                (marks)
                (bars)
                (dates)
            }
            figcaption(class="row wrap meta") { (keys) }
        }
    }
}

fn title(fortnight: &RecentUsage) -> String {
    let name = |day: usize| fortnight.days.get(day).copied().map(day_and_month);
    let highest = (0..DAYS).max_by_key(|day| fortnight.cost_on(*day));
    let highest = highest.unwrap_or_default();
    let [first, last, day] = [0, DAYS - 1, highest].map(|day| name(day).unwrap_or_default());
    let cost = money(fortnight.cost_on(highest));
    msg_with("options_usage_chart", &[&first, &last, &day, &cost])
}

fn table(fortnight: &RecentUsage) -> Tag {
    let models = fortnight.priced.iter();
    let heads: Vec<_> = models
        .map(|(model, _)| head_cell("n", model.clone()))
        .collect();
    let days = fortnight
        .days
        .iter()
        .enumerate()
        .filter(|(day, _)| fortnight.cost_on(*day) > 0);
    let rows = days.map(|(day, at)| {
        let cell = |(_, cost): &(String, Vec<Micros>)| {
            tag("td.n", money(cost.get(day).copied().unwrap_or_default()))
        };
        let cells: Vec<_> = fortnight.priced.iter().map(cell).collect();
        tag("tr", (tag("td", day_and_month(*at)), cells))
    });
    let head = tag(
        "thead",
        tag("tr", (head_cell("", msg("options_usage_day")), heads)),
    );
    let table = tag("table", (head, tag("tbody", rows.collect::<Vec<_>>())));
    let table = tag("div.scroll-x", table);
    tag(
        "details",
        (tag("summary", msg("options_usage_table")), table),
    )
}
