//! The decisions of the pages that need no browser: which requests to repeat, which state to show
//! before the worker confirms it, and how to format a number.
//!
//! Driving example: the worker dies while a setting is saved. [`requests`] decides to open a port
//! again, and lists the requests to repeat. `src/bin/pages` opens the port and shows the result.
//! Code in this module uses neither the DOM, nor `chrome`, nor the messages of `_locales`.

pub mod citation_marks;
pub mod expected;
pub mod figures;
pub mod growing_layout;
pub mod markdown_text;
pub mod order;
pub mod requests;
pub mod step_edit;
pub mod turns;
pub mod type_ahead;
pub mod undo;
pub mod usage;
