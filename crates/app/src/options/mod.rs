//! The options page: its requests and the worker's answers.
//!
//! Driving example: the user turns a switch. The page sends [`OptionsRequest::Change`] under a number of its
//! choice and gets an [`OptionsAnswer`] with that number, beside the whole [`State`]. Other options
//! pages get only the state. A refused change comes back with its field and a message, and nothing
//! was changed. When a run remembers or learns something, the worker sends the new state by itself.

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
use gloss_tools::{Group, ToolSetting};
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
    /// Stores a profile, new or changed.
    SaveProfile {
        /// The profile.
        profile: Profile,
        /// The profile's key; empty keeps the stored one.
        key: TypedKey,
    },
    /// Removes a profile and its key.
    RemoveProfile {
        /// The profile's id.
        id: String,
    },
    /// Tests the connection to a profile's server: its key, and which models it has.
    Test {
        /// The profile, stored or not.
        profile: Profile,
        /// The profile's key; empty uses the stored one.
        key: TypedKey,
    },
    /// Stores the settings of a search provider.
    SaveSearch {
        /// The provider.
        engine: ProviderKind,
        /// The provider's settings.
        server: TypedServer,
        /// The provider's key; empty keeps the stored one.
        key: TypedKey,
    },
    /// Searches once with the settings in the form.
    TestSearch {
        /// The provider.
        engine: ProviderKind,
        /// The provider's settings, stored or not.
        server: TypedServer,
        /// The provider's key; empty uses the stored one.
        key: TypedKey,
    },
    /// Moves every key to another storage.
    KeepKeys {
        /// The new storage.
        keeping: KeyStorage,
        /// The passphrase, for storage that needs one.
        passphrase: TypedKey,
    },
    /// Unlocks the keys until the browser closes.
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
    /// Imports the settings of such a text.
    Import {
        /// The text.
        text: String,
    },
    /// Stores a fact about the user, new or changed.
    WriteFact {
        /// The fact.
        fact: TypedFact,
    },
    /// Pins a fact, so that it is never removed to make room, or unpins it.
    PinFact {
        /// The fact's id.
        id: FactId,
        /// On pins it, off unpins it.
        pinned: Switch,
    },
    /// Searches for the facts that contain these words, or similar ones.
    FindFacts {
        /// The words as the user typed them.
        typed: String,
    },
    /// Forgets a fact.
    ForgetFact {
        /// The fact's id.
        id: FactId,
    },
    /// Restores facts that were forgotten or replaced.
    BringBackFacts {
        /// The fact that replaced them, if one did.
        written: Option<FactId>,
        /// The facts to restore.
        facts: Vec<Fact>,
    },
    /// Asks for the facts as a text.
    ExportFacts,
    /// Imports the facts of such a text.
    ImportFacts {
        /// An id that the page makes. It is the same if the request is repeated.
        act: String,
        /// The text.
        text: String,
    },
    /// Asks for the lessons from failures.
    Learned,
    /// Forgets lessons.
    ForgetLearned {
        /// The lessons' ids.
        ids: Vec<String>,
    },
    /// Restores forgotten lessons.
    BringBackLearned {
        /// The lessons to restore.
        reflections: Vec<Lesson>,
    },
    /// Asks for the usage of models.
    Usage,
    /// Asks for the runs that cannot be read.
    Damaged,
    /// Asks for everything that is stored of such a run, as a text.
    ExportDamaged {
        /// The run's id.
        run: RunId,
    },
    /// Resets every setting except profiles, search providers and prompts.
    Reset,
    /// Erases runs, page texts, settings, profiles, keys and memory.
    Erase,
}

/// A key or a passphrase as the user typed it. Its `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TypedKey(pub String);

impl TypedKey {
    fn trimmed(&self) -> &str {
        self.0.trim()
    }

    /// The problem of a key with characters that no key contains.
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
    /// The confidence below which the agent uses tools.
    Style(Style),
    /// The division of a step into model calls.
    Cycle(Cycle),
    /// A limit, as the user typed it.
    Limit(Limit, String),
    /// True if thoughts are shown expanded.
    ShowThinking(bool),
    /// True if conversations are kept when the browser closes.
    KeepHistory(bool),
    /// The effect of a failed tool on the run.
    OnToolFailure(OnToolFailure),
    /// A tool, by its name.
    Tool(String, Switch),
    /// The tools of a group.
    Group(Group, Switch),
    /// The profile that answers; `None` is the on-device model.
    Answers(Option<String>),
    /// The profile for a role; `None` uses the main model.
    Role(Role, Option<String>),
    /// The fallback models in order: ids of profiles, the empty id for the on-device model.
    Then(Vec<String>),
    /// The user's figures for a profile's model, as typed; `None` restores those of the package.
    Facts(String, Option<TypedFacts>),
    /// The user's own text of a prompt; `None` restores the default.
    Prompt(Name, Language, Option<String>),
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
    /// The item may be used.
    On,
    /// The item may not be used.
    Off,
}

impl Switch {
    /// The position of a checkbox.
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
    /// The facts about the user, the most lasting first.
    #[serde(default)]
    pub facts: Vec<Fact>,
    /// The ids of the profiles that have a key, and the names of the search providers' keys.
    pub with_key: Vec<String>,
    /// The storage of the keys.
    pub keeping: KeyStorage,
    /// True if the keys are locked until the user enters the passphrase.
    pub locked: bool,
    /// Problems with stored data.
    pub warnings: Vec<Failure>,
    /// The last erasure of everything, or the worker's start, in milliseconds since the Unix epoch.
    /// If it changes, the page asks for the usage again.
    pub counted_since_ms: u64,
    /// The number of changes to lessons since the worker began. If it changes, the page asks for
    /// the lessons again.
    #[serde(default)]
    pub learned: u64,
}

/// The answer to an [`OptionsRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OptionsAnswer {
    /// The page's number for the request.
    pub n: u32,
    /// The outcome of the request.
    pub outcome: Outcome,
}

/// The outcome of an [`OptionsRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is stored.
    Saved,
    /// A value is not allowed; nothing was changed.
    Refused {
        /// The fields, each with a message.
        problems: Vec<Problem>,
    },
    /// The request failed; nothing was changed.
    Failed {
        /// The reason.
        failure: Failure,
    },
    /// The server answered.
    Listed {
        /// The names of its models.
        models: Vec<String>,
        /// A message if the profile's model is not among them.
        missing: Option<Failure>,
    },
    /// The search provider answered.
    Found {
        /// The number of results.
        results: u32,
        /// The duration of the search, in milliseconds.
        ms: u64,
    },
    /// A fact was stored and replaced others.
    Wrote {
        /// The replaced facts, with the fact's own earlier version.
        went: Vec<Fact>,
    },
    /// The facts of a file were imported.
    TakenIn {
        /// The number of new facts.
        facts: usize,
        /// The facts that were left out.
        left_out: Vec<LeftOutFacts>,
    },
    /// The facts that contain the words.
    FoundFacts {
        /// The facts' ids.
        ids: Vec<FactId>,
    },
    /// The lessons from failures.
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
        /// The usage by run and model, in no order.
        used: Vec<ModelUsage>,
        /// The cost of this month, with erased runs.
        month: Micros,
        /// The tokens of this browser session.
        session_tokens: u64,
        /// The cost of those tokens.
        session_cost: Micros,
    },
    /// Everything was erased.
    Erased,
}

/// The facts of a file that were left out for one reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutFacts {
    /// The reason.
    pub why: SkipReason,
    /// The number of facts.
    pub facts: usize,
}

/// A run that cannot be read and is stored unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Damaged {
    /// The run's id.
    pub run: RunId,
    /// The size of what is stored of it, in bytes.
    pub bytes: u64,
    /// The time of its start, in milliseconds since the Unix epoch, and the version of Gloss;
    /// `None` if its first record cannot be read.
    pub begun: Option<(u64, String)>,
}

#[cfg(test)]
mod memory_tests;
#[cfg(test)]
mod tests;
