//! Escapes plain text for Markdown.

/// Escapes `text` so that Markdown shows its characters as they are. Line breaks become spaces.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for (index, character) in text.char_indices() {
        let marks = matches!(
            character,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '!'
        );
        // At the beginning of a line, these characters would start a list, a rule or a heading.
        let opens = index == 0 && matches!(character, '-' | '+' | '=')
            || matches!(character, '.' | ')') && starts_with_number(text, index);
        if marks || opens {
            out.push('\\');
        }
        out.push(if character == '\n' { ' ' } else { character });
    }
    out
}

fn starts_with_number(text: &str, end: usize) -> bool {
    text.get(..end)
        .is_some_and(|head| !head.is_empty() && head.chars().all(|c| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_lose_their_meaning_and_words_do_not_change() {
        for (text, escaped) in [
            ("plain words, 3.5 % of them", "plain words, 3.5 % of them"),
            ("a *b* _c_ [d](e)", r"a \*b\* \_c\_ \[d\](e)"),
            ("1. first", r"1\. first"),
            ("- dash", r"\- dash"),
            ("a - b", "a - b"),
            ("<b>&amp;", r"\<b\>\&amp;"),
        ] {
            assert_eq!(escape(text), escaped);
        }
    }
}
