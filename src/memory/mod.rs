//! Facts about the user, kept on this device.
//!
//! Driving example: "I sail a 7-metre sloop out of Hoylake". A model saves that with what it
//! knows of it: that it is about the user, that it lasts, and the id of the fact that it
//! replaces. Secrets are refused by rule ([`Refusal`]), a fact in the same words is merged,
//! and the model of the next conversation reads it. Each tier has room for so many facts;
//! the least valuable goes first.
//! Deliberately absent: who may save what (`tools`), and any reading of what a sentence means.

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
