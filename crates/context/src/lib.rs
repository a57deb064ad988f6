#![doc = include_str!("../README.md")]

mod before;
mod compress;
mod grounding;
pub mod old;
mod pieces;
mod results;
mod shrink;

#[cfg(test)]
mod tests;

pub use before::{LEFT_OUT, Newest, shares, shortened};
pub use compress::{LARGE_TOKENS, Large, compressed, compressed_simply};
pub use grounding::Grounding;
pub use pieces::cost as cost_of;
pub use results::{Earlier, Kept, Recallable, Results};

use gloss_model::{Language, Message, Part, Transcript};
use pieces::{Gave, Piece, What};
use std::rc::Rc;

/// All that was said and done in a run, as a model is to read it.
#[derive(Clone, Default)]
pub struct Context {
    pieces: Vec<Piece>,
    transcript: Transcript,
    results: Rc<Results>,
    /// How many results there were, those of earlier turns among them; each has the id that
    /// follows.
    numbered: u32,
    /// How many messages there were in earlier turns.
    messages_before: u32,
    /// How many texts are kept that are no message.
    texts: u32,
    /// What is old is told in it.
    language: Language,
}

impl Context {
    /// With prompts in this language, behind the turns before.
    pub fn speaking(language: Language, earlier: &Earlier) -> Self {
        Self {
            results: Rc::new(Results::behind(earlier.kept.clone())),
            numbered: earlier.results,
            messages_before: earlier.messages,
            language,
            ..Self::default()
        }
    }

    /// What never shrinks: the system's words, and the person's.
    pub fn fix(&mut self, message: Message) {
        self.push(What::Fixed, message);
    }

    /// What was said in an earlier turn of the conversation, counted from the oldest.
    pub fn say_before(&mut self, turn: u32, message: Message) {
        self.push(What::Before(turn), message);
    }

    /// What was thought, done or found in a step, counted from 1. What stands before the
    /// first step is step 0.
    pub fn work(&mut self, step: u32, message: Message) {
        self.push(What::Step(step), message);
    }

    /// All of it, oldest first.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// What reading all of it costs a model, estimated in tokens.
    pub fn tokens(&self) -> u32 {
        self.transcript.tokens()
    }

    /// The results that no longer stand in it whole, by their ids.
    pub fn results(&self) -> &Rc<Results> {
        &self.results
    }

    /// Keeps a message that is too long to be said whole, of the run's the one with this
    /// number, from 1, and gives its id.
    pub fn keep(&mut self, number: u32, text: &str) -> String {
        let id = format!("m{}", self.messages_before + number);
        self.keep_as(id, "message", text)
    }

    /// Whether a text is kept.
    pub fn keeps(&self, text: &str) -> bool {
        self.results.of_text(text).is_some()
    }

    /// Keeps another text that is too long to be said whole, and gives its id: the one that it
    /// has, if it is kept already. The next turns do not know it.
    pub fn keep_text(&mut self, text: &str) -> String {
        if let Some(kept) = self.results.of_text(text) {
            return kept.id.clone();
        }
        self.texts += 1;
        self.keep_as(format!("t{}", self.texts), "text", text)
    }

    fn keep_as(&mut self, id: String, what: &str, text: &str) -> String {
        let kept = Kept::new(&id, what, &Rc::new(text.into()));
        Rc::make_mut(&mut self.results).add(kept);
        id
    }

    fn push(&mut self, what: What, message: Message) {
        let gave = message.parts.iter().filter_map(|part| match part {
            Part::Result {
                outcome: Ok(value), ..
            } => Some(Gave::of(self.next_id(), value)),
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
        self.numbered += 1;
        format!("r{}", self.numbered)
    }

    /// Says everything anew, as it stands now.
    fn retell(&mut self) {
        self.transcript = Transcript::default();
        for piece in &self.pieces {
            self.transcript.push(piece.message.clone());
        }
    }
}

fn is_result(part: &Part) -> bool {
    matches!(part, Part::Result { outcome: Ok(_), .. })
}
