//! Halves of a character that stand alone in JSON's escapes.
//!
//! Driving example: 😀 is `\ud83d\ude00` in JSON, and a server that cuts its tokens
//! anywhere sends one half per chunk. No such chunk is JSON by itself: its lone halves
//! are written as stand-ins, and [`Half`] joins them again across chunks. What stays
//! alone is U+FFFD.

use std::borrow::Cow;
use std::char::REPLACEMENT_CHARACTER;

const FIRST_HALF: u16 = 0xD800;
/// Stand-ins are the last letters for private use, as many as there are halves.
const FIRST_STAND_IN: u32 = 0x10_F800;
/// The bytes of an escape such as `\ud83d`.
const ESCAPE_BYTES: usize = 6;

/// How a text was written in its chunk.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// As it is.
    #[default]
    Whole,
    /// With stand-ins for lone halves.
    WithStandIns,
}

/// The JSON with stand-ins for lone halves; `None` if it holds none.
pub(super) fn with_stand_ins(json: &str) -> Option<String> {
    mended(json, |half| {
        let place = u32::from(half - FIRST_HALF);
        char::from_u32(FIRST_STAND_IN + place).unwrap_or(REPLACEMENT_CHARACTER)
    })
}

/// The JSON with U+FFFD for lone halves; `None` if it holds none.
pub(crate) fn replaced(json: &str) -> Option<String> {
    mended(json, |_| REPLACEMENT_CHARACTER)
}

fn mended(json: &str, stand_in: impl Fn(u16) -> char) -> Option<String> {
    let mut mended = String::new();
    let mut found = false;
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        mended.push_str(before);
        let follows = escape.get(ESCAPE_BYTES..).and_then(half);
        let taken = match (half(escape), follows) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 2 * ESCAPE_BYTES,
            (Some(lone), _) => {
                found = true;
                mended.push(stand_in(lone));
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

/// The first half of a character whose second may begin the next text.
#[derive(Debug, Default)]
pub(super) struct Half(Option<u16>);

impl Half {
    /// The text with its halves joined, the one before included.
    pub(super) fn join<'t>(&mut self, text: &'t str, written: Written) -> Cow<'t, str> {
        if self.0.is_none() && written == Written::Whole {
            return Cow::Borrowed(text);
        }
        let mut joined = String::with_capacity(text.len());
        for letter in text.chars() {
            let unit = match written {
                Written::Whole => None,
                Written::WithStandIns => stood_for(letter),
            };
            match (self.0.take(), unit) {
                (Some(first), Some(second @ 0xDC00..)) => {
                    let pair = char::decode_utf16([first, second]);
                    joined.extend(pair.map(|read| read.unwrap_or(REPLACEMENT_CHARACTER)));
                }
                (alone, unit) => {
                    joined.extend(alone.map(|_| REPLACEMENT_CHARACTER));
                    match unit {
                        Some(first @ ..=0xDBFF) => self.0 = Some(first),
                        Some(_) => joined.push(REPLACEMENT_CHARACTER),
                        None => joined.push(letter),
                    }
                }
            }
        }
        Cow::Owned(joined)
    }

    /// What stands for a half that stayed alone.
    pub(super) fn end(&mut self) -> Option<&'static str> {
        self.0.take().map(|_| "\u{FFFD}")
    }
}

fn stood_for(letter: char) -> Option<u16> {
    let place = u32::from(letter).checked_sub(FIRST_STAND_IN)?;
    u16::try_from(place).ok().map(|place| FIRST_HALF + place)
}
