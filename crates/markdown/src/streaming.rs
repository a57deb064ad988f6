//! Shows a growing answer without unfinished Markdown.
//!
//! This code works on the Markdown text before it is parsed, and only on its last line. For the
//! text `see **bold`, only `see ` is shown until the closing marks arrive. The header of a table is
//! not shown until the line below it arrives. Therefore shown text hardly ever changes its
//! formatting later. Marks that span several lines are not handled.

/// The maximum number of bytes that are not shown because of an unclosed mark.
const MOST_HELD: usize = 600;

/// The maximum number of unclosed marks in a long line. A long line with more is shown unchanged.
const MOST_OPEN: usize = 8;

/// Returns the part of the Markdown text that can be shown now.
pub(super) fn displayable(source: &str) -> &str {
    let (before, line) = source.split_at(source.rfind('\n').map_or(0, |at| at + 1));
    let fences = before.lines().filter(|line| opens_code(line)).count();
    if fences % 2 == 1 {
        return if is_fence(line) { before } else { source };
    }
    let words = line.get(..unclosed_mark(line).unwrap_or(line.len()));
    let words = words.unwrap_or_default();
    if is_row(line) || is_undecided(words) {
        return without_header(before);
    }
    source.get(..before.len() + words.len()).unwrap_or(source)
}

/// Removes the header of a table if no text follows it yet.
fn without_header(text: &str) -> &str {
    let above = text.strip_suffix('\n').unwrap_or_default();
    let start = above.rfind('\n').map_or(0, |at| at + 1);
    let (earlier, last) = above.split_at(start);
    let goes_on = earlier.lines().next_back().is_some_and(is_row);
    if is_row(last) && !goes_on {
        earlier
    } else {
        text
    }
}

/// Returns the position in a line at which an unclosed mark begins.
fn unclosed_mark(line: &str) -> Option<usize> {
    let mut at = 0;
    let mut open = 0;
    loop {
        let begins = |it: char| matches!(it, '*' | '_' | '`' | '[' | '<' | '&' | '\\');
        let from = at + line.get(at..)?.find(begins)?;
        let (before, rest) = line.split_at_checked(from)?;
        let near = rest.get(..rest.floor_char_boundary(MOST_HELD))?;
        at = match construct_length(before, near) {
            Some(length) => from + length,
            // If the bracket belongs to an image, its `!` is not shown either.
            None if rest.len() < MOST_HELD => {
                let image = rest.starts_with('[') && before.ends_with('!');
                return Some(from - usize::from(image));
            }
            None => from + 1,
        };
        open += usize::from(at == from + 1);
        if open > MOST_OPEN && line.len() > MOST_HELD {
            return None;
        }
    }
}

/// Returns the length of the construct at the start of `rest`; `None` if its end has not arrived.
fn construct_length(before: &str, rest: &str) -> Option<usize> {
    let mut letters = rest.chars();
    let mark = letters.next()?;
    let next = letters.clone().next();
    match mark {
        '\\' => Some(1 + next?.len_utf8()),
        '<' if !next?.is_ascii_alphabetic() => Some(1),
        '<' => rest
            .find(|it: char| it == '>' || it.is_whitespace())
            .map(|end| end + 1),
        '&' => {
            let end = letters
                .as_str()
                .find(|it: char| !it.is_ascii_alphanumeric() && it != '#');
            end.map(|_| 1)
        }
        '[' => link(rest),
        _ => span(before, rest, mark),
    }
}

/// Returns the length of emphasis or code, including its marks. It ends with as many marks as it
/// begins with. If the marks begin neither, returns the number of marks.
fn span(before: &str, rest: &str, mark: char) -> Option<usize> {
    let behind = rest.trim_start_matches(mark);
    let count = rest.len() - behind.len();
    let next = behind.chars().next()?;
    let in_word = before.ends_with(|it: char| it.is_ascii_alphanumeric());
    let opens = !next.is_whitespace() && !(in_word && (mark == '_' || count == 1));
    if mark != '`' && !opens {
        return Some(count);
    }
    let mut at = count;
    loop {
        let from = at + rest.get(at..)?.find(mark)?;
        let run = rest.get(from..)?;
        let behind = run.trim_start_matches(mark);
        // Further marks of this kind may still arrive.
        let is_over = !behind.is_empty();
        let length = run.len() - behind.len();
        let ends_word = rest.get(..from)?.ends_with(|it: char| !it.is_whitespace());
        at = from + length;
        if is_over && (length == count || length == 3) && (mark == '`' || ends_word) {
            return Some(at);
        }
    }
}

/// Returns the length of a citation, of a link, or of text in brackets.
fn link(rest: &str) -> Option<usize> {
    let label = balanced(rest, '[', ']')?;
    let behind = rest.get(label..)?;
    match behind.chars().next() {
        _ if rest.starts_with("[[") => Some(label),
        Some('(') => Some(label + balanced(behind, '(', ')')?),
        Some(_) => Some(label),
        None => None,
    }
}

/// Returns the length of the text up to the bracket that closes its first bracket, inclusive.
fn balanced(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    let end = text.find(|it: char| {
        depth += usize::from(it == open);
        depth -= usize::from(it == close && depth > 0);
        depth == 0
    })?;
    Some(end + close.len_utf8())
}

/// Returns a line without indentation and quote marks (`>`).
fn unquoted(line: &str) -> &str {
    line.trim_start_matches([' ', '\t', '>'])
}

fn is_row(line: &str) -> bool {
    unquoted(line).starts_with('|')
}

/// Returns true if a line begins or ends a code block.
fn opens_code(line: &str) -> bool {
    let line = unquoted(line);
    line.starts_with("```") || line.starts_with("~~~")
}

fn is_fence(line: &str) -> bool {
    let line = unquoted(line);
    !line.is_empty() && (line.chars().all(|c| c == '`') || line.chars().all(|c| c == '~'))
}

/// Returns true if a line consists only of marks. The next character decides if they begin a list,
/// a heading, a rule or a fence.
fn is_undecided(line: &str) -> bool {
    let line = unquoted(line);
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = match line.get(digits..) {
        Some(rest) if (1..=9).contains(&digits) => rest.strip_prefix(['.', ')']).unwrap_or(rest),
        _ => line,
    };
    rest.chars().all(|c| {
        matches!(
            c,
            ' ' | '\t' | '-' | '=' | '*' | '_' | '+' | '#' | '>' | '`' | '~' | ':' | '|'
        )
    })
}

#[cfg(test)]
#[path = "streaming_tests.rs"]
mod tests;
