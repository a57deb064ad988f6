//! What is known of the person: facts, told by them, kept on this device.
//!
//! Driving example: "I sail a 7-metre sloop out of Hoylake". A model saves that; it is
//! judged ([`Refusal`]), laid beside what is known already (said again, it merges; said
//! otherwise, the newer wins with a note), and stands before the model of the next
//! conversation. Each tier has room for so many: what is worth least goes first.
//! Deliberately absent: who may save what (`tools`), and anything learned from pages.

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
mod likeness;
mod merge;
mod recall;
mod room;
mod said;
mod short;
mod together;
mod words;

#[cfg(test)]
mod decay_tests;
#[cfg(test)]
mod import_tests;
#[cfg(test)]
mod merge_tests;
#[cfg(test)]
mod otherwise_tests;
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
pub use judge::{Refusal, holds_secret, judge};
pub use kept::Memory;
pub use merge::Synced;
pub use recall::Recall;
pub use said::{is_said, is_spoken_of};
pub use words::ASKED_IN_CHINESE;
