//! The form for one server: its address, API key and model.

use super::connection_test::{Report, ServerTest};
use super::draft::Draft;
use super::key_field::{KeyField, KeyOwner, Need, key_field};
use super::model_field::model_field;
use super::page::main_profile;
use super::prelude::*;
use super::server_field::{api, provider};
use gloss::app::preferences::{FieldName, Preferences};
use gloss::model::Profile;
use std::rc::Rc;

/// The state that the parts of the form share.
#[derive(Clone)]
pub(super) struct Form {
    pub(super) draft: Draft,
    /// The settings. They are stored here, because a signal can only be created inside a
    /// component.
    set: ReadSignal<Preferences>,
    pub(super) test: ServerTest,
    pub(super) models: Signal<Vec<String>>,
    /// True while the page asks the user to confirm that the profile is removed.
    removing: Signal<bool>,
}

pub(crate) fn profile_form(draft: Draft) -> View {
    let page = Page::from_context();
    let form = Form {
        set: page.preferences(),
        draft,
        test: ServerTest::new(page),
        models: create_signal(Vec::new()),
        removing: create_signal(false),
    };
    create_effect({
        let form = form.clone();
        move || {
            // Clear the results of the last profile when another profile is opened.
            draft.id.track();
            form.test.clear();
            form.models.set(Vec::new());
            form.removing.set(false);
        }
    });
    let heading = live_text(
        move || match draft.name.with(|name| name.trim().to_owned()) {
            name if name.is_empty() => msg("options_new_profile"),
            name => name,
        },
    );
    let (submitted, testing) = (form.clone(), form.clone());
    let plain = |id, label, name, value: Signal<String>| {
        let refused = refusal_at(form.test.feedback, name);
        text_field(id, label, refused, View::new(), move |input| {
            input.bind(value)
        })
    };
    let fields = (
        provider(draft),
        api(draft),
        plain("name", msg("options_name"), FieldName::Name, draft.name),
        plain(
            "url",
            msg("options_url"),
            FieldName::BaseUrl,
            draft.base_url,
        ),
        key(&form),
        model_field(&form),
        form.test.buttons(
            move || testing.ask(Aim::Model),
            (tag("span.grow", ()), removal(&form)),
        ),
        form.test.report(View::new),
    );
    let fields = tag("form", fields)
        .flag("novalidate", true)
        .on_submit(move || submitted.save());
    fragment((tag("h3", heading), fields))
}

/// The purpose of a request to the server.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// Tests the chosen model.
    Model,
    /// Requests the list of models.
    List,
}

impl Form {
    fn stored_profile(&self) -> Option<Profile> {
        let id = self.draft.id.get_clone_untracked();
        self.set.with_untracked(|set| set.profile(&id).cloned())
    }

    fn profile(&self) -> Profile {
        self.draft.profile(self.stored_profile())
    }

    fn url(&self) -> String {
        self.draft.base_url.get_clone_untracked()
    }

    fn save(&self) {
        let (this, saved) = (self.clone(), self.clone());
        let ask = move || OptionsRequest::SaveProfile {
            profile: this.profile(),
            key: this.draft.typed_key(),
        };
        self.test.save(Some(&self.url()), ask, move || {
            saved.draft.key.set(String::new());
            // Show the values as the worker has normalised them.
            if let Some(kept) = saved.stored_profile() {
                saved.draft.base_url.set(kept.base_url);
                saved.draft.name.set(kept.name);
                saved.draft.model.set(kept.model);
            }
        });
    }

    /// Sends a request to the server with the typed settings, even if they are not saved.
    pub(super) fn ask(&self, aim: Aim) {
        let (this, answered) = (self.clone(), self.clone());
        let mut profile = self.profile();
        if aim == Aim::List {
            profile.model.clear();
        }
        let (id, model) = (profile.id.clone(), profile.model.trim().to_owned());
        let ask = move || OptionsRequest::Test {
            profile,
            key: this.draft.typed_key(),
        };
        self.test.test(Some(&self.url()), ask, move |outcome| {
            let is_about_it = answered.draft.id.get_clone_untracked() == id;
            is_about_it.then(|| answered.report(outcome, &model))
        });
    }

    fn report(&self, outcome: &Outcome, model: &str) -> Report {
        let Outcome::Listed { models, missing } = outcome else {
            return Report::None;
        };
        self.models.set(models.clone());
        if let Some(failure) = missing {
            return Report::Failed(failure.clone());
        }
        let count = counted(
            ["options_models_one", "options_models_many"],
            models.len() as u64,
        );
        Report::Works(if model.is_empty() {
            msg_with("options_works_so_far", &[&count])
        } else {
            msg_with("options_works", &[&count, model])
        })
    }

    fn remove(&self) {
        let this = self.clone();
        let id = self.draft.id.get_clone_untracked();
        self.test
            .page
            .ask(OptionsRequest::RemoveProfile { id }, move |outcome| {
                if let Outcome::Failed { failure } = outcome {
                    this.test.report.set(Report::Failed(failure));
                    return;
                }
                match this.set.with_untracked(main_profile) {
                    Some(first) => this.draft.edit(&first),
                    None => this.draft.start_new(),
                }
            });
    }
}

fn key(form: &Form) -> Tag {
    let draft = form.draft;
    let owner = create_selector(move || {
        let provider = draft.provider.get();
        KeyOwner {
            key: draft.id.get_clone(),
            name: provider.name(),
            need: if provider.needs_key() {
                Need::Always
            } else {
                Need::Never
            },
            made_at: provider.keys_page(),
        }
    });
    key_field(KeyField {
        id: "key",
        label: msg("options_key"),
        value: draft.key,
        refused: refusal_at(form.test.feedback, FieldName::Key),
        owner,
    })
}

/// The button that removes the profile and its key, with a confirmation.
fn removal(form: &Form) -> View {
    let form = form.clone();
    let (draft, set) = (form.draft, form.set);
    let is_kept = create_selector(move || {
        let id = draft.id.get_clone();
        set.with(|set| set.profile(&id).is_some())
    });
    live_if(is_kept, move || {
        let form = form.clone();
        confirm(Confirm {
            ids: ["remove", "remove-keep"],
            asking: form.removing,
            words: [
                msg("options_remove_profile"),
                msg("options_remove_asks"),
                msg("options_remove"),
            ],
            confirmed: Rc::new(move || form.remove()),
        })
    })
}
