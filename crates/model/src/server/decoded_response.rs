//! The content of a response, as decoded so far.

use crate::Finish;
use serde_json::Value;
use std::ops::{Deref, DerefMut};

/// A piece of a response that is passed on as it arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delta<'a> {
    /// More text of the answer.
    Content(&'a str),
    /// More of the model's reasoning.
    Reasoning(&'a str),
}

/// A callback for deltas.
pub(super) type Take<'t> = dyn FnMut(Delta<'_>) + 't;

/// The content of a response so far.
#[derive(Debug, Default)]
pub(crate) struct DecodedResponse {
    pub(super) calls: Vec<CallSoFar>,
    pub(super) refusal: String,
    /// The reported counts so far; later reports replace earlier ones field by field.
    pub(super) usage: Reported,
    /// The reason for the end, once it has ended.
    pub(super) finish: Option<Finish>,
    /// True after the end marker.
    pub(super) done: bool,
    /// Data that the provider requires back before the results of these calls.
    pub(super) echo: Option<Value>,
    /// The provider's message that the model failed to write a call.
    pub(super) malformed: Option<String>,
    /// True after an event of this dialect.
    pub(super) any: bool,
    /// True after an event that is not of this dialect.
    pub(super) skipped: bool,
    /// The number of pieces with content: text, or a part of a call.
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

/// A tool call, as received so far.
#[derive(Debug, Default)]
pub(super) struct CallSoFar {
    /// The call's index within its reply.
    pub(super) index: Option<u32>,
    pub(super) id: String,
    pub(super) name: String,
    /// The JSON of the arguments so far.
    pub(super) arguments: String,
}

/// A response that is being decoded: its content so far, and the callback for its deltas.
pub(super) struct Incoming<'a> {
    pub(super) heard: &'a mut DecodedResponse,
    pub(super) take: &'a mut Take<'a>,
}

impl Deref for Incoming<'_> {
    type Target = DecodedResponse;

    fn deref(&self) -> &DecodedResponse {
        self.heard
    }
}

impl DerefMut for Incoming<'_> {
    fn deref_mut(&mut self) -> &mut DecodedResponse {
        self.heard
    }
}

impl Incoming<'_> {
    /// Passes on more of the answer or of the reasoning.
    pub(super) fn tell(&mut self, delta: Delta<'_>) {
        let (Delta::Content(text) | Delta::Reasoning(text)) = delta;
        if !text.is_empty() {
            self.pieces += 1;
            (self.take)(delta);
        }
    }
}

impl DecodedResponse {
    /// An answer of text alone, with its token counts if known.
    pub(crate) fn in_words(input: Option<u32>, output: Option<u32>) -> Self {
        let usage = Reported {
            input,
            output,
            ..Reported::default()
        };
        Self {
            usage,
            finish: Some(Finish::Stop),
            ..Self::default()
        }
    }

    /// Adds text with which the model declines.
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

    /// Adds a call; returns its index.
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

impl CallSoFar {
    /// Returns true if the arguments are complete JSON.
    pub(super) fn is_complete(&self) -> bool {
        let arguments = self.arguments.trim();
        arguments.ends_with('}') && serde_json::from_str::<serde::de::IgnoredAny>(arguments).is_ok()
    }
}
