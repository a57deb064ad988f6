//! The ways in which a call ends, with the form that older journals use.

use serde::de::{self, Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The way in which a call ended (DETAILS §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallEnd {
    /// It returned a result.
    Completed,
    /// It returned an error.
    Failed,
    /// It exceeded its time limit.
    TimedOut,
    /// It was not made, because it exceeded a limit or would have failed again.
    Skipped,
    /// It lacked the user's consent or permission.
    Rejected,
}

impl CallEnd {
    /// Returns true if something failed, as opposed to being refused or skipped.
    pub fn is_error(self) -> bool {
        match self {
            Self::Failed | Self::TimedOut => true,
            Self::Completed | Self::Skipped | Self::Rejected => false,
        }
    }
}

/// Older journals store a bool instead: true if there was a result.
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
