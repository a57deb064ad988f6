//! Failures in words for the user, with their remedies.

use gloss_model::phrase::Phrase;
use serde::{Deserialize, Serialize};

/// A failure, as the user reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// A stable identifier, such as `page_empty`.
    pub code: String,
    /// The title: what failed, and where.
    pub title: Phrase,
    /// The cause, and what to do.
    pub remedy: Phrase,
    /// True if a retry may help.
    pub recoverable: bool,
    /// The commands and settings that fix the failure. A page shows those for the user's operating
    /// system first.
    #[serde(default)]
    pub commands: Vec<SystemCommand>,
}

/// A command or setting that fixes a failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemCommand {
    /// The operating system to which the command applies; `None` means every system.
    pub system: Option<System>,
    /// The instructions: where to enter the text, and what to do next.
    pub steps: Phrase,
    /// The text to copy.
    pub text: String,
}

/// The operating systems whose settings differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum System {
    /// macOS, whose settings `launchctl` changes.
    MacOs,
    /// Windows, whose settings `setx` changes.
    Windows,
    /// Linux with systemd.
    Linux,
}
