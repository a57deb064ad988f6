//! A button that asks once more before it does what can't be undone.

use super::button::button;
use super::element::tag;
use crate::live::live;
use crate::words::msg;
use std::rc::Rc;
use sycamore::prelude::*;

/// What is asked, and what is done.
pub(crate) struct Confirm {
    /// The ids of the first button and of the one that keeps all as it is.
    pub(crate) ids: [&'static str; 2],
    /// Whether it is being asked.
    pub(crate) asking: Signal<bool>,
    /// The words of the button, of the question, and of the button that does it.
    pub(crate) words: [String; 3],
    /// What the person confirmed.
    pub(crate) confirmed: Rc<dyn Fn()>,
}

/// The button; then the question, whether to keep all as it is, and the deed.
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
        View::from((question, no, yes))
    })
}
