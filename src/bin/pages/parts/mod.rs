//! The components that all pages share: elements, buttons, notes, tables and confirmations.
//!
//! Example: `icon_button("tiny", "close", msg("cancel"), move || shut())` is a button with
//! an icon. Its accessible name is also its tooltip. Each component is a function that is compiled
//! once. A `view!` would be compiled again at each use. The components know neither the worker nor
//! the agent.

mod button;
mod confirm;
mod element;
mod note;
mod table;

pub(crate) use button::{button, go_on_button, icon_button, link, submit};
pub(crate) use confirm::{Confirm, confirm};
pub(crate) use element::{IntoView, Tag, bool_text, fragment, tag};
pub(crate) use note::{
    alert, days_whole, done_text, error_text, meta, note, status_meta, tag_label,
};
pub(crate) use table::{cell_row, head_cell, head_row, scroll_table};
