//! What the bench measures by itself, outside the worker: never shipped.
//!
//! Driving example: `tests/e2e/bench.mjs` feeds a provider's stream to [`Decoding`] in
//! pieces, as the worker is given them by `fetch`, beside a peer that does the same in
//! JavaScript.

use std::rc::Rc;

use gloss::model::{Delta, Embedded, StreamDecoder};
use gloss::page::Document;
use wasm_bindgen::prelude::*;

fn main() {
    std::panic::set_hook(Box::new(console_error_panic_hook::hook));
}

/// The device's own summary of a text, as a turn shows it.
#[wasm_bindgen]
pub fn summary(text: &str) -> String {
    let page = Rc::new(Document::of_text(text));
    Embedded::ask(page, "Summarize this page").map_or_else(|_| String::new(), |reply| reply.text)
}

/// One stream, being decoded to the text that it says.
#[wasm_bindgen]
#[derive(Default)]
pub struct Decoding {
    decoder: StreamDecoder,
    text: String,
}

#[wasm_bindgen]
impl Decoding {
    /// Nothing decoded yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a piece of the stream.
    ///
    /// # Errors
    /// When it is no answer.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), String> {
        let text = &mut self.text;
        let fed = self.decoder.feed(bytes, |delta| match delta {
            Delta::Content(said) | Delta::Reasoning(said) => text.push_str(said),
        });
        fed.map_err(|fault| format!("{fault:?}"))
    }

    /// What was said.
    pub fn text(self) -> String {
        self.text
    }
}
