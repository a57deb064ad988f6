//! Finds the passages of a long page that answer a question.
//!
//! Example: the question "how do I keep others out?" is asked about a manual of 300 pages.
//! Sentences are ranked by the words that they have in common with the question, and the best of
//! them also by the sentence model. `find_in_page` returns the paragraphs with the nearest
//! passages, and an answer on the device shows the passages themselves.
//!
//! Without the model, only words are compared. Retrieval is called only in steps of a run, so that
//! its outcome is recorded.

mod meaning;
mod passages;
mod relevant;

pub use meaning::{Compare, Comparison, Meaning, words_only};
pub use passages::{paragraphs, passages};
pub use relevant::relevant;

#[cfg(test)]
mod tests;
