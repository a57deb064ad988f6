//! Looking up what is known of the person before the first step (DETAILS §2 and §5).
//!
//! Driving example: "When can I leave on Saturday?" of somebody who once said that they sail
//! out of Hoylake: that stands among what holds for the run, before anything is reasoned.

use crate::config::{Known, Mode, Style};
use crate::dialogue::Dialogue;
use gloss_durable::{Ctx, Halt};
use gloss_memory::{Recall, Room};
use gloss_model::{Complexity, Voice};
use gloss_tools::{Group, memory_retrieve};
use std::rc::Rc;

/// What is known takes no more of a request than this, in tokens.
const MOST_TOKENS: u32 = 600;

/// Nor more facts.
const MOST: usize = 12;

impl Style {
    /// Whether memory is looked up unasked. Where the bias is 0.5 or more it is whenever there
    /// are facts (DETAILS §5); where it is 0.2, once complexity (0.2, 0.5, 0.8) comes up to
    /// 1 − bias (§2).
    fn recalls(self, complexity: Complexity) -> bool {
        match self {
            Self::ToolFirst | Self::Balanced => true,
            Self::Direct => complexity == Complexity::Complex,
        }
    }
}

/// Looks up what relates to the request, if this run may and its model reads it: the on-device
/// one quotes pages alone, and a plain call has no planner.
pub(crate) async fn recall(ctx: &Ctx, dialogue: &mut Dialogue) -> Result<(), Halt> {
    let run = dialogue.run.clone();
    let asked = dialogue.transcript.question();
    let config = &run.config;
    let reads = dialogue.voice() == Voice::Model && config.mode == Mode::Agent;
    let wanted = config.settings.style.recalls(Complexity::estimate(&asked));
    let off = config.tools_switched_off().contains(memory_retrieve::NAME);
    if off || config.known == Known::Nothing || !reads || !wanted {
        return Ok(());
    }
    // An explanation is about the passage: its words are what facts may relate to.
    let question = format!("{asked}\n{}", config.goal.words());
    let switches = run.services.switches.clone();
    let grounding = &mut dialogue.transcript.grounding;
    let window = dialogue.models.current.room.window();
    let effect = Recall {
        memory: run.services.memory.clone(),
        is_on: Rc::new(move || switches.is_on(Group::Memory)),
        question,
        room: Room {
            most: MOST,
            tokens: MOST_TOKENS.min(grounding.room(window)),
        },
    };
    let facts = ctx.step("recall", effect).await?;
    grounding.know(facts);
    Ok(())
}
