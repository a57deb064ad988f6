//! The passphrase that protects the API keys: setting a new one, and unlocking the keys.

use super::forget::in_two_steps;
use super::prelude::*;
use gloss::app::options::TypedKey;
use gloss::app::preferences::FieldName;
use gloss::host::KeyStorage;

/// A password field.
fn secret(
    id: &'static str,
    label: String,
    value: Signal<String>,
    answer: Signal<Feedback>,
    name: FieldName,
) -> Tag {
    let refused = refusal_at(answer, name);
    text_field(id, label, refused, View::new(), move |input| {
        input.class("secret").bind(value)
    })
}

/// A form without the browser's own validation; `sent` is called when it is submitted.
fn form(fields: impl IntoView, sent: impl Fn() + 'static) -> Tag {
    tag("form", fields).flag("novalidate", true).on_submit(sent)
}

fn send_button(words: String, busy: Signal<bool>) -> Tag {
    submit("", words).attr("aria-busy", move || busy.get().then_some("true"))
}

/// Sends a request with a passphrase. `done` is called if the passphrase was accepted.
fn send(
    busy: Signal<bool>,
    answer: Signal<Feedback>,
    ask: OptionsRequest,
    done: impl FnOnce() + 'static,
) {
    busy.set(true);
    Page::from_context().ask(ask, move |outcome| {
        // The form may have been removed before the answer.
        if busy.is_alive() {
            busy.set(false);
            let outcome = Feedback::of(outcome);
            let is_done = outcome == Feedback::Saved;
            answer.set(outcome);
            if is_done {
                done();
            }
        }
    });
}

/// The form that sets a new passphrase, with which the keys are then encrypted.
pub(super) fn new_passphrase(making: Signal<bool>, result: Signal<Feedback>) -> View {
    let [typed, again] = [(); 2].map(|()| create_signal(String::new()));
    let (answer, busy) = (create_signal(Feedback::None), create_signal(false));
    let new = secret(
        "passphrase-new",
        msg("options_passphrase_new"),
        typed,
        answer,
        FieldName::NewPassphrase,
    );
    let repeated = secret(
        "passphrase-again",
        msg("options_passphrase_again"),
        again,
        answer,
        FieldName::Passphrase,
    );
    let seal = move || {
        if typed.with_untracked(|typed| again.with_untracked(|again| typed != again)) {
            let differs = Feedback::refused(FieldName::Passphrase, "options_passphrase_differs");
            return answer.set(differs);
        }
        let passphrase = TypedKey(typed.get_clone_untracked());
        let ask = OptionsRequest::KeepKeys {
            keeping: KeyStorage::Sealed,
            passphrase,
        };
        send(busy, answer, ask, move || {
            result.set(Feedback::Saved);
            making.set(false);
        });
    };
    let was_readable = Page::from_context().state.with_untracked(|state| {
        let readable = |it: &gloss::app::options::State| {
            it.keeping == KeyStorage::Device && !it.with_key.is_empty()
        };
        state.as_ref().is_some_and(readable)
    });
    let traces = was_readable.then(|| meta(msg("options_keys_traces")));
    let cancel = button("quiet", msg("cancel"), move || making.set(false));
    let row = (
        send_button(msg("options_seal"), busy),
        cancel,
        feedback_line(answer),
    );
    let below = (
        meta(msg("options_passphrase_means")),
        traces,
        tag("div.row.wrap", row),
    );
    let fields = (new, repeated, unlabelled(tag("div.stack", below)));
    tag("div.gap-2", form(fields, seal)).into()
}

/// The form that is shown while the keys are locked. It unlocks them, or helps if the passphrase
/// is forgotten.
pub(super) fn locked() -> View {
    let locked = Page::from_context().of(|state| state.locked);
    live_if(locked, unlock)
}

fn unlock() -> Tag {
    let typed = create_signal(String::new());
    let (answer, busy) = (create_signal(Feedback::None), create_signal(false));
    let open = move || {
        let passphrase = TypedKey(typed.get_clone_untracked());
        send(busy, answer, OptionsRequest::Unlock { passphrase }, || {});
    };
    let label = msg("options_passphrase");
    let passphrase = secret("passphrase", label, typed, answer, FieldName::Passphrase);
    let row = tag(
        "div.row.wrap",
        (
            send_button(msg("options_unlock"), busy),
            feedback_line(answer),
        ),
    );
    let form = form((passphrase, unlabelled(row)), open);
    let heading = tag("h3.flush", (icon("lock"), msg("model_keys_locked_title")));
    let words = (heading, tag("p", msg("options_locked_means")));
    let forgotten = (meta(msg("options_passphrase_forgotten")), in_two_steps());
    tag("div.note.caution.gap-3", (words, form, forgotten))
}
