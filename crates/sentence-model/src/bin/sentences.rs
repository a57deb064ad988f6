//! The wasm module of the sentence model, for a `Worker` of the offscreen page.
//!
//! Driving example: a question is asked about a page. `sentences_boot.js` starts this module, fills
//! [`Loading`] with the model's file, and gets a [`Model`]. The model compares the question with
//! the page's sentences. The `Worker` is ended when it is idle, which frees all its memory.

use gloss_sentence_model::{Comparer, SentenceModel};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

fn main() {
    std::panic::set_hook(Box::new(console_error_panic_hook::hook));
}

/// The bytes of the model's file that have arrived. The file is never in memory twice.
#[wasm_bindgen]
pub struct Loading(Vec<u8>);

#[wasm_bindgen]
impl Loading {
    /// Prepares for a file of this size.
    #[wasm_bindgen(constructor)]
    pub fn new(size: usize) -> Self {
        Self(Vec::with_capacity(size))
    }

    /// Adds the next bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Reads the model, when all bytes have arrived.
    ///
    /// # Errors
    /// Returns a message if the bytes aren't a model.
    pub fn model(self) -> Result<Model, String> {
        let model = SentenceModel::read(self.0).map_err(|error| error.to_string())?;
        Ok(Model(RefCell::new(Comparer::new(model))))
    }
}

/// The model, and the vectors that it has computed.
#[wasm_bindgen]
pub struct Model(RefCell<Comparer>);

#[wasm_bindgen]
impl Model {
    /// Returns the cosine between the question and each text, in order.
    pub fn cosines(&self, question: &str, texts: Vec<String>) -> Vec<f32> {
        self.0.borrow_mut().cosines(question, &texts)
    }
}
