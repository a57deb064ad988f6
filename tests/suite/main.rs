//! Tests of the whole library on external data: public suites, manuals, hostile markup.
//!
//! They are one program, because each program costs a link and the compilation of shared code.
//! Suites that this machine lacks are skipped with a message.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::unwrap_used)]

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
