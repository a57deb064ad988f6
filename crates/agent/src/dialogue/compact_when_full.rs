//! Shrinks the transcript before each call, so that it fits the context window (SPEC §9,
//! DETAILS §9).
//!
//! Example: at the seventh step, the transcript has 21 000 of 24 000 tokens. Earlier turns of the
//! conversation are dropped until the rest fit their own budget. The steps before the last three
//! become one line each, the oldest first, until the transcript has at most 80 % of the 24 000
//! tokens. If the lines don't save enough, the light model summarises the earlier turns and the
//! lines. If the light model fails, each line is cut. If the transcript still doesn't fit,
//! `squeeze` shortens results, earlier turns and the last steps.

use crate::config::Mode;
use crate::dialogue::Dialogue;
use crate::dialogue::fallback::AnsweringModel;
use crate::dialogue::shorten::Shorten;
use crate::events::{Bound, End, Event};
use crate::run::Step;
use gloss_context::compaction::{compaction_threshold, mechanical, naming_all};
use gloss_context::{Context, LargeResult, Newest, compress, compress_without_model};
use gloss_durable::Halt;
use gloss_model::prompts::{Name, Note, Value};
use gloss_model::{
    self as model, AnswerOrigin, Ask, AskLabel, Complexity, Message, Purpose, Request, Role,
    usage_of,
};
use serde_json::Value as Json;

/// The number of recent steps that stay in full when older steps become one line each (DETAILS §9).
const WHOLE_STEPS: u32 = 3;

/// The temperature of the call that rewrites old content. Rewriting needs no creativity (DETAILS
/// §2).
const TEMPERATURE: f32 = 0.0;

/// If old content is cut without a model, at most `1 / OLD_PART` of the transcript's capacity is
/// left for it.
const OLD_PART: u32 = 4;

/// Shrinks the transcript for a call in step `now`. `around` is the number of the prompt's tokens
/// outside the transcript. Returns `None` if the loop may continue. Returns the limit that ends the
/// loop if the transcript doesn't fit, or if it nearly fills the window and compacting saves too
/// little.
pub(crate) async fn fit(
    dialogue: &mut Dialogue,
    step: &Step,
    now: u32,
    place: &str,
    around: u32,
) -> Result<Option<Bound>, End> {
    if dialogue.voice() == AnswerOrigin::Page {
        // The on-device model reads the page itself and has no context window.
        return Ok(None);
    }
    let (holds, capacity) = (max_prompt(dialogue), capacity(dialogue, around));
    let full = compaction_threshold(capacity);
    let history = dialogue.sizes().history;
    dialogue.transcript.context.trim_history(history);
    let large = dialogue.transcript.context.large_before(now);
    shorten(dialogue, step, place, large).await?;
    let context = &mut dialogue.transcript.context;
    if context.tokens() > full {
        // The current step counts as one of the recent steps only if it has called a tool.
        let next = now + u32::from(context.calls_in(now));
        fold(context, next.saturating_sub(WHOLE_STEPS), full);
    }
    // `stays` counts each large result as if it were shortened, because the next step shortens it
    // anyway.
    let saves = context.stays() <= full || compact(dialogue, step, place, capacity).await?;
    squeeze(dialogue, step, now, place, capacity).await?;
    let context = &dialogue.transcript.context;
    let holds = holds.saturating_sub(around);
    Ok(match context.tokens() {
        tokens if tokens <= capacity => {
            // This comparison uses the model's limit alone and ignores the run's token limit.
            let stays_crowded = context.stays() > compaction_threshold(holds);
            (!saves && stays_crowded).then_some(Bound::Context)
        }
        tokens if tokens <= holds => Some(Bound::Tokens),
        _ => Some(Bound::Context),
    })
}

/// Returns the maximum length of a call's transcript, in estimated tokens (DETAILS §9). A prompt
/// may use the prompt budget of the model, but no more tokens than the run has left. `around`
/// tokens are subtracted for the task, the tools and the reply rules. If the model has reported
/// token counts, they correct the estimate.
pub(crate) fn capacity(dialogue: &Dialogue, around: u32) -> u32 {
    let left = dialogue.budget.tokens_left();
    max_prompt(dialogue)
        .min(dialogue.models.scale.within(left))
        .saturating_sub(around)
}

fn max_prompt(dialogue: &Dialogue) -> u32 {
    let prompt = dialogue.sizes().prompt();
    dialogue.models.scale.within(prompt)
}

/// Replaces each step before `before` by one line, the oldest step first, until the transcript has
/// at most `most` tokens.
fn fold(context: &mut Context, before: u32, most: u32) {
    while context.tokens() > most
        && let Some(oldest) = context.oldest_before(before)
    {
        context.fold_steps_before(oldest + 1);
    }
}

/// Shortens large results to the key points that relate to the question.
async fn shorten(
    dialogue: &mut Dialogue,
    step: &Step,
    place: &str,
    large: Vec<LargeResult>,
) -> Result<(), Halt> {
    let mut shortened: Vec<(LargeResult, Json)> = Vec::new();
    for large in large {
        let (texts, most) = large.texts();
        let shorten = Shorten {
            page_service: dialogue.run.services.page_service.clone(),
            id: large.id.clone(),
            texts,
            focus: dialogue.transcript.question(),
            most,
        };
        let place = format!("{place}.short.{}", large.id);
        let short = match step.ctx.step(&place, shorten).await? {
            Ok(points) => compress(&large, points),
            Err(_) => compress_without_model(&large),
        };
        shortened.push((large, short));
    }
    dialogue.transcript.context.shorten(shortened);
    Ok(())
}

/// Compacts the old content: the earlier turns, and the lines that replaced old steps. Returns
/// false if this would save less than a fifth of the transcript. If the transcript then still
/// exceeds the model's threshold, the run ends with its answer so far (DETAILS §9). Returns true if
/// there is no old content.
async fn compact(
    dialogue: &mut Dialogue,
    step: &Step,
    place: &str,
    capacity: u32,
) -> Result<bool, End> {
    let context = &dialogue.transcript.context;
    let (before, old) = (context.tokens(), context.old_tokens());
    if old == 0 {
        return Ok(true);
    }
    if u64::from(old) * 5 < u64::from(before) {
        return Ok(false);
    }
    let lines = context.old();
    let words = rewritten(dialogue, step, place, &lines).await?;
    let context = &dialogue.transcript.context;
    let by_model = words.and_then(|words| context.compacted(&naming_all(words, &lines)));
    let shorter = by_model.or_else(|| {
        let most = (old / 2).min(capacity / OLD_PART);
        context.compacted(&mechanical(&lines, most, dialogue.run.prompts.language))
    });
    let Some(shorter) = shorter else {
        return Ok(false);
    };
    replace(dialogue, shorter, step, &format!("{place}.compacted"))?;
    Ok(true)
}

fn replace(
    dialogue: &mut Dialogue,
    shorter: Context,
    step: &Step,
    place: &str,
) -> Result<(), Halt> {
    let context = &mut dialogue.transcript.context;
    let before = context.tokens();
    *context = shorter;
    let after = context.tokens();
    step.record_event(place, &Event::Compacted { before, after })
}

/// Asks a model to rewrite the old content. Returns `None` if no model may be called, if the old
/// content is too long for the model's window, or if the call failed.
async fn rewritten(
    dialogue: &mut Dialogue,
    step: &Step,
    place: &str,
    lines: &[String],
) -> Result<Option<String>, End> {
    let run = dialogue.run.clone();
    let light = match &run.config.model_roles.light {
        Some(choice) => dialogue.models.of(choice),
        None => dialogue.models.current.clone(),
    };
    if dialogue.exhausted().is_some() || light.model.voice() == AnswerOrigin::Page {
        return Ok(None);
    }
    let grounding = &dialogue.transcript.grounding;
    let kept = grounding.completed.iter().chain(&grounding.decisions);
    let list = |words: &mut dyn Iterator<Item = &String>| {
        Value::List(words.map(|it| it.as_str().into()).collect())
    };
    let values = [
        ("goal", Value::Words(dialogue.transcript.question())),
        ("steps", list(&mut lines.iter())),
        ("kept", list(&mut kept.into_iter())),
    ];
    let asked = run.prompts.render(Name::Compaction, &values)?;
    let mut transcript = model::Transcript::default();
    let rule = run.prompts.note(Note::Security, &[])?;
    transcript.push(Message::text(Role::System, rule));
    transcript.push(Message::text(Role::User, asked));
    if transcript.tokens() > max_prompt_of(dialogue, &light) {
        // The text is too long for the model. A server might truncate it without reporting an
        // error.
        return Ok(None);
    }
    let reserve = dialogue.reserve();
    let expected = (reserve.usage, light.price);
    let light_place = format!("{place}.light");
    let budget = &mut dialogue.budget;
    if !budget.may_pay(step, &light_place, expected).await? {
        return Ok(None);
    }
    let language = run.prompts.language;
    let request = Request::of_text(Purpose::Compact, transcript, TEMPERATURE, language);
    let place = format!("{place}.compact");
    let steps = (step.number, step.max_steps);
    let ask = Ask {
        label: AskLabel::of(&request, 0, steps, light.price),
        model: light.model,
        request,
        ledger: run.services.ledger.clone(),
        price: light.price,
    };
    let reply = step.ctx.step(&place, ask).await?;
    let used = (usage_of(&reply), light.price);
    budget.count_usage(step, &place, used, &reserve).await?;
    let words = reply.ok().map(|reply| reply.text);
    Ok(words.filter(|words| !words.trim().is_empty()))
}

/// Returns the maximum prompt length of the model that rewrites old content, in tokens.
fn max_prompt_of(dialogue: &Dialogue, light: &AnsweringModel) -> u32 {
    let prompt = light.room.budget(Complexity::Complex).prompt();
    match &dialogue.run.config.model_roles.light {
        // The light model may count tokens differently, and its ratio to the estimate is unknown.
        Some(_) => prompt,
        None => dialogue.models.scale.within(prompt),
    }
}

/// Shrinks a transcript that is still too large. It shrinks these in turn, until the transcript
/// fits: large results, earlier turns except the newest, the last steps, old content, the newest
/// earlier turn, the user's longest message. The last two shrink only if a model's window is
/// smaller than Gloss assumed, or if the run has few tokens left.
async fn squeeze(
    dialogue: &mut Dialogue,
    step: &Step,
    now: u32,
    place: &str,
    capacity: u32,
) -> Result<(), End> {
    for large in dialogue.transcript.context.largest() {
        let over = excess(dialogue, capacity);
        if over == 0 {
            return Ok(());
        }
        let most = large.tokens().saturating_sub(over);
        let place = format!("{place}.squeeze");
        shorten(dialogue, step, &place, vec![large.within(most)]).await?;
    }
    let over_by = excess(dialogue, capacity);
    let context = &mut dialogue.transcript.context;
    context.trim_history_by(over_by, Newest::Stays);
    fold(context, now, capacity);
    let (before, old) = (context.tokens(), context.old_tokens());
    if before > capacity && old > 0 {
        let most = old.saturating_sub(before - capacity + before / 5);
        let words = mechanical(&context.old(), most, dialogue.run.prompts.language);
        if let Some(shorter) = context.compacted(&words) {
            replace(dialogue, shorter, step, &format!("{place}.squeezed"))?;
        }
    }
    let over_by = excess(dialogue, capacity);
    dialogue
        .transcript
        .context
        .trim_history_by(over_by, Newest::MayGo);
    let over = excess(dialogue, capacity);
    if over > 0 && dialogue.run.config.mode == Mode::Agent {
        dialogue.transcript.context.shorten_user_message(over);
    }
    Ok(())
}

/// Returns the number of tokens by which the transcript exceeds the capacity.
fn excess(dialogue: &Dialogue, capacity: u32) -> u32 {
    let tokens = dialogue.transcript.context.tokens();
    tokens.saturating_sub(capacity)
}
