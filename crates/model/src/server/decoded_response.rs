//! The content of a response that is being decoded.

use crate::Finish;
use serde_json::Value;

/// The maximum length of a reply in bytes. A longer reply is cut off. Providers allow replies of at
/// most 128 000 tokens, which have fewer bytes in English and Chinese.
pub(super) const LONGEST_REPLY: usize = 600_000;

/// The content of a response so far.
#[derive(Debug, Default)]
pub(crate) struct DecodedResponse {
    /// The text of the answer so far.
    pub(super) content: String,
    /// The model's reasoning so far.
    pub(super) reasoning: String,
    pub(super) calls: Vec<CallSoFar>,
    pub(super) refusal: String,
    /// The token counts that were reported so far. A later report replaces the fields that it
    /// contains.
    pub(super) usage: Reported,
    /// The reason why the response ended; `None` before its end.
    pub(super) finish: Option<Finish>,
    /// True after the stream's end marker.
    pub(super) done: bool,
    /// Data that must be sent back to the provider, unchanged, before the results of these calls.
    pub(super) echo: Option<Value>,
    /// The provider's message, if the provider reports that the model failed to write a call.
    pub(super) malformed: Option<String>,
    /// True after an event that this dialect recognises.
    pub(super) any: bool,
    /// True after an event that this dialect does not recognise.
    pub(super) skipped: bool,
    /// The number of events with content: text, or a part of a call.
    pub(super) pieces: usize,
}

/// Token counts reported by the provider.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Reported {
    /// Input tokens, including cached ones.
    pub(super) input: Option<u32>,
    /// Input tokens read from the cache.
    pub(super) cached: Option<u32>,
    /// Input tokens written to a cache that charges for writing.
    pub(super) cache_written: Option<u32>,
    /// Output tokens, including reasoning.
    pub(super) output: Option<u32>,
    /// Output tokens used for reasoning.
    pub(super) reasoning: Option<u32>,
}

/// A tool call that is being received.
#[derive(Debug, Default)]
pub(super) struct CallSoFar {
    /// The index of the call within its reply.
    pub(super) index: Option<u32>,
    pub(super) id: String,
    pub(super) name: String,
    /// The part of the arguments that has arrived, as JSON text.
    pub(super) arguments: String,
}

impl DecodedResponse {
    /// A response that contains only text, with its token counts if known.
    pub(crate) fn in_words(content: String, input: Option<u32>, output: Option<u32>) -> Self {
        let usage = Reported {
            input,
            output,
            ..Reported::default()
        };
        Self {
            content,
            usage,
            finish: Some(Finish::Stop),
            ..Self::default()
        }
    }

    /// Adds text of the answer.
    pub(super) fn say(&mut self, text: &str) {
        self.pieces += usize::from(!text.is_empty());
        add(&mut self.content, text);
    }

    /// Adds text of the model's reasoning.
    pub(super) fn think(&mut self, text: &str) {
        self.pieces += usize::from(!text.is_empty());
        add(&mut self.reasoning, text);
    }

    /// Returns true if the reply has reached its maximum length.
    pub(super) fn is_too_long(&self) -> bool {
        self.content.len().max(self.reasoning.len()) >= LONGEST_REPLY
    }

    /// Adds text in which the model declines to answer.
    pub(super) fn refuse(&mut self, words: &str) {
        self.pieces += usize::from(!words.is_empty());
        self.refusal.push_str(words);
    }

    /// Adds JSON to the arguments of the call at `place`.
    pub(super) fn argue(&mut self, place: usize, json: &str) {
        self.pieces += 1;
        if let Some(call) = self.calls.get_mut(place) {
            call.arguments.push_str(json);
        }
    }

    /// Adds a call, and returns its index in `calls`.
    pub(super) fn call(&mut self, index: Option<u32>, id: &str, name: &str) -> usize {
        self.pieces += 1;
        self.calls.push(CallSoFar {
            index,
            id: id.to_owned(),
            name: name.to_owned(),
            ..CallSoFar::default()
        });
        self.calls.len() - 1
    }
}

/// Adds the beginning of `text` that still fits into a reply.
fn add(so_far: &mut String, text: &str) {
    let room = LONGEST_REPLY.saturating_sub(so_far.len());
    // If the limit is inside a character, the whole character is added, so that `is_too_long` is
    // true.
    so_far.push_str(text.get(..text.ceil_char_boundary(room)).unwrap_or(text));
}

impl CallSoFar {
    /// Returns true if the arguments are complete JSON.
    pub(super) fn is_complete(&self) -> bool {
        let arguments = self.arguments.trim();
        arguments.ends_with('}') && serde_json::from_str::<Value>(arguments).is_ok()
    }
}
