//! The options page: what it may ask, and what it is told.
//!
//! Driving example: a switch is turned; the page sends [`Ask::Change`] under a
//! number of its own and gets an [`Answered`] with that number, beside the whole
//! [`State`]. Other options pages get the state alone. What is refused comes back
//! with its field and words, and nothing was changed. What a run remembers or learns
//! meanwhile comes by itself.

mod damaged;
mod desk;
mod facts;
mod keys;
mod news;
mod probe;
mod saving;
mod search;
mod used;

pub(crate) use desk::Desk;
pub use facts::TypedFact;
pub use used::{Estimated, Used};

use super::preferences::{Limit, Preferences, Problem, Role, TypedFacts, TypedServer};
use gloss_agent::{Cycle, Failure, OnToolFailure, Reflection, Style};
use gloss_durable::RunId;
use gloss_durable::sorted::SortedSet;
use gloss_host::Keeping;
use gloss_memory::{Fact, FactId, LeftOut};
use gloss_model::prompts::Name;
use gloss_model::{Language, Micros, Profile};
use gloss_tools::{Group, ToolOffer};
use gloss_web::search::{Category, Engine};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What the options page asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// Sets one thing.
    Change {
        /// It.
        change: Change,
    },
    /// Keeps a profile, new or changed.
    SaveProfile {
        /// It.
        profile: Profile,
        /// Its key; empty keeps the one that is there.
        key: TypedKey,
    },
    /// Takes a profile and its key away.
    RemoveProfile {
        /// Whose.
        id: String,
    },
    /// Speaks to a profile's server: whether it takes the key, and which models it has.
    Test {
        /// The profile, kept or not.
        profile: Profile,
        /// Its key; empty is the one that is there.
        key: TypedKey,
    },
    /// Keeps what is set about a search provider.
    SaveSearch {
        /// Which.
        engine: Engine,
        /// Its settings.
        server: TypedServer,
        /// Its key; empty keeps the one that is there.
        key: TypedKey,
    },
    /// Searches once with a provider as it stands in the form.
    TestSearch {
        /// Which.
        engine: Engine,
        /// Its settings, kept or not.
        server: TypedServer,
        /// Its key; empty is the one that is there.
        key: TypedKey,
    },
    /// Moves every key to where they are to be kept.
    KeepKeys {
        /// Where.
        keeping: Keeping,
        /// What they are to be under, if under one.
        passphrase: TypedKey,
    },
    /// Opens the keys until the browser closes.
    Unlock {
        /// What they are under.
        passphrase: TypedKey,
    },
    /// Locks them again.
    Lock,
    /// Forgets every key, and the passphrase that they were under.
    ForgetKeys,
    /// The settings as a text, without keys.
    Export,
    /// Takes over the settings of such a text.
    Import {
        /// The text.
        text: String,
    },
    /// Keeps a fact about the person, new or changed.
    WriteFact {
        /// It.
        fact: TypedFact,
    },
    /// Has a fact stay whatever it is worth, or no longer.
    PinFact {
        /// Which.
        id: FactId,
        /// Whether.
        pinned: Switch,
    },
    /// The facts that have these words, or nearly.
    FindFacts {
        /// As they were typed.
        typed: String,
    },
    /// Forgets a fact.
    ForgetFact {
        /// Which.
        id: FactId,
    },
    /// Takes back that facts were forgotten, or went for one that was written.
    BringBackFacts {
        /// That one.
        written: Option<FactId>,
        /// All of them.
        facts: Vec<Fact>,
    },
    /// The facts as a text.
    ExportFacts,
    /// Takes in the facts of such a text.
    ImportFacts {
        /// Which act it is, however often it is asked for; the page makes it.
        act: String,
        /// The text.
        text: String,
    },
    /// What was learned from failures.
    Learned,
    /// Forgets some of that.
    ForgetLearned {
        /// Which.
        ids: Vec<String>,
    },
    /// Takes back that it was forgotten.
    BringBackLearned {
        /// All of it.
        reflections: Vec<Reflection>,
    },
    /// What models used.
    Usage,
    /// The runs that cannot be read.
    Damaged,
    /// All that is kept of such a run, as a text.
    ExportDamaged {
        /// Which.
        run: RunId,
    },
    /// Every setting but the profiles as it was at first.
    Reset,
    /// Runs, page texts, settings, profiles and keys go.
    Erase,
}

/// A key or a passphrase as it was typed. Its `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TypedKey(pub String);

impl fmt::Debug for TypedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TypedKey")
    }
}

/// One setting's new value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// How readily tools are used.
    Style(Style),
    /// How a step is carried by model calls.
    Cycle(Cycle),
    /// A limit, as it was typed.
    Limit(Limit, String),
    /// Whether thoughts are shown unfolded.
    ShowThinking(bool),
    /// Whether conversations outlive the browser's session.
    KeepHistory(bool),
    /// What becomes of a run when a tool fails.
    OnToolFailure(OnToolFailure),
    /// A tool, by its name.
    Tool(String, Switch),
    /// The tools of a group.
    Group(Group, Switch),
    /// The profile that answers; `None` is the on-device model.
    Answers(Option<String>),
    /// The profile that plays a part; `None` follows the main one.
    Role(Role, Option<String>),
    /// Who goes on where a model cannot answer, in this order: ids of profiles, the
    /// empty one for the on-device model.
    Then(Vec<String>),
    /// What the person says of a profile's model, as it was typed; `None` goes back to
    /// what the package says.
    Facts(String, Option<TypedFacts>),
    /// A text of a person's own in the place of a prompt; `None` goes back to the default.
    Prompt(Name, Language, Option<String>),
    /// Every prompt as it was at first.
    ResetPrompts,
    /// Whom searches ask.
    SearchEngine(Engine),
    /// The domains that are trusted for a category, as they were typed.
    SearchDomains(Category, String),
}

/// Where a switch stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Switch {
    /// It may be used.
    On,
    /// It may not.
    Off,
}

impl Switch {
    /// Of a checkbox.
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

/// All that the options page shows of what is set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// What is set.
    pub preferences: Preferences,
    /// The tools that there are.
    pub tools: Vec<ToolOffer>,
    /// What is known of the person, the most lasting first.
    #[serde(default)]
    pub facts: Vec<Fact>,
    /// The ids of the profiles that have a key, and the names of the search providers' keys.
    pub with_key: Vec<String>,
    /// Where keys are kept.
    pub keeping: Keeping,
    /// Whether they wait for their passphrase.
    pub locked: bool,
    /// What is wrong with what is stored.
    pub warnings: Vec<Failure>,
    /// Since when what was used is counted as it is: everything was erased then, or the
    /// worker began, in milliseconds since the Unix epoch. Another means to ask anew.
    pub counted_since_ms: u64,
    /// How often what was learned has changed since the worker began. Another number means to
    /// ask anew.
    #[serde(default)]
    pub learned: u64,
}

/// What became of an [`Ask`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// The page's number for it.
    pub n: u32,
    /// What became of it.
    pub outcome: Outcome,
}

/// What an [`Ask`] came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is stored.
    Saved,
    /// It may not stand; nothing was changed.
    Refused {
        /// At which fields, and why.
        problems: Vec<Problem>,
    },
    /// It could not be done; nothing was changed.
    Failed {
        /// Why.
        failure: Failure,
    },
    /// The server answered.
    Listed {
        /// Its models.
        models: Vec<String>,
        /// In words, if the profile's model is not among them.
        missing: Option<Failure>,
    },
    /// The search provider answered.
    Found {
        /// So many results.
        results: u32,
        /// In this time.
        ms: u64,
    },
    /// A fact is stored, and others went for it.
    Wrote {
        /// They, with what it was itself before.
        went: Vec<Fact>,
    },
    /// What became of the facts of a file.
    TakenIn {
        /// How many are known now that were not.
        facts: usize,
        /// The others.
        left_out: Vec<Left>,
    },
    /// Which facts have the words.
    FoundFacts {
        /// They.
        ids: Vec<FactId>,
    },
    /// What was learned from failures.
    Learned {
        /// The newest first.
        reflections: Vec<Reflection>,
    },
    /// The text that was asked for.
    Exported {
        /// It.
        text: String,
    },
    /// The runs that cannot be read.
    Damaged {
        /// In the order of their ids.
        runs: Vec<Damaged>,
    },
    /// What models used.
    Usage {
        /// By run and model, in no order.
        used: Vec<Used>,
        /// What this month came to, erased runs included.
        month: Micros,
        /// The tokens of this session of the browser.
        session_tokens: u64,
        /// What they cost.
        session_cost: Micros,
    },
    /// Nothing is left.
    Erased,
}

/// Facts of a file that are not taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Left {
    /// Why.
    pub why: LeftOut,
    /// How many.
    pub facts: usize,
}

/// A run that cannot be read and is kept as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Damaged {
    /// Which.
    pub run: RunId,
    /// The size of what is kept of it.
    pub bytes: u64,
    /// When it began and by which version of Gloss, if its first record can be read.
    pub begun: Option<(u64, String)>,
}

#[cfg(test)]
mod minding_tests;
#[cfg(test)]
mod tests;
