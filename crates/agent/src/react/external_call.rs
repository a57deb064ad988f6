//! Calls that change the world: never made twice unasked.

use crate::events::{Need, Verdict};
use crate::react::act::Hand;
use crate::react::attempt::Attempt;
use gloss_durable::Halt;
use gloss_markdown::clean;
use gloss_tools::{ToolError, ToolOutcome};

impl Hand {
    /// Makes a call that changes the world. Where nobody knows whether it did, the
    /// person says whether it is made again, under a path of its own. One that lacks the
    /// person's word is not made, and changes nothing.
    pub(crate) async fn external_call(&self, trying: &mut Attempt) -> Result<ToolOutcome, Halt> {
        loop {
            let attempt = trying.made;
            match self.attempt(trying).await {
                Ok(outcome) if !cut_off(&outcome) => return Ok(outcome),
                Ok(outcome) => trying.keep(outcome),
                // A worker that died leaves the same question as a wait that was over.
                Err(Halt::Unknown { .. }) => {}
                Err(halt) => return Err(halt),
            }
            let need = Need::Outcome {
                tool: clean(&trying.call.name),
                arguments: clean(&trying.call.arguments.to_string()),
                sent_at_ms: trying.ctx.begun_at_ms(format_args!("try.{attempt}")),
            };
            let place = format!("ask.{attempt}");
            match trying.ctx.signal(place, &need).await? {
                Verdict::Granted => trying.made += 1,
                Verdict::Refused => {
                    return Ok(ToolOutcome::not_made(ToolError::OutcomeUnknown));
                }
            }
        }
    }
}

/// Whether a call was abandoned before its answer came, by us or by whom it asked.
fn cut_off(outcome: &ToolOutcome) -> bool {
    matches!(
        outcome.result,
        Err(ToolError::TimedOut { .. } | ToolError::OutcomeUnknown)
    )
}
