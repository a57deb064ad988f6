//! Finds the sentences of a document that explain a selected text.
//!
//! Example: the user selects "M2". Three screens above, the page defines "M2".
//! [`gloss_text::context`] decides which sentences explain a selection.

use super::{Document, Kind, Paragraph, Sentence};
use gloss_text::context::{Candidate, Lead, Reason, explain_selection};

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
        let candidates = self.candidates(&sentences);
        let findings = explain_selection(selection, around, &candidates, language);
        let chosen = findings.iter().take(most);
        chosen
            .filter_map(|finding| Some((*sentences.get(finding.sentence)?, finding.reason)))
            .collect()
    }

    /// Finds the heading or entry to which each sentence directly belongs.
    fn candidates<'a>(&'a self, sentences: &[Sentence<'a>]) -> Vec<Candidate<'a>> {
        let mut paragraphs = self.paragraphs.iter().peekable();
        let title = self.title.split(['|', '·', '—', '–']).next();
        let title = title.and_then(|title| title.split(" - ").next());
        let mut heading = Lead::Heading(title.unwrap_or_default());
        let mut entry = Lead::None;
        let candidate = |sentence: &Sentence<'a>| {
            let paragraph = sentence.paragraph;
            while let Some(above) = paragraphs.next_if(|above| above.number <= paragraph.number) {
                match name(above) {
                    Some(lead @ Lead::Entry(_)) => entry = lead,
                    Some(lead) => heading = lead,
                    None => {}
                }
            }
            let own = (sentence.place == 1)
                .then(|| beginning(paragraph))
                .flatten();
            let lead = match (own, paragraph.kind) {
                (Some(own), _) => Lead::Entry(own),
                _ if name(paragraph).is_some() => Lead::None,
                (None, Kind::Definition) => std::mem::take(&mut entry),
                (None, Kind::Prose) if ends(sentence.text) => std::mem::take(&mut heading),
                (None, _) => Lead::None,
            };
            Candidate {
                text: sentence.text,
                markdown: &paragraph.markdown,
                lead,
            }
        };
        sentences.iter().map(candidate).collect()
    }
}

/// Returns true for a sentence with a mark at its end, unlike the line "Author: Ann".
fn ends(sentence: &str) -> bool {
    let bare = sentence.trim_end_matches(['"', '”', '’', ')', '」', '»']);
    bare.ends_with(['.', ':', '!', '?', '。', '：', '！', '？'])
}

/// Returns the paragraph as the name of the text below: a heading, an entry of a list of
/// definitions, or a paragraph in bold type.
fn name(paragraph: &Paragraph) -> Option<Lead<'_>> {
    let is_bold = || {
        let inner = paragraph.markdown.strip_prefix("**")?.strip_suffix("**")?;
        (!inner.contains("**")).then_some(())
    };
    match paragraph.kind {
        Kind::Heading(_) => Some(Lead::Heading(&paragraph.text)),
        Kind::Definition => is_bold().map(|()| Lead::Entry(&paragraph.text)),
        Kind::Prose => is_bold().map(|()| Lead::Heading(&paragraph.text)),
        Kind::Item | Kind::Quote | Kind::Caption | Kind::Code | Kind::Table => None,
    }
}

/// Returns the text in bold type with which a paragraph begins.
fn beginning(paragraph: &Paragraph) -> Option<&str> {
    let text = paragraph.markdown.trim_start_matches([' ', '-']);
    let (head, rest) = text.strip_prefix("**")?.split_once("**")?;
    (!rest.is_empty()).then_some(head)
}

#[cfg(test)]
mod tests {
    use gloss_text::context::Reason;

    #[test]
    fn headings_entries_and_bold_type_name_the_text_below() {
        let html = "<html lang=en><head><title>Locks</title></head><body><article><h1>Locks</h1>\
            <p>This page is about threads that wait for each other in a large program.</p>\
            <h2>1.2. Guards</h2><p>A guard must succeed before anything else is tried at all.</p>\
            <p>Every guard costs time.</p>\
            <dl><dt>dirty read</dt><dd>A transaction sees what another one has not finished.</dd>\
            <dt>lost update</dt><dd>Two writers overwrite each other without any warning.</dd></dl>\
            <ul><li><b>Latch</b> protects a page for a very short time.</li></ul>\
            </article></body></html>";
        let page = crate::read(html, "https://example.org/").unwrap();
        for (term, defines) in [
            (
                "guard",
                "A guard must succeed before anything else is tried at all.",
            ),
            (
                "dirty read",
                "A transaction sees what another one has not finished.",
            ),
            (
                "lost update",
                "Two writers overwrite each other without any warning.",
            ),
            ("latch", "Latch protects a page for a very short time."),
        ] {
            let found = page.find_explanations(term, None, 1);
            let found = found.first().map(|(sentence, why)| (sentence.text, *why));
            assert_eq!(found, Some((defines, Reason::Definition)), "{term}");
        }
    }
}
