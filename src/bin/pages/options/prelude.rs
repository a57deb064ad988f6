//! The names that most sections of the options page use.

pub(super) use super::controls::{
    Choice, about, choice, field, file_button, labelled_row, option, radio, radio_group, refusal,
    refusal_line, row, rows, section, select, switch_input, switch_row, text_field, text_input,
    unlabelled,
};
pub(super) use super::feedback::{Feedback, feedback_line, group_heading, refusal_at};
pub(super) use super::page::Page;
pub(super) use crate::prelude::*;
pub(super) use gloss::app::options::{Change, OptionsRequest, Outcome, Switch};
