//! The limit on the total cost of all runs in a month (Options, Usage).
//!
//! Example: $4.99 of $5 are spent. An active run ends with an answer from its results so
//! far. A new run reports at once that the limit is reached, and a free fallback model answers. If
//! no free fallback model is set up, the on-device model answers. It can only quote the page, which
//! is better than no answer. After each model call, the run reads the month's cost through an
//! effect, so that a replay sees the same amounts. [`UsageLedger`] adds up the month's cost.

use crate::budget::{Reserve, is_over, percent, tell_near};
use crate::config::Settings;
use crate::events::{Failure, MICROS_A_DOLLAR, SpendingLimit, failure};
use crate::run::Step;
use gloss_durable::{Ctx, Halt};
use gloss_model::{Micros, MonthSpent, Price, UsageLedger};
use std::rc::Rc;

/// The monthly limit, as one run sees it.
pub(crate) struct MonthlyLimit {
    ledger: Rc<UsageLedger>,
    /// The limit, in US dollars; `None` means unlimited.
    most_dollars: Option<u32>,
    warn_percent: u8,
    /// The cost of all runs of the month, in millionths of a dollar, when it was last read.
    spent: Micros,
    has_warned: bool,
}

impl MonthlyLimit {
    pub(crate) fn new(settings: &Settings, ledger: Rc<UsageLedger>) -> Self {
        Self {
            ledger,
            most_dollars: settings.max_month_dollars,
            warn_percent: settings.warn_percent,
            spent: 0,
            has_warned: false,
        }
    }

    /// Returns the limit for a call at this price; `None` if the call is free or no limit is set.
    /// The limit also applies to a call of unknown price.
    fn limit(&self, price: Option<Price>) -> Option<Micros> {
        let dollars = self
            .most_dollars
            .filter(|_| price != Some(Price::NOTHING))?;
        Some(Micros::from(dollars) * MICROS_A_DOLLAR)
    }

    /// Returns true if too little of the monthly limit is left for an answer. The limit is checked
    /// when a run begins.
    pub(crate) async fn is_over_at_start(
        &mut self,
        ctx: &Ctx,
        segment: &str,
        reserve: &Reserve,
    ) -> Result<bool, Halt> {
        let Some(most) = self.limit(reserve.price) else {
            return Ok(false);
        };
        self.read(ctx, segment).await?;
        Ok(is_over(self.spent, reserve.cost(), most))
    }

    /// Reads the month's cost. Warns the user once if the warning percentage is reached.
    pub(crate) async fn read_and_warn(
        &mut self,
        step: &Step,
        segment: &str,
        reserve: &Reserve,
    ) -> Result<(), Halt> {
        let limit = self.limit(reserve.price);
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

    /// Returns true if enough of the monthly limit is left for a call of this expected cost.
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

    /// Returns true if less of the monthly limit is left than is reserved for the closing answer.
    pub(crate) fn is_used_up(&self, reserve: &Reserve) -> bool {
        self.limit(reserve.price)
            .is_some_and(|most| is_over(self.spent, reserve.cost(), most))
    }

    async fn read(&mut self, ctx: &Ctx, segment: &str) -> Result<(), Halt> {
        let ledger = self.ledger.clone();
        self.spent = ctx.step(segment, MonthSpent { ledger }).await?;
        Ok(())
    }
}

impl Failure {
    /// Returns the failure of a run that has reached the monthly limit.
    pub(crate) fn of_month(settings: &Settings) -> Self {
        let limited = failure("month_limit").title_with(&settings.month_limit());
        limited.not_recoverable()
    }
}
