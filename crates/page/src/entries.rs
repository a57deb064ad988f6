//! Finds the entries of a page that is a list, such as list items, linked headlines or table rows.
//!
//! Driving example: the front page of a news site has a hundred headlines. Each headline is a
//! linked paragraph. Menus are lists too, but shorter, so the longest run of entries is returned.

use super::{Kind, Paragraph};

/// The maximum distance between two entries of a run, in paragraphs. The paragraphs between the
/// entries are dates and excerpts, for example.
const GAP: usize = 6;

/// The maximum length of an entry, in bytes. A longer paragraph is running text.
const LONGEST: usize = 400;

/// One entry of a page that is a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The paragraph that contains the entry.
    pub paragraph: &'a Paragraph,
    /// The entry's text, verbatim.
    pub text: &'a str,
}

/// Returns the entries of the longest list in `paragraphs`, in order.
pub(super) fn of(paragraphs: &[Paragraph]) -> Vec<Entry<'_>> {
    let mut runs: Vec<Vec<Entry<'_>>> = Vec::new();
    let mut last: Option<usize> = None;
    for (at, paragraph) in paragraphs.iter().enumerate() {
        let found = entries(paragraph);
        if found.is_empty() {
            continue;
        }
        let is_near = last.is_some_and(|last| at - last <= GAP);
        match runs.last_mut().filter(|_| is_near) {
            Some(run) => run.extend(found),
            None => runs.push(found),
        }
        last = Some(at);
    }
    // If several runs have the same length, the first is returned.
    runs.into_iter()
        .rev()
        .max_by_key(Vec::len)
        .unwrap_or_default()
}

fn entries(paragraph: &Paragraph) -> Vec<Entry<'_>> {
    let whole = || {
        vec![Entry {
            paragraph,
            text: &paragraph.text,
        }]
    };
    match paragraph.kind {
        Kind::Table => {
            let rows = paragraph
                .text
                .lines()
                .skip(1)
                .filter(|row| !row.trim().is_empty());
            rows.map(|text| Entry { paragraph, text }).collect()
        }
        Kind::Item if paragraph.text.len() <= LONGEST => whole(),
        Kind::Prose | Kind::Heading(_) | Kind::Definition if is_link(&paragraph.markdown) => {
            whole()
        }
        Kind::Prose
        | Kind::Heading(_)
        | Kind::Item
        | Kind::Definition
        | Kind::Quote
        | Kind::Caption
        | Kind::Code => Vec::new(),
    }
}

/// Returns true if a paragraph consists of one link.
pub(super) fn is_link(markdown: &str) -> bool {
    let bare = markdown.trim_start_matches(['#', ' ', '*', '-']);
    let inner = bare
        .trim_end_matches('*')
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(')'));
    inner.is_some_and(|inner| inner.matches("](").count() == 1)
}
