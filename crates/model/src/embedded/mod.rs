//! The on-device model. Its answers are quotes from the page, with labels written by Gloss.
//!
//! Example: *Summarize page* works without a key, an account or a network. The on-device model
//! takes part in the agent loop as other models do: it chooses a page tool, observes the result and
//! answers. The model never writes a sentence of its own.

mod explain;
mod intent;
mod passages;
mod plan;
mod quoting;
mod summary;

pub use plan::TOOLS;

use super::{
    Control, Part, PassagesData, Purpose, Question, QuoteLabel, Reply, Request, Role, Transcript,
};
use crate::phrase::{DisplayText, phrase};
use gloss_page::{Document, Passage};
use gloss_text::{Language, terms};
use intent::Intent;
use quoting::Quoting;
use serde_json::Value;

/// A question with fewer search terms is combined with the question before it.
const TERMS_OF_A_QUESTION: usize = 2;

/// The maximum number of explaining sentences that are found if no tool has explained the term.
const EXPLAINING: usize = 8;

/// The on-device model, which only quotes.
pub struct Embedded;

impl Embedded {
    /// Returns the question whose nearest passages [`Embedded::reply`] needs. Returns `None` for all
    /// other requests.
    pub fn question(request: &Request) -> Option<String> {
        let page = request.page.as_deref()?;
        match Wanted::of(&request.transcript, page) {
            Wanted::Passages(question) if answers(request.purpose) => Some(question),
            Wanted::Passages(_) | Wanted::Own(_) | Wanted::Summary | Wanted::Explanation(_) => None,
        }
    }

    /// Answers a request. `passages` are those that are nearest to [`Embedded::question`].
    pub fn reply(request: &Request, passages: &[Passage<'_>]) -> Reply {
        let nowhere = Document::default();
        let page = request.page.as_deref();
        let wanted = Wanted::of(&request.transcript, page.unwrap_or(&nowhere));
        let (wanted, page) = match (wanted, page) {
            (Wanted::Own(key), _) => return says(key),
            (_, None) => return says("device_no_page"),
            (wanted, Some(page)) => (wanted, page),
        };
        match request.purpose {
            Purpose::Reason | Purpose::Act => plan::reason(&wanted, request.tools.offered()),
            // This model can't grade search results or rewrite queries.
            Purpose::Grade | Purpose::Rewrite => Reply::default(),
            Purpose::Observe | Purpose::Synthesise | Purpose::Compact => match wanted {
                Wanted::Own(key) => says(key),
                Wanted::Summary => match request.transcript.questions().next() {
                    Some(Question::Words(asked)) => summary::of(page, asked),
                    Some(Question::Selection(_)) | None => summary::of(page, ""),
                },
                Wanted::Explanation(text) => {
                    let found = tool_result(&request.transcript, plan::EXPLAIN)
                        .and_then(|value| gloss_durable::json::read::<PassagesData>(value).ok());
                    let found = found
                        .unwrap_or_else(|| PassagesData::explaining(page, &text, None, EXPLAINING));
                    explain::of(page, &found)
                }
                Wanted::Passages(question) => passages::of(page, &question, passages),
            },
        }
    }
}

/// Returns true if a reply for this purpose contains an answer.
fn answers(purpose: Purpose) -> bool {
    match purpose {
        Purpose::Reason | Purpose::Act | Purpose::Grade | Purpose::Rewrite => false,
        Purpose::Observe | Purpose::Synthesise | Purpose::Compact => true,
    }
}

/// The kind of reply that the user wants.
enum Wanted {
    /// A line in Gloss's own words, the message with this key.
    Own(&'static str),
    /// A summary of the page.
    Summary,
    /// An explanation of a selection, or of a term that the page defines.
    Explanation(String),
    /// The passages that are nearest to a question.
    Passages(String),
}

impl Wanted {
    /// Reads the user's last question. A question that is too short by itself, such as "and in
    /// spring?", is combined with the question before it.
    fn of(transcript: &Transcript, page: &Document) -> Self {
        if tool_result(transcript, plan::SUMMARIZE).is_some_and(Value::is_object) {
            return Self::Summary;
        }
        let mut asked = transcript.questions();
        let last = match asked.next() {
            Some(Question::Words(last)) => last,
            Some(Question::Selection(text)) => {
                let is_explained = !page.find_explanations(text, None, 1).is_empty();
                let wanted = if is_explained {
                    Self::Explanation
                } else {
                    Self::Passages
                };
                return wanted(text.to_owned());
            }
            None => "",
        };
        match Intent::of(last) {
            Intent::SmallTalk => return Self::Own("device_can"),
            Intent::NewWords => return Self::Own("device_only_quotes"),
            Intent::Summary => return Self::Summary,
            Intent::Term(term) if explain::is_defined(page, term) => {
                return Self::Explanation(term.to_owned());
            }
            Intent::Term(_) | Intent::Find => {}
        }
        let is_whole = terms(last, Language::of("", last)).len() >= TERMS_OF_A_QUESTION;
        Self::Passages(match asked.next().filter(|_| !is_whole) {
            Some(Question::Words(before) | Question::Selection(before)) => {
                format!("{last} {before}")
            }
            None => last.to_owned(),
        })
    }
}

/// Returns the last successful result of a tool, if it is the last of all results.
fn tool_result<'a>(transcript: &'a Transcript, name: &str) -> Option<&'a Value> {
    let messages = transcript.messages().rev();
    let mut results = messages.filter(|message| message.role == Role::Tool);
    let last = results.find_map(|message| {
        message.parts.iter().find_map(|part| match part {
            Part::Result {
                tool,
                outcome: Ok(value),
                ..
            } => Some((tool, value)),
            _ => None,
        })
    });
    last.filter(|(tool, _)| *tool == name)
        .map(|(_, value)| value)
}

/// A reply in Gloss's own words. The message with this key is shown in the interface's language.
fn says(key: &'static str) -> Reply {
    let mut reply = answered(String::new());
    reply.control.thought = Some(DisplayText::Phrase(phrase("thought_answer")));
    reply.control.leads = vec![QuoteLabel {
        before: 0,
        says: phrase(key),
    }];
    reply
}

/// A reply that quotes the page. Quotes are certain, since they claim nothing.
fn answered(text: String) -> Reply {
    Reply {
        text,
        control: Control {
            observation: Some(DisplayText::Phrase(phrase("observation_enough"))),
            goal_met: Some(true),
            confidence: Some(1.0),
            ..Control::default()
        },
        ..Reply::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Message, Source, Tools};
    use std::rc::Rc;

    #[test]
    fn a_selection_is_what_is_asked_for_and_the_words_around_it_are_not() {
        let html = "<main><p>The passage of the page stands here, as data do, and tells nothing.</p>\
            <p>Boats lie on the mud.</p>\
            <p>A neap tide comes when the Sun and the Moon do not pull together.</p></main>";
        let page = gloss_page::read(html, "https://a.example/").unwrap();
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
            tools: Tools::None,
            temperature: 0.7,
            page: Some(Rc::new(page)),
            schema: None,
            task: String::new(),
            state: String::new(),
            language: Language::English,
        };
        let reply = Embedded::reply(&request, &[]);
        assert!(reply.text.contains("A neap tide comes"), "{}", reply.text);
        assert!(!reply.text.contains("stands here"), "{}", reply.text);
    }
}
