//! The month's budget: what all runs may cost together (`ui/options.html`, Usage).
//!
//! Driving example: $4.99 of $5 are spent. A run at work ends with the best answer so far;
//! a new one says so at once and is answered by a model that costs nothing, at last the one
//! on the device: its quotes are worth more to who reads than no answer. What others spend
//! meanwhile is read after each call, by an effect, so that a replay sees what was seen.
//! Deliberately absent: the sum itself, which is [`Purse`](crate::model::Purse)'s.

use super::answering::Answering;
use super::desk::{Desk, Step, tell};
use super::spending::CLOSING_WRITES;
use super::{Brief, Budget, Event, Failure, Hands, Settings};
use crate::durable::{Ctx, Halt};
use crate::model::facts::{MICROS_A_CENT, money};
use crate::model::{Choice, Micros, MonthSpent, Price, Usage};
use crate::phrase::phrase;
use std::collections::VecDeque;

const MICROS_A_DOLLAR: Micros = 100 * MICROS_A_CENT;

/// What a run knows of the month.
#[derive(Default)]
pub(super) struct Month {
    /// What it came to when it was last looked at, with what the other runs at work will
    /// need for their closing answers.
    spent: Micros,
    /// The person was warned.
    warned: bool,
    /// A fork has looked for itself: what it was copied is of another day.
    looked: bool,
}

impl Settings {
    /// The month's limit, in words.
    pub(super) fn month_limit(&self) -> String {
        money(self.most_in_month().unwrap_or_default())
    }

    fn most_in_month(&self) -> Option<Micros> {
        let dollars = self.max_month_dollars?;
        Some(Micros::from(dollars) * MICROS_A_DOLLAR)
    }
}

impl Month {
    /// Who answers, and who after them: without cost, if the month has no more for a first
    /// answer.
    pub(super) async fn begin(
        &mut self,
        ctx: &Ctx,
        brief: &Brief,
        hands: &Hands,
    ) -> Result<(Answering, VecDeque<Choice>), Halt> {
        let answering = Answering::of(&brief.model, hands);
        let mut then: VecDeque<Choice> = brief.then.iter().cloned().collect();
        let Some(most) = limit(&brief.settings, answering.price) else {
            return Ok((answering, then));
        };
        let first = Usage {
            output_tokens: CLOSING_WRITES,
            ..Usage::default()
        };
        let closing = cost(answering.price, first);
        self.spent = look(ctx, "month", hands, closing).await?;
        if !is_over(self.spent, closing, most) {
            return Ok((answering, then));
        }
        let next = Answering::of(&without_cost(&mut then, hands), hands);
        let changed = Event::ModelChanged {
            from: answering.speaker,
            to: next.speaker.clone(),
            failure: Some(Failure::of_month(&brief.settings)),
        };
        tell(ctx, "month.changed", &changed)?;
        Ok((next, then))
    }
}

impl Desk {
    /// Reads what the month came to by now, and warns once where little is left of it.
    pub(super) async fn look_at_month(&mut self, step: &Step, segment: &str) -> Result<(), Halt> {
        let settings = &self.brief.settings;
        let price = self.answering.price;
        let Some((most, most_dollars)) = limit(settings, price).zip(settings.max_month_dollars)
        else {
            return Ok(());
        };
        let closing = cost(price, self.closing());
        let segment = format!("{segment}.month");
        self.month.spent = look(&step.ctx, &segment, &self.hands, closing).await?;
        let percent = self.month.spent.saturating_mul(100) / most.max(1);
        let percent = u8::try_from(percent).unwrap_or(u8::MAX);
        if percent < settings.warn_percent || self.month.warned {
            return Ok(());
        }
        self.month.warned = true;
        let budget = Budget::Month { most_dollars };
        let place = format!("{segment}.near.{}", budget.name());
        step.tell(&place, &Event::BudgetNear { budget, percent })
    }

    /// A fork looks for itself before its first call of its own, as a run does before its
    /// first; over the limit it goes on without cost.
    pub(super) async fn look_as_fork(&mut self, step: &Step, place: &str) -> Result<(), Halt> {
        if self.month.looked || !step.ctx.is_fork() || step.ctx.is_copied(place) {
            return Ok(());
        }
        self.month.looked = true;
        let price = self.answering.price;
        let Some(most) = limit(&self.brief.settings, price) else {
            return Ok(());
        };
        let closing = cost(price, self.closing());
        let segment = format!("{place}.fork");
        self.month.spent = look(&step.ctx, &segment, &self.hands, closing).await?;
        if !is_over(self.month.spent, closing, most) {
            return Ok(());
        }
        let next = without_cost(&mut self.then, &self.hands);
        let failure = Failure::of_month(&self.brief.settings);
        self.change_to(step, &segment, &next, Some(failure))
    }

    /// Whether the budgets have enough for what a helper is expected to use at this price.
    pub(super) async fn may_pay(
        &mut self,
        step: &Step,
        segment: &str,
        price: Option<Price>,
        expected: Usage,
    ) -> Result<bool, Halt> {
        if price == Some(Price::NOTHING) {
            return Ok(true);
        }
        let expected = cost(price, expected);
        if is_over(self.spent.cost, expected, self.most_cost()) {
            return Ok(false);
        }
        let Some(most) = limit(&self.brief.settings, price) else {
            return Ok(true);
        };
        let segment = format!("{segment}.month");
        // What is held back for this run stays what its closing answer takes.
        let closing = cost(self.answering.price, self.closing());
        self.month.spent = look(&step.ctx, &segment, &self.hands, closing).await?;
        Ok(!is_over(self.month.spent, expected, most))
    }

    /// Whether no more is left of the month than the closing answer takes.
    pub(super) fn is_month_used_up(&self) -> bool {
        let price = self.answering.price;
        limit(&self.brief.settings, price)
            .is_some_and(|most| is_over(self.month.spent, cost(price, self.closing()), most))
    }
}

/// The limit that holds for a model: what costs nothing has none.
fn limit(settings: &Settings, price: Option<Price>) -> Option<Micros> {
    settings
        .most_in_month()
        .filter(|_| price != Some(Price::NOTHING))
}

fn cost(price: Option<Price>, usage: Usage) -> Micros {
    price.map_or(0, |price| price.of(usage))
}

/// The next of the person's order that costs nothing; at last the one on the device.
fn without_cost(then: &mut VecDeque<Choice>, hands: &Hands) -> Choice {
    loop {
        let choice = then.pop_front().unwrap_or_default();
        if Answering::of(&choice, hands).price == Some(Price::NOTHING) {
            return choice;
        }
    }
}

/// Of a model whose price is not known, nothing can be held back.
fn is_over(spent: Micros, expected: Micros, most: Micros) -> bool {
    spent >= most || spent.saturating_add(expected) > most
}

async fn look(ctx: &Ctx, segment: &str, hands: &Hands, closing: Micros) -> Result<Micros, Halt> {
    let effect = MonthSpent {
        purse: hands.purse.clone(),
        run: ctx.run(),
        closing,
    };
    ctx.step(segment, effect).await
}

impl Failure {
    /// The month's limit is reached.
    fn of_month(settings: &Settings) -> Self {
        let failure = Self::new("month_limit", "month_limit_title", "month_limit_remedy");
        Self {
            title: phrase("month_limit_title").with(&settings.month_limit()),
            recoverable: false,
            ..failure
        }
    }
}
