//! Selects as much of a page as fits into a number of tokens.
//!
//! Example: a manual of 300 pages is summarised from its most informative paragraphs, in
//! the page's order. The result says which share of the page was selected.

use super::{Document, Kind, Paragraph};
use gloss_text::index::{Entry, Index};
use gloss_text::summary::{Role, SummaryCandidate, choose};
use gloss_text::tokens::{AROUND_TOKENS, estimate};

/// The length of a short paragraph, in tokens. Few paragraphs are shorter. At most `budget /
/// SHORT_TOKENS` paragraphs are ranked, since more would hardly fit into the budget.
const SHORT_TOKENS: u32 = 60;

/// A selection from a page.
#[derive(Debug)]
pub struct Excerpt<'a> {
    /// The paragraphs, in the page's order.
    pub paragraphs: Vec<&'a Paragraph>,
    /// The share of the page's tokens that was selected, in percent; 100 only if the whole page was
    /// selected.
    pub share_percent: u8,
}

impl Document {
    /// Selects paragraphs with at most `budget_tokens` tokens in total. If the page is longer, the
    /// most informative paragraphs are selected. Paragraphs about `focus` are selected before all
    /// others.
    pub fn excerpt(&self, budget_tokens: u32, focus: Option<&str>) -> Excerpt<'_> {
        let paragraphs = within(self, budget_tokens, focus);
        let total: u32 = self.paragraphs.iter().map(tokens).sum();
        let read: u32 = paragraphs.iter().map(|paragraph| tokens(paragraph)).sum();
        Excerpt {
            paragraphs,
            share_percent: share(read, total),
        }
    }
}

/// Returns the tokens of a paragraph, including the JSON syntax around it.
fn tokens(paragraph: &Paragraph) -> u32 {
    estimate(&paragraph.markdown).saturating_add(AROUND_TOKENS)
}

fn share(read: u32, total: u32) -> u8 {
    if total == 0 {
        return 100;
    }
    let percent = u64::from(read) * 100 / u64::from(total);
    // The share is at most 99 % if any paragraph was left out.
    u8::try_from(if read < total { percent.min(99) } else { 100 }).unwrap_or(100)
}

/// Returns all paragraphs if they fit into `budget`, or else the best that fit, in the page's
/// order.
fn within<'a>(page: &'a Document, budget: u32, focus: Option<&str>) -> Vec<&'a Paragraph> {
    let total: u32 = page.paragraphs.iter().map(tokens).sum();
    if total <= budget {
        return page.paragraphs.iter().collect();
    }
    let mut left = budget;
    let mut chosen: Vec<&Paragraph> = Vec::new();
    let most = usize::try_from(budget / SHORT_TOKENS).unwrap_or(usize::MAX);
    for paragraph in ranked(page, most, focus) {
        let cost = tokens(paragraph);
        if cost <= left {
            left -= cost;
            chosen.push(paragraph);
        }
    }
    chosen.sort_unstable_by_key(|paragraph| paragraph.number);
    chosen
}

/// Returns all paragraphs about `focus`, followed by the most informative others, at most `most`.
fn ranked<'a>(page: &'a Document, most: usize, focus: Option<&str>) -> Vec<&'a Paragraph> {
    let language = page.text_language();
    let mut ranked: Vec<&Paragraph> = Vec::new();
    if let Some(focus) = focus {
        let entries = page.paragraphs.iter().map(|paragraph| Entry {
            heading: "",
            text: &paragraph.text,
        });
        let hits = Index::new(language, entries).search(focus, page.paragraphs.len());
        ranked.extend(hits.iter().filter_map(|hit| page.paragraphs.get(hit.item)));
    }
    let prose: Vec<&Paragraph> = page
        .paragraphs
        .iter()
        .filter(|paragraph| !matches!(paragraph.kind, Kind::Heading(_) | Kind::Code))
        .collect();
    let candidates: Vec<SummaryCandidate<'_>> = prose
        .iter()
        .map(|paragraph| SummaryCandidate {
            text: &paragraph.text,
            paragraph: paragraph.number,
            role: Role::Prose,
        })
        .collect();
    let best = choose(&candidates, language, prose.len().min(most));
    ranked.extend(best.iter().filter_map(|index| prose.get(*index)));
    let mut seen = std::collections::BTreeSet::new();
    ranked.retain(|paragraph| seen.insert(paragraph.number));
    ranked
}
