//! Whether two facts say the same, or the same thing otherwise.
//!
//! Driving example: "Lives in Berlin" and "The user lives in Berlin, Germany" say the
//! same; "Sails a 6-metre sloop" and "Sails a 7-metre sloop" say the same thing
//! otherwise, and the newer one holds. By their words alone: what they mean is a model's
//! to say, which names what a fact replaces.

use crate::text::{Language, terms};
use std::collections::BTreeSet;

/// From this share of common terms on two facts are about the same thing.
const ABOUT: f64 = 0.6;

/// From this share on they say the same.
const SAME: f64 = 0.8;

/// How one fact stands to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    /// They say the same.
    Same,
    /// They say the same thing otherwise: both can't hold.
    Otherwise,
    /// They have nothing to do with one another.
    Apart,
}

/// Compares an older fact with a newer one.
pub(super) fn likeness(older: &str, newer: &str, of_one_category: bool) -> Likeness {
    let (one, other) = (Essence::of(older), Essence::of(newer));
    if let (Some(one), Some(other)) = (one.slot, other.slot)
        && one.what == other.what
        && one.whose != other.whose
    {
        return Likeness::Apart;
    }
    let common = one.terms.intersection(&other.terms).count();
    let (fewer, all) = (
        one.terms.len().min(other.terms.len()),
        one.terms.union(&other.terms).count(),
    );
    let share = share(common, all);
    let is_part = fewer >= 2 && common == fewer && share >= ABOUT;
    if one.negated == other.negated && one.numbers == other.numbers && (share >= SAME || is_part) {
        return Likeness::Same;
    }
    let is_theirs = |slot: &Slot| slot.whose == Whose::Theirs;
    let has_one_value = one.slot == other.slot && one.slot.as_ref().is_some_and(is_theirs);
    if has_one_value || (of_one_category && share >= ABOUT) {
        Likeness::Otherwise
    } else {
        Likeness::Apart
    }
}

/// Whether of two that say the same the one says more.
pub(super) fn says_more(one: &str, other: &str) -> bool {
    Essence::of(one).terms.len() > Essence::of(other).terms.len()
}

fn share(common: usize, all: usize) -> f64 {
    if all == 0 {
        0.0
    } else {
        common as f64 / all as f64
    }
}

/// What a sentence about the person says, apart from how.
struct Essence {
    terms: BTreeSet<String>,
    numbers: BTreeSet<String>,
    negated: bool,
    slot: Option<Slot>,
}

/// Of what one has one: which of [`SLOTS`], and who has it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Slot {
    what: usize,
    whose: Whose,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// The person's.
    Theirs,
    /// A cat's, or a sister's.
    Anothers,
}

/// What a person has one of, by how it is said.
const SLOTS: [&[&str]; 5] = [
    &[
        "name is",
        "is called",
        "is named",
        "goes by",
        "名叫",
        "姓名是",
        "名字是",
        "叫做",
    ],
    &[
        "lives in",
        "live in",
        "is based in",
        "resides in",
        "moved to",
        "住在",
        "居住在",
        "现居",
        "搬到",
    ],
    &[
        "works for",
        "works at",
        "work at",
        "work for",
        "is employed by",
        "就职于",
        "任职于",
    ],
    &["was born", "birthday is", "出生于", "生日是"],
    &["native language is", "mother tongue is", "母语是"],
];

/// Words of the sentence that say who, which is the same in all.
const WHO: [&str; 3] = ["user", "user'", "person"];
const WHO_IN_CHINESE: [&str; 5] = ["用户的", "用户", "我的", "本人", "我"];

/// What stands before such a phrase where it is the person's: who they are, and since when.
const THEIRS: [&str; 12] = [
    "the",
    "user",
    "user's",
    "i",
    "my",
    "now",
    "currently",
    "also",
    "recently",
    "has",
    "is",
    "am",
];
const THEIRS_IN_CHINESE: [&str; 9] = [
    "用户的",
    "用户",
    "本人",
    "我的",
    "我",
    "现在",
    "目前",
    "现",
    "已",
];

const NOT: [&str; 12] = [
    "not", "no", "never", "n't", "doesn't", "isn't", "don't", "can't", "cannot", "won't",
    "dislikes", "hates",
];
const NOT_IN_CHINESE: [&str; 5] = ["不", "没", "从未", "无法", "讨厌"];

impl Essence {
    fn of(text: &str) -> Self {
        let lower = text.to_lowercase().replace('’', "'");
        let mut bare = lower.clone();
        for who in WHO_IN_CHINESE {
            bare = bare.replace(who, "");
        }
        let mut words = BTreeSet::new();
        let mut numbers = BTreeSet::new();
        for term in terms(&bare, language(&bare)) {
            if term.chars().any(|it| it.is_ascii_digit()) {
                numbers.insert(term);
            } else if !WHO.contains(&term.as_str()) {
                words.insert(term);
            }
        }
        Self {
            terms: words,
            numbers,
            negated: is_negated(&lower),
            slot: slot_of(&lower),
        }
    }
}

fn slot_of(lower: &str) -> Option<Slot> {
    let before = |phrase: &&str| {
        let before = lower.get(..lower.find(phrase)?)?;
        let whole = !before.ends_with(|it: char| it.is_ascii_alphanumeric());
        whole.then_some(before)
    };
    let slots = SLOTS.iter().enumerate();
    let mut slots = slots.filter_map(|(what, said)| {
        let said: Vec<&str> = said.iter().filter_map(before).collect();
        let whose = if said.iter().any(|before| is_the_person(before)) {
            Whose::Theirs
        } else {
            Whose::Anothers
        };
        (!said.is_empty()).then_some(Slot { what, whose })
    });
    slots.next()
}

/// Whether nobody else is named by what stands before a phrase.
fn is_the_person(before: &str) -> bool {
    let mut before = before.to_owned();
    for theirs in THEIRS_IN_CHINESE {
        before = before.replace(theirs, " ");
    }
    let mut words = before.split(|it: char| !(it.is_alphanumeric() || it == '\''));
    words.all(|word| word.is_empty() || THEIRS.contains(&word))
}

/// Whether a sentence says that something is not so.
pub(super) fn is_negated(lower: &str) -> bool {
    let mut words = lower.split(|it: char| !(it.is_alphanumeric() || it == '\''));
    words.any(|word| NOT.contains(&word)) || NOT_IN_CHINESE.iter().any(|it| lower.contains(it))
}

/// Whose rules a short text is read by.
pub(super) fn language(text: &str) -> Language {
    let (words, characters) = crate::text::words_and_characters(text);
    if characters > words {
        Language::Chinese
    } else {
        Language::English
    }
}
