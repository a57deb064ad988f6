//! Splits a discussion into the contributions of its participants.
//!
//! Example: "asked Feb 6, 2014 at 20:37", "Posted by ada · 3 hours ago" and "#12" separate
//! contributions. Each site words such lines differently, but on all sites they are short and
//! contain a time or a number. Names are not recognised.

use std::ops::Range;

use super::word_count::{has_sentence, words};
use super::{Kind, Paragraph, entries};

/// A line with more words than this doesn't separate contributions.
const LINE_WORDS: usize = 12;

/// Returns the contributions of a discussion, as ranges of indices into `paragraphs`. A
/// contribution is the text between two separator lines, if the text contains a whole sentence. A
/// separator line next to a headline is ignored, because such a line belongs to a list of articles.
pub(super) fn of(paragraphs: &[Paragraph]) -> Vec<Range<usize>> {
    let is_headline = |at: Option<usize>| {
        let paragraph = at.and_then(|at| paragraphs.get(at));
        paragraph.is_some_and(|paragraph| {
            let is_link = entries::is_link(&paragraph.markdown) && words(&paragraph.text) >= 5;
            is_link || matches!(paragraph.kind, Kind::Heading(_))
        })
    };
    let numbered = paragraphs.iter().enumerate();
    let lines: Vec<usize> = numbered
        .filter(|(at, paragraph)| {
            is_separator(paragraph) && !is_headline(at.checked_sub(1)) && !is_headline(Some(at + 1))
        })
        .map(|(at, _)| at)
        .collect();
    let starts = std::iter::once(0).chain(lines.iter().map(|at| at + 1));
    let ends = lines.iter().copied().chain([paragraphs.len()]);
    starts
        .zip(ends)
        .filter(|(start, end)| {
            let turn = paragraphs.get(*start..*end).unwrap_or_default();
            turn.iter().any(|paragraph| {
                !matches!(paragraph.kind, Kind::Heading(_) | Kind::Code)
                    && has_sentence(&paragraph.text)
            })
        })
        .map(|(start, end)| start..end)
        .collect()
}

/// Returns true if a paragraph only states the author, time or number of a contribution.
fn is_separator(paragraph: &Paragraph) -> bool {
    let text = paragraph.text.trim();
    if matches!(paragraph.kind, Kind::Heading(_) | Kind::Code | Kind::Table)
        || words(text) > LINE_WORDS
        || text.starts_with(['—', '–'])
        || text.ends_with(['。', '！', '？', '!', '?', ':', '：'])
    {
        return false;
    }
    let lower = text.to_lowercase();
    is_number(&lower) || has_time(&lower)
}

/// Returns true for "#12" and "12楼".
fn is_number(text: &str) -> bool {
    let bare = text.trim_start_matches('#').trim_end_matches(['楼', '#']);
    bare.len() < text.len() && !bare.is_empty() && bare.chars().all(|c| c.is_ascii_digit())
}

/// Returns true for "3 hours ago", "Feb 6, 2014 at 20:37", "27. September 2018", "2014-02-06" and
/// "5分钟前".
fn has_time(text: &str) -> bool {
    const AGO: &[&str] = &[
        " ago",
        "ago)",
        "yesterday",
        "today at",
        "just now",
        "小时前",
        "分钟前",
        "天前",
        "个月前",
        "年前",
        "昨天",
        "发表于",
        "vor ",
        "il y a ",
        "hace ",
        "назад",
        "時間前",
        "分前",
        "日前",
    ];
    let has_digit = text.contains(|c: char| c.is_ascii_digit());
    let ago = AGO.iter().any(|mark| text.contains(mark));
    (has_digit
        || text.contains("an hour ago")
        || text.contains("昨天")
        || text.contains("yesterday"))
        && (ago || is_dated(text))
}

/// Returns true if a text contains a date: a day together with two of a year, a month and a time of
/// day.
fn is_dated(text: &str) -> bool {
    let numbers: Vec<&str> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .collect();
    let year = numbers
        .iter()
        .any(|part| part.len() == 4 && (part.starts_with("19") || part.starts_with("20")));
    let clock = text
        .split(':')
        .zip(text.split(':').skip(1))
        .any(|(hour, minute)| {
            hour.ends_with(|c: char| c.is_ascii_digit())
                && minute.starts_with(|c: char| c.is_ascii_digit())
        });
    let day = numbers.iter().any(|part| part.len() <= 2);
    let named = text.split(|c: char| !c.is_alphabetic()).any(|word| {
        word.chars().count() >= 3 && MONTHS.iter().any(|month| word.starts_with(month))
    });
    day && (year && (named || numbers.len() >= 3) || clock && (named || year))
}

/// The first letters of month names in English, German, French and Spanish.
#[rustfmt::skip]
const MONTHS: [&str; 24] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mär",
    "mai", "okt", "dez", "fév", "avr", "aoû", "déc", "ene", "abr", "ago", "dic",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> bool {
        is_separator(&Paragraph {
            number: 1,
            kind: Kind::Prose,
            text: text.to_owned(),
            markdown: String::new(),
        })
    }

    #[test]
    fn lines_between_turns_tell_a_time_or_a_number() {
        for text in [
            "asked Feb 6, 2014 at 20:37",
            "Posted by ada 3 hours ago",
            "27. September 2018",
            "#12",
            "12楼",
            "小明 发表于 2021-03-04 12:30",
            "5分钟前",
            "level 2 · 6 years ago",
            "On Mon, 3 May 2021 10:00:00, Bob wrote",
        ] {
            assert!(line(text), "{text}");
        }
        for text in [
            "The harbour froze in February 1929 and in 1940.",
            "Version 3.11.2",
            "Some time ago",
            "It began 20 years ago, when the keepers of the tower still wrote each tide by hand.",
            "Chapter 12",
            "Is it open on 3 May 2021?",
        ] {
            assert!(!line(text), "{text}");
        }
    }
}
