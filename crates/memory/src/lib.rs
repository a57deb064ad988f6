#![doc = include_str!("../README.md")]

mod conversations;
mod document;
mod draft;
mod fact;
mod facts;
mod find;
mod import;
mod judge;
mod keeping;
mod kept;
mod recall;
mod room;
mod same_words;

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
pub use document::{NoFile, Unreadable, export};
pub use draft::{Draft, MOST_CHARACTERS, Origin};
pub use fact::{Category, Fact, FactId, How, Replaced, Source, Tier, plainly};
pub use facts::{Became, Facts, Loss, Report};
pub use find::{Query, Retrieved, Room};
pub use import::{LeftOut, TakenIn};
pub use judge::{Refusal, holds_secret};
pub use kept::Memory;
pub use recall::Recall;
