//! Why a run failed, in words for the person, and what mends it.

use gloss_model::phrase::Phrase;
use serde::{Deserialize, Serialize};

/// Why a run failed, for the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// A stable code.
    pub code: String,
    /// Who refused what.
    pub title: Phrase,
    /// Why, and what to do.
    pub remedy: Phrase,
    /// Whether trying again may help.
    pub recoverable: bool,
    /// What can be copied to mend it, by system: a page puts its own first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commands: Vec<SystemCommand>,
}

/// A command or a setting that mends a failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemCommand {
    /// Where it is for; `None`: anywhere.
    pub system: Option<System>,
    /// Where to put it, and what to do then.
    pub steps: Phrase,
    /// What is copied.
    pub text: String,
}

/// The systems whose settings differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum System {
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
    /// Linux with systemd.
    Linux,
}
