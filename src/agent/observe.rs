//! Observe: what the results mean, and whether the goal is met.

use super::act::Done;
use super::ask::Offer;
use super::came_to::came_to;
use super::desk::{Desk, Step};
use super::thought::{Draft, Thought};
use super::{Cycle, End, Event, Said, gate};
use crate::model::{Control, Message, Part, Purpose, Role};
use crate::phrase::phrase;
use crate::web::for_reading;
use serde_json::{Value as Json, json};

/// Puts the results on the desk and asks what they mean (Property 3). In the
/// fused cycle the same call may carry the next thought, or the answer.
pub(super) async fn observe(step: &Step, results: Vec<Done>, desk: &mut Desk) -> Result<(), End> {
    desk.take_failures(step, &results).await?;
    take(results, desk);
    let fused = desk.brief.settings.cycle == Cycle::Fused;
    let offer = if fused { Offer::Tools } else { Offer::Nothing };
    let reply = desk.ask(step, "observe", Purpose::Observe, offer).await?;
    let observation = desk.take_observation(&reply.control);
    desk.learn(step, &reply.control).await?;
    let goes_on = if fused {
        !reply.calls.is_empty()
    } else {
        let met = reply.control.goal_met;
        met.map_or(reply.means_to_call(), |met| !met)
    };
    // In the strict cycle nothing may be called here, and what stands beside a call is no answer.
    let answers = fused || !reply.means_to_call();
    desk.goal_met = match Draft::of(&reply).filter(|_| answers) {
        Some(draft) => gate::admit(step, draft, desk)?,
        None => !goes_on,
    };
    step.tell(
        "observation",
        &Event::ObservationMade {
            step: step.number,
            observation,
            goal_met: desk.goal_met,
        },
    )?;
    desk.carried = (fused && goes_on).then(|| Thought::of(reply));
    Ok(())
}

impl Desk {
    /// Takes what was made of results: what is finished and decided must not be lost.
    pub(super) fn take_observation(&mut self, control: &Control) -> Said {
        let window = self.answering.room.window();
        self.grounding
            .add(&control.completed, &control.decisions, window);
        let observation = control.observation.clone();
        let observation = observation.unwrap_or_else(|| Said::Phrase(phrase("observation_none")));
        if let Said::Words(words) = &observation {
            self.observed.push(words.clone());
        }
        observation
    }
}

/// Puts calls and their results before the model.
pub(super) fn take(results: Vec<Done>, desk: &mut Desk) {
    let done = results.iter().map(summary);
    desk.done = done.collect();
    if results.is_empty() {
        return;
    }
    let echo = desk.echo.take().map(|echo| Part::Echo { echo });
    let calls = results.iter().map(|done| Part::Call {
        call: desk.laid_out(&done.call),
    });
    let calls: Vec<Part> = calls.collect();
    desk.say(Message {
        role: Role::Assistant,
        parts: echo.into_iter().chain(calls).collect(),
    });
    let mut parts = Vec::new();
    for done in results {
        let outcome = match done.outcome.result {
            Ok(output) => {
                desk.informed = true;
                desk.share_percent = output.share_percent.or(desk.share_percent);
                Ok(for_reading(output.data))
            }
            Err(error) => Err(error.to_string()),
        };
        parts.push(Part::Result {
            call: done.call.id,
            tool: done.call.name,
            outcome,
        });
    }
    desk.say(Message {
        role: Role::Tool,
        parts,
    });
}

/// What a call came to, in a line.
fn summary(done: &Done) -> Json {
    let tool = &done.call.name;
    match &done.outcome.result {
        Ok(output) => {
            json!({ "tool": tool, "came_to": came_to(&output.summary) })
        }
        Err(error) => json!({ "tool": tool, "error": error.to_string() }),
    }
}
