//! Erasing everything, once the person typed the word for it.

use super::page::Page;
use super::told::{Told, told};
use crate::live::{handler, live};
use crate::words::{msg, msg_with};
use gloss::app::options::{Ask, Damaged, Outcome};
use sycamore::prelude::*;

/// The note with its button. What cannot be read goes too: `damaged` is emptied.
pub(crate) fn erase(damaged: Signal<Vec<Damaged>>) -> View {
    let page = Page::here();
    let typed = create_signal(String::new());
    let result = create_signal(Told::Nothing);
    let word = msg("options_erase_word");
    let label = msg_with("options_erase_confirm", &[&word]);
    let is_meant = create_selector(move || typed.with(|typed| typed.trim().to_lowercase() == word));
    let erase = move |_| {
        page.ask(Ask::Erase, move |outcome| {
            typed.set(String::new());
            if outcome == Outcome::Erased {
                damaged.set(Vec::new());
            }
            result.set(Told::of(outcome));
        });
    };
    let [name, means, button_name] = [
        msg("options_erase"),
        msg("options_erase_means"),
        msg("options_erase_everything"),
    ];
    let result = live(move || match result.get_clone() {
        Told::Saved => {
            let gone = msg("options_erased");
            view! { span(role="status") { (gone) } }
        }
        Told::Nothing | Told::Done(_) | Told::Refused(_) | Told::Failed(..) => told(result),
    });
    view! {
        h3 { (name) }
        div(class="note stack") {
            p { (means) }
            div(class="field") {
                label(r#for="erase") { (label) }
                div(class="row wrap") {
                    input(id="erase", style="max-width:10rem", autocomplete="off", bind:value=typed)
                    button(
                        r#type="button",
                        class="btn danger",
                        disabled=move || !is_meant.get(),
                        on:click=handler(erase),
                    ) { (button_name) }
                    (result)
                }
            }
        }
    }
}
