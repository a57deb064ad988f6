//! The library as a whole on other people's data: public suites, manuals, hostile markup.
//!
//! One program, as each costs a link and the compilation of what it shares with the others.
//! Suites that this machine lacks are skipped, and the test says so.

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
