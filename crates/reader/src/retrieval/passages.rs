//! Finds the best paragraphs of a page's best sections.

use super::rank::{Scores, best_first};
use gloss_page::{Document, Kind, Paragraph};
use gloss_text::embedding::Embeddings;
use gloss_text::index::Entry;

/// The number of sections whose paragraphs are ranked. These are the best sections.
const SECTIONS: usize = 8;

/// Returns at most `most` paragraphs about `query`, best first. A paragraph is scored together with
/// its headings, and the score of its section is added. A paragraph is left out if it has no word
/// in common with the question and no similar meaning.
pub fn passages<'a>(
    page: &'a Document,
    query: &str,
    most: usize,
    meaning: Option<&Embeddings>,
) -> Vec<&'a Paragraph> {
    let language = page.text_language();
    let sections = page.sections();
    let texts: Vec<(String, String)> = sections
        .iter()
        .map(|section| (section.headings.join("\n"), section.text()))
        .collect();
    let entries: Vec<Entry<'_>> = texts
        .iter()
        .map(|(heading, text)| Entry { heading, text })
        .collect();
    let of_sections = Scores::new(&entries, query, language, meaning).together();
    let mut best = best_first(&of_sections);
    best.truncate(SECTIONS);
    let mut above: Vec<f64> = Vec::new();
    let mut candidates: Vec<&Paragraph> = Vec::new();
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for at in best {
        if let (Some(section), Some(score), Some((heading, _))) =
            (sections.get(at), of_sections.get(at), texts.get(at))
        {
            for paragraph in section.paragraphs {
                if !matches!(paragraph.kind, Kind::Heading(_)) {
                    above.push(*score);
                    candidates.push(paragraph);
                    let text = &paragraph.text;
                    entries.push(Entry { heading, text });
                }
            }
        }
    }
    let own = Scores::new(&entries, query, language, meaning);
    let together = own.together().into_iter().zip(above);
    let together: Vec<f64> = together.map(|(own, above)| own + above).collect();
    best_first(&together)
        .into_iter()
        .filter(|at| own.is_relevant(*at))
        .filter_map(|at| candidates.get(at).copied())
        .take(most)
        .collect()
}
