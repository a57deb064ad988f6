//! The month's limit: what all runs may cost together (`ui/options.html`, Usage).
//!
//! Driving example: $4.99 of $5 are spent. A run at work ends with the best answer so far; a new
//! one says so at once and is answered by a model that costs nothing, at last the one on the
//! device: its quotes are worth more than no answer. What other runs spend meanwhile is read
//! after each call, by an effect, so that a replay sees what was seen. Deliberately absent: the
//! sum itself, which is [`Purse`]'s.

use crate::budget::{Reserve, is_over, percent, tell_near};
use crate::config::Settings;
use crate::events::{Failure, MICROS_A_DOLLAR, SpendingLimit, failure};
use crate::run::Step;
use gloss_durable::{Ctx, Halt};
use gloss_model::{Micros, MonthSpent, Price, Purse};
use std::rc::Rc;

/// What a run knows of the month.
pub(crate) struct Month {
    purse: Rc<Purse>,
    /// The most, in US dollars; `None`: no limit.
    most_dollars: Option<u32>,
    warn_percent: u8,
    /// The month's sum when it was last read.
    spent: Micros,
    has_warned: bool,
}

impl Month {
    pub(crate) fn new(settings: &Settings, purse: Rc<Purse>) -> Self {
        Self {
            purse,
            most_dollars: settings.max_month_dollars,
            warn_percent: settings.warn_percent,
            spent: 0,
            has_warned: false,
        }
    }

    /// The limit that holds at this price: what costs nothing has none.
    fn limit(&self, price: Option<Price>) -> Option<Micros> {
        let dollars = self
            .most_dollars
            .filter(|_| price != Some(Price::NOTHING))?;
        Some(Micros::from(dollars) * MICROS_A_DOLLAR)
    }

    /// Whether the month has no more for a first answer, as a run begins.
    pub(crate) async fn is_over_at_start(
        &mut self,
        ctx: &Ctx,
        segment: &str,
        reserve: &Reserve,
    ) -> Result<bool, Halt> {
        let Some(most) = self.limit(reserve.price()) else {
            return Ok(false);
        };
        self.read(ctx, segment).await?;
        Ok(is_over(self.spent, reserve.cost(), most))
    }

    /// Reads what the month came to by now, and warns once where little is left of it.
    pub(crate) async fn look(
        &mut self,
        step: &Step,
        segment: &str,
        reserve: &Reserve,
    ) -> Result<(), Halt> {
        let limit = self.limit(reserve.price());
        let Some((most, most_dollars)) = limit.zip(self.most_dollars) else {
            return Ok(());
        };
        let segment = format!("{segment}.month");
        self.read(&step.ctx, &segment).await?;
        let percent = percent(self.spent, most);
        if percent < self.warn_percent || self.has_warned {
            return Ok(());
        }
        self.has_warned = true;
        tell_near(
            step,
            &segment,
            SpendingLimit::Month { most_dollars },
            percent,
        )
    }

    /// Whether the month has enough for a call that is expected to cost so much.
    pub(crate) async fn may_pay(
        &mut self,
        step: &Step,
        segment: &str,
        (expected, price): (Micros, Option<Price>),
    ) -> Result<bool, Halt> {
        let Some(most) = self.limit(price) else {
            return Ok(true);
        };
        self.read(&step.ctx, &format!("{segment}.month")).await?;
        Ok(!is_over(self.spent, expected, most))
    }

    /// Whether no more is left of the month than the closing answer takes.
    pub(crate) fn is_used_up(&self, reserve: &Reserve) -> bool {
        self.limit(reserve.price())
            .is_some_and(|most| is_over(self.spent, reserve.cost(), most))
    }

    async fn read(&mut self, ctx: &Ctx, segment: &str) -> Result<(), Halt> {
        let purse = self.purse.clone();
        self.spent = ctx.step(segment, MonthSpent { purse }).await?;
        Ok(())
    }
}

impl Failure {
    /// The month's limit is reached.
    pub(crate) fn of_month(settings: &Settings) -> Self {
        let limited = failure("month_limit").title_with(&settings.month_limit());
        limited.for_good()
    }
}
