//! Recognises the marks around sentences: punctuation, and the numbers of list items.

/// Reads the number and the mark of a list item at the beginning of `text`: `"2) salt"` -> `(2,
/// ")")`. For a letter from a to z, the number is its character code plus 100.
pub(super) fn item(text: &str) -> Option<(u32, &str)> {
    let bare = text.trim_start_matches(['•', '⁃', '-', '(', ' ']);
    let end = bare.find(|c: char| !c.is_ascii_alphanumeric())?;
    let (label, rest) = bare.split_at_checked(end)?;
    let mark = [".)", ".", ")"]
        .into_iter()
        .find(|mark| rest.starts_with(mark))?;
    let number = match label.as_bytes() {
        [letter @ b'a'..=b'z'] => 100 + u32::from(*letter),
        _ if label.len() <= 2 => label.parse().ok()?,
        _ => return None,
    };
    rest.get(mark.len()..)?
        .starts_with(' ')
        .then_some((number, mark))
}

/// Returns the first `bytes` bytes of a text, rounded up to a whole character.
pub(super) fn first(text: &str, bytes: usize) -> &str {
    text.get(..text.ceil_char_boundary(bytes)).unwrap_or(text)
}

/// Returns true for marks that may follow the final mark of a sentence, such as quotation marks.
pub(super) fn is_closer(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | ')'
            | ']'
            | '}'
            | '”'
            | '’'
            | '»'
            | '›'
            | '』'
            | '」'
            | '）'
            | '】'
            | '》'
            | '〉'
            | '〕'
            | '*'
            | '_'
            | '`'
    )
}

pub(super) fn is_opener(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '('
            | '['
            | '{'
            | '“'
            | '‘'
            | '«'
            | '‹'
            | '『'
            | '「'
            | '（'
            | '【'
            | '《'
            | '*'
            | '_'
            | '`'
    )
}

/// Returns true for marks that end a sentence in some language.
pub(super) fn is_terminator(c: char) -> bool {
    matches!(
        c,
        '.' | '!'
            | '?'
            | '…'
            | '。'
            | '！'
            | '？'
            | '；'
            | '｡'
            | '।'
            | '॥'
            | '؟'
            | '۔'
            | '։'
            | '።'
            | '‼'
            | '⁇'
            | '⁈'
            | '⁉'
    )
}
