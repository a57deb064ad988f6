//! The on-device model. Its answers are quotes from the page, with labels written by Gloss.
//!
//! Driving example: *Summarize page* works without a key, an account or a network. The on-device
//! model takes part in the agent loop as other models do: it chooses a page tool, observes the
//! result and answers. The model never writes a sentence of its own.

mod explain;
mod intent;
mod own_replies;
mod plan;
mod quotes;
mod quoting;
mod summary;

pub use plan::TOOLS;

use super::{
    Control, Message, Part, PassagesData, Purpose, Question, Reply, Request, Role, Tools,
    Transcript,
};
use crate::phrase::{DisplayText, phrase};
use gloss_markdown::escape;
use gloss_page::{Document, Sentence};
use gloss_text::embedding::Embeddings;
use gloss_text::{Language, terms};
use intent::{Intent, Term};
use quoting::Quoting;
use std::rc::Rc;

/// A question with fewer search terms is combined with the question before it.
const TERMS_OF_A_QUESTION: usize = 2;

/// The maximum number of sentences that are searched for to explain a term without a tool call.
const EXPLAINING: usize = 8;

/// The on-device model, which only quotes.
pub struct Embedded;

impl Embedded {
    /// Answers a request. `meaning` finds words of the page that mean the same as words of the
    /// question.
    pub fn reply(request: &Request, meaning: Option<&Embeddings>) -> Reply {
        answer(request, meaning)
    }

    /// Returns true if [`Embedded::reply`] uses embeddings for this request. Otherwise, embeddings
    /// need not be loaded.
    pub fn needs_meaning(request: &Request) -> bool {
        needs_meaning(request)
    }

    /// Answers one question about one page, without the agent loop. `meaning` finds words of the
    /// page that mean the same as words of the question.
    pub fn ask(page: Rc<Document>, question: &str, meaning: Option<&Embeddings>) -> Reply {
        let mut transcript = Transcript::default();
        transcript.push(Message::text(Role::User, question));
        let request = Request {
            purpose: Purpose::Synthesise,
            transcript,
            tools: Tools::None,
            temperature: 0.0,
            page: Some(page),
            schema: None,
            task: String::new(),
            language: Language::English,
        };
        answer(&request, meaning)
    }
}

fn needs_meaning(request: &Request) -> bool {
    let Some(page) = request.page.as_deref() else {
        return false;
    };
    let is_asked = match request.purpose {
        Purpose::Reason | Purpose::Act | Purpose::Grade | Purpose::Rewrite => false,
        Purpose::Observe | Purpose::Synthesise | Purpose::Compact => true,
    };
    let wanted = UserRequest::of(request);
    let finds = !wanted.is_summary() && wanted.without_page().is_none();
    is_asked && finds && wanted.to_explain(page).is_none()
}

fn answer(request: &Request, meaning: Option<&Embeddings>) -> Reply {
    let wanted = UserRequest::of(request);
    let page = match (wanted.without_page(), request.page.as_deref()) {
        (Some(reply), _) => return reply,
        (None, Some(page)) => page,
        (None, None) => return own_replies::no_page(),
    };
    match request.purpose {
        Purpose::Reason | Purpose::Act => plan::reason(&wanted, page, request.tools.offered()),
        // This model can't grade search results or rewrite queries.
        Purpose::Grade | Purpose::Rewrite => Reply::default(),
        Purpose::Observe | Purpose::Synthesise | Purpose::Compact => match last_result(request) {
            Some(found) => answer_from_result(page, &wanted, &found, meaning),
            // The transcript contains no tool result, so the model reads the page directly.
            None => answer_without_tool(page, &wanted, meaning),
        },
    }
}

fn answer_from_result(
    page: &Document,
    wanted: &UserRequest,
    found: &ToolOutput,
    meaning: Option<&Embeddings>,
) -> Reply {
    match found {
        ToolOutput::Page => summary::of(page),
        ToolOutput::Passages { tool, data } if tool == plan::EXPLAIN => {
            explain::of(page, data)
        }
        // The passages that the tool found are not used: `quotes` searches the page again, sentence
        // by sentence.
        ToolOutput::Passages { .. } => quotes::of(page, wanted.text(), meaning),
    }
}

fn answer_without_tool(
    page: &Document,
    wanted: &UserRequest,
    meaning: Option<&Embeddings>,
) -> Reply {
    match wanted.to_explain(page) {
        Some(text) => {
            let data = PassagesData::explaining(page, text, None, EXPLAINING);
            explain::of(page, &data)
        }
        None if wanted.is_summary() => summary::of(page),
        None => quotes::of(page, wanted.text(), meaning),
    }
}

/// The user's question, or a selection that the user wants explained.
enum UserRequest {
    Words(String),
    Selection(String),
}

impl UserRequest {
    /// The user's last question. A question that is too short by itself, such as "and in spring?",
    /// is combined with the question before it.
    fn of(request: &Request) -> Self {
        let mut asked = request.transcript.questions();
        let last = match asked.next() {
            Some(Question::Words(last)) => last,
            Some(Question::Selection(selection)) => return Self::Selection(selection.to_owned()),
            None => "",
        };
        let language = Language::of("", last);
        let is_whole = terms(last, language).len() >= TERMS_OF_A_QUESTION;
        if is_whole || Intent::of(last) != Intent::Find {
            return Self::Words(last.to_owned());
        }
        Self::Words(match asked.next() {
            // The last question comes first, because the first question word decides the kind of
            // answer. For example, "when" asks for a time.
            Some(Question::Words(before) | Question::Selection(before)) => {
                format!("{last} {before}")
            }
            None => last.to_owned(),
        })
    }

    fn text(&self) -> &str {
        match self {
            Self::Words(text) | Self::Selection(text) => text,
        }
    }

    fn is_summary(&self) -> bool {
        matches!(self, Self::Words(words) if Intent::of(words) == Intent::Summary)
    }

    /// The reply to a message that needs no page, such as "Thanks!". `None` for all other messages.
    fn without_page(&self) -> Option<Reply> {
        match self {
            Self::Words(words) => match Intent::of(words) {
                Intent::About(about) => Some(own_replies::about(about)),
                Intent::NewWords => Some(own_replies::new_words()),
                Intent::Summary | Intent::Term(_) | Intent::Find => None,
            },
            Self::Selection(_) => None,
        }
    }

    /// The text to explain: the selection, or a term that the page explains. `None` if the user
    /// asks for something else.
    fn to_explain(&self, page: &Document) -> Option<&str> {
        match self {
            Self::Selection(text) => Some(text),
            Self::Words(words) => match Intent::of(words) {
                Intent::Term(term) => explain::is_told(page, term).then_some(term.text),
                Intent::Summary | Intent::Find | Intent::About(_) | Intent::NewWords => None,
            },
        }
    }
}

enum ToolOutput {
    /// The tool returned the page itself.
    Page,
    /// The tool returned passages that relate to the question.
    Passages { tool: String, data: PassagesData },
}

fn last_result(request: &Request) -> Option<ToolOutput> {
    let messages = request.transcript.messages().rev();
    let mut results = messages.filter(|message| message.role == Role::Tool);
    results.find_map(|message| {
        message.parts.iter().find_map(|part| match part {
            Part::Result {
                tool,
                outcome: Ok(value),
                ..
            } if tool == plan::SUMMARIZE => value.is_object().then_some(ToolOutput::Page),
            Part::Result {
                tool,
                outcome: Ok(value),
                ..
            } => gloss_durable::json::read::<PassagesData>(value)
                .ok()
                .map(|data| ToolOutput::Passages {
                    tool: tool.clone(),
                    data,
                }),
            _ => None,
        })
    })
}

fn answered(text: String, confidence: f32) -> Reply {
    Reply {
        text,
        control: Control {
            observation: Some(DisplayText::Phrase(phrase("observation_enough"))),
            goal_met: Some(true),
            confidence: Some(confidence),
            ..Control::default()
        },
        ..Reply::default()
    }
}

/// A sentence as Markdown with its citation.
fn cited(sentence: &Sentence<'_>) -> String {
    format!("{} [[{}]]", escape(sentence.text), sentence.id())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

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
            language: Language::English,
        };
        let reply = answer(&request, None);
        assert!(reply.text.contains("A neap tide comes"), "{}", reply.text);
        assert!(!reply.text.contains("stands here"), "{}", reply.text);
    }
}
