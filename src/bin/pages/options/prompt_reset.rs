//! Every prompt as it was at first, once the person said so twice.

use super::prompts::Prompts;
use super::told::Told;
use crate::browser::focus_id;
use crate::live::{handler, live};
use crate::words::msg;
use gloss::app::options::{Ask, Change, Outcome};
use sycamore::prelude::*;

/// The button; nothing where there is nothing to reset.
pub(super) fn reset_all(prompts: &Prompts) -> View {
    let set = prompts.set;
    let any = create_selector(move || set.with(|set| !set.prompts.is_empty()));
    let asking = create_signal(false);
    let prompts = prompts.clone();
    live(move || {
        if !any.get() {
            return View::new();
        }
        let steps = steps(&prompts, asking);
        view! { div(class="row wrap", style="margin-top:.75rem") { (steps) } }
    })
}

fn steps(prompts: &Prompts, asking: Signal<bool>) -> View {
    let prompts = prompts.clone();
    live(move || {
        if !asking.get() {
            let word = msg("options_prompts_reset");
            return view! {
                button(r#type="button", class="btn quiet", id="prompts-reset", on:click=handler(move |_| {
                    asking.set(true);
                    focus_id("prompts-keep");
                })) { (word) }
            };
        }
        let [asks, no, yes] = [
            msg("options_prompts_reset_asks"),
            msg("options_keep"),
            msg("options_prompts_reset"),
        ];
        let prompts = prompts.clone();
        let reset = move |_| {
            let this = prompts.clone();
            let change = Change::ResetPrompts;
            prompts.page.ask(Ask::Change { change }, move |outcome| {
                if outcome == Outcome::Saved {
                    this.forget_all();
                    // The button is gone.
                    focus_id("template");
                }
                asking.set(false);
                this.told.set(Told::of(outcome));
            });
        };
        view! {
            span(role="status") { (asks) }
            button(r#type="button", class="btn", id="prompts-keep", on:click=handler(move |_| {
                asking.set(false);
                focus_id("prompts-reset");
            })) { (no) }
            button(r#type="button", class="btn danger", on:click=handler(reset)) { (yes) }
        }
    })
}
