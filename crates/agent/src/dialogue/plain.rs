//! A plain call: the conversation, the page and the question in one prompt, without tools.
//!
//! Example: the user asks a question of 20 000 characters about a page of 100 KB, in a
//! window of 8 192 tokens. The question takes precedence, because a plain call has no tool to
//! recall the question's missing part. The page gets the remaining tokens, and the answer states
//! the share of the page that fits.

use crate::config::Goal;
use crate::dialogue::Dialogue;
use crate::dialogue::ask::Offer;
use crate::dialogue::compact_when_full::capacity;
use crate::events::{End, PageRead};
use crate::history::window::head;
use crate::run::Step;
use crate::transcript::prompt;
use gloss_context::compaction::compaction_threshold;
use gloss_context::cost_of;
use gloss_durable::Ctx;
use gloss_model::prompts::{Note, Prompts, TemplateError, Value};
use gloss_model::{AnswerOrigin, Message, Part, Purpose, Role, Source};
use gloss_page::Document;
use gloss_text::tokens::estimate;
use std::rc::Rc;

/// The maximum length of the page in a plain call, in tokens. In agent mode, all steps of a simple
/// task have the same limit (SPEC §9).
const PAGE_TOKENS: u32 = 12_000;

/// The smallest number of free tokens at which an excerpt of the page is included.
const LEAST_TOKENS: u32 = 40;

/// Adds the request, and as much of the page as fits into the rest of the window.
pub(crate) async fn build(ctx: &Ctx, dialogue: &mut Dialogue) -> Result<(), End> {
    let run = dialogue.run.clone();
    let step = Step {
        ctx: ctx.clone(),
        number: dialogue.budget.steps(),
        max_steps: dialogue.budget.max_steps(),
    };
    let purpose = Purpose::Synthesise;
    let task = prompt::task(&run, &dialogue.transcript, &step, purpose)?;
    let around = dialogue.prompt_overhead(&task, Offer::Nothing);
    let history = dialogue.sizes().history;
    dialogue.transcript.context.trim_history(history);
    let (taken, capacity) = (
        dialogue.transcript.context.tokens(),
        capacity(dialogue, around),
    );
    let asked = earlier_messages(dialogue, capacity.saturating_sub(taken))?;
    let taken = taken.saturating_add(asked.iter().map(cost_of).sum());
    // The prompt with the page may not exceed the compaction threshold, or earlier turns would be
    // compacted to make space for the page.
    let left = compaction_threshold(capacity).saturating_sub(taken);
    if let Some((page, document)) = run.page.as_ref().zip(dialogue.document().cloned()) {
        lay_out_page(dialogue, page, &document, left).await?;
    }
    for message in asked {
        dialogue.transcript.context.push_fixed(message);
    }
    Ok(())
}

/// Returns the request as messages. A long request is cut to `left` tokens, and to the limit for an
/// agent's steps (`scratchpad`).
fn earlier_messages(dialogue: &Dialogue, left: u32) -> Result<Vec<Message>, End> {
    let run = &dialogue.run;
    let whole = run.config.goal.message(run.prompts.language);
    let most = dialogue.sizes().scratchpad.min(left);
    if dialogue.voice() == AnswerOrigin::Page || cost_of(&whole) <= most {
        return Ok(vec![whole]);
    }
    Ok(cut(&run.prompts, &run.config.goal, most, Note::Cut, &[])?)
}

/// Returns two messages with at most `most` tokens together: the beginning of the request, and a
/// note that tells the model about the cut.
pub(crate) fn cut(
    prompts: &Prompts,
    goal: &Goal,
    most: u32,
    note: Note,
    values: &[(&str, Value)],
) -> Result<Vec<Message>, TemplateError> {
    let words = goal.words();
    let tokens = [("tokens", Value::Ours(estimate(words).to_string()))];
    let values: Vec<(&str, Value)> = values.iter().cloned().chain(tokens).collect();
    let note = Message::text(Role::System, prompts.note(note, &values)?);
    let most = most.saturating_sub(cost_of(&note));
    let mut room = most;
    loop {
        let short = goal.with_words(head(words, room));
        let short = short.message(prompts.language);
        // JSON escapes some characters, which can make the message longer than estimated.
        let over = cost_of(&short).saturating_sub(most);
        if over == 0 || room == 0 {
            return Ok(vec![short, note]);
        }
        room = room.saturating_sub(over);
    }
}

/// Adds a quoted excerpt of the page, and stores the percentage of the page that the excerpt
/// covers. The excerpt is not recorded, because a replay computes the excerpt from the page and
/// the question again.
async fn lay_out_page(
    dialogue: &mut Dialogue,
    page: &PageRead,
    document: &Rc<Document>,
    left: u32,
) -> Result<(), End> {
    let run = dialogue.run.clone();
    let question = run.config.goal.words().to_owned();
    let mut room = dialogue.models.current.room.page(PAGE_TOKENS).min(left);
    while room >= LEAST_TOKENS {
        let page_service = &run.services.page_service;
        let excerpt = page_service
            .excerpt(document, room, Some(question.clone()))
            .await;
        let excerpt = excerpt.map_err(|error| End::from_read_error(&error))?;
        let passages = excerpt.passages.iter();
        let numbered = passages.map(|it| format!("[[{}]] {}", it.id, it.text));
        let numbered: Vec<String> = numbered.collect();
        let message = Message {
            role: Role::User,
            parts: vec![Part::Quoted {
                source: Source::Page {
                    url: page.url.clone(),
                },
                text: numbered.join("\n"),
            }],
        };
        let over = cost_of(&message).saturating_sub(left);
        if over == 0 {
            dialogue.transcript.context.push_fixed(message);
            dialogue.transcript.share_percent = excerpt.share_percent;
            return Ok(());
        }
        room = room.saturating_sub(over);
    }
    dialogue.transcript.share_percent = Some(0);
    Ok(())
}
