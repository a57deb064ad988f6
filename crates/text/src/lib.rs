//! Pure functions on natural language: what is a sentence, what are its terms,
//! which sentences matter.
//!
//! Driving example: the embedded summary of an English or Chinese article. The
//! page's text is cut into [`sentences()`], each becomes [`terms()`], and
//! [`summary`] chooses the few that say what the page is about, verbatim.
//!
//! The bottom layer, a crate of its own that is compiled for speed where the rest is
//! compiled for size: it knows nothing of Gloss, holds no state between
//! calls, and gives the same bits natively and in wasm (`libm` does the
//! transcendental functions; ties go to what stands first on the page). It
//! deliberately does not know HTML, does not translate, and writes no sentence
//! of its own.

pub mod answer;
pub mod context;
pub mod embedding;
pub mod index;
pub mod summary;
pub mod tokens;

mod abroad;
mod best_first;
mod candidates;
mod english;
mod interner;
mod language;
mod lexicon;
mod pieces;
mod quotes;
mod sentences;
mod terms;
mod vector;

pub use language::{Language, simplified, words_and_characters};
pub use sentences::sentences;
pub use terms::terms;
