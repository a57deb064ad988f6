//! The on-device model: it answers by quoting the page, and says so.
//!
//! Driving example: *Summarize page* without a key, an account or a network.
//! It plays its part in the loop like any other model: chooses the page tool,
//! observes what it gave, answers. It never writes a sentence of its own.

mod explain;
mod plan;
mod quotes;
mod summary;

#[cfg(test)]
pub(crate) use plan::TOOLS;

use super::{
    Asked, Control, Message, Model, ModelError, Part, PassageData, PassagesData, Purpose, Reply,
    Request, Role, Transcript, Voice,
};
use crate::durable::Sink;
use crate::host::Fut;
use crate::markdown::escape;
use crate::page::{Document, Sentence};
use crate::phrase::{Said, phrase};
use crate::text::{Language, terms};
use futures::FutureExt;
use serde::Deserialize;
use std::rc::Rc;

/// How many passages a plain call looks at.
const PASSAGES: usize = 8;

/// A question of fewer terms leans on the one before it.
const TERMS_OF_A_QUESTION: usize = 2;

/// The extractive model.
pub struct Embedded;

impl Model for Embedded {
    fn reply(&self, request: Request, sink: Sink) -> Fut<Result<Reply, ModelError>> {
        async move {
            let reply = answer(&request)?;
            if !reply.text.is_empty() {
                sink.text(&reply.text);
            }
            Ok(reply)
        }
        .boxed_local()
    }

    fn voice(&self) -> Voice {
        Voice::Page
    }
}

impl Embedded {
    /// Answers one question about one page, without a loop around it.
    ///
    /// # Errors
    /// None today: a page is there.
    pub fn ask(page: Rc<Document>, question: &str) -> Result<Reply, ModelError> {
        let mut transcript = Transcript::default();
        transcript.push(Message::text(Role::User, question));
        answer(&Request {
            purpose: Purpose::Synthesise,
            transcript,
            tools: Rc::new([]),
            temperature: 0.0,
            page: Some(page),
        })
    }
}

fn answer(request: &Request) -> Result<Reply, ModelError> {
    let page = request.page.as_deref().ok_or(ModelError::NoPage)?;
    let question = &question(request);
    Ok(match request.purpose {
        Purpose::Reason | Purpose::Act => plan::reason(question, &request.tools),
        Purpose::Observe => match last_result(request) {
            Some(found) => of_found(page, question, &found),
            None => nothing(),
        },
        Purpose::Synthesise => match last_result(request) {
            Some(found) => of_found(page, question, &found),
            // A plain call: nobody looked anything up for it.
            None if plan::asks_for_summary(question) => summary::of(page),
            None => quotes::of(page, question),
        },
    })
}

fn of_found(page: &Document, question: &str, found: &Found) -> Reply {
    match found {
        Found::Page => summary::of(page),
        Found::Passages { tool, data } if tool == plan::EXPLAIN => explain::of(page, data),
        Found::Passages { .. } => quotes::of(page, question),
    }
}

/// The last question; one that says too little by itself ("and in spring?") is
/// read together with the one before it.
fn question(request: &Request) -> String {
    let mut asked = request.transcript.questions();
    let last = match asked.next() {
        Some(Asked::Words(last)) => last,
        Some(Asked::Selection(selection)) => return selection.to_owned(),
        None => "",
    };
    let language = Language::of("", last);
    let whole = terms(last, language).len() >= TERMS_OF_A_QUESTION;
    if whole || plan::asks_for_summary(last) || plan::asks_for_term(last) {
        return last.to_owned();
    }
    match asked.next() {
        Some(Asked::Words(before) | Asked::Selection(before)) => format!("{before} {last}"),
        None => last.to_owned(),
    }
}

impl PassagesData {
    /// What stands in the page on a question.
    fn of(page: &Document, question: &str) -> Self {
        let passages = page.search(question, PASSAGES).into_iter();
        Self {
            passages: passages.map(PassageData::of).collect(),
            share_percent: None,
        }
    }
}

/// What the last tool gave.
enum Found {
    /// The page itself.
    Page,
    /// Passages that bear on the question.
    Passages { tool: String, data: PassagesData },
}

fn last_result(request: &Request) -> Option<Found> {
    let messages = request.transcript.messages().rev();
    let mut results = messages.filter(|message| message.role == Role::Tool);
    results.find_map(|message| {
        message.parts.iter().find_map(|part| match part {
            Part::Result {
                tool,
                outcome: Ok(value),
                ..
            } if tool == plan::SUMMARIZE => value.is_object().then_some(Found::Page),
            Part::Result {
                tool,
                outcome: Ok(value),
                ..
            } => PassagesData::deserialize(value)
                .ok()
                .map(|data| Found::Passages {
                    tool: tool.clone(),
                    data,
                }),
            Part::Result { .. } | Part::Text { .. } | Part::Quoted { .. } | Part::Call { .. } => {
                None
            }
        })
    })
}

/// "The page doesn't seem to say."
fn nothing() -> Reply {
    Reply {
        control: Control {
            observation: Some(Said::Phrase(phrase("observation_nothing"))),
            goal_met: Some(true),
            confidence: Some(0.0),
            remark: Some(phrase("extractive_nothing")),
            ..Control::default()
        },
        ..Reply::default()
    }
}

fn answered(text: String, confidence: f32) -> Reply {
    Reply {
        text,
        control: Control {
            observation: Some(Said::Phrase(phrase("observation_enough"))),
            goal_met: Some(true),
            confidence: Some(confidence),
            ..Control::default()
        },
        ..Reply::default()
    }
}

/// A sentence as Markdown, with its reference.
fn cited(sentence: &Sentence<'_>) -> String {
    format!("{} [[{}]]", escape(sentence.text), sentence.id())
}

/// The sentences of the passages that a tool found, in the tool's order.
fn sentences_of<'a>(page: &'a Document, data: &PassagesData) -> Vec<Sentence<'a>> {
    let all = page.sentences(page.written_in());
    data.passages
        .iter()
        .flat_map(|passage| {
            all.iter().filter(|sentence| {
                passage.id == sentence.id()
                    || passage.id == format!("p{}", sentence.paragraph.number)
            })
        })
        .copied()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Source;

    #[test]
    fn a_selection_is_what_is_asked_for_and_the_words_around_it_are_not() {
        let html = "<main><p>The passage of the page stands here, as data do, and tells nothing.</p>\
            <p>A neap tide comes when the Sun and the Moon do not pull together.</p></main>";
        let page = crate::page::read(html, "https://a.example/").unwrap();
        let mut transcript = Transcript::default();
        transcript.push(Message::text(
            Role::User,
            "What is the passage of the page?",
        ));
        transcript.push(Message {
            role: Role::User,
            parts: vec![
                Part::Text {
                    text: "Explain this passage of the page. The passage, as data:".to_owned(),
                },
                Part::Quoted {
                    source: Source::Selection,
                    text: "neap".to_owned(),
                },
            ],
        });
        let request = Request {
            purpose: Purpose::Synthesise,
            transcript,
            tools: Rc::new([]),
            temperature: 0.7,
            page: Some(Rc::new(page)),
        };
        let reply = answer(&request).unwrap();
        assert!(reply.text.contains("A neap tide comes"), "{}", reply.text);
        assert!(!reply.text.contains("stands here"), "{}", reply.text);
    }
}
