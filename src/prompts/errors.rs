//! What went wrong, in the language of the prompts.
//!
//! Driving example: a tool's error is recorded in English, as any `Display` writes it, and read
//! by a model that is spoken to in Chinese. `argument `query`: expected a text, got 7` is told as
//! ``参数 `query` 应为 文字，实际为 7``: the sentence is Chinese, and names and values stay as
//! they are. `texts/errors.zh.txt` has each sentence with its holes, the English as it is
//! written, the Chinese beneath. What stands in no line of it is another's words, and stays.

use crate::model::Language;

/// An English sentence, with `{}` for what differs from case to case, and the Chinese one.
const CHINESE: &str = include_str!("texts/errors.zh.txt");

const HOLE: &str = "{}";

/// What went wrong, in this language.
pub(super) fn told(error: &str, language: Language) -> String {
    match language {
        Language::English => error.to_owned(),
        Language::Chinese => chinese(error).unwrap_or_else(|| error.to_owned()),
    }
}

/// The first sentence of the table that this is, in Chinese. What fills a hole may be one, too.
fn chinese(error: &str) -> Option<String> {
    let (chinese, filled) = sentences().find_map(|(english, chinese)| {
        let filled = filling(english, error)?;
        Some((chinese, filled))
    })?;
    let mut parts = chinese.split(HOLE);
    let mut told = parts.next().unwrap_or_default().to_owned();
    for (part, filled) in parts.zip(filled) {
        told.push_str(&self::told(filled, Language::Chinese));
        told.push_str(part);
    }
    Some(told)
}

fn sentences() -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut lines = CHINESE.lines().filter(|line| !line.is_empty());
    std::iter::from_fn(move || lines.next().zip(lines.next()))
}

/// What fills the holes of a sentence, if this is one; each hole as little as can be.
fn filling<'e>(sentence: &str, error: &'e str) -> Option<Vec<&'e str>> {
    let mut parts = sentence.split(HOLE);
    let mut rest = error.strip_prefix(parts.next()?)?;
    let mut filled = Vec::new();
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let (hole, behind) = match parts.peek() {
            Some(_) => rest.split_once(part)?,
            None => (rest.strip_suffix(part)?, ""),
        };
        filled.push(hole);
        rest = behind;
    }
    rest.is_empty().then_some(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_chinese_around_the_names_and_values_in_it() {
        let table = [
            (
                "argument `query`: expected a text that is not empty, got 7",
                "参数 `query` 应为 非空的文字，实际为 7",
            ),
            (
                "argument `most`: expected a whole number from 1 to 12, got nothing",
                "参数 `most` 应为 1 至 12 之间的整数，实际为 空缺",
            ),
            (
                "not made: this very call failed before (the server answers 404 (there is no such \
                 page)), and would fail again. Change its arguments, use another tool, or answer \
                 from what there is",
                "未执行：同样的调用此前已经失败（服务器返回 404（没有这个页面）），再试也会失败。\
                 请更改参数、换用别的工具，或根据已有资料回答",
            ),
            ("MALFORMED_FUNCTION_CALL", "MALFORMED_FUNCTION_CALL"),
        ];
        for (english, chinese) in table {
            assert_eq!(told(english, Language::Chinese), chinese);
            assert_eq!(told(english, Language::English), english);
        }
    }

    #[test]
    fn each_sentence_has_as_many_holes_in_both_languages_and_is_found_by_itself() {
        let all: Vec<_> = sentences().collect();
        assert!(all.len() > 80, "{}", all.len());
        for (english, chinese) in all {
            let holes = |text: &str| text.matches(HOLE).count();
            assert_eq!(holes(english), holes(chinese), "{english}");
            let is_chinese = |it: char| ('\u{4e00}'..='\u{9fff}').contains(&it);
            assert!(chinese.contains(is_chinese), "{chinese}");
            assert!(!english.contains(is_chinese), "{english}");
            // No sentence before it takes its place.
            let filled = english.replace(HOLE, "7");
            assert_eq!(told(&filled, Language::Chinese), chinese.replace(HOLE, "7"));
        }
    }
}
