//! The decisions of the pages that need no browser: which commands to repeat, which state to show
//! before the worker confirms it, and how to format a number.
//!
//! Example: the user sends a message. [`expected`] lists the message as unconfirmed, and
//! `src/bin/pages` shows it, until a snapshot of the worker contains it.
//! Code in this module uses neither the DOM, nor `chrome`, nor the messages of `_locales`.

pub mod citation_marks;
pub mod expected;
pub mod figures;
pub mod growing_layout;
pub mod order;
pub mod step_edit;
pub mod turns;
pub mod type_ahead;
pub mod undo;
pub mod usage;
