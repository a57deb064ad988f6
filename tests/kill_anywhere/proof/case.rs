//! One case, and the command that runs it again.

use std::fmt;
use std::str::FromStr;

/// A scenario, a seed, and the ticks at which workers are killed. Each tick is counted from the
/// death of the worker before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Case {
    pub(crate) scenario: String,
    pub(crate) seed: u64,
    pub(crate) kills: Vec<u64>,
}

impl Case {
    pub(crate) fn new(scenario: &str, seed: u64, kills: &[u64]) -> Self {
        Self {
            scenario: scenario.to_owned(),
            seed,
            kills: kills.to_vec(),
        }
    }

    /// The shell command that runs only this case, and prints what happens in each life.
    pub(crate) fn command(&self) -> String {
        format!(
            "GLOSS_CASE='{self}' cargo test --features sim --test kill_anywhere replay -- --nocapture"
        )
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kills: Vec<String> = self.kills.iter().map(u64::to_string).collect();
        write!(f, "{}:{}:{}", self.scenario, self.seed, kills.join(","))
    }
}

impl FromStr for Case {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("a case is scenario:seed:kill,kill; this is {text:?}");
        let [scenario, seed, kills] = text.split(':').collect::<Vec<_>>()[..] else {
            return Err(wrong());
        };
        let kills = kills.split(',').filter(|kill| !kill.is_empty());
        Ok(Self {
            scenario: scenario.to_owned(),
            seed: seed.parse().map_err(|_| wrong())?,
            kills: kills
                .map(|kill| kill.parse().map_err(|_| wrong()))
                .collect::<Result<_, _>>()?,
        })
    }
}
