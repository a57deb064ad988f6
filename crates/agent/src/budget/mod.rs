//! The limits of a run, its usage so far, and the check that ends the loop at a limit (SPEC §11,
//! §14; DETAILS §2; Property 15).
//!
//! Example: the limit is 10 cents. A reply that brings the cost to 8.1 cents causes one
//! warning. The loop ends when a closing answer would cost more than what is left of the limit. The
//! run then writes this answer from its results so far. Model calls that were lost with a killed
//! worker are not counted here, because their usage is never reported. The trajectory contains an
//! estimate of their usage.

pub(crate) mod monthly_limit;

use crate::budget::monthly_limit::MonthlyLimit;
use crate::config::{Edit, Settings};
use crate::events::{Bound, Event, MOST_CENTS, MOST_TOKENS, Spender, SpendingLimit, Spent};
use crate::run::Step;
use gloss_durable::Halt;
use gloss_markdown::clean;
use gloss_model::facts::MICROS_A_CENT;
use gloss_model::{Complexity, Micros, Price, Usage, UsageLedger};
use gloss_tools::RoleCall;
use std::rc::Rc;

/// The smallest reserve for the closing answer, in tokens. The number is the response budget of a
/// simple task (SPEC §9). For a longer transcript, more tokens are reserved.
const CLOSING_TOKENS: u32 = 4_000;

/// The expected length of the closing answer, in tokens. With a reserve for the maximum length, an
/// expensive model could make no call within the default limit of ten cents.
const CLOSING_WRITES: u32 = 1_000;

/// The tokens that a prompt must leave for the reply.
const ANSWER_TOKENS: u32 = 1_000;

/// The limits of one run, and its usage so far.
pub(crate) struct Budget {
    settings: Settings,
    month: MonthlyLimit,
    /// The number of the last step that began.
    steps: u8,
    /// The task's complexity, if a model has stated it. The maximum number of steps depends on the
    /// complexity.
    complexity: Option<Complexity>,
    tool_calls: u32,
    spent: Spent,
    /// The limit that the transcript of the last call exceeded; `None` if the transcript was short
    /// enough.
    crowded: Option<Bound>,
    /// The limit that ended the loop; `None` while the loop runs.
    reached: Option<Bound>,
}

/// The usage that is reserved for the closing answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reserve {
    /// The tokens for reading the transcript and writing the closing answer.
    pub(crate) usage: Usage,
    /// The price of the model that writes the closing answer, if known.
    pub(crate) price: Option<Price>,
}

impl Reserve {
    /// Creates the reserve for a transcript of this many tokens.
    pub(crate) fn of(transcript_tokens: u32, price: Option<Price>) -> Self {
        let usage = Usage {
            input_tokens: transcript_tokens,
            output_tokens: CLOSING_WRITES,
            ..Usage::default()
        };
        Self { usage, price }
    }

    /// Returns the cost of the reserve, in millionths of a dollar; 0 if the price is unknown.
    pub(crate) fn cost(&self) -> Micros {
        cost(self.price, self.usage)
    }
}

impl Budget {
    pub(crate) fn new(settings: Settings, ledger: Rc<UsageLedger>) -> Self {
        Self {
            month: MonthlyLimit::new(&settings, ledger),
            settings,
            steps: 0,
            complexity: None,
            tool_calls: 0,
            spent: Spent::default(),
            crowded: None,
            reached: None,
        }
    }

    /// Restores the usage that the run had before an update of Gloss.
    pub(crate) fn restore(&mut self, steps: u8, spent: Spent, tool_calls: u32) {
        (self.steps, self.spent, self.tool_calls) = (steps, spent, tool_calls);
    }

    pub(crate) fn steps(&self) -> u8 {
        self.steps
    }

    /// Returns the maximum number of steps. The maximum can change when a model states the task's
    /// complexity.
    pub(crate) fn max_steps(&self) -> u8 {
        self.settings.steps(self.complexity)
    }

    pub(crate) fn complexity(&self) -> Option<Complexity> {
        self.complexity
    }

    /// Stores the complexity that a model states. Later statements are ignored.
    pub(crate) fn take_complexity(&mut self, said: Option<Complexity>) {
        self.complexity = self.complexity.or(said);
    }

    /// Returns the number of tool calls that the run may still make.
    pub(crate) fn calls_left(&self) -> usize {
        let left = self.settings.max_tool_calls.saturating_sub(self.tool_calls);
        usize::try_from(left).unwrap_or(usize::MAX)
    }

    /// Returns true if the run has called a tool.
    pub(crate) fn has_called(&self) -> bool {
        self.tool_calls > 0
    }

    pub(crate) fn count_calls(&mut self, made: usize) {
        let made = u32::try_from(made).unwrap_or(u32::MAX);
        self.tool_calls = self.tool_calls.saturating_add(made);
    }

    /// Returns the number of tokens left for a call's prompt.
    pub(crate) fn tokens_left(&self) -> u32 {
        let left = self.settings.max_tokens.saturating_sub(self.spent.tokens);
        left.saturating_sub(ANSWER_TOKENS)
    }

    /// Stores the limit that the transcript exceeds; `None` if the transcript is short enough.
    /// While a limit is exceeded, the run requests only the closing answer.
    pub(crate) fn take_fit(&mut self, crowded: Option<Bound>) {
        self.crowded = crowded;
    }

    pub(crate) fn reached(&self) -> Option<Bound> {
        self.reached
    }

    /// Begins a step and returns true, or ends the loop at a limit and returns false.
    pub(crate) async fn begin_step(
        &mut self,
        step: &Step,
        reserve: &Reserve,
    ) -> Result<bool, Halt> {
        if let Some(bound) = self.limit_before(step, reserve).await? {
            self.end_at(step, bound)?;
            return Ok(false);
        }
        self.steps = step.number;
        Ok(true)
    }

    async fn limit_before(&self, step: &Step, reserve: &Reserve) -> Result<Option<Bound>, Halt> {
        // Before the first step, the run has used nothing, so no limit is reached.
        if step.number == 1 {
            return Ok(None);
        }
        // The limits on context, tokens and cost are checked first. Beyond them, the run may make
        // no call but the closing answer.
        if let Some(bound) = self.closing_reason(reserve) {
            return Ok(Some(bound));
        }
        if step.number > step.max_steps {
            return Ok(Some(Bound::Steps));
        }
        if self.calls_left() == 0 {
            return Ok(Some(Bound::ToolCalls));
        }
        let active_ms = step.ctx.active_ms("clock").await?;
        Ok((active_ms >= self.settings.max_active_ms).then_some(Bound::Time))
    }

    /// Checks in the middle of a step whether a limit was reached. If so, ends the loop and returns
    /// true.
    pub(crate) fn ends_within(&mut self, step: &Step, reserve: &Reserve) -> Result<bool, Halt> {
        let bound = self.closing_reason(reserve);
        if let Some(bound) = bound {
            self.end_at(step, bound)?;
        }
        Ok(bound.is_some())
    }

    fn end_at(&mut self, step: &Step, bound: Bound) -> Result<(), Halt> {
        let more = self.doubled_limit(bound);
        step.record_event("bound", &Event::BoundHit { bound, more })?;
        self.reached = Some(bound);
        Ok(())
    }

    /// Returns the reached limit after which only the closing answer may be requested. Returns
    /// `None` if other calls are allowed.
    pub(crate) fn closing_reason(&self, reserve: &Reserve) -> Option<Bound> {
        self.crowded.or_else(|| self.spent_limit(reserve))
    }

    /// Returns the token limit, cost limit or monthly limit if less of it is left than is reserved
    /// for the closing answer.
    pub(crate) fn spent_limit(&self, reserve: &Reserve) -> Option<Bound> {
        let closing = reserve.usage;
        let reserved = closing.input_tokens.saturating_add(closing.output_tokens);
        let reserved = reserved.max(CLOSING_TOKENS);
        if self.spent.tokens.saturating_add(reserved) > self.settings.max_tokens {
            return Some(Bound::Tokens);
        }
        let (spent, most) = (self.spent.cost, self.most_cost());
        let used_up = match reserve.price.map(|price| price.of(closing)) {
            // A free model has no cost limit.
            Some(0) => false,
            Some(closing) => spent.saturating_add(closing) > most,
            None => spent >= most,
        };
        if used_up {
            return Some(Bound::Cost);
        }
        self.month.is_used_up(reserve).then_some(Bound::Month)
    }

    /// Counts the usage of a model call, and reads the cost of all runs of this month from the
    /// ledger.
    pub(crate) async fn count_usage(
        &mut self,
        step: &Step,
        segment: &str,
        (usage, price): (Usage, Option<Price>),
        reserve: &Reserve,
    ) -> Result<(), Halt> {
        let cost = price.map(|price| price.of(usage));
        self.count(step, segment, (usage, cost), None, reserve)
            .await
    }

    /// Counts the model calls of a tool. `place` is the tool call's index in its step.
    pub(crate) async fn count_tool_usage(
        &mut self,
        step: &Step,
        place: usize,
        tool: &str,
        role_calls: &[RoleCall],
        reserve: &Reserve,
    ) -> Result<(), Halt> {
        for (n, role_calls) in role_calls.iter().enumerate() {
            let by = Spender {
                tool: clean(tool),
                model: role_calls.model.clone(),
            };
            let segment = format!("act.{place}.aid.{n}");
            self.count(
                step,
                &segment,
                (role_calls.usage, role_calls.cost),
                Some(by),
                reserve,
            )
            .await?;
        }
        Ok(())
    }

    async fn count(
        &mut self,
        step: &Step,
        segment: &str,
        (usage, cost): (Usage, Option<Micros>),
        by: Option<Spender>,
        reserve: &Reserve,
    ) -> Result<(), Halt> {
        let before = self.spent;
        self.spent.add(usage, cost);
        // `Spent::add` counts a call without tokens as free. But an image without tokens may have a
        // cost. So if a tool's call has no price, its cost is unknown.
        self.spent.unpriced |= by.is_some() && cost.is_none();
        if self.spent == before {
            return Ok(());
        }
        let used = Event::TokensUsed {
            total: self.spent.tokens,
            cost: self.spent.known_cost(),
            by,
        };
        step.record_event(&format!("{segment}.tokens"), &used)?;
        let warn = self.settings.warn_percent;
        let shares = self.shares(before).into_iter().zip(self.shares(self.spent));
        for ((limit, was), (_, is)) in shares {
            if was < warn && is >= warn {
                tell_near(step, segment, limit, is)?;
            }
        }
        self.month.read_and_warn(step, segment, reserve).await
    }

    /// Returns the percentage of the token limit and of the cost limit that `spent` uses.
    fn shares(&self, spent: Spent) -> [(SpendingLimit, u8); 2] {
        let most = self.settings.max_tokens;
        let most_cents = self.settings.max_cost_cents;
        [
            (
                SpendingLimit::Tokens { most },
                percent(spent.tokens.into(), most.into()),
            ),
            (
                SpendingLimit::Cost { most_cents },
                percent(spent.cost, self.most_cost()),
            ),
        ]
    }

    fn most_cost(&self) -> Micros {
        Micros::from(self.settings.max_cost_cents) * MICROS_A_CENT
    }

    /// Returns true if enough of the cost limits is left for the expected usage of a call at this
    /// price.
    pub(crate) async fn may_pay(
        &mut self,
        step: &Step,
        segment: &str,
        (expected, price): (Usage, Option<Price>),
    ) -> Result<bool, Halt> {
        if price == Some(Price::NOTHING) {
            return Ok(true);
        }
        let expected = cost(price, expected);
        if is_over(self.spent.cost, expected, self.most_cost()) {
            return Ok(false);
        }
        self.month.may_pay(step, segment, (expected, price)).await
    }

    /// Returns the monthly limit, which is checked when a run or a fork begins.
    pub(crate) fn month(&mut self) -> &mut MonthlyLimit {
        &mut self.month
    }

    /// Returns the edit that doubles the reached limit, up to the highest value that the user can
    /// set; `None` if no edit raises the limit.
    fn doubled_limit(&self, bound: Bound) -> Option<Edit> {
        let (tokens, cents) = (self.settings.max_tokens, self.settings.max_cost_cents);
        let (max_tokens, max_cost_cents) = match bound {
            Bound::Tokens => (tokens.saturating_mul(2).min(MOST_TOKENS), cents),
            Bound::Cost => (tokens, cents.saturating_mul(2).min(MOST_CENTS)),
            Bound::Steps
            | Bound::Time
            | Bound::ToolCalls
            | Bound::Context
            | Bound::Month
            | Bound::Stopped => return None,
        };
        let is_more = max_tokens > tokens || max_cost_cents > cents;
        is_more.then_some(Edit::Budget {
            max_tokens,
            max_cost_cents,
        })
    }
}

/// Reports that a limit is nearly used up.
pub(crate) fn tell_near(
    step: &Step,
    segment: &str,
    limit: SpendingLimit,
    percent: u8,
) -> Result<(), Halt> {
    let near = Event::BudgetNear {
        budget: limit,
        percent,
    };
    step.record_event(&format!("{segment}.near.{}", limit.name()), &near)
}

pub(crate) fn percent(used: u64, most: u64) -> u8 {
    let percent = used.saturating_mul(100) / most.max(1);
    u8::try_from(percent).unwrap_or(u8::MAX)
}

pub(crate) fn cost(price: Option<Price>, usage: Usage) -> Micros {
    price.map_or(0, |price| price.of(usage))
}

/// Returns true if `spent` has reached `most`, or if the expected cost would exceed `most`. If a
/// model's price is unknown, `expected` is 0.
pub(crate) fn is_over(spent: Micros, expected: Micros, most: Micros) -> bool {
    spent >= most || spent.saturating_add(expected) > most
}
