//! The user's settings for searching: the provider, its address, and the limits.

use super::{Domains, ProviderKind};
use gloss_durable::sorted::SortedMap;
use serde::{Deserialize, Serialize};

/// The highest limit on searches per minute that the user can set.
pub const MOST_A_MINUTE: u32 = 60;
/// The highest limit on searches per day that the user can set.
pub const MOST_A_DAY: u32 = 10_000;

/// All search settings except the keys.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The selected provider.
    pub engine: ProviderKind,
    /// The settings of each provider. A provider that is not in the map has its default settings.
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    pub servers: SortedMap<ProviderKind, Server>,
    /// The trusted domains of each category.
    #[serde(skip_serializing_if = "Domains::is_default")]
    pub domains: Domains,
}

/// The settings of one provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Server {
    /// The base address of the provider's API; empty if the user has not set it.
    pub base_url: String,
    /// The id of the user's search engine (Google's `cx`).
    #[serde(skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The maximum number of searches in 60 seconds (DETAILS §4).
    pub per_minute: u32,
    /// The maximum number of searches in 24 hours.
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
    /// Returns the default settings of a provider.
    pub fn of(engine: ProviderKind) -> Self {
        Self {
            base_url: engine.base_url().to_owned(),
            ..Self::default()
        }
    }
}

impl Settings {
    /// Returns true if no setting was changed.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Returns a copy without the settings of the other providers, which a run does not need.
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

    /// Returns the settings of a provider.
    pub fn server(&self, engine: ProviderKind) -> Server {
        let set = self.servers.get(&engine).cloned();
        set.unwrap_or_else(|| Server::of(engine))
    }
}
