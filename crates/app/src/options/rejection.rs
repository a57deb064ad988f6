//! The reasons for which a request of an options page does not succeed.

use super::super::preferences::{FieldName, Problem};
use gloss_durable::StoreError;
use gloss_model::phrase::Phrase;

pub(super) enum Rejection {
    Refused(Vec<Problem>),
    Stored(StoreError),
}

impl Rejection {
    pub(super) fn at(field: FieldName, words: Phrase) -> Self {
        Self::Refused(vec![Problem::at(field, words)])
    }
}

impl From<StoreError> for Rejection {
    fn from(error: StoreError) -> Self {
        Self::Stored(error)
    }
}
