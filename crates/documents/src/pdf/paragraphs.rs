//! Joins lines into paragraphs and headings.

use super::Page;
use super::lines::Line;
use crate::builder::{DocumentBuilder, is_dense};
use crate::{Block, Kind};
use std::collections::BTreeMap;

/// The minimum font size of a heading, as a multiple of the body text's size.
const LARGER: f64 = 1.12;

/// The maximum length of a heading, in bytes. A longer text in large type is body text.
const LONGEST_HEADING: usize = 240;

/// The minimum number of pages that repeat a line at their edge. The line is then a running header
/// or footer.
const ALIKE: usize = 3;

/// The height of the strips at a page's upper and lower edge, as a share of the page's height.
const EDGE: f64 = 0.12;

pub(super) fn tell(pages: &[Page], growing: &mut DocumentBuilder) {
    let sizes = Sizes::of(pages);
    let edges = edges(pages);
    for (number, page) in (1..).zip(pages) {
        let is_alike = |line: &&Line| {
            let alike = edges.get(&edge(line));
            is_outer(page, line) && alike.is_some_and(|pages| *pages >= ALIKE)
        };
        let mut open: Option<Open> = None;
        for line in page.lines.iter().filter(|line| !is_alike(line)) {
            match open.as_mut().filter(|open| open.continues(line, &sizes)) {
                Some(open) => open.add(line),
                None => {
                    if let Some(done) = open.replace(Open::of(line)) {
                        growing.push(done.block(number, &sizes));
                    }
                }
            }
        }
        if let Some(done) = open {
            growing.push(done.block(number, &sizes));
        }
    }
}

/// Returns true if a line is at the upper or lower edge of its page.
fn is_outer(page: &Page, line: &Line) -> bool {
    let down = line.across / page.height.max(1.0);
    line.quarter == 0 && !(EDGE..=1.0 - EDGE).contains(&down)
}

/// Returns, for each line at an edge, the number of pages with the same line at the same height.
/// Page numbers in the line are ignored.
fn edges(pages: &[Page]) -> BTreeMap<(i64, String), usize> {
    let mut edges = BTreeMap::new();
    for page in pages {
        for line in page.lines.iter().filter(|line| is_outer(page, line)) {
            *edges.entry(edge(line)).or_default() += 1;
        }
    }
    edges
}

fn edge(line: &Line) -> (i64, String) {
    let is_figure = |it: char| it.is_numeric() || "ivxlcIVXLC".contains(it);
    let words = line.text.split_whitespace();
    let words: Vec<&str> = words.filter(|word| !word.chars().all(is_figure)).collect();
    (line.across.round() as i64, words.join(" "))
}

/// The font sizes and line distances of the document. Font sizes are in half points.
struct Sizes {
    /// The font sizes of headings, from the largest to the smallest.
    larger: Vec<i64>,
    /// The distance between the lines of a paragraph, in hundredths of the font size.
    leading: i64,
}

fn halves(size: f64) -> i64 {
    (size * 2.0).round() as i64
}

impl Sizes {
    fn of(pages: &[Page]) -> Self {
        let mut written: BTreeMap<i64, usize> = BTreeMap::new();
        let mut leadings: BTreeMap<i64, usize> = BTreeMap::new();
        for line in pages.iter().flat_map(|page| &page.lines) {
            *written.entry(halves(line.size)).or_default() += line.text.len();
        }
        let body = most(&written).unwrap_or(20);
        for page in pages {
            let pairs = page.lines.iter().zip(page.lines.iter().skip(1));
            for (one, next) in pairs {
                let apart = (next.across - one.across) / one.size * 100.0;
                if halves(one.size) == body && halves(next.size) == body && apart > 80.0 {
                    // Distances are rounded to multiples of five, because a difference of half a
                    // point is invisible.
                    *leadings
                        .entry((apart / 5.0).round() as i64 * 5)
                        .or_default() += 1;
                }
            }
        }
        let is_larger = |size: &&i64| **size as f64 >= body as f64 * LARGER;
        let larger = written.keys().rev().filter(is_larger).copied().collect();
        Self {
            larger,
            leading: most(&leadings).unwrap_or(120).min(200),
        }
    }

    /// Returns the level of a heading of this font size, from 1; `None` for the size of body text.
    fn level(&self, size: f64) -> Option<u8> {
        let size = halves(size);
        let place = self.larger.iter().position(|larger| *larger == size)?;
        Some(u8::try_from(place + 1).unwrap_or(6).min(6))
    }
}

fn most(counted: &BTreeMap<i64, usize>) -> Option<i64> {
    let most = counted.iter().max_by_key(|(_, count)| **count);
    most.map(|(value, _)| *value)
}

/// A paragraph to which lines may be added.
struct Open {
    text: String,
    kind: Kind,
    last: Line,
    /// The left edge of the paragraph's second line, or of its only line, in points.
    left: f64,
    lines: usize,
}

impl Open {
    fn of(line: &Line) -> Self {
        let is_item = is_item(&line.text);
        Self {
            text: line.text.clone(),
            kind: if is_item { Kind::Item } else { Kind::Prose },
            last: line.clone(),
            left: line.start,
            lines: 1,
        }
    }

    fn continues(&self, line: &Line, sizes: &Sizes) -> bool {
        let size = self.last.size;
        let is_same = halves(line.size).abs_diff(halves(size)) <= 1;
        if !is_same || line.quarter != self.last.quarter || is_item(&line.text) {
            return false;
        }
        let apart = line.across - self.last.across;
        if apart.abs() < 0.5 * size {
            // A line next to the last line is a cell of the same table row.
            return true;
        }
        if apart < 0.0 {
            // The line is at the top of the next column.
            return sizes.level(size).is_none() && !ends(&self.text);
        }
        let is_near = apart / size * 100.0 <= sizes.leading as f64 * 1.25;
        // From the second line on, `left` is the left edge of the second line, because the first
        // line may be indented.
        let left = if self.lines == 1 {
            line.start.min(self.left)
        } else {
            self.left
        };
        let is_indented = line.start > left + 0.8 * size && self.kind == Kind::Prose;
        let has_left = self.lines > 1 && line.start < self.left - 0.8 * size;
        is_near && !(is_indented && self.lines > 1) && !has_left
    }

    fn add(&mut self, line: &Line) {
        join(&mut self.text, &line.text);
        if self.lines == 1 {
            self.left = line.start;
        }
        self.lines += 1;
        self.last = line.clone();
    }

    fn block(self, page: u32, sizes: &Sizes) -> Block {
        let level = sizes.level(self.last.size);
        let is_short = self.text.len() <= LONGEST_HEADING;
        let has_words = self.text.chars().any(char::is_alphabetic);
        let kind = match level.filter(|_| is_short && has_words) {
            Some(level) => Kind::Heading(level),
            None => self.kind,
        };
        let text = match kind {
            Kind::Item => without_bullet(&self.text).to_owned(),
            _ => self.text,
        };
        Block {
            kind,
            text,
            link: None,
            page,
        }
    }
}

/// Appends a line to `text`. A word that was hyphenated at the line break is joined.
fn join(text: &mut String, line: &str) {
    let mut ends = text.chars().rev();
    let (last, before) = (ends.next(), ends.next());
    let next = line.chars().next();
    let goes_on = next.is_some_and(char::is_lowercase);
    if last == Some('\u{ad}')
        || (last == Some('-') && goes_on && before.is_some_and(char::is_lowercase))
    {
        text.pop();
    } else if !(last.is_some_and(is_dense) || next.is_some_and(is_dense)) {
        text.push(' ');
    }
    text.push_str(line);
}

const BULLETS: [char; 9] = ['•', '◦', '▪', '‣', '●', '○', '■', '–', '·'];

/// Returns true if a line begins a list item.
fn is_item(text: &str) -> bool {
    let mut characters = text.chars();
    let is_bullet = characters.next().is_some_and(|it| BULLETS.contains(&it));
    is_bullet && characters.next() == Some(' ') && characters.next().is_some()
}

fn without_bullet(text: &str) -> &str {
    text.trim_start_matches(BULLETS).trim_start()
}

/// Returns true if a paragraph that ends with this text may be complete.
fn ends(text: &str) -> bool {
    text.ends_with(['.', '!', '?', ':', '。', '！', '？', '：', '”', '」'])
}
