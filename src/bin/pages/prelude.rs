//! The names that most views use: elements that change, their parts, and the texts in them.

pub(crate) use crate::icon::icon;
pub(crate) use crate::keyed::keyed;
pub(crate) use crate::live::{live, live_if, live_text};
pub(crate) use crate::parts::{
    Confirm, IntoView, Tag, alert, bool_text, button, cell_row, confirm, days_whole, done_text,
    error_text, fragment, go_on_button, head_cell, head_row, icon_button, link, meta, note,
    scroll_table, status_meta, submit, tag, tag_label,
};
pub(crate) use crate::words::{
    counted, grouped, means_of, msg, msg_of, msg_of_with, msg_with, phrase_text,
};
pub(crate) use sycamore::prelude::*;
