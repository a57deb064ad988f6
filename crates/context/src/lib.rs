#![doc = include_str!("../README.md")]

pub mod compaction;
mod compress;
mod earlier_turns;
mod grounding;
mod pieces;
mod recall_ids;
mod results;
mod shrink;

#[cfg(test)]
mod tests;

pub use compress::{LARGE_TOKENS, LargeResult, compress, compress_without_model};
pub use earlier_turns::{LEFT_OUT, Newest, shares, shortened};
pub use grounding::Grounding;
pub use pieces::cost as cost_of;
pub use results::{EarlierResults, ResultLocation, Results, StoredResult};

use gloss_model::{Language, Message, Part, Transcript};
use pieces::{MessageKind, Piece, ResultSize};
use std::rc::Rc;

/// The messages that a model is sent in a run.
#[derive(Clone, Default)]
pub struct Context {
    pieces: Vec<Piece>,
    transcript: Transcript,
    results: Rc<Results>,
    /// The number of results so far, including those of earlier turns. The id of the next result
    /// contains the next number.
    result_count: u32,
    /// The number of messages in earlier turns.
    earlier_message_count: u32,
    /// The number of stored texts that are not messages ([`Context::keep_text`]).
    text_count: u32,
    /// The language of the summaries of older steps.
    language: Language,
}

impl Context {
    /// Creates a context after earlier turns. `language` is the language of the prompts.
    pub fn new(language: Language, earlier: &EarlierResults) -> Self {
        Self {
            results: Rc::new(Results::behind(earlier.kept.clone())),
            result_count: earlier.results,
            earlier_message_count: earlier.messages,
            language,
            ..Self::default()
        }
    }

    /// Adds a message that is not compacted: a system message or a message of the user. Only
    /// [`Context::shorten_user_message`] can shorten such a message.
    pub fn push_fixed(&mut self, message: Message) {
        self.push(MessageKind::Fixed, message);
    }

    /// Adds a message of an earlier turn. The oldest turn has the smallest number.
    pub fn push_earlier(&mut self, turn: u32, message: Message) {
        self.push(MessageKind::Before(turn), message);
    }

    /// Adds a message of a step. Steps are counted from 1; messages before the first step belong to
    /// step 0.
    pub fn push_step(&mut self, step: u32, message: Message) {
        self.push(MessageKind::Step(step), message);
    }

    /// Returns the messages, oldest first.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Returns the estimated cost of all messages in tokens.
    pub fn tokens(&self) -> u32 {
        self.transcript.tokens()
    }

    /// Returns the results and texts that were shortened or removed, and the results of earlier
    /// turns.
    pub fn results(&self) -> &Rc<Results> {
        &self.results
    }

    /// Stores the full text of a message that is too long to be shown, and returns its id. `number`
    /// is the message's number in this run, from 1.
    pub fn keep(&mut self, number: u32, text: &str) -> String {
        let id = format!("m{}", self.earlier_message_count + number);
        self.keep_as(id, "message", text)
    }

    /// Returns true if this text is stored under an id.
    pub fn keeps(&self, text: &str) -> bool {
        self.results.of_text(text).is_some()
    }

    /// Stores the full text of something other than a message that is too long to be shown. Returns
    /// the text's id; if the text is stored already, this is the existing id. Later turns can't
    /// recall the text.
    pub fn keep_text(&mut self, text: &str) -> String {
        if let Some(kept) = self.results.of_text(text) {
            return kept.id.clone();
        }
        self.text_count += 1;
        self.keep_as(format!("t{}", self.text_count), "text", text)
    }

    fn keep_as(&mut self, id: String, what: &str, text: &str) -> String {
        let kept = StoredResult::new(&id, what, &Rc::new(text.into()));
        Rc::make_mut(&mut self.results).add(kept);
        id
    }

    fn push(&mut self, what: MessageKind, message: Message) {
        let gave = message.parts.iter().filter_map(|part| match part {
            Part::Result {
                outcome: Ok(value), ..
            } => Some(ResultSize::of(self.next_id(), value)),
            _ => None,
        });
        let gave = gave.collect();
        let message = Rc::new(message);
        let before = self.transcript.tokens();
        self.transcript.push(message.clone());
        self.pieces.push(Piece {
            what,
            message,
            tokens: self.transcript.tokens().saturating_sub(before),
            gave,
        });
    }

    fn next_id(&mut self) -> String {
        self.result_count += 1;
        format!("r{}", self.result_count)
    }

    /// Rebuilds the transcript after `pieces` changed.
    fn restate(&mut self) {
        self.transcript = Transcript::default();
        for piece in &self.pieces {
            self.transcript.push(piece.message.clone());
        }
    }
}

fn is_result(part: &Part) -> bool {
    matches!(part, Part::Result { outcome: Ok(_), .. })
}
