//! Tests of the library with external data: public test suites, manuals, and hostile markup.
//!
//! They are one program, because each program has to be linked, and compiles the shared code
//! again. If this machine lacks a suite, its tests print a message and pass.

#![allow(
    clippy::expect_used,
    clippy::format_collect,
    clippy::indexing_slicing,
    clippy::unwrap_used
)]

mod answer_questions;
mod markdown_hostile;
mod page_genres;
mod page_hostile;
mod page_long;
mod page_manuals;
mod page_readability;
mod page_summaries;
mod text_hostile;
mod text_rouge;
mod text_rules;
mod try_lines;
