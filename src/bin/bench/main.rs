//! The wasm module of the benchmarks. They run outside the worker, and the module is never
//! shipped.
//!
//! Example: `tests/e2e/bench.mjs` passes a provider's stream to [`Decoding`] in chunks, as
//! the worker receives them from `fetch`. It passes the same chunks to a JavaScript library, and
//! compares the times.

mod context;
mod durable;

use std::rc::Rc;

use gloss::model::protocol::ReplyParser;
use gloss::model::{Api, Calling, StreamDecoder, ToolDefinition};
use gloss::page::Document;
use gloss::page_service::ask;
use gloss::text::Language;
use gloss::text::embedding::{Embeddings, Space};
use gloss::text::index::{Entry, Index};
use wasm_bindgen::prelude::*;

fn main() {
    std::panic::set_hook(Box::new(console_error_panic_hook::hook));
}

/// Returns the on-device summary of a text.
#[wasm_bindgen]
pub fn summary(text: &str) -> String {
    let page = Rc::new(Document::of_text(text));
    ask(page, "Summarize this page", None).text
}

/// The sections of a document: headings and text.
#[wasm_bindgen]
#[derive(Default)]
pub struct Sections(Vec<(String, String)>);

#[wasm_bindgen]
impl Sections {
    /// Creates an empty document.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a section to the document.
    pub fn push(&mut self, headings: String, text: String) {
        self.0.push((headings, text));
    }

    /// Indexes the words of the sections.
    pub fn index(&self) -> Words {
        Words(Index::new(Language::English, self.entries()))
    }

    /// Computes the embeddings of the sections; returns the highest similarity to `query`.
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
    /// Returns the indices of the best matching sections, at most `most`.
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
    /// Parses the file `embeddings.bin`.
    ///
    /// # Errors
    /// Returns an error if the bytes are not embeddings.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<Self, String> {
        let parsed = Embeddings::parse(bytes);
        parsed.map(Self).map_err(|error| error.to_string())
    }
}

/// The decoder of a provider's stream.
#[wasm_bindgen]
pub struct Decoding(StreamDecoder);

#[wasm_bindgen]
impl Decoding {
    /// Creates a decoder. `api` is the name of the server's API, as it is stored in profiles.
    ///
    /// # Errors
    /// Returns an error if no API has this name.
    #[wasm_bindgen(constructor)]
    pub fn new(api: &str) -> Result<Self, String> {
        let api: Result<Api, _> = serde_json::from_value(api.into());
        let api = api.map_err(|error| error.to_string())?;
        Ok(Self(StreamDecoder::of(api)))
    }

    /// Decodes the next chunk of the stream.
    ///
    /// # Errors
    /// Returns an error if the stream is not a model's reply.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), String> {
        let fed = self.0.feed(bytes);
        fed.map_err(|fault| format!("{fault:?}"))
    }

    /// The decoded text.
    pub fn text(&self) -> String {
        self.0.content().to_owned()
    }
}

/// A reply in the text protocol, and its parser.
#[wasm_bindgen]
pub struct ReplyBench {
    reply: String,
    /// The length of the shown text, in bytes.
    shown: usize,
    listener: Option<ReplyParser>,
}

#[wasm_bindgen]
impl ReplyBench {
    /// Creates a parser for this reply.
    #[wasm_bindgen(constructor)]
    pub fn new(reply: String) -> Self {
        Self {
            reply,
            shown: 0,
            listener: None,
        }
    }

    /// Parses the reply except its end, in chunks of `size` bytes.
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

    /// Parses the end of the reply, which contains the tool calls; returns the number of calls.
    pub fn end(&mut self) -> usize {
        let listener = self.listener.take();
        let speech = listener.map(|it| it.finish(|text| self.shown += text.len()));
        speech.map_or(0, |speech| speech.calls.len())
    }
}
