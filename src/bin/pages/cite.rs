//! A reference to a passage. In summaries and in answers made of quotes, it is in the margin (¶
//! 14). In other texts of a model, it is a number with a popover that shows the passage.
//!
//! A click shows the passage in the tab of its page. If no tab can show the passage, a new tab
//! opens ([`crate::passage`]).

use crate::browser::{host_of, unique_id};
use crate::copy::copy;
use crate::popover::follow;
use crate::prelude::*;
use crate::sources::{is_excerpt, number as number_of, source};
use crate::surface::Surface;
use crate::text_context::TextContext;
use gloss::agent::{AnswerOrigin, Citation, Goal};
use gloss::app::surface::Turn;
use gloss::ui::citation_marks::{mentioned, paragraph_of};

/// A reference. In a growing answer, it is text of the same width without a link. In a complete
/// answer, a reference without a passage has a "?".
pub(crate) fn cite(said: &TextContext, passage: &str) -> View {
    if !said.is_whole() {
        return growing_mark(passage);
    }
    match (said.number(passage), said.citation(passage)) {
        (Some(number), citation) => numbered_mark(number, passage, citation),
        (None, Some(citation)) => margin_note(citation).into(),
        (None, None) => {
            let mark = format!("¶\u{a0}{}?", paragraph_of(passage));
            let words = (mark, tag("span.sr", msg("no_such_passage")));
            tag("span.cite.unverified", words)
                .tip(msg("no_such_passage"))
                .into()
        }
    }
}

fn margin_note(citation: &Citation) -> Tag {
    let number = citation.paragraph.to_string();
    let label = match &citation.elsewhere {
        Some(_) => msg_with("passage_elsewhere", &[&number, &host_of(&citation.url)]),
        None => msg_with("passage_in_paragraph", &[&number]),
    };
    let link = link("a.ref", citation.url.clone(), format!("¶\u{a0}{number}"));
    link.tip(citation.quote.clone()).name(label)
}

/// The reference in a growing answer, with its number if that is already known.
fn growing_mark(passage: &str) -> View {
    let number = Surface::from_context().shown.with_untracked(|shown| {
        let mut turns = shown.turns.iter().rev().filter(|turn| is_numbered(turn));
        turns.find_map(|turn| {
            let passages = mentioned(&turn.growing);
            passages.iter().position(|known| known == passage)
        })
    });
    if let Some(at) = number {
        let mark = (at + 1).to_string();
        tag("span.cite", mark).into()
    } else {
        let mark = format!("¶\u{a0}{}", paragraph_of(passage));
        tag("span.ref", mark).into()
    }
}

fn is_numbered(turn: &Turn) -> bool {
    turn.model.voice == AnswerOrigin::Model && turn.goal != Goal::Summarize
}

fn numbered_mark(number: usize, passage: &str, citation: Option<&Citation>) -> View {
    let open = create_signal(false);
    let id = format!("cite-{}", unique_id());
    let is_verified = citation.is_some_and(|citation| !is_excerpt(citation));
    let label = if is_verified {
        msg_with("source_verified", &[&number.to_string()])
    } else {
        msg_with("source_unverified", &[&number.to_string()])
    };
    let title = format!("{id}-h");
    let inside = match citation {
        Some(citation) => verified(citation, &title),
        None => unverified(passage, &title),
    };
    let mark = tag("button.cite", number_of(number, citation))
        .attr("type", "button")
        .name(label)
        .attr("aria-haspopup", "dialog")
        .attr("aria-expanded", move || bool_text(open.get()))
        .attr("aria-controls", id.clone())
        .attr("popovertarget", id.clone());
    let mark = if is_verified {
        mark
    } else {
        mark.class("cite unverified")
    };
    let popover = tag("div.pop", inside)
        .id(id)
        .attr("popover", "auto")
        .role("dialog");
    fragment((
        mark,
        popover
            .attr("aria-labelledby", title)
            .on("toggle", follow(open)),
    ))
}

fn verified(citation: &Citation, heading: &str) -> View {
    let (title, sign) = source(citation);
    let paragraph = format!("¶\u{a0}{}", citation.paragraph);
    let place = match &citation.elsewhere {
        Some(_) => format!("{} · {paragraph}", host_of(&citation.url)),
        None => paragraph,
    };
    let found = if is_excerpt(citation) {
        tag("p.caution-text", (icon("alert"), msg("excerpt_only_long")))
    } else {
        tag("p.ok-text", (icon("check"), msg("word_for_word")))
    };
    let sign = tag("span.fav", sign).attr("aria-hidden", "true");
    let heading = tag(
        "h3.row",
        (
            sign,
            tag("span.grow.clip", title),
            tag("span.meta.num", place),
        ),
    )
    .id(heading.to_owned());
    let copied = citation.quote.clone();
    let copy = copy(msg("copy_quote"), "icon-btn", move || copied.clone());
    let show = link("a.btn", citation.url.clone(), msg("show_in_page"));
    let quote = tag("blockquote", citation.quote.clone()).attr("dir", "auto");
    fragment((heading, quote, found, tag("div.row", (show, copy))))
}

fn unverified(passage: &str, heading: &str) -> View {
    let heading_words = msg_with("paragraph_unknown", &[&paragraph_of(passage)]);
    let heading = tag("h3", heading_words).id(heading.to_owned());
    let words = (icon("alert"), tag("span", msg("no_such_passage_long")));
    fragment((heading, tag("p.caution-text", words)))
}
