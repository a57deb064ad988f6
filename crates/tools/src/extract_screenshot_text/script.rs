//! The script in which the device reads a screenshot, and corrections of the text that was read.

use crate::ToolContext;
use gloss_host::Script;
use gloss_page::Document;
use gloss_text::Language;

/// Chooses the script for the page. Chinese text on the page decides first, because many Chinese
/// pages don't declare a language. If that text is not Chinese, the page's declared language
/// decides, or the run's language if the page declares none.
pub(super) fn script(context: &ToolContext) -> Script {
    if context.page.as_ref().is_some_and(|page| is_chinese(page)) {
        return Script::Chinese;
    }
    let read = context.page.as_ref().map(|page| page.language.as_str());
    let language = read
        .filter(|it| !it.is_empty())
        .or(Some(context.place.language.as_str()).filter(|it| !it.is_empty()))
        .unwrap_or(&context.language);
    Language::of_tag(language).pick(Script::Latin, Script::Chinese)
}

/// Returns true if more than a tenth of the page's letters are Chinese. The threshold is low
/// because the Chinese recogniser also reads Latin letters, while the English one reads no Chinese.
fn is_chinese(page: &Document) -> bool {
    let text = page.paragraphs.iter().flat_map(|it| it.text.chars());
    let (mut wide, mut letters) = (0_usize, 0_usize);
    for letter in text.filter(|it| it.is_alphabetic()) {
        wide += usize::from(is_wide(letter));
        letters += 1;
    }
    wide * 10 > letters
}

/// Removes empty lines, and the spaces that text recognition adds between Chinese characters.
pub(super) fn tidied(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<String> = lines.map(closed_up).collect();
    lines.join("\n")
}

fn closed_up(line: &str) -> String {
    let mut closed = String::with_capacity(line.len());
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let before = closed.chars().next_back();
        let beside = before.is_some_and(is_wide) && letters.peek().copied().is_some_and(is_wide);
        if !(letter == ' ' && beside) {
            closed.push(letter);
        }
    }
    closed
}

/// Returns true for a Chinese character or full-width punctuation.
fn is_wide(letter: char) -> bool {
    matches!(letter, '\u{3000}'..='\u{303f}' | '\u{3400}'..='\u{9fff}' | '\u{ff00}'..='\u{ff60}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_is_closed_up_and_english_is_not() {
        for (read, expected) in [
            ("潮 汐 表", "潮汐表"),
            ("潮 汐 ， 每 天 2 次", "潮汐，每天 2 次"),
            ("The tide\n\n  rises \n", "The tide\nrises"),
            ("Linux 内 核 与 GNU", "Linux 内核与 GNU"),
            ("", ""),
        ] {
            assert_eq!(tidied(read), expected);
        }
    }
}
