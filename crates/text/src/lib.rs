#![doc = include_str!("../README.md")]

pub mod context;
pub mod embedding;
pub mod index;
pub mod passages;
pub mod summary;
pub mod tokens;

mod best_first;
mod candidates;
mod english;
mod interner;
mod language;
mod lexicon;
mod long_sentences;
mod marks;
mod other_abbreviations;
mod other_stop_words;
mod quotes;
mod sentences;
mod terms;
mod vector;

pub use language::{Language, simplified, words_and_characters};
pub use sentences::{joined, sentences};
pub use terms::terms;
