//! The options page: its requests and the worker's answers.
//!
//! Example: the user turns a switch. The page sends [`OptionsRequest::Change`] with a number that
//! the page chose. The worker answers with an [`OptionsAnswer`] that has the same number, and with
//! the whole [`State`]. Other options pages get only the state. If a change is refused, nothing is
//! stored, and the answer contains the field and a message. A fact or lesson
//! that a run saves is sent without a request.

mod changes;
mod connection_test;
mod damaged;
mod facts;
mod keys;
mod rejection;
mod saving;
mod search;
mod service;
mod usage;
pub use facts::TypedFact;
pub(crate) use service::OptionsService;
pub use usage::{EstimateError, ModelUsage};

use super::preferences::{
    FieldName, Limit, Preferences, Problem, Role, TypedFacts, TypedServer, is_key,
};
use gloss_agent::{Cycle, Failure, Lesson, OnToolFailure, Style};
use gloss_durable::RunId;
use gloss_durable::sorted::SortedSet;
use gloss_host::KeyStorage;
use gloss_memory::{Fact, FactId, SkipReason};
use gloss_model::phrase::phrase;
use gloss_model::prompts::Name;
use gloss_model::{Language, Micros, Profile};
use gloss_tools::{Group, StandingApproval, ToolSetting};
use gloss_web::search::{Category, ProviderKind};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A request of the options page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OptionsRequest {
    /// Changes one setting.
    Change {
        /// The setting and its new value.
        change: Change,
    },
    /// Stores a new or changed profile.
    SaveProfile {
        /// The profile.
        profile: Profile,
        /// The profile's key. If it is empty, the stored key is kept.
        key: TypedKey,
    },
    /// Removes a profile and its key.
    RemoveProfile {
        /// The profile's id.
        id: String,
    },
    /// Tests the connection to a profile's server: checks the key, and lists the server's models.
    Test {
        /// The profile. It may be a profile that is not stored.
        profile: Profile,
        /// The profile's key. If it is empty, the stored key is used.
        key: TypedKey,
    },
    /// Stores the settings of a search provider.
    SaveSearch {
        /// The provider.
        engine: ProviderKind,
        /// The provider's settings.
        server: TypedServer,
        /// The provider's key. If it is empty, the stored key is kept.
        key: TypedKey,
    },
    /// Searches once with the settings that the user typed.
    TestSearch {
        /// The provider.
        engine: ProviderKind,
        /// The provider's settings. They may differ from the stored settings.
        server: TypedServer,
        /// The provider's key. If it is empty, the stored key is used.
        key: TypedKey,
    },
    /// Moves every key to another storage.
    KeepKeys {
        /// The new storage.
        keeping: KeyStorage,
        /// The passphrase, for storage that needs one.
        passphrase: TypedKey,
    },
    /// Unlocks the keys until the browser closes or the user locks them.
    Unlock {
        /// The passphrase of the keys.
        passphrase: TypedKey,
    },
    /// Locks the keys again.
    Lock,
    /// Forgets every key and the passphrase.
    ForgetKeys,
    /// Asks for the settings as a text, without keys.
    Export,
    /// Imports settings from an exported text.
    Import {
        /// The text.
        text: String,
    },
    /// Stores a new or changed fact about the user.
    WriteFact {
        /// The fact.
        fact: TypedFact,
    },
    /// Pins or unpins a fact. A pinned fact is never removed automatically.
    PinFact {
        /// The fact's id.
        id: FactId,
        /// `On` pins the fact, `Off` unpins it.
        pinned: Switch,
    },
    /// Searches for the facts that contain these words. The words may be misspelt.
    FindFacts {
        /// The words as the user typed them.
        typed: String,
    },
    /// Forgets a fact.
    ForgetFact {
        /// The fact's id.
        id: FactId,
    },
    /// Restores facts that were forgotten or replaced (Undo).
    BringBackFacts {
        /// The fact that replaced `facts`, and is now removed. `None` if the user deleted `facts`.
        written: Option<FactId>,
        /// The facts to restore.
        facts: Vec<Fact>,
    },
    /// Asks for the facts as a text.
    ExportFacts,
    /// Imports facts from an exported text.
    ImportFacts {
        /// The id of this import, made by the page. A repeated request has the same id.
        act: String,
        /// The text.
        text: String,
    },
    /// Asks for the lessons from failed tool calls.
    Learned,
    /// Forgets lessons.
    ForgetLearned {
        /// The lessons' ids.
        ids: Vec<String>,
    },
    /// Restores lessons that the user deleted.
    BringBackLearned {
        /// The lessons to restore.
        reflections: Vec<Lesson>,
    },
    /// Asks for the usage of models.
    Usage,
    /// Asks for the list of runs that can't be read.
    Damaged,
    /// Asks for everything that is stored of an unreadable run, as a text.
    ExportDamaged {
        /// The run's id.
        run: RunId,
    },
    /// Resets all settings except profiles, models, search providers, prompts and closed sites.
    Reset,
    /// Erases runs, page texts, settings, profiles, keys and memory.
    Erase,
}
/// A key or a passphrase as the user typed it. `Debug` doesn't show its text.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TypedKey(pub String);

impl TypedKey {
    fn trimmed(&self) -> &str {
        self.0.trim()
    }

    /// Returns a problem if the key contains a character that no key contains, such as a space.
    fn problem(&self, field: FieldName) -> Option<Problem> {
        let refused = || Problem::at(field, phrase("options_key_refused"));
        (!is_key(self.trimmed())).then(refused)
    }
}

impl fmt::Debug for TypedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TypedKey")
    }
}

/// One setting's new value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// The style of the agent. It sets the confidence below which the agent uses tools.
    Style(Style),
    /// The number of model calls that the agent makes in a step.
    Cycle(Cycle),
    /// A limit, as the user typed it.
    Limit(Limit, String),
    /// True if thoughts are shown expanded.
    ShowThinking(bool),
    /// True if conversations are kept when the browser closes.
    KeepHistory(bool),
    /// The reaction of a run to a failed tool call.
    OnToolFailure(OnToolFailure),
    /// A tool's name, and the new position of its switch.
    Tool(String, Switch),
    /// A group of tools, and the new position of its switch.
    Group(Group, Switch),
    /// The id of the profile that answers by default; `None` chooses the on-device model.
    Answers(Option<String>),
    /// The id of the profile for a role; `None` chooses the answering model.
    Role(Role, Option<String>),
    /// The fallback models in order: ids of profiles, or an empty id for the on-device model.
    Then(Vec<String>),
    /// The values that the user entered for the model of the profile with this id, such as prices.
    /// `None` restores the values that Gloss knows.
    Facts(String, Option<TypedFacts>),
    /// The user's own text of a prompt. `None` restores the default.
    Prompt(Name, Language, Option<String>),
    /// Revokes the user's approval of these calls.
    Revoke(StandingApproval),
    /// Adds a site, as the user typed it, to the closed sites.
    CloseSite(String),
    /// Removes a site from the closed sites.
    OpenSite(String),
    /// Restores the defaults of all prompts.
    ResetPrompts,
    /// The search provider.
    SearchEngine(ProviderKind),
    /// The trusted domains of a category, as the user typed them.
    SearchDomains(Category, String),
}

/// The position of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Switch {
    /// The tool or group is on.
    On,
    /// The tool or group is off.
    Off,
}

impl Switch {
    /// Converts the state of a checkbox.
    pub fn of(is_checked: bool) -> Self {
        if is_checked { Self::On } else { Self::Off }
    }

    fn turn<T: Ord>(self, off: &mut SortedSet<T>, one: T) {
        match self {
            Self::On => off.remove(&one),
            Self::Off => off.insert(one),
        };
    }
}

/// Everything that the options page shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The user's settings.
    pub preferences: Preferences,
    /// All tools.
    pub tools: Vec<ToolSetting>,
    /// The facts about the user, in the order of the page.
    #[serde(default)]
    pub facts: Vec<Fact>,
    /// The ids of the profiles and the names of the search providers for which a key is stored.
    pub with_key: Vec<String>,
    /// The storage that contains the keys.
    pub keeping: KeyStorage,
    /// True if the keys are locked until the user enters the passphrase.
    pub locked: bool,
    /// The problems with stored data that the page shows as warnings.
    pub warnings: Vec<Failure>,
    /// The time of this worker's last erasure, or else of its start, in milliseconds since the Unix
    /// epoch. When the time changes, the page asks for the usage again.
    pub counted_since_ms: u64,
    /// A number that increases when the lessons change. The page then asks for the lessons again.
    #[serde(default)]
    pub learned: u64,
}

/// The answer to an [`OptionsRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OptionsAnswer {
    /// The number that the page gave the request.
    pub n: u32,
    /// The outcome of the request.
    pub outcome: Outcome,
}

/// The outcome of an [`OptionsRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The change is stored.
    Saved,
    /// A value is not allowed, so nothing was changed.
    Refused {
        /// The fields, each with a message.
        problems: Vec<Problem>,
    },
    /// The request failed.
    Failed {
        /// The reason.
        failure: Failure,
    },
    /// The server answered.
    Listed {
        /// The names of the server's models.
        models: Vec<String>,
        /// The message that is shown if the profile's model is not in `models`.
        missing: Option<Failure>,
    },
    /// The search provider answered.
    Found {
        /// The number of results.
        results: u32,
        /// The duration of the search, in milliseconds.
        ms: u64,
    },
    /// The fact was stored and replaced other facts.
    Wrote {
        /// The facts that were replaced, including the earlier version of the same fact.
        went: Vec<Fact>,
    },
    /// The facts of a file were imported.
    TakenIn {
        /// The number of new facts.
        facts: usize,
        /// The numbers of facts that were not imported, one entry for each reason.
        left_out: Vec<LeftOutFacts>,
    },
    /// The facts that contain the searched words.
    FoundFacts {
        /// The facts' ids.
        ids: Vec<FactId>,
    },
    /// The lessons from failed tool calls.
    Learned {
        /// All lessons, newest first.
        reflections: Vec<Lesson>,
    },
    /// The requested text.
    Exported {
        /// The text.
        text: String,
    },
    /// The runs that cannot be read.
    Damaged {
        /// The runs, in the order of their ids.
        runs: Vec<Damaged>,
    },
    /// The usage of models.
    Usage {
        /// The usage of each model in each stored run, in no particular order.
        used: Vec<ModelUsage>,
        /// The cost of all model calls of this month, including those of erased runs.
        month: Micros,
        /// The number of tokens used in this browser session.
        session_tokens: u64,
        /// The cost of all model calls of this browser session.
        session_cost: Micros,
    },
    /// Everything was erased.
    Erased,
}

/// The number of facts of a file that were not imported for one reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutFacts {
    /// The reason.
    pub why: SkipReason,
    /// The number of facts.
    pub facts: usize,
}

/// A run that can't be read. Its batches are stored unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Damaged {
    /// The run's id.
    pub run: RunId,
    /// The size of the run's stored batches, in bytes.
    pub bytes: u64,
    /// The time at which the run began, in milliseconds since the Unix epoch, and the version of
    /// Gloss that began it. `None` if the first record can't be read.
    pub begun: Option<(u64, String)>,
}

#[cfg(test)]
mod memory_tests;
#[cfg(test)]
mod tests;
