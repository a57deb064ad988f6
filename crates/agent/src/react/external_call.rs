//! Calls that change the world. They are never repeated without asking the user.

use crate::events::{MissingRight, Verdict};
use crate::react::act::StepCalls;
use crate::react::attempt::Attempt;
use gloss_durable::Halt;
use gloss_markdown::clean;
use gloss_tools::{ToolError, ToolOutcome};

impl StepCalls<'_> {
    /// Makes a call that changes the world. If it is unknown whether the change happened, the user
    /// decides whether the call is repeated. The repeated call has its own path. A call that the
    /// user has not approved is not made.
    pub(crate) async fn external_call(&self, trying: &mut Attempt) -> Result<ToolOutcome, Halt> {
        loop {
            let attempt = trying.made;
            match self.attempt(trying).await {
                Ok(outcome) if !cut_off(&outcome) => return Ok(outcome),
                Ok(outcome) => trying.keep(outcome),
                // After the death of a worker, the outcome is as unknown as after a timeout.
                Err(Halt::Unknown { .. }) => {}
                Err(halt) => return Err(halt),
            }
            let need = MissingRight::Outcome {
                tool: clean(&trying.call.name),
                arguments: clean(&trying.call.arguments.to_string()),
                sent_at_ms: trying.ctx.begun_at_ms(format_args!("try.{attempt}")),
            };
            let place = format!("ask.{attempt}");
            match trying.ctx.signal(place, &need).await? {
                Verdict::Granted | Verdict::Approved { .. } => trying.made += 1,
                Verdict::Refused | Verdict::Rejected { .. } => {
                    return Ok(ToolOutcome::not_made(ToolError::OutcomeUnknown));
                }
            }
        }
    }
}

/// Returns true if Gloss or the server abandoned the call before its result arrived.
fn cut_off(outcome: &ToolOutcome) -> bool {
    matches!(
        outcome.result,
        Err(ToolError::TimedOut { .. } | ToolError::OutcomeUnknown)
    )
}
