//! The ways in which a tool call ends, and the form in which older journals store them.

use serde::de::{self, Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The way in which a tool call ended (DETAILS §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallEnd {
    /// The call returned a result.
    Completed,
    /// The call returned an error.
    Failed,
    /// The call exceeded its time limit.
    TimedOut,
    /// The call was not made, because the run had reached a limit or the call would have failed
    /// again.
    Skipped,
    /// The call was not made, because it lacked the user's consent or permission.
    Rejected,
}

impl CallEnd {
    /// Returns true if something failed. A call that was refused or skipped is not an error.
    pub fn is_error(self) -> bool {
        match self {
            Self::Failed | Self::TimedOut => true,
            Self::Completed | Self::Skipped | Self::Rejected => false,
        }
    }
}

/// Older journals store a boolean instead: true if the call returned a result.
impl<'de> Deserialize<'de> for CallEnd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Ends)
    }
}

struct Ends;

impl Visitor<'_> for Ends {
    type Value = CallEnd;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("how a call ended")
    }

    fn visit_bool<E: de::Error>(self, success: bool) -> Result<CallEnd, E> {
        Ok(if success {
            CallEnd::Completed
        } else {
            CallEnd::Failed
        })
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<CallEnd, E> {
        Ok(match name {
            "completed" => CallEnd::Completed,
            "failed" => CallEnd::Failed,
            "timed_out" => CallEnd::TimedOut,
            "skipped" => CallEnd::Skipped,
            "rejected" => CallEnd::Rejected,
            _ => return Err(E::invalid_value(Unexpected::Str(name), &self)),
        })
    }
}
