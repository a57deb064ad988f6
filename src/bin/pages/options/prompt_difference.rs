//! What a prompt of the person's own says otherwise than the default.

use crate::live::live;
use crate::words::msg;
use gloss::prompts::{Line, difference as lines_of};
use sycamore::prelude::*;

/// The lines of both; nothing where they are the same.
pub(super) fn difference(default: ReadSignal<String>, text: Signal<String>) -> View {
    live(move || {
        let (default, text) = (default.get_clone(), text.get_clone());
        if default.trim() == text.trim() {
            return View::new();
        }
        let lines: Vec<View> = lines_of(&default, &text).into_iter().map(line).collect();
        let words = msg("options_prompt_difference");
        let name = words.clone();
        view! {
            div {
                p(class="label") { (words) }
                pre(class="diff", tabindex="0", role="group", aria-label=name) { (lines) }
            }
        }
    })
}

fn line(line: Line<'_>) -> View {
    // An empty line has its height.
    let shown = |line: &str| {
        if line.is_empty() {
            "\u{a0}".to_owned()
        } else {
            line.to_owned()
        }
    };
    match line {
        Line::Same(words) => {
            let words = shown(words);
            view! { span { (words) } }
        }
        Line::Gone(words) => {
            let words = shown(words);
            view! { del { (words) } }
        }
        Line::New(words) => {
            let words = shown(words);
            view! { ins { (words) } }
        }
    }
}
