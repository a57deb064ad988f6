//! A button that copies text, and shows a tick when it has copied.

use crate::browser;
use crate::prelude::*;

/// The time for which the tick is shown, in milliseconds.
const COPIED_MS: i32 = 2_000;

pub(crate) fn copy(name: String, class: &'static str, text: impl Fn() -> String + 'static) -> View {
    let copied = create_signal(false);
    let set = move |to: bool| {
        // The button may have been removed in the last two seconds.
        if copied.is_alive() {
            copied.set(to);
        }
    };
    let sign = live(move || icon(if copied.get() { "check" } else { "copy" }));
    let status = live_text(move || {
        let copied = copied.get().then(|| crate::words::msg("copied"));
        copied.unwrap_or_default()
    });
    let button = tag("button", sign).attr("type", "button").class(class);
    let button = button.name(name.clone()).tip(name).press(move || {
        browser::copy(&text(), move || {
            set(true);
            browser::after(COPIED_MS, move || set(false));
        });
    });
    fragment((button, tag("span.sr", status).role("status")))
}
