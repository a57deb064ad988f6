//! What the pages decide without a browser: how they keep in step with the worker, what they
//! show before it confirms, how figures are written.
//!
//! Driving example: the worker dies while a setting is saved; [`requests`] says to open a port
//! again and which requests to repeat. `src/bin/pages` opens the port, and shows the result.
//! Nothing here names the DOM, `chrome` or a message of `_locales`.

pub mod citation_marks;
pub mod expected;
pub mod figures;
pub mod growing_layout;
pub mod markdown_text;
pub mod order;
pub mod requests;
pub mod steering;
pub mod turns;
pub mod type_ahead;
pub mod undo;
pub mod usage;
