//! Escapes in JSON of half a character, which serde refuses.
//!
//! Driving example: 😀 is `\ud83d\ude00` in JSON, and a server that cuts its tokens
//! anywhere sends one half per chunk. The words around it are kept; each half is shown
//! as U+FFFD.

use std::char::REPLACEMENT_CHARACTER;

/// The bytes of an escape such as `\ud83d`.
const ESCAPE_BYTES: usize = 6;

/// The JSON with U+FFFD for lone halves; `None` if it holds none.
pub fn replaced(json: &str) -> Option<String> {
    let mut mended = String::new();
    let mut found = false;
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        mended.push_str(before);
        let follows = escape.get(ESCAPE_BYTES..).and_then(half);
        let taken = match (half(escape), follows) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 2 * ESCAPE_BYTES,
            (Some(_), _) => {
                found = true;
                mended.push(REPLACEMENT_CHARACTER);
                rest = escape.get(ESCAPE_BYTES..).unwrap_or_default();
                continue;
            }
            // The backslash and what it escapes.
            (None, _) => escape.chars().take(2).map(char::len_utf8).sum(),
        };
        let (kept, after) = escape.split_at(taken);
        mended.push_str(kept);
        rest = after;
    }
    mended.push_str(rest);
    found.then_some(mended)
}

/// The half that a text begins with the escape of.
fn half(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let unit = u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
    (0xD800..=0xDFFF).contains(&unit).then_some(unit)
}
