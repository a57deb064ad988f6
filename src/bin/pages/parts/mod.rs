//! The parts of pages: elements, buttons, notes, rows and fields.
//!
//! Driving example: `icon_button("tiny", "close", msg("cancel"), move || shut())` is a button with
//! an icon whose accessible name is also its tooltip. Each part is one function that is compiled
//! once, whereas a `view!` compiles its code at each place. Nothing here knows the worker or the
//! agent.

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
