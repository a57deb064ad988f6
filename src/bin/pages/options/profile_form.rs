//! One server: where it is, its key, its model.

use super::asking::with_leave;
use super::connection_test::{Kept, Result, results};
use super::draft::Draft;
use super::key_field::key;
use super::model_field::model_field;
use super::models::main_of;
use super::page::Page;
use super::server_field::{api, provider};
use super::told::Told;
use crate::icon::icon;
use crate::live::{handler, live, live_text};
use crate::words::msg;
use gloss::app::options::{Ask, Outcome};
use gloss::app::preferences::{FieldName, Preferences};
use gloss::model::Profile;
use sycamore::prelude::*;

/// What the parts of the form share.
#[derive(Clone)]
pub(super) struct Form {
    pub(super) page: Page,
    pub(super) draft: Draft,
    /// What is set. Kept, because out of a component no signal can be made.
    pub(super) set: ReadSignal<Preferences>,
    pub(super) told: Signal<Told>,
    pub(super) result: Signal<Result>,
    pub(super) models: Signal<Vec<String>>,
    /// The server is being asked.
    pub(super) busy: Signal<bool>,
    /// The removal waits for its second word.
    pub(super) removing: Signal<bool>,
}

/// The form.
pub(crate) fn profile_form(draft: Draft) -> View {
    let page = Page::here();
    let form = Form {
        set: page.preferences(),
        page,
        draft,
        told: create_signal(Told::Nothing),
        result: create_signal(Result::None),
        models: create_signal(Vec::new()),
        busy: create_signal(false),
        removing: create_signal(false),
    };
    create_effect({
        let form = form.clone();
        move || {
            // Another profile: nothing of the last one is said of it.
            draft.id.track();
            form.clear();
        }
    });
    let title = move || draft.name.with(|name| name.trim().to_owned());
    let heading = move || match title() {
        name if name.is_empty() => msg("options_new_profile"),
        name => name,
    };
    let submit = form.clone();
    let fields: Vec<View> = vec![
        provider(&form),
        api(&form),
        text(
            &form,
            Field {
                id: "name",
                label: msg("options_name"),
                name: FieldName::Name,
                value: draft.name,
            },
        ),
        text(
            &form,
            Field {
                id: "url",
                label: msg("options_url"),
                name: FieldName::BaseUrl,
                value: draft.base_url,
            },
        ),
        key(&form),
        model_field(&form),
        buttons(&form),
        results(&form),
    ];
    let heading = live_text(heading);
    view! {
        h3 { (heading) }
        form(novalidate=true, on:submit=handler(move |event: web_sys::SubmitEvent| {
            event.prevent_default();
            submit.save();
        })) {
            (fields)
        }
    }
}

/// What a test is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// The model that is chosen.
    Model,
    /// The list of them.
    List,
}

impl Form {
    fn profile(&self) -> Profile {
        let id = self.draft.id.get_clone_untracked();
        let kept = self.set.with_untracked(|set| set.profile(&id).cloned());
        self.draft.profile(kept)
    }

    fn clear(&self) {
        self.told.set(Told::Nothing);
        self.result.set(Result::None);
        self.models.set(Vec::new());
        self.removing.set(false);
    }

    /// Keeps the profile, whether or not Chrome's question was answered with yes.
    fn save(&self) {
        let this = self.clone();
        let url = self.draft.base_url.get_clone_untracked();
        with_leave(&url, move |refused| {
            let ask = Ask::SaveProfile {
                profile: this.profile(),
                key: this.draft.typed_key(),
            };
            let form = this.clone();
            this.page
                .ask(ask, move |outcome| form.saved(outcome, refused));
        });
    }

    fn saved(&self, outcome: Outcome, refused: Option<String>) {
        if outcome == Outcome::Saved {
            self.draft.key.set(String::new());
            // As it was tidied.
            let id = self.draft.id.get_clone_untracked();
            let kept = self.set.with_untracked(|set| set.profile(&id).cloned());
            if let Some(kept) = kept {
                self.draft.base_url.set(kept.base_url);
                self.draft.name.set(kept.name);
                self.draft.model.set(kept.model);
            }
        }
        self.told.set(Told::of(outcome.clone()));
        self.result.set(match (outcome, refused) {
            (Outcome::Saved, Some(host)) => Result::NotAllowed(host, Kept::Yes),
            (Outcome::Saved, None) => Result::Saved,
            (Outcome::Failed { failure }, _) => Result::Failed(failure),
            _ => Result::None,
        });
    }

    /// Speaks to the server as it stands in the form, kept or not.
    pub(super) fn test(&self, aim: Aim) {
        let this = self.clone();
        let url = self.draft.base_url.get_clone_untracked();
        with_leave(&url, move |refused| {
            if let Some(host) = refused {
                this.result.set(Result::NotAllowed(host, Kept::No));
                return;
            }
            this.busy.set(true);
            let mut profile = this.profile();
            if aim == Aim::List {
                profile.model.clear();
            }
            let (id, model) = (profile.id.clone(), profile.model.trim().to_owned());
            let ask = Ask::Test {
                profile,
                key: this.draft.typed_key(),
            };
            let form = this.clone();
            this.page.ask(ask, move |outcome| {
                form.busy.set(false);
                // Said of another profile meanwhile, it would be a lie.
                if form.draft.id.get_clone_untracked() == id {
                    form.tested(outcome, model);
                }
            });
        });
    }

    fn tested(&self, outcome: Outcome, model: String) {
        self.told.set(Told::of(outcome.clone()));
        self.result.set(match outcome {
            Outcome::Listed { models, missing } => {
                let count = models.len();
                self.models.set(models);
                match missing {
                    Some(failure) => Result::Failed(failure),
                    None => Result::Works {
                        models: count,
                        model,
                    },
                }
            }
            Outcome::Failed { failure } => Result::Failed(failure),
            Outcome::Saved
            | Outcome::Refused { .. }
            | Outcome::Found { .. }
            | Outcome::TakenIn { .. }
            | Outcome::Wrote { .. }
            | Outcome::FoundFacts { .. }
            | Outcome::Learned { .. }
            | Outcome::Exported { .. }
            | Outcome::Damaged { .. }
            | Outcome::Usage { .. }
            | Outcome::Erased => Result::None,
        });
    }

    fn remove(&self) {
        let this = self.clone();
        let id = self.draft.id.get_clone_untracked();
        self.page.ask(Ask::RemoveProfile { id }, move |outcome| {
            if let Outcome::Failed { failure } = outcome {
                this.result.set(Result::Failed(failure));
                return;
            }
            match this
                .set
                .with_untracked(|set| main_of(set.answers.as_deref(), &set.profiles))
            {
                Some(first) => this.draft.edit(&first),
                None => this.draft.begin(),
            }
        });
    }
}

struct Field {
    id: &'static str,
    label: String,
    name: FieldName,
    value: Signal<String>,
}

/// A text field, and under it why it was refused.
fn text(form: &Form, field: Field) -> View {
    let told = form.told;
    let wrong = create_selector(move || told.with(|told| told.at(field.name)));
    let invalid = move || wrong.with(Option::is_some).then_some("true");
    let describes = format!("{}-d", field.id);
    let described = describes.clone();
    let refusal = refusal(wrong);
    view! {
        div(class="field") {
            label(r#for=field.id) { (field.label) }
            input(
                id=field.id,
                autocomplete="off",
                "spellcheck"="false",
                aria-invalid=invalid,
                aria-describedby=described,
                bind:value=field.value,
            )
            p(class=beneath(wrong), id=describes, role="status") { (refusal) }
        }
    }
}

/// The class of a live region that takes no room while it says nothing.
pub(super) fn beneath(wrong: ReadSignal<Option<String>>) -> impl Fn() -> &'static str {
    move || {
        if wrong.with(Option::is_some) {
            "meta"
        } else {
            "sr"
        }
    }
}

pub(super) fn refusal(wrong: ReadSignal<Option<String>>) -> View {
    live(move || {
        wrong.get_clone().map(|words| {
            let sign = icon("alert");
            view! {
                span(class="danger-text") { (sign) (words) }
            }
        })
    })
}

fn buttons(form: &Form) -> View {
    let (save, test) = (msg("options_save"), msg("options_test"));
    let removal = removal(form);
    let (busy, testing) = (form.busy, form.clone());
    view! {
        div(class="field") {
            span(class="cap") {}
            div(class="row wrap") {
                button(
                    r#type="button",
                    class="btn",
                    aria-busy=move || busy.get().then_some("true"),
                    on:click=handler(move |_| testing.test(Aim::Model)),
                ) { (test) }
                button(class="btn primary") { (save) }
                span(class="grow") {}
                (removal)
            }
        }
    }
}

/// In two steps: the key goes with the profile.
fn removal(form: &Form) -> View {
    let form = form.clone();
    let (draft, set, removing) = (form.draft, form.set, form.removing);
    let is_kept = create_selector(move || {
        let id = draft.id.get_clone();
        set.with(|set| set.profile(&id).is_some())
    });
    live(move || {
        if !is_kept.get() {
            View::new()
        } else if removing.get() {
            let form = form.clone();
            let (asks, yes, no) = (
                msg("options_remove_asks"),
                msg("options_remove"),
                msg("options_keep"),
            );
            view! {
                span(role="status") { (asks) }
                button(r#type="button", class="btn", on:click=handler(move |_| removing.set(false))) { (no) }
                button(r#type="button", class="btn danger", on:click=handler(move |_| form.remove())) { (yes) }
            }
        } else {
            let remove = msg("options_remove_profile");
            view! {
                button(r#type="button", class="btn quiet", on:click=handler(move |_| removing.set(true))) { (remove) }
            }
        }
    })
}
