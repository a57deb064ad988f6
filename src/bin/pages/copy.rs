//! A button that puts text on the clipboard and says so.

use crate::browser;
use crate::icon::icon;
use crate::live::{handler, live, live_text};
use crate::words::msg;
use sycamore::prelude::*;

/// How long the tick stands.
const COPIED_MS: i32 = 2_000;

/// The button, named by a message.
pub(crate) fn copy(key: &str, class: &'static str, text: impl Fn() -> String + 'static) -> View {
    let copied = create_signal(false);
    let (name, tip) = (msg(key), msg(key));
    let sign = live(move || icon(if copied.get() { "check" } else { "copy" }));
    let said = live_text(move || {
        if copied.get() {
            msg("copied")
        } else {
            String::new()
        }
    });
    view! {
        button(
            r#type="button",
            class=class,
            aria-label=name,
            title=tip,
            on:click=handler(move |_| {
                browser::copy(&text(), move || {
                    // The button may be gone by then.
                    if copied.is_alive() {
                        copied.set(true);
                    }
                    browser::after(COPIED_MS, move || {
                        if copied.is_alive() {
                            copied.set(false);
                        }
                    });
                });
            }),
        ) { (sign) }
        span(class="sr", role="status") { (said) }
    }
}
