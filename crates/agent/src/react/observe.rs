//! Observe: the model reads the results and states whether the goal is met.

use crate::config::Cycle;
use crate::consent::Permissions;
use crate::dialogue::Dialogue;
use crate::dialogue::ask::{Offer, Question};
use crate::events::End;
use crate::reflexion::RunLessons;
use crate::run::{CallResult, Step};
use crate::thought::{Draft, Thought};
use gloss_model::Purpose;
use gloss_model::phrase::DisplayText;

/// A model's interpretation of the results.
pub(crate) struct Observation {
    pub(crate) said: DisplayText,
    /// The answer, if the reply contained one.
    pub(crate) draft: Option<Draft>,
    /// True if the run continues: the model calls a tool, or states that the goal is not met.
    pub(crate) goes_on: bool,
    /// The next thought, if the same reply contained one.
    pub(crate) next: Option<Thought>,
}

/// Adds the results to the transcript and asks the model to interpret the results (Property 3). In
/// the fused cycle, the reply may also contain the next thought or the answer.
pub(crate) async fn observe(
    step: &Step,
    results: Vec<CallResult>,
    dialogue: &mut Dialogue,
    (lessons, permissions): (&mut RunLessons, &mut Permissions),
) -> Result<Observation, End> {
    let run = dialogue.run.clone();
    lessons
        .take_failures(step, &run, &results, permissions)
        .await?;
    let room = dialogue.models.current.room;
    dialogue.transcript.take_results(&run, room, results);
    let fused = run.config.settings.cycle == Cycle::Fused;
    let offer = if fused { Offer::Tools } else { Offer::Nothing };
    let question = Question {
        lessons: lessons.has_failures().then_some(&*lessons),
        ..Question::new("observe", Purpose::Observe, offer)
    };
    let reply = dialogue.ask(step, question).await?;
    let room = dialogue.models.current.room;
    let said = dialogue.transcript.take_observation(&reply.control, room);
    if let Some(learned) = lessons.learn(step, &run, &reply.control).await? {
        dialogue.transcript.say(learned);
    }
    let goes_on = if fused {
        !reply.calls.is_empty()
    } else {
        let met = reply.control.goal_met;
        met.map_or(reply.calls_tools(), |met| !met)
    };
    // In the strict cycle, an observation may not call tools. If the reply calls a tool anyway, its
    // text is not an answer.
    let answers = fused || !reply.calls_tools();
    Ok(Observation {
        said,
        draft: Draft::of(&reply).filter(|_| answers),
        goes_on,
        next: (fused && goes_on).then(|| Thought::of(reply)),
    })
}
