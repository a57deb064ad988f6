//! How a call ended, and as what journals of before there were names for it have it.

use serde::de::{self, Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a call ended (DETAILS §4); before that it waits its turn, or runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallEnd {
    /// It gave a result.
    Completed,
    /// It gave an error.
    Failed,
    /// It did not end in time.
    TimedOut,
    /// It was not made: the run may make no more.
    Skipped,
    /// It was not made, or in vain: it lacks the person's word.
    Rejected,
}

impl CallEnd {
    /// Whether something went wrong, rather than was not wanted.
    pub fn is_error(self) -> bool {
        match self {
            Self::Failed | Self::TimedOut => true,
            Self::Completed | Self::Skipped | Self::Rejected => false,
        }
    }
}

/// Journals of before there were names for it say whether there was a result.
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
