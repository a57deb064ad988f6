//! The user's settings.
//!
//! Example: on the options page the user changes the style to *Direct*. The change is
//! checked and stored, and applies to every later run. A run copies the settings into its first
//! record, so a change never affects an active run. Settings contain no API keys and no content of
//! pages.

pub(super) mod document;
mod figures;
mod limit;
mod profiles;
mod provider_presets;
mod roles;
mod search;
mod store;

pub use document::Unreadable;
pub use figures::{Figure, TypedFacts};
pub use limit::Limit;
pub use profiles::{FieldName, Problem, origin_of};
pub(super) use profiles::{is_key, problems, tidied};
pub use provider_presets::{Provider, api_name};
pub use roles::{Role, Roles};
pub use search::TypedServer;
pub(super) use search::no_domains;
pub use store::PreferencesStore;
pub(super) use store::unstored;

use super::surface::settings::{ConversationSettings, Defaults, ModelOption, Tools};
use gloss_agent::{Cycle, Mode, OnToolFailure, Settings, Style};
use gloss_durable::sorted::{SortedMap, SortedSet};
use gloss_model::prompts::Overrides;
use gloss_model::{BROWSER, BUILT_IN, Facts, ModelChoice, PROMPT_API, Profile, Usage};
use gloss_tools::{Group, StandingApproval, ToolSetting};
use gloss_web::search::ProviderKind;
use serde::{Deserialize, Serialize};

const MS_A_MINUTE: u64 = 60_000;
const MONTH_DOLLARS: u32 = 5;
/// The assumed token usage from which an answer's displayed price is computed. It is the usage of
/// an answer about a page of average length.
const USUAL: Usage = Usage {
    input_tokens: 4_000,
    output_tokens: 300,
    cached_tokens: 0,
    cache_written_tokens: 0,
    reasoning_tokens: 0,
};

/// All settings. A field that is missing in the stored text gets its default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// The style of the agent. It sets the confidence below which the agent uses tools.
    pub style: Style,
    /// The number of model calls that the agent makes in a step.
    pub cycle: Cycle,
    /// The maximum number of steps of a run. `None` means that it depends on the question's
    /// complexity.
    pub max_steps: Option<u8>,
    /// The maximum number of tokens of a run, input and output together.
    pub max_tokens: u32,
    /// The maximum time during which a run is active, in minutes.
    pub max_minutes: u32,
    /// The maximum number of tool calls of a run.
    pub max_tool_calls: u32,
    /// True if thoughts and observations are shown expanded.
    pub show_thinking: bool,
    /// True if conversations are kept when the browser closes.
    pub keep_history: bool,
    /// The connected servers.
    pub profiles: Vec<Profile>,
    /// The id of the profile that answers by default, or [`BUILT_IN`] for the browser's model.
    /// `None` means the on-device model. The user can choose another model for a conversation.
    pub answers: Option<String>,
    /// The fallback models in order of use. Each is the id of a profile, [`BUILT_IN`] for the
    /// browser's model, or an empty id for the on-device model.
    pub then: Vec<String>,
    /// The models for the other roles.
    pub roles: Roles,
    /// The maximum cost of a run, in US cents.
    pub max_cost_cents: u32,
    /// The maximum cost of all runs of a month, in US dollars. `None` means unlimited.
    pub max_month_dollars: Option<u32>,
    /// The used share of a limit, in percent, at which the user is warned.
    pub warn_percent: u8,
    /// The names of the tools that are off. Unknown names are kept, because a newer version of
    /// Gloss may have tools with these names.
    #[serde(skip_serializing_if = "SortedSet::is_empty")]
    pub tools_off: SortedSet<String>,
    /// The groups of tools that are off.
    #[serde(skip_serializing_if = "SortedSet::is_empty")]
    pub groups_off: SortedSet<Group>,
    /// The calls that the user always allows, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<GivenApproval>,
    /// The sites that Gloss never reads, each with the time at which the user added it, in
    /// milliseconds since the Unix epoch.
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    pub closed_sites: SortedMap<String, u64>,
    /// The reaction of a run to a failed tool call.
    pub on_tool_failure: OnToolFailure,
    /// The user's own texts of prompts.
    #[serde(skip_serializing_if = "Overrides::is_empty")]
    pub prompts: Overrides,
    /// The search provider, and the limits on searches.
    #[serde(skip_serializing_if = "gloss_web::search::Settings::is_default")]
    pub search: gloss_web::search::Settings,
}

/// Calls that the user always allows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenApproval {
    /// The calls.
    pub calls: StandingApproval,
    /// The time at which the user gave the approval, in milliseconds since the Unix epoch.
    pub since_ms: u64,
}

impl Default for Preferences {
    fn default() -> Self {
        let settings = Settings::default();
        Self {
            style: settings.style,
            cycle: settings.cycle,
            max_steps: settings.max_steps,
            max_tokens: settings.max_tokens,
            max_minutes: u32::try_from(settings.max_active_ms / MS_A_MINUTE).unwrap_or(u32::MAX),
            max_tool_calls: settings.max_tool_calls,
            show_thinking: false,
            keep_history: true,
            profiles: Vec::new(),
            answers: None,
            then: Vec::new(),
            roles: Roles::default(),
            max_cost_cents: settings.max_cost_cents,
            max_month_dollars: Some(MONTH_DOLLARS),
            warn_percent: settings.warn_percent,
            tools_off: SortedSet::new(),
            groups_off: SortedSet::new(),
            approvals: Vec::new(),
            closed_sites: SortedMap::new(),
            on_tool_failure: OnToolFailure::default(),
            prompts: Overrides::default(),
            search: gloss_web::search::Settings::default(),
        }
    }
}

impl Preferences {
    /// Returns the part of the settings that a run records.
    pub fn settings(&self) -> Settings {
        Settings {
            cycle: self.cycle,
            style: self.style,
            max_steps: self.max_steps,
            max_tokens: self.max_tokens,
            max_active_ms: u64::from(self.max_minutes) * MS_A_MINUTE,
            max_tool_calls: self.max_tool_calls,
            max_cost_cents: self.max_cost_cents,
            max_month_dollars: self.max_month_dollars,
            warn_percent: self.warn_percent,
            on_tool_failure: self.on_tool_failure,
        }
    }

    /// Returns the model with this id: a profile's model or the browser's own model. For an empty
    /// or unknown id, returns the on-device model.
    pub fn choice(&self, id: &str) -> ModelChoice {
        if id == BUILT_IN {
            return ModelChoice::BuiltIn;
        }
        self.profile(id).map_or(ModelChoice::Embedded, |profile| {
            ModelChoice::Profile(Profile {
                facts: Some(Facts::of(profile)),
                ..profile.clone()
            })
        })
    }

    /// Returns the models that are tried in order when the model `first` fails.
    pub fn fallback(&self, first: &ModelChoice) -> Vec<ModelChoice> {
        let known = |id: &&String| id.is_empty() || self.names(id);
        let choices = self.then.iter().filter(known).map(|id| self.choice(id));
        choices.filter(|choice| choice != first).collect()
    }

    /// Returns the model that answers unless a conversation chooses another.
    pub fn main(&self) -> ModelChoice {
        self.choice(self.answers.as_deref().unwrap_or_default())
    }

    /// Returns true if this is the id of a profile or of the browser's own model.
    pub(super) fn names(&self, id: &str) -> bool {
        id == BUILT_IN || self.profile(id).is_some()
    }

    /// Returns the models that a conversation can choose. The on-device model is first, and the
    /// browser's model is last. A page removes the browser's model if the browser has none.
    pub fn offers(&self) -> Vec<ModelOption> {
        let embedded = ModelOption {
            id: String::new(),
            provider: String::new(),
            model: String::new(),
            host: String::new(),
            cost: Some(0),
        };
        let connected = self.profiles.iter().map(|profile| ModelOption {
            id: profile.id.clone(),
            provider: profile.name.clone(),
            model: profile.model.clone(),
            host: profiles::host_of(&profile.base_url)
                .unwrap_or_default()
                .to_owned(),
            cost: Facts::of(profile).price.map(|price| price.of(USUAL)),
        });
        let built_in = ModelOption {
            id: BUILT_IN.to_owned(),
            provider: BROWSER.to_owned(),
            model: PROMPT_API.to_owned(),
            host: String::new(),
            cost: Some(0),
        };
        let ours = std::iter::once(embedded).chain(connected);
        ours.chain([built_in]).collect()
    }

    /// Returns the settings with which every conversation starts.
    pub(super) fn defaults(&self, tools: &[ToolSetting]) -> Defaults {
        Defaults {
            tuning: ConversationSettings {
                model: self.answers.clone().unwrap_or_default(),
                mode: Mode::Agent,
                max_steps: self.max_steps,
                tools_off: self.tools_off.clone(),
            },
            tools: Tools {
                all: tools.to_vec(),
                off: self.tools_off.clone(),
                groups_off: self.groups_off.clone(),
            },
            offers: self.offers(),
            show_thinking: self.show_thinking,
        }
    }

    /// Returns the profile with this id.
    pub fn profile(&self, id: &str) -> Option<&Profile> {
        self.profiles.iter().find(|profile| profile.id == id)
    }

    /// Adds a profile, or replaces the profile with the same id.
    pub(super) fn put_profile(&mut self, profile: Profile) {
        match self.profiles.iter_mut().find(|old| old.id == profile.id) {
            Some(old) => *old = profile,
            None => self.profiles.push(profile),
        }
    }

    /// Removes a profile. If the profile's model answered by default, the on-device model replaces
    /// it.
    pub(super) fn remove_profile(&mut self, id: &str) {
        self.profiles.retain(|profile| profile.id != id);
        self.remove_dangling_names();
    }

    /// Returns the default settings with the current profiles, choices of models, search providers,
    /// prompts and closed sites. Prompts are kept because they have a reset button of their own, and
    /// closed sites because Gloss may read a site again only if the user removes it from the list.
    /// The trusted domains of searches are reset.
    pub(super) fn reset(&self) -> Self {
        Self {
            profiles: self.profiles.clone(),
            answers: self.answers.clone(),
            then: self.then.clone(),
            roles: self.roles.clone(),
            prompts: self.prompts.clone(),
            closed_sites: self.closed_sites.clone(),
            search: gloss_web::search::Settings {
                domains: gloss_web::search::Domains::default(),
                ..self.search.clone()
            },
            ..Self::default()
        }
    }

    /// Adds calls that the user always allows.
    pub(super) fn approve(&mut self, calls: StandingApproval, since_ms: u64) {
        if !self.approvals.iter().any(|given| given.calls == calls) {
            self.approvals.push(GivenApproval { calls, since_ms });
        }
    }

    /// Removes the approvals of searches with providers whose server is not the same as in `before`.
    /// The user approved the other server.
    pub(super) fn keep_approvals_of(&mut self, before: &Self) {
        let search = &self.search;
        self.approvals.retain(|given| match &given.calls {
            StandingApproval::Fetches { .. } => true,
            StandingApproval::Searches { provider } => ProviderKind::ALL
                .into_iter()
                .filter(|kind| kind.name() == provider)
                .all(|kind| search.server(kind).base_url == before.search.server(kind).base_url),
        });
    }

    /// Returns the imported settings, merged with the current ones. A file can't approve calls, and
    /// can only add closed sites. An imported profile is added, or replaces the profile with the
    /// same id. A current prompt stays if the imported text doesn't contain that prompt.
    pub(super) fn with(&self, imported: Self) -> Self {
        let mut prompts = self.prompts.clone();
        prompts.extend(imported.prompts);
        let mut closed_sites = imported.closed_sites;
        closed_sites.extend(self.closed_sites.clone());
        let mut merged = Self {
            approvals: self.approvals.clone(),
            profiles: self.profiles.clone(),
            prompts,
            closed_sites,
            ..imported
        };
        for profile in imported.profiles {
            merged.put_profile(profile);
        }
        merged
    }

    /// Returns the names of the keys that must be removed before `next` is stored. A key may be
    /// sent to one origin only. If a profile or search provider is removed or gets another origin,
    /// its key must be removed.
    pub(super) fn keys_lost(&self, next: &Self) -> Vec<String> {
        let stays = |old: &Profile| {
            let new = next.profile(&old.id);
            new.is_some_and(|new| origin_of(&new.base_url) == origin_of(&old.base_url))
        };
        let lost = self.profiles.iter().filter(|old| !stays(old));
        let moved = |engine: &ProviderKind| {
            let [old, new] =
                [self, next].map(|set| origin_of(&set.search.server(*engine).base_url));
            old != new
        };
        let searches = ProviderKind::ALL.into_iter().filter(moved);
        let searches = searches.map(|engine| engine.key_name().to_owned());
        lost.map(|old| old.id.clone()).chain(searches).collect()
    }

    pub(super) fn problems(&self) -> Vec<Problem> {
        let limits = Limit::ALL
            .into_iter()
            .filter_map(|limit| limit.problem(limit.of(self)));
        let profiles = self.profiles.iter().flat_map(profiles::problems);
        limits
            .chain(profiles)
            .chain(search::problems(&self.search))
            .collect()
    }
}

#[cfg(test)]
mod tests;
