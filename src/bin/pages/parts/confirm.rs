//! A button that asks for confirmation, for an action that can't be undone.

use super::button::button;
use super::element::{fragment, tag};
use crate::live::live;
use crate::words::msg;
use std::rc::Rc;
use sycamore::prelude::*;

/// The parameters of a confirmation.
pub(crate) struct Confirm {
    /// The ids of the first button and of the button that cancels.
    pub(crate) ids: [&'static str; 2],
    /// True while the question is shown.
    pub(crate) asking: Signal<bool>,
    /// The texts of the first button, of the question, and of the confirming button.
    pub(crate) words: [String; 3],
    /// Called after the user has confirmed.
    pub(crate) confirmed: Rc<dyn Fn()>,
}

/// The first button. When it is pressed, a question with two buttons replaces it.
pub(crate) fn confirm(of: Confirm) -> View {
    let Confirm {
        ids: [first, keep],
        asking,
        words: [word, question, deed],
        confirmed,
    } = of;
    let turn = move |to: bool| {
        asking.set(to);
        crate::browser::focus_id(if to { keep } else { first });
    };
    live(move || {
        if !asking.get() {
            return button("quiet", word.clone(), move || turn(true))
                .id(first)
                .into();
        }
        let question = tag("span", question.clone()).role("status");
        let no = button("", msg("options_keep"), move || turn(false)).id(keep);
        let confirmed = confirmed.clone();
        let yes = button("danger", deed.clone(), move || confirmed());
        fragment((question, no, yes))
    })
}
