//! The bench's own wasm module, measured outside the worker; never shipped.
//!
//! Driving example: `tests/e2e/bench.mjs` feeds a provider's stream to [`Decoding`] in pieces, as
//! `fetch` gives them to the worker, and to a peer that does the same in JavaScript.

mod context;
mod durable;

use std::rc::Rc;

use gloss::model::protocol::ReplyParser;
use gloss::model::{Api, Calling, Delta, Embedded, StreamDecoder, ToolDefinition};
use gloss::page::Document;
use gloss::text::Language;
use gloss::text::embedding::{Embeddings, Space};
use gloss::text::index::{Entry, Index};
use wasm_bindgen::prelude::*;

fn main() {
    std::panic::set_hook(Box::new(console_error_panic_hook::hook));
}

/// The on-device summary of a text, as a turn shows it.
#[wasm_bindgen]
pub fn summary(text: &str) -> String {
    let page = Rc::new(Document::of_text(text));
    Embedded::ask(page, "Summarize this page", None).text
}

/// Sections of a document.
#[wasm_bindgen]
#[derive(Default)]
pub struct Sections(Vec<(String, String)>);

#[wasm_bindgen]
impl Sections {
    /// No sections.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a section.
    pub fn push(&mut self, headings: String, text: String) {
        self.0.push((headings, text));
    }

    /// Indexes the words of the sections.
    pub fn index(&self) -> Words {
        Words(Index::new(Language::English, self.entries()))
    }

    /// Embeds the sections; returns the highest similarity to `query`, by word and as a whole.
    pub fn nearest(&self, meaning: &Meaning, query: &str) -> f64 {
        let space = Space::new(&meaning.0, self.entries());
        let near = space.similarities(query).into_iter();
        let both = near.zip(space.coverage(query));
        both.map(|(near, alike)| near + alike).fold(-1.0, f64::max)
    }

    fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        self.0.iter().map(|(heading, text)| Entry { heading, text })
    }
}

/// An index of words.
#[wasm_bindgen]
pub struct Words(Index);

#[wasm_bindgen]
impl Words {
    /// The indices of the best sections, at most `most`.
    pub fn search(&self, query: &str, most: usize) -> Vec<u32> {
        let hits = self.0.search(query, most).into_iter();
        hits.map(|hit| hit.item as u32).collect()
    }
}

/// The embeddings of words.
#[wasm_bindgen]
pub struct Meaning(Embeddings);

#[wasm_bindgen]
impl Meaning {
    /// Reads `embeddings.bin`.
    ///
    /// # Errors
    /// Returns an error if the bytes are not embeddings.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<Self, String> {
        let parsed = Embeddings::parse(bytes);
        parsed.map(Self).map_err(|error| error.to_string())
    }
}

/// A stream that is decoded to its text.
#[wasm_bindgen]
pub struct Decoding {
    decoder: StreamDecoder,
    text: String,
}

#[wasm_bindgen]
impl Decoding {
    /// A decoder for a server with this `api`, named as in profiles.
    ///
    /// # Errors
    /// Returns an error if there is no such API.
    #[wasm_bindgen(constructor)]
    pub fn new(api: &str) -> Result<Self, String> {
        let api: Result<Api, _> = serde_json::from_value(api.into());
        Ok(Self {
            decoder: StreamDecoder::of(api.map_err(|error| error.to_string())?),
            text: String::new(),
        })
    }

    /// Decodes a piece of the stream.
    ///
    /// # Errors
    /// Returns an error if the stream is not an answer.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), String> {
        let text = &mut self.text;
        let fed = self.decoder.feed(bytes, |delta| match delta {
            Delta::Content(said) | Delta::Reasoning(said) => text.push_str(said),
        });
        fed.map_err(|fault| format!("{fault:?}"))
    }

    /// The decoded text.
    pub fn text(self) -> String {
        self.text
    }
}

/// A reply in the text protocol, while it is parsed.
#[wasm_bindgen]
pub struct ReplyBench {
    reply: String,
    /// The length of the shown text, in bytes.
    shown: usize,
    listener: Option<ReplyParser>,
}

#[wasm_bindgen]
impl ReplyBench {
    /// A parser for this reply.
    #[wasm_bindgen(constructor)]
    pub fn new(reply: String) -> Self {
        Self {
            reply,
            shown: 0,
            listener: None,
        }
    }

    /// Parses the reply except its end, in pieces of this size in bytes.
    pub fn parse(&mut self, size: usize) {
        let tool = ToolDefinition {
            name: "find_in_page".to_owned(),
            description: String::new(),
            parameters: serde_json::Value::Null,
            examples: Vec::new(),
        };
        let tools: Rc<[ToolDefinition]> = Rc::new([tool]);
        let mut listener = ReplyParser::new(Calling::Text, tools.into());
        let mut rest = self.reply.as_str();
        while !rest.is_empty() {
            let (delta, after) = rest.split_at(rest.floor_char_boundary(size));
            listener.push(delta, |text| self.shown += text.len());
            rest = after;
        }
        self.listener = Some(listener);
    }

    /// Parses the end, where calls are read; returns the number of calls.
    pub fn end(&mut self) -> usize {
        let listener = self.listener.take();
        let speech = listener.map(|it| it.finish(|text| self.shown += text.len()));
        speech.map_or(0, |speech| speech.calls.len())
    }
}
