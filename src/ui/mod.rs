//! The decisions of the pages that need no browser: staying in step with the worker, the state
//! before it confirms, the format of figures.
//!
//! Driving example: the worker dies while a setting is saved. [`requests`] decides to open a port
//! again, and lists the requests to repeat. `src/bin/pages` opens the port, and shows the result.
//! Nothing here names the DOM, `chrome` or a message of `_locales`.

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
