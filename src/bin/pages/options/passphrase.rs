//! The passphrase that keys are under: made up, and given.

use super::forget::in_two_steps;
use super::page::Page;
use super::profile_form::{beneath, refusal};
use super::told::{Told, told};
use crate::icon::icon;
use crate::live::{handler, live};
use crate::words::msg;
use gloss::app::options::{Ask, Outcome, TypedKey};
use gloss::app::preferences::{FieldName, Problem};
use gloss::host::Keeping;
use gloss::phrase::phrase;
use sycamore::prelude::*;

/// A field for one, masked as a key is.
struct Field {
    id: &'static str,
    label: String,
    describes: &'static str,
    value: Signal<String>,
    wrong: ReadSignal<Option<String>>,
}

fn field(field: Field) -> View {
    let Field {
        id,
        label,
        describes,
        value,
        wrong,
    } = field;
    let refusal = refusal(wrong);
    view! {
        div(class="field") {
            label(r#for=id) { (label) }
            input(
                id=id,
                class="secret",
                autocomplete="off",
                "spellcheck"="false",
                aria-invalid=move || wrong.with(Option::is_some).then_some("true"),
                aria-describedby=describes,
                bind:value=value,
            )
            p(class=beneath(wrong), id=describes, role="status") { (refusal) }
        }
    }
}

/// Makes up a passphrase, and moves the keys under it.
pub(super) fn new_passphrase(making: Signal<bool>, result: Signal<Told>) -> View {
    let page = Page::here();
    let state = page.state;
    let (typed, again) = (create_signal(String::new()), create_signal(String::new()));
    let answer = create_signal(Told::Nothing);
    let busy = create_signal(false);
    let wrong = create_selector(move || answer.with(|told| told.at(FieldName::NewPassphrase)));
    let differs = create_selector(move || answer.with(|told| told.at(FieldName::Passphrase)));
    let fields = [
        Field {
            id: "passphrase-new",
            label: msg("options_passphrase_new"),
            describes: "passphrase-new-d",
            value: typed,
            wrong,
        },
        Field {
            id: "passphrase-again",
            label: msg("options_passphrase_again"),
            describes: "passphrase-again-d",
            value: again,
            wrong: differs,
        },
    ];
    let fields: Vec<View> = fields.into_iter().map(field).collect();
    let seal = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if typed.with_untracked(|typed| again.with_untracked(|again| typed != again)) {
            let words = phrase("options_passphrase_differs");
            let field = FieldName::Passphrase;
            answer.set(Told::Refused(vec![Problem { field, words }]));
            return;
        }
        busy.set(true);
        let ask = Ask::KeepKeys {
            keeping: Keeping::Sealed,
            passphrase: TypedKey(typed.get_clone_untracked()),
        };
        page.ask(ask, move |outcome| {
            if !busy.is_alive() {
                return;
            }
            busy.set(false);
            match outcome {
                Outcome::Saved => {
                    result.set(Told::Saved);
                    making.set(false);
                }
                other => answer.set(Told::of(other)),
            }
        });
    };
    let stood_in_the_clear = state.with_untracked(|state| {
        state
            .as_ref()
            .is_some_and(|it| it.keeping == Keeping::Device && !it.with_key.is_empty())
    });
    let traces = stood_in_the_clear.then(|| {
        let words = msg("options_keys_traces");
        view! { p(class="meta") { (words) } }
    });
    let [means, seal_word, keep_word] = [
        msg("options_passphrase_means"),
        msg("options_seal"),
        msg("cancel"),
    ];
    let told = told(answer);
    view! {
        form(novalidate=true, style="margin-top:.5rem", on:submit=handler(seal)) {
            (fields)
            div(class="field") {
                span(class="cap") {}
                div(class="stack") {
                    p(class="meta") { (means) }
                    (traces)
                    div(class="row wrap") {
                        button(class="btn", aria-busy=move || busy.get().then_some("true")) { (seal_word) }
                        button(r#type="button", class="btn quiet", on:click=handler(move |_| {
                            making.set(false);
                        })) { (keep_word) }
                        (told)
                    }
                }
            }
        }
    }
}

/// While keys wait for their passphrase: the field for it, and what is left to who
/// forgot it.
pub(super) fn locked() -> View {
    let state = Page::here().state;
    let locked = create_selector(move || {
        state.with(|state| state.as_ref().is_some_and(|state| state.locked))
    });
    live(move || if locked.get() { unlock() } else { View::new() })
}

fn unlock() -> View {
    let page = Page::here();
    let typed = create_signal(String::new());
    let answer = create_signal(Told::Nothing);
    let busy = create_signal(false);
    let wrong = create_selector(move || answer.with(|told| told.at(FieldName::Passphrase)));
    let passphrase = field(Field {
        id: "passphrase",
        label: msg("options_passphrase"),
        describes: "passphrase-d",
        value: typed,
        wrong,
    });
    let open = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        busy.set(true);
        let passphrase = TypedKey(typed.get_clone_untracked());
        page.ask(Ask::Unlock { passphrase }, move |outcome| {
            // Once open, the form is gone.
            if busy.is_alive() {
                busy.set(false);
                answer.set(Told::of(outcome));
            }
        });
    };
    let [title, means, unlock_word, forgotten] = [
        msg("model_keys_locked_title"),
        msg("options_locked_means"),
        msg("options_unlock"),
        msg("options_passphrase_forgotten"),
    ];
    let sign = icon("lock");
    let told = told(answer);
    let forget = in_two_steps();
    view! {
        div(class="note caution", style="margin-top:.75rem") {
            h3(style="margin:0") { (sign) (title) }
            p { (means) }
            form(novalidate=true, on:submit=handler(open)) {
                (passphrase)
                div(class="field") {
                    span(class="cap") {}
                    div(class="row wrap") {
                        button(class="btn", aria-busy=move || busy.get().then_some("true")) { (unlock_word) }
                        (told)
                    }
                }
            }
            p(class="meta") { (forgotten) }
            (forget)
        }
    }
}
