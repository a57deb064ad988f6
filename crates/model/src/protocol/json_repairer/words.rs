//! Converts unquoted words to JSON, and finds the closing mark for an opening quotation mark.

use gloss_durable::json;

/// Returns the closing quotation mark for an opening one.
pub(super) fn closing(c: char) -> Option<char> {
    match c {
        '"' | '\'' | '`' => Some(c),
        '“' | '”' => Some('”'),
        '‘' => Some('’'),
        _ => None,
    }
}

/// Returns true if a word at the end of a text may be incomplete. A constant such as `true` is
/// complete. A number is complete if a space follows it.
pub(super) fn may_go_on(held: &str) -> bool {
    let word = held.trim();
    let ends_bare = held.trim_end().len() == held.len();
    constant(word).is_none() || (ends_bare && number(word).is_some())
}

/// Converts a number or a constant to JSON, for example `True` to `true` and `None` to `null`.
/// `None` for any other word.
pub(in crate::protocol) fn constant(word: &str) -> Option<String> {
    let meant = match word {
        "true" | "True" | "TRUE" => "true",
        "false" | "False" | "FALSE" => "false",
        "null" | "None" | "NULL" | "nil" | "undefined" | "NaN" => "null",
        _ => return number(word),
    };
    Some(meant.to_owned())
}

fn number(word: &str) -> Option<String> {
    let first = word.chars().next()?;
    if !matches!(first, '0'..='9' | '+' | '-' | '.') {
        return None;
    }
    let plain = word.replace('_', "");
    let plain = plain.trim_start_matches('+');
    if let Ok(whole) = plain.parse::<i64>() {
        return Some(whole.to_string());
    }
    if let Ok(whole) = plain.parse::<u64>() {
        return Some(whole.to_string());
    }
    // A whole number with more than 64 bits stays text, because a float would change its value.
    let digits = plain.trim_start_matches('-');
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = json::number(plain)?;
    number.is_finite().then(|| number.to_string())
}
