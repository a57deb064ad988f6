//! The answer of a run: the draft that the confidence gate accepted, or the reply to a closing
//! call.

use crate::citations::{pressable, resolve};
use crate::config::Goal;
use crate::dialogue::ask::{Offer, Question};
use crate::events::{Answer, End, Ending, Event, Layout};
use crate::react::state::State;
use crate::run::{Step, tell};
use crate::thought::Draft;
use gloss_durable::Ctx;
use gloss_durable::sorted::SortedSet;
use gloss_markdown as markdown;
use gloss_model::prompts::Note;
use gloss_model::{AnswerOrigin, Purpose};
use gloss_page::Document;

/// Returns the answer. The model is not called if an earlier reply contained the answer
/// (DETAILS §2).
pub(crate) async fn synthesise(ctx: &Ctx, mut state: State) -> Result<Ending, End> {
    let draft = match state.progress.draft.take() {
        Some(draft) => draft,
        None => close(ctx, &mut state).await?,
    };
    let answer = compose(&state, draft).await?;
    let bound = state.dialogue.budget.reached();
    let event = Event::AnswerGiven {
        answer: answer.clone(),
    };
    tell(ctx, "answer", &event)?;
    ctx.durable().await?;
    Ok(Ending::Answered { answer, bound })
}

async fn close(ctx: &Ctx, state: &mut State) -> Result<Draft, End> {
    let dialogue = &mut state.dialogue;
    let step = Step {
        ctx: ctx.clone(),
        number: dialogue.budget.steps(),
        max_steps: dialogue.budget.max_steps(),
    };
    let question = Question::new("synthesise", Purpose::Synthesise, Offer::Nothing);
    let mut reply = dialogue.ask(&step, question).await?;
    let mut draft = Draft::closing(&reply);
    // If the reply contains only a call, the model is asked again, unless a limit is reached.
    if draft.is_none() && reply.calls_tools() && dialogue.exhausted().is_none() {
        dialogue.note(Note::Close, &[])?;
        let again = question.again("synthesise.again");
        reply = dialogue.ask(&step, again).await?;
        draft = Draft::closing(&reply);
    }
    let mut draft = draft.unwrap_or_else(|| Draft::empty(&reply));
    let style = dialogue.run.config.settings.style;
    state.progress.add_confidence_remark(&mut draft, style);
    Ok(draft)
}

async fn compose(state: &State, draft: Draft) -> Result<Answer, End> {
    let (dialogue, sources) = (&state.dialogue, &state.sources);
    let run = &dialogue.run;
    let voice = dialogue.voice();
    let url = run.page.as_ref().map_or("", |page| page.url.as_str());
    let page_service = &run.services.page_service;
    let page = dialogue.document();
    let said = dialogue.transcript.requests();
    let document = page.map(AsRef::as_ref);
    let policy = (state.permissions).policy(run, said, document, sources, Vec::new());
    let links = document.map(Document::links).unwrap_or_default();
    let shown = links
        .iter()
        .map(|(_, url)| url.as_str())
        .chain(sources.addresses());
    let shown: SortedSet<&str> = shown.collect();
    let is_known = |url: &str| policy.has_taken(url) || shown.contains(url);
    let blocks = pressable(markdown::parse(&draft.text), url, &is_known);
    let resolved = resolve::resolve(page_service, blocks, page, url, sources, voice).await;
    let (blocks, citations) = resolved.map_err(|error| End::from_read_error(&error))?;
    let quotes = !citations.is_empty();
    let research = sources.research_summary(&citations);
    let bound = dialogue.budget.reached();
    let remarks = draft
        .remarks
        .into_iter()
        .chain(bound.map(|bound| bound.remark(&run.config.settings)));
    Ok(Answer {
        voice,
        layout: match run.config.goal {
            Goal::Summarize => Layout::Summary,
            Goal::Explain { .. } | Goal::Ask { .. } | Goal::GoOn => Layout::Prose,
        },
        markdown: draft.text,
        blocks,
        citations,
        leads: draft.leads,
        share_percent: match voice {
            // The on-device model reads the whole page. If the answer uses nothing of the page,
            // there is no share.
            AnswerOrigin::Page => (state.progress.is_informed() || quotes).then_some(100),
            AnswerOrigin::Model => dialogue.transcript.share_percent,
        },
        remarks: remarks.collect(),
        finish: draft.finish,
        research,
    })
}
