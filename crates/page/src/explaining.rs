//! The sentences of a document that explain what is selected on it.
//!
//! Driving example: "M2" is selected; the page defines it three screens above. What
//! explains is [`gloss_text::context`]'s to judge.

use super::{Document, Sentence};
use gloss_text::context::{Reason, about};

impl Document {
    /// The sentences that explain a selection, each with what it does for it, at most so
    /// many, the most helpful first. `around` is the block it was selected in, if known.
    pub fn explaining(
        &self,
        selection: &str,
        around: Option<&str>,
        most: usize,
    ) -> Vec<(Sentence<'_>, Reason)> {
        let language = self.written_in();
        let sentences = self.sentences(language);
        let texts: Vec<&str> = sentences.iter().map(|sentence| sentence.text).collect();
        let findings = about(selection, around, &texts, language);
        let chosen = findings.iter().take(most);
        chosen
            .filter_map(|finding| Some((*sentences.get(finding.sentence)?, finding.reason)))
            .collect()
    }
}
