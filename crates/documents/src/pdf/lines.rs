//! Joins glyphs into lines.

use super::glyphs::Glyph;
use crate::builder::is_dense;

/// The minimum width of a space, as a share of the font size. A gap between words usually is 0.25
/// to 0.33 wide, and half as wide in a tightly set line. A gap between kerned letters is below 0.1.
const SPACE: f64 = 0.12;

/// The minimum width of a space between full-width characters, as a share of the font size. The
/// value is larger, because Chinese characters are spread to fill their line.
const DENSE_SPACE: f64 = 0.6;

/// The minimum gap between two lines side by side, as a multiple of the font size.
const ASIDE: f64 = 12.0;

/// A line of text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) text: String,
    /// The left and right end and the vertical position of the line, in points.
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) across: f64,
    /// The font size of the line's largest glyph, in points.
    pub(super) size: f64,
    pub(super) quarter: i8,
}

/// Joins glyphs into lines, in the order in which they were drawn.
pub(super) fn of(heard: Vec<Glyph>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for glyph in heard {
        match lines.last_mut().filter(|line| continues(line, &glyph)) {
            Some(line) => append(line, &glyph),
            None if glyph.text.trim().is_empty() => {}
            None => lines.push(Line {
                text: glyph.text,
                start: glyph.along,
                end: glyph.end,
                across: glyph.across,
                size: glyph.size,
                quarter: glyph.quarter,
            }),
        }
    }
    for line in &mut lines {
        line.text = without_leaders(&line.text);
    }
    lines.retain(|line| !line.text.is_empty());
    lines
}

/// Collapses white space, and replaces each row of dots before a page number by an ellipsis.
fn without_leaders(text: &str) -> String {
    const LEADERS: usize = 4;
    let mut folded = String::with_capacity(text.len());
    let (mut dots, mut dotted) = (0, 0);
    for character in text.trim().chars() {
        match character {
            '.' => dots += 1,
            it if it.is_whitespace() => {}
            _ => {
                if dots >= LEADERS {
                    folded.truncate(dotted);
                    folded.truncate(folded.trim_end().len());
                    folded.push_str(" … ");
                }
                dots = 0;
            }
        }
        if character.is_whitespace() {
            if !folded.ends_with(' ') {
                folded.push(' ');
            }
            continue;
        }
        if dots == 1 {
            dotted = folded.len();
        }
        folded.push(character);
    }
    folded
}

/// Returns true if a glyph continues the line. A superscript or subscript continues a line too.
fn continues(line: &Line, glyph: &Glyph) -> bool {
    let size = line.size.max(glyph.size);
    let gap = glyph.along - line.end;
    let is_level = (glyph.across - line.across).abs() < 0.5 * size;
    glyph.quarter == line.quarter && is_level && gap > -size && gap < ASIDE * size
}

fn append(line: &mut Line, glyph: &Glyph) {
    let (before, after) = (line.text.chars().next_back(), glyph.text.chars().next());
    let is_packed = [before, after].into_iter().flatten().any(is_dense);
    let space = if is_packed { DENSE_SPACE } else { SPACE };
    let gap = glyph.along - line.end;
    if gap > space * line.size.min(glyph.size) && !glyph.text.trim().is_empty() {
        line.text.push(' ');
    }
    line.text.push_str(&glyph.text);
    line.end = glyph.end.max(line.end - line.size);
    // If a line begins with a superscript, the larger glyphs after the superscript determine the
    // baseline.
    if glyph.size > line.size {
        line.size = glyph.size;
        line.across = glyph.across;
    }
}
