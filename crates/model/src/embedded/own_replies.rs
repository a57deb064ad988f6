//! Replies in Gloss's own words, for messages that can't be answered with quotes from the page.

use super::super::{Control, QuoteLabel, Reply};
use super::intent::About;
use crate::phrase::{DisplayText, Phrase, phrase};

/// Says that the page does not seem to contain the answer. `likeliest` is the confidence of the
/// sentence that matches best, from 0 to 1.
pub(super) fn nothing_at(likeliest: f32) -> Reply {
    let control = Control {
        observation: Some(DisplayText::Phrase(phrase("observation_nothing"))),
        confidence: Some(likeliest),
        ..reply_of(vec![phrase("extractive_nothing")])
    };
    Reply {
        control,
        ..Reply::default()
    }
}

/// Says that the page does not seem to contain the answer, because no sentence matches at all.
pub(super) fn nothing() -> Reply {
    nothing_at(0.0)
}

/// Says that the page has no sentences to summarise, for example because it is all code or a table.
pub(super) fn no_sentences() -> Reply {
    let mut reply = nothing();
    reply.control.leads = leads(vec![phrase("extractive_no_sentences")]);
    reply
}

/// Says that nothing was found because the page and the question are in different languages.
pub(super) fn other_language() -> Reply {
    let mut reply = nothing();
    reply.control.leads = leads(vec![
        phrase("extractive_nothing"),
        phrase("extractive_other_language"),
    ]);
    reply
}

pub(super) fn about(about: About) -> Reply {
    let words = match about {
        About::Greeting => vec![phrase("device_is"), phrase("device_can")],
        About::Thanks => vec![phrase("device_can")],
        About::Itself => vec![
            phrase("device_is"),
            phrase("device_can"),
            phrase("device_cannot"),
        ],
    };
    sure(words)
}

/// Says that the on-device model can't write text.
pub(super) fn new_words() -> Reply {
    sure(vec![phrase("device_only_quotes")])
}

pub(super) fn no_page() -> Reply {
    sure(vec![phrase("device_no_page")])
}

/// Makes a reply with full confidence, because the reply states facts about Gloss itself.
fn sure(words: Vec<Phrase>) -> Reply {
    Reply {
        control: Control {
            thought: Some(DisplayText::Phrase(phrase("thought_answer"))),
            confidence: Some(1.0),
            ..reply_of(words)
        },
        ..Reply::default()
    }
}

fn reply_of(words: Vec<Phrase>) -> Control {
    Control {
        goal_met: Some(true),
        leads: leads(words),
        ..Control::default()
    }
}

fn leads(words: Vec<Phrase>) -> Vec<QuoteLabel> {
    let words = words.into_iter();
    words.map(|says| QuoteLabel { before: 0, says }).collect()
}
