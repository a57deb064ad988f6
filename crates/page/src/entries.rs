//! Finds the entries of a page that is a list, such as list items, linked headlines or table rows.
//!
//! Example: the front page of a news site has a hundred headlines. Each headline is a
//! linked paragraph. Menus are lists too, but shorter, so the longest run of entries is returned.

use std::collections::BTreeSet;

use super::{Document, Kind, Paragraph};

/// The maximum distance between two entries of a run, in paragraphs. The paragraphs between the
/// entries are dates and excerpts, for example.
const GAP: usize = 6;

/// The maximum length of a list item that is an entry, in bytes. A longer item is running text.
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

impl Document {
    /// Returns the sections of the longest list, each as its first line with the number of entries
    /// below it. Returns nothing if many entries are in no section.
    pub fn entry_sections(&self) -> Vec<(Entry<'_>, usize)> {
        let entries = self.entries();
        let listed = entries.iter().map(|entry| entry.paragraph.number);
        let listed: BTreeSet<u32> = listed.collect();
        let mut heading = None;
        let mut lines: Vec<(usize, &Paragraph)> = Vec::new();
        for paragraph in &self.paragraphs {
            if matches!(paragraph.kind, Kind::Heading(_)) {
                heading = Some(paragraph);
            } else if listed.contains(&paragraph.number) {
                let above = heading.take().into_iter().chain([paragraph]);
                lines.extend(above.map(|line| (depth(line), line)));
            }
        }
        let depths: BTreeSet<usize> = lines.iter().map(|(depth, _)| *depth).collect();
        let is_enough = |sections: &Vec<(Entry<'_>, usize)>| {
            let within: usize = sections.iter().map(|(_, count)| count + 1).sum();
            (2..=MOST_SECTIONS).contains(&sections.len()) && within * 10 >= entries.len() * 8
        };
        let mut sections = depths.into_iter().map(|depth| sections_at(&lines, depth));
        sections.find(is_enough).unwrap_or_default()
    }
}

/// The maximum number of sections that give an overview of a list.
const MOST_SECTIONS: usize = 40;

/// Returns each line at this depth or above that deeper lines follow, with their number.
fn sections_at<'a>(lines: &[(usize, &'a Paragraph)], depth: usize) -> Vec<(Entry<'a>, usize)> {
    let mut sections: Vec<(Entry<'a>, usize)> = Vec::new();
    for (at, paragraph) in lines {
        if *at <= depth {
            let text = &paragraph.text;
            sections.push((Entry { paragraph, text }, 0));
        } else if let Some((_, count)) = sections.last_mut() {
            *count += 1;
        }
    }
    sections.retain(|(_, count)| *count > 0);
    sections
}

/// Returns the depth of a line: the level of a heading, or the indentation of an entry, which is
/// below all headings.
fn depth(paragraph: &Paragraph) -> usize {
    let markdown = &paragraph.markdown;
    match paragraph.kind {
        Kind::Heading(level) => level.into(),
        _ => 7 + markdown.len() - markdown.trim_start().len(),
    }
}

impl Paragraph {
    /// Returns true if more than half of the paragraph's text is link text. Such a paragraph leads
    /// to another page: "See also: [the headline](url)".
    pub fn is_mostly_links(&self) -> bool {
        let mut parts: Vec<&str> = self.markdown.split("](").collect();
        parts.pop();
        let linked = parts.iter().filter_map(|part| part.rsplit_once('['));
        let linked: usize = linked.map(|(_, text)| text.len()).sum();
        linked * 2 > self.text.len()
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
