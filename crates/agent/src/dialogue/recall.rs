//! The lookup of facts about the user before the first step (DETAILS §2 and §5).
//!
//! Example: a user once wrote that they sail from Hoylake. Now they ask "When can I leave
//! on Saturday?". The prompt of the first thought contains the fact about Hoylake.

use crate::config::{KnownFacts, Mode, Style};
use crate::dialogue::Dialogue;
use gloss_durable::{Ctx, Halt};
use gloss_memory::{Recall, RecallLimits, RecalledFacts};
use gloss_model::provenance::Provenance;
use gloss_model::{AnswerOrigin, Complexity, Message, Part, Role, Source};
use gloss_tools::{Group, memory_retrieve};
use serde_json::json;
use std::rc::Rc;

/// The maximum length of the facts in a prompt, in tokens.
const MOST_TOKENS: u32 = 600;

/// The maximum number of facts.
const MOST: usize = 12;

impl Style {
    /// Returns true if facts are looked up for a task of this complexity. DETAILS §2 and §5 give
    /// each style a bias and each complexity a number. Facts are looked up if the number is at
    /// least `1 − bias`, or if the bias is at least 0.5. `Direct` has a bias of 0.2, so only a
    /// complex task (0.8) qualifies.
    fn recalls(self, complexity: Complexity) -> bool {
        match self {
            Self::ToolFirst | Self::Balanced => true,
            Self::Direct => complexity == Complexity::Complex,
        }
    }
}

/// Looks up the facts that relate to the request. Facts are not looked up for the on-device model,
/// Looks up the facts that relate to the request. Facts are not looked up for the on-device model,
/// which only quotes pages, or for a plain call, which has no planner. They are also not looked up
/// if there are none, if memory is off, or if the style doesn't require it.
///
/// Returns the origins of the facts. The model reads the facts as data, in a message of their own.
pub(crate) async fn recall(ctx: &Ctx, dialogue: &mut Dialogue) -> Result<Provenance, Halt> {
    let run = dialogue.run.clone();
    let asked = dialogue.transcript.question();
    let config = &run.config;
    let reads = dialogue.voice() == AnswerOrigin::Model && config.mode == Mode::Agent;
    let wanted = config.settings.style.recalls(Complexity::estimate(&asked));
    let off = config.tools_switched_off().contains(memory_retrieve::NAME);
    if off || config.known == KnownFacts::Nothing || !reads || !wanted {
        return Ok(Provenance::default());
    }
    // For an explanation, the goal's words are the selected passage. Facts may relate to the
    // passage.
    let question = format!("{asked}\n{}", config.goal.words());
    let switches = run.services.switches.clone();
    let grounding = &dialogue.transcript.grounding;
    let window = dialogue.models.current.room.window();
    let effect = Recall {
        memory: run.services.memory.clone(),
        is_on: Rc::new(move || switches.is_on(Group::Memory)),
        question,
        room: RecallLimits {
            most: MOST,
            tokens: MOST_TOKENS.min(grounding.room(window)),
        },
    };
    let RecalledFacts { facts, provenance } = ctx.step("recall", effect).await?;
    if !facts.is_empty() {
        let told = json!({ "factsAboutTheUser": facts });
        let told = Message {
            role: Role::User,
            parts: vec![Part::Quoted {
                source: Source::Memory,
                text: told.to_string(),
            }],
        };
        dialogue.transcript.context.push_fixed(told);
    }
    Ok(provenance)
}
