//! The answer: the one that stands, or one closing call.

use super::ask::Offer;
use super::desk::{Desk, Step, tell};
use super::links::pressable;
use super::thought::Draft;
use super::{Answer, End, Ending, Event, Goal, Layout, Voice, citations, gate};
use crate::durable::Ctx;
use crate::markdown;
use crate::model::Purpose;
use crate::prompts::Note;

/// Gives the answer. One that a reply carried is not asked for again (DETAILS §2).
pub(super) async fn synthesise(ctx: &Ctx, mut desk: Desk) -> Result<Ending, End> {
    let draft = match desk.draft.take() {
        Some(draft) => draft,
        None => close(ctx, &mut desk).await?,
    };
    let answer = compose(&desk, draft).await?;
    let bound = desk.bound;
    let event = Event::AnswerGiven {
        answer: answer.clone(),
    };
    tell(ctx, "answer", &event)?;
    ctx.durable().await?;
    Ok(Ending::Answered { answer, bound })
}

async fn close(ctx: &Ctx, desk: &mut Desk) -> Result<Draft, End> {
    let step = Step {
        ctx: ctx.clone(),
        number: desk.steps,
        max_steps: desk.max_steps(),
    };
    let (purpose, offer) = (Purpose::Synthesise, Offer::Nothing);
    let mut reply = desk.ask(&step, "synthesise", purpose, offer).await?;
    let mut draft = Draft::closing(&reply);
    // Nothing but a call: asked for once more, where the budgets have room for another close.
    if draft.is_none() && reply.means_to_call() && desk.exhausted().is_none() {
        desk.note(Note::Close, &[])?;
        let again = desk.ask_again(&step, "synthesise.again", purpose, offer);
        reply = again.await?;
        draft = Draft::closing(&reply);
    }
    let mut draft = draft.unwrap_or_else(|| Draft::empty(&reply));
    gate::mark(&mut draft, desk);
    Ok(draft)
}

async fn compose(desk: &Desk, draft: Draft) -> Result<Answer, End> {
    let voice = desk.answering.model.voice();
    let url = desk.page.as_ref().map_or("", |page| page.url.as_str());
    let blocks = pressable(markdown::parse(&draft.text), url);
    let study = &desk.hands.study;
    let (page, elsewhere) = (desk.document(), &desk.elsewhere);
    let resolved = citations::resolve(study, blocks, page, url, elsewhere, voice).await;
    let (blocks, citations) = resolved.map_err(|error| End::unread(&error))?;
    let quotes = !citations.is_empty();
    let research = elsewhere.researched(&citations);
    let remarks = draft
        .remarks
        .into_iter()
        .chain(desk.bound.map(|bound| bound.remark(&desk.brief.settings)));
    Ok(Answer {
        voice,
        layout: match desk.brief.goal {
            Goal::Summarize => Layout::Summary,
            Goal::Explain { .. } | Goal::Ask { .. } | Goal::GoOn => Layout::Prose,
        },
        markdown: draft.text,
        blocks,
        citations,
        leads: draft.leads,
        share_percent: match voice {
            // It read the page itself, whatever a tool selected for it, or did not look.
            Voice::Page => (desk.informed || quotes).then_some(100),
            Voice::Model => desk.share_percent,
        },
        remarks: remarks.collect(),
        finish: draft.finish,
        research,
    })
}
