//! Calls that change the world: never made twice unasked, and with the person's word where they
//! need it.

use super::act::Hand;
use super::trying::Trying;
use super::{Need, Verdict};
use crate::durable::Halt;
use crate::markdown::clean;
use crate::tools::{ToolError, ToolOutcome};

impl Hand {
    /// Makes a call that changes the world. Where nobody knows whether it did, the
    /// person says whether it is made again, under a path of its own.
    pub(super) async fn as_told(&self, trying: &mut Trying) -> Result<ToolOutcome, Halt> {
        self.ask_first(trying).await?;
        let (ctx, call) = (trying.ctx.clone(), trying.call.clone());
        loop {
            let attempt = trying.attempt;
            match self.attempt(trying).await {
                Ok(outcome) => match trying.lacks(&outcome) {
                    // Nothing was sent.
                    Some(right) if trying.terms.refused.is_none() => {
                        let need = Need::of_tool(right.clone());
                        match ctx.signal(format_args!("permit.{attempt}"), &need).await? {
                            Verdict::Granted => trying.asked.push(right),
                            Verdict::Refused => return Ok(outcome),
                        }
                        trying.attempt += 1;
                        continue;
                    }
                    _ if !cut_off(&outcome) => return Ok(outcome),
                    _ => trying.aided.extend(outcome.aided),
                },
                // A worker that died leaves the same question as a wait that was over.
                Err(Halt::Unknown { .. }) => {}
                Err(halt) => return Err(halt),
            }
            let need = Need::Outcome {
                tool: clean(&call.name),
                arguments: clean(&call.arguments.to_string()),
                sent_at_ms: ctx.begun_at_ms(format_args!("try.{attempt}")),
            };
            match ctx.signal(format_args!("ask.{attempt}"), &need).await? {
                Verdict::Granted => trying.attempt += 1,
                Verdict::Refused => {
                    return Ok(ToolOutcome::not_made(ToolError::OutcomeUnknown));
                }
            }
        }
    }

    /// Asks for the person's word on a call that needs it, before its effect is begun: a
    /// death while they think leaves nothing unknown.
    async fn ask_first(&self, trying: &mut Trying) -> Result<(), Halt> {
        if let Some(ToolError::NotPermitted { right }) = &trying.terms.refused {
            let need = Need::of_tool(right.clone());
            match trying.ctx.signal("approve", &need).await? {
                Verdict::Granted => trying.terms.refused = None,
                Verdict::Refused => {}
            }
        }
        Ok(())
    }
}

/// Whether a call was abandoned before its answer came, by us or by whom it asked.
fn cut_off(outcome: &ToolOutcome) -> bool {
    matches!(
        outcome.result,
        Err(ToolError::TimedOut { .. } | ToolError::OutcomeUnknown)
    )
}
