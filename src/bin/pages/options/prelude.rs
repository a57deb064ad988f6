//! The names that most sections of the options page use.

pub(super) use super::controls::{
    about, choice, edit_keys, field, file_button, option, radio, radio_group, refusal,
    refusal_line, row, rows, section, select, select_of, setting, text_field, text_input,
    unlabelled,
};
pub(super) use super::feedback::{Feedback, feedback_line, group_heading, refusal_at};
pub(super) use super::page::Page;
pub(super) use crate::prelude::*;
pub(super) use gloss::app::options::{Change, OptionsRequest, Outcome, Switch};
