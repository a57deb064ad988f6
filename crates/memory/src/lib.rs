#![doc = include_str!("../README.md")]

mod conversations;
mod document;
mod draft;
mod evict;
mod fact;
mod fact_value;
mod facts;
mod find;
mod import;
mod judge;
mod recall;
mod same_words;
mod saving;
mod store;
mod tier;

#[cfg(test)]
mod decay_tests;
#[cfg(test)]
mod import_tests;
#[cfg(test)]
mod replaced_tests;
#[cfg(test)]
mod taken_back_tests;
#[cfg(test)]
mod tests;

pub use conversations::{Conversation, Conversations};
pub use document::{ImportError, Unreadable, export};
pub use draft::{Draft, MOST_CHARACTERS, Origin};
pub use fact::{Category, Fact, FactId, ReplacedFact, Source, SourceKind, without_subject};
pub use facts::{Facts, Loss, Report, SaveResult};
pub use find::{Query, RecallLimits, SearchResults};
pub use import::{ImportResult, SkipReason};
pub use judge::{Refusal, holds_secret};
pub use recall::{Recall, RecalledFacts};
pub use store::Memory;
pub use tier::Tier;
