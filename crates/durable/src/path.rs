//! The path of a step: `2/act/0/grade`.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The name of a step in its run, such as `2/act/0`. Parallel branches may run in another order in
/// a replay. A path doesn't depend on this order, so each step finds its own outcome.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Path(String);

impl Path {
    /// Returns the root path, which is the path of the run itself.
    pub fn root() -> Self {
        Self::default()
    }

    /// Returns the path with one more segment: `2/act` and `0` -> `2/act/0`.
    #[must_use]
    pub fn child(&self, segment: impl fmt::Display) -> Self {
        if self.0.is_empty() {
            Self(segment.to_string())
        } else {
            Self(format!("{}/{segment}", self.0))
        }
    }

    /// Returns the path without its last segment. The parent of the root is the root.
    #[must_use]
    pub fn parent(&self) -> Self {
        let above = self.0.rsplit_once('/').map_or("", |(above, _)| above);
        Self(above.to_owned())
    }

    /// Returns true if this path is `other` or below `other`.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        let below = self.0.strip_prefix(&other.0);
        other.0.is_empty() || below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// Returns the segments from the root.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/').filter(|segment| !segment.is_empty())
    }

    /// Returns the path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
