//! What a person set about searching: whom to ask, where it is, how often.

use super::{Domains, Engine};
use gloss_durable::sorted::SortedMap;
use serde::{Deserialize, Serialize};

/// The most searches a minute that can be set.
pub const MOST_A_MINUTE: u32 = 60;
/// The most searches a day that can be set.
pub const MOST_A_DAY: u32 = 10_000;

/// All of it, but for keys.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Who is asked.
    pub engine: Engine,
    /// What the person said of each; whoever is not named is as at first.
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    pub servers: SortedMap<Engine, Server>,
    /// The domains trusted for each category.
    #[serde(skip_serializing_if = "Domains::is_default")]
    pub domains: Domains,
}

/// One provider, as it is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Server {
    /// Where it is; empty: nobody said.
    pub base_url: String,
    /// Which of the person's search engines (Google's `cx`).
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The most searches in 60 seconds (DETAILS §4).
    pub per_minute: u32,
    /// The most in 24 hours.
    pub per_day: u32,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            base_url: String::new(),
            id: String::new(),
            per_minute: 10,
            per_day: 200,
        }
    }
}

impl Server {
    /// As it is at first.
    pub fn of(engine: Engine) -> Self {
        Self {
            base_url: engine.base_url().to_owned(),
            ..Self::default()
        }
    }
}

impl Settings {
    /// Whether nothing was set.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// What a run needs of it: who is asked, and no other provider's settings.
    #[must_use]
    pub fn of_a_run(&self) -> Self {
        let own = self.servers.get(&self.engine);
        Self {
            engine: self.engine,
            servers: own
                .map(|server| (self.engine, server.clone()))
                .into_iter()
                .collect(),
            domains: self.domains.clone(),
        }
    }

    /// How a provider is set.
    pub fn server(&self, engine: Engine) -> Server {
        let set = self.servers.get(&engine).cloned();
        set.unwrap_or_else(|| Server::of(engine))
    }
}
