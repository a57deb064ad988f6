//! The answer: the one that stands, or one closing call.

use super::ask::Offer;
use super::desk::{Desk, Step, tell};
use super::links::pressable;
use super::thought::{Draft, Instead};
use super::{Answer, End, Ending, Event, Goal, Layout, Voice, citations, gate};
use crate::durable::Ctx;
use crate::markdown;
use crate::model::{Finish, Purpose};
use crate::phrase::phrase;

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
    let reply = desk
        .ask(&step, "synthesise", Purpose::Synthesise, Offer::Nothing)
        .await?;
    let mut draft = Draft::of(&reply).unwrap_or_else(|| Draft {
        text: String::new(),
        confidence: 0.0,
        leads: Vec::new(),
        remarks: vec![phrase("answer_empty")],
        finish: Finish::Stop,
        instead: Instead::OfNothing,
    });
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
