//! What single words and signs mean.

/// The quote that ends a text which begins with this one.
pub(super) fn closing(c: char) -> Option<char> {
    match c {
        '"' | '\'' | '`' => Some(c),
        '“' | '”' => Some('”'),
        '‘' => Some('’'),
        _ => None,
    }
}

/// Whether a word is a number or a constant.
pub(super) fn is_constant(word: &str) -> bool {
    constant(word).is_some()
}

/// A number or a constant, as JSON writes it.
pub(super) fn constant(word: &str) -> Option<String> {
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
    let number: f64 = plain.parse().ok()?;
    number.is_finite().then(|| number.to_string())
}
