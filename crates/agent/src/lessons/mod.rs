//! The lessons from failed tool calls of all runs on this device.

pub(crate) mod relevance;
pub(crate) mod storable;
pub(crate) mod store;

pub(crate) use relevance::{Topic, Topics, count_shared, is_relevant};
pub(crate) use storable::storable_part;
pub(crate) use store::{FindSimilarLessons, MOST_GIVEN};
pub use store::{LessonStore, StoreLessons};
