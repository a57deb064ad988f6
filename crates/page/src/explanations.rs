//! Finds the sentences of a document that explain a selected text.
//!
//! Example: the user selects "M2". Three screens above, the page defines "M2".
//! [`gloss_text::context`] decides which sentences explain a selection.

use super::{Document, Sentence};
use gloss_text::context::{Reason, explain_selection};

impl Document {
    /// Finds at most `most` sentences that explain `selection`, the most helpful first. Each
    /// sentence has a reason, such as "definition". `around` is the text of the block in which the
    /// user selected the text, if known.
    pub fn find_explanations(
        &self,
        selection: &str,
        around: Option<&str>,
        most: usize,
    ) -> Vec<(Sentence<'_>, Reason)> {
        let language = self.text_language();
        let sentences = self.sentences(language);
        let texts: Vec<&str> = sentences.iter().map(|sentence| sentence.text).collect();
        let findings = explain_selection(selection, around, &texts, language);
        let chosen = findings.iter().take(most);
        chosen
            .filter_map(|finding| Some((*sentences.get(finding.sentence)?, finding.reason)))
            .collect()
    }
}
