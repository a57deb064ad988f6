//! The sentence model in native programs.

use gloss_reader::retrieval::Comparison;
use gloss_sentence_model::{Comparer, SentenceModel};
use std::cell::RefCell;

/// Compares a question with texts, as the model's `Worker` does in the browser. The environment
/// variable `GLOSS_SENTENCE_MODEL` names the file; without it, the result is empty.
pub fn compare(comparison: &Comparison) -> Vec<f32> {
    thread_local! {
        static MODEL: RefCell<Option<Comparer>> = RefCell::new(load());
    }
    let Comparison { question, texts } = comparison;
    MODEL.with_borrow_mut(|model| {
        let cosines = model.as_mut().map(|model| model.cosines(question, texts));
        cosines.unwrap_or_default()
    })
}

fn load() -> Option<Comparer> {
    let file = std::env::var_os("GLOSS_SENTENCE_MODEL")?;
    let model = std::fs::read(&file).map(SentenceModel::read);
    match model {
        Ok(Ok(model)) => Some(Comparer::new(model)),
        other => {
            eprintln!("no sentence model: {:?}", other.map(Result::err));
            None
        }
    }
}
