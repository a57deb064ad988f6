#![doc = include_str!("../README.md")]

pub mod answer;
pub mod context;
pub mod embedding;
pub mod index;
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
mod quotes;
mod sentences;
mod terms;
mod vector;

pub use language::{Language, simplified, words_and_characters};
pub use sentences::sentences;
pub use terms::terms;
