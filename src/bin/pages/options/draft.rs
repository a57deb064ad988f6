//! The profile that the user is editing. It is stored when the user presses *Save*.

use crate::browser::unique_id;
use crate::prelude::*;
use gloss::app::options::TypedKey;
use gloss::app::preferences::Provider;
use gloss::model::{Api, Profile};

/// The fields of the profile, with the text that the user has typed.
#[derive(Clone, Copy)]
pub(crate) struct Draft {
    pub(crate) id: Signal<String>,
    pub(crate) provider: Signal<Provider>,
    pub(crate) name: Signal<String>,
    pub(crate) base_url: Signal<String>,
    pub(crate) key: Signal<String>,
    pub(crate) model: Signal<String>,
    pub(crate) api: Signal<Api>,
}

impl Draft {
    pub(crate) fn new() -> Self {
        let draft = Self {
            id: create_signal(String::new()),
            provider: create_signal(Provider::OpenAi),
            name: create_signal(String::new()),
            base_url: create_signal(String::new()),
            key: create_signal(String::new()),
            model: create_signal(String::new()),
            api: create_signal(Api::default()),
        };
        draft.start_new();
        draft
    }

    /// Begins a new profile.
    pub(crate) fn start_new(&self) {
        self.id.set(unique_id());
        self.name.set(String::new());
        self.key.set(String::new());
        self.model.set(String::new());
        self.choose(Provider::OpenAi);
    }

    /// Begins to edit an existing profile.
    pub(crate) fn edit(&self, profile: &Profile) {
        self.id.set(profile.id.clone());
        self.provider.set(Provider::at(&profile.base_url));
        self.name.set(profile.name.clone());
        self.base_url.set(profile.base_url.clone());
        self.key.set(String::new());
        self.model.set(profile.model.clone());
        self.api.set(profile.api);
    }

    /// Chooses another provider and sets its address. The provider's name is set too, unless the
    /// user typed a name.
    pub(crate) fn choose(&self, provider: Provider) {
        let is_own = |name: &String| {
            let preset = |it: &Provider| it.name() == Some(name.as_str());
            !name.is_empty() && !Provider::ALL.iter().any(preset)
        };
        if !self.name.with_untracked(is_own) {
            let name = provider.name().unwrap_or_default();
            self.name.set(name.to_owned());
        }
        self.provider.set(provider);
        let api = provider.apis().next().unwrap_or_default();
        self.api.set(api);
        self.base_url.set(provider.base_url(api).to_owned());
    }

    /// Chooses another API. If the provider has another address for that API, the address is set
    /// too.
    pub(crate) fn set_api(&self, api: Api) {
        let provider = self.provider.get_untracked();
        let before = provider.base_url(self.api.get_untracked());
        if self.base_url.with_untracked(|url| url == before) {
            self.base_url.set(provider.base_url(api).to_owned());
        }
        self.api.set(api);
    }

    /// Returns the profile with the typed text. `kept` is the stored profile, from which values
    /// without a field here are copied. The user's own prices and limits are copied only if the
    /// model is the same.
    pub(crate) fn profile(&self, kept: Option<Profile>) -> Profile {
        let kept = kept.unwrap_or_default();
        let model = self.model.get_clone_untracked();
        let same = kept.model == model.trim();
        Profile {
            id: self.id.get_clone_untracked(),
            name: self.name.get_clone_untracked(),
            base_url: self.base_url.get_clone_untracked(),
            model,
            facts: kept.facts.filter(|_| same),
            api: self.api.get_untracked(),
            ..kept
        }
    }

    /// Returns the API key that the user typed, or an empty one.
    pub(crate) fn typed_key(&self) -> TypedKey {
        TypedKey(self.key.get_clone_untracked())
    }
}
