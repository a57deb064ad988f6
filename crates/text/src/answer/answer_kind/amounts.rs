//! Finds numbers, times and money in a sentence.
//!
//! Driving example: "Five people" answers "How many people …?". "in 1823" and "[12]" contain
//! numbers too, but no amounts.

use super::super::super::language::is_cjk;
use super::super::question_words::QuestionWords;
use super::super::words::{is_number, is_occasion, is_time};
use super::{has_any, is_capitalised, news, spaced};

/// The maximum distance between two neighbouring words, in words.
const BESIDE: usize = 4;

pub(super) const YEARS: [&str; 3] = ["year", "month", "岁"];

#[rustfmt::skip]
pub(super) const MEASURES: [&str; 34] = [
    "second", "minute", "hour", "day", "week", "month", "year", "decade", "centur", "century", "met", "mile",
    "feet", "foot", "inch", "km", "kilo", "cm", "mm", "page", "word", "character", "line", "秒", "分", "时",
    "天", "周", "月", "年", "米", "里", "字", "页",
];

const OCCASIONS_CHINESE: [&str; 17] = [
    "时候", "期间", "之后", "之前", "以后", "以前", "时，", "每天", "每年", "每月", "每周", "昨天",
    "今天", "明天", "目前", "去年", "今年",
];

pub(super) fn time(sentence: &str, known: &QuestionWords) -> f64 {
    let mut words = news(sentence, known).map(|(_, word)| word);
    let is_date = |word: &str| {
        let lower = word.to_lowercase();
        let is_verb = matches!(lower.as_str(), "may" | "march") && !is_capitalised(word);
        is_year(word) || is_time(&lower) && !is_verb
    };
    if words.any(is_date) {
        return 1.0;
    }
    // The question "When is it lit?" can be answered by "When it is dark".
    let lower = sentence.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    if words.any(is_occasion) { 0.7 } else { 0.0 }
}

/// Returns 1 for a numeral before a unit of time. Returns 0.6 for a word that introduces an
/// occasion, such as 时.
pub(super) fn time_chinese(sentence: &str) -> f64 {
    const UNITS: [&str; 12] = [
        "年", "月", "日", "号", "点", "时", "世纪", "天", "周", "小时", "分钟", "岁",
    ];
    let counted = UNITS.iter().any(|unit| {
        let mut before = sentence
            .match_indices(unit)
            .map(|(at, _)| sentence.get(..at));
        before.any(|before| before.is_some_and(|text| text.trim_end().ends_with(is_numeral)))
    });
    if counted {
        1.0
    } else {
        0.6 * has_any(sentence, &OCCASIONS_CHINESE)
    }
}

/// Returns 1 for a number near a word that the question counts: "Five people" for "how many
/// people".
pub(super) fn number(sentence: &str, known: &QuestionWords) -> f64 {
    let has = any_number(sentence, known);
    if has < 1.0 {
        return has;
    }
    let words: Vec<&str> = sentence
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '.' | ',')))
        .map(|word| word.trim_end_matches(['.', ',']))
        .filter(|word| !word.is_empty())
        .collect();
    let is_share = |word: &str| known.is_count() && sentence.contains(&format!("{word}%"));
    let is_number = |word: &&str| {
        is_digits(word) && !is_year(word) && !is_share(word) || is_number(&word.to_lowercase())
    };
    let beside = |at: usize| {
        let from = at.saturating_sub(BESIDE);
        let near = words.get(from..(at + BESIDE + 1).min(words.len()));
        near.unwrap_or_default()
            .iter()
            .any(|word| known.counts(word))
    };
    let numbers = (0..words.len()).filter(|at| words.get(*at).is_some_and(is_number));
    if numbers.into_iter().any(beside) {
        1.0
    } else {
        0.3
    }
}

fn any_number(sentence: &str, known: &QuestionWords) -> f64 {
    let mut fit = 0.0_f64;
    for (_, word) in news(&without_marks(sentence), known) {
        let lower = word.to_lowercase();
        if is_digits(word) && !is_year(word) || is_number(&lower) {
            return 1.0;
        }
        if matches!(lower.as_str(), "several" | "few" | "no" | "none") {
            fit = fit.max(0.5);
        }
    }
    fit
}

/// Returns 1 for a number. "一" alone has a lower value, because it usually means "a".
pub(super) fn number_chinese(sentence: &str, known: &QuestionWords) -> f64 {
    let sentence = without_marks(sentence);
    let latin = news(&sentence, known).any(|(_, word)| word.chars().any(|c| c.is_ascii_digit()));
    let written = sentence.chars().any(|c| is_numeral(c) && c != '一');
    if latin || written {
        1.0
    } else {
        0.4 * has_any(&sentence, &["一", "半", "几", "多个", "许多"])
    }
}

/// Returns 1 for a number directly before one of `units`, or after "aged": "aged 7".
pub(super) fn number_with(sentence: &str, units: &[&str]) -> f64 {
    let sentence = without_marks(&sentence.to_lowercase());
    let words: Vec<&str> = sentence
        .split(|c: char| !(c.is_alphanumeric() || c == '.' || c == ','))
        .map(|word| word.trim_matches(['.', ',']))
        .filter(|word| !word.is_empty())
        .collect();
    let is_unit = |word: &&str| units.iter().any(|unit| word.starts_with(unit));
    let is_counted = |at: usize| {
        let word = words.get(at).copied().unwrap_or_default();
        let is_number =
            is_digits(word) || is_number(word) || matches!(word, "a" | "an" | "several" | "few");
        let from = at.saturating_sub(1);
        is_number
            && (words
                .get(at + 1..at + 3)
                .unwrap_or(words.get(at + 1..).unwrap_or_default())
                .iter()
                .any(is_unit)
                || words
                    .get(from..at)
                    .unwrap_or_default()
                    .iter()
                    .any(|word| matches!(*word, "aged" | "age"))
                || is_unit(&word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.')))
    };
    let counted = (0..words.len()).any(is_counted);
    f64::from(u8::from(
        counted
            || units
                .iter()
                .any(|unit| is_counted_in_chinese(&sentence, unit)),
    ))
}

/// Returns true if a numeral is directly before `unit`: "6年".
fn is_counted_in_chinese(sentence: &str, unit: &str) -> bool {
    let is_chinese = unit.starts_with(is_cjk);
    let mut before = sentence
        .match_indices(unit)
        .map(|(at, _)| sentence.get(..at));
    is_chinese
        && before.any(|before| {
            before.is_some_and(|text| {
                text.trim_end()
                    .ends_with(|c: char| is_numeral(c) || "个多几".contains(c))
            })
        })
}

/// Returns true for a word that begins with a digit. "arm64" is a name, not a number.
fn is_digits(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// Returns true for "1999" and "mid-1990s". They are years, not counts.
fn is_year(word: &str) -> bool {
    let digits: String = word.chars().filter(char::is_ascii_digit).collect();
    digits.len() == 4
        && matches!(
            digits.get(..2),
            Some("10" | "11" | "12" | "13" | "14" | "15" | "16" | "17" | "18" | "19" | "20")
        )
        && !word.contains([',', '.'])
}

fn is_numeral(c: char) -> bool {
    c.is_ascii_digit() || "〇零一二三四五六七八九十百千万亿两".contains(c)
}

pub(super) fn money(sentence: &str) -> f64 {
    const SIGNS: [&str; 6] = ["$", "€", "£", "¥", "元", "免费"];
    #[rustfmt::skip]
    const WORDS: [&str; 14] = [
        " usd ", " eur ", " dollar ", " dollars ", " euro ", " euros ", " pound ", " pounds ", " free ",
        " cent ", " cents ", " yuan ", " rupees ", " yen ",
    ];
    let lower = sentence.to_lowercase();
    let words = format!(" {} ", spaced(&lower));
    has_any(&lower, &SIGNS).max(has_any(&words, &WORDS))
}

/// Removes reference marks such as "[12]".
fn without_marks(sentence: &str) -> String {
    let mut parts = sentence.split('[');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(']') {
            Some((mark, rest)) if mark.len() <= 4 => text.push_str(rest),
            _ => text.push_str(part),
        }
    }
    text
}
