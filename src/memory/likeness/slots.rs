//! Of what a person has one: a name, a home, a favourite tea.

use crate::memory::words::{WHO_IN_CHINESE, words};

/// Of what one has one: which, and who has it.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    /// A name for it; two slots of one name are compared.
    pub(super) what: String,
    pub(super) whose: Whose,
    /// The words that say so, which say nothing of its value.
    pub(super) said: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// The person's.
    Theirs,
    /// A cat's, or a sister's.
    Anothers,
}

const NAME: &str = "name";
const HOME: &str = "home";
const WORK: &str = "work";
const BORN: &str = "born";
const BIRTHDAY: &str = "birthday";

/// What a person has one of, by how it is said.
const SLOTS: [(&str, &[&str]); 7] = [
    (
        NAME,
        &[
            "name is",
            "is called",
            "is named",
            "名叫",
            "姓名是",
            "名字是",
            "名字叫",
            "叫做",
        ],
    ),
    ("nickname", &["goes by", "nickname is", "昵称是", "外号是"]),
    (
        HOME,
        &[
            "lives in",
            "live in",
            "is based in",
            "am based in",
            "resides in",
            "moved to",
            "居住在",
            "住在",
            "现居",
            "搬到",
        ],
    ),
    (
        WORK,
        &[
            "works for",
            "works at",
            "work at",
            "work for",
            "is employed by",
            "就职于",
            "任职于",
        ],
    ),
    (BORN, &["was born", "出生于"]),
    (BIRTHDAY, &["birthday is", "生日是"]),
    (
        "tongue",
        &[
            "native language is",
            "mother tongue is",
            "first language is",
            "母语是",
        ],
    ),
];

/// What makes one of many of a kind the one: "favourite tea is".
const FOREMOST: [(&str, &[&str]); 4] = [
    (
        "favourite",
        &["favourite", "favorite", "最喜欢的", "最爱的", "最喜歡的"],
    ),
    ("main", &["main", "primary", "主要的", "主力"]),
    ("default", &["default", "默认的", "默认"]),
    ("preferred", &["preferred", "首选的", "首选"]),
];

/// What it is of has no more letters than this.
const MOST_OF_A_KIND: usize = 24;

/// What stands before such a phrase where it is the person's: who they are, and since when.
const THEIRS: [&str; 14] = [
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
    "just",
    "full",
];
const SINCE_IN_CHINESE: [&str; 4] = ["现在", "目前", "现", "已"];

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may ",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// What of this a sentence says; `text` is as it was written, `lower` the same in lower case.
pub(super) fn slot_of(text: &str, lower: &str) -> Option<Slot> {
    let known = SLOTS.iter().find_map(|(what, said)| {
        let mut whole = said.iter().filter_map(|phrase| {
            let (before, after) = around(lower, phrase)?;
            let slot = named(what, phrase, text, lower, after)?;
            let whose = whose(before);
            Some(Slot {
                what: slot,
                whose,
                said: (*phrase).to_owned(),
            })
        });
        let first = whole.next()?;
        // Said of the person in any of these ways, it is the person's.
        let theirs = whole.find(|slot| slot.whose == Whose::Theirs);
        Some(match first.whose {
            Whose::Theirs => first,
            Whose::Anothers => theirs.unwrap_or(first),
        })
    });
    known.or_else(|| foremost(lower))
}

/// The name of a slot by what its value is; none where the value is of another kind.
fn named(what: &str, phrase: &str, text: &str, lower: &str, after: &str) -> Option<String> {
    let value = after.trim_start();
    let is = match what {
        // A flat, a small town: not where.
        HOME => {
            let kind = ["a ", "an ", "一"].iter().any(|it| value.starts_with(it));
            // Told of a year, it may be long ago.
            let past = matches!(phrase, "moved to" | "搬到") && has_digit(value);
            !kind && !past
        }
        // At night, for eight hours: whoever employs has a name.
        WORK if value.is_ascii() => {
            let at = lower.len().saturating_sub(value.len());
            let first = text.get(at..).and_then(|it| it.chars().next());
            text.len() == lower.len() && first.is_some_and(char::is_uppercase)
        }
        _ => true,
    };
    let months = MONTHS.iter().any(|month| value.contains(month));
    let kind = match what {
        BORN if months || value.contains('月') => " day",
        BORN if has_digit(value) => " year",
        BORN => " place",
        _ => "",
    };
    is.then(|| format!("{what}{kind}"))
}

/// "The user's favourite tea is oolong": one is the favourite tea.
fn foremost(lower: &str) -> Option<Slot> {
    FOREMOST.iter().find_map(|(what, said)| {
        said.iter().find_map(|phrase| {
            let (before, after) = around(lower, phrase)?;
            let is = if phrase.is_ascii() { " is " } else { "是" };
            let (of, _) = after.split_once(is)?;
            let whole = phrase.len() + of.len() + is.len();
            let said = lower.get(before.len()..before.len() + whole)?;
            let short = of.chars().count() <= MOST_OF_A_KIND && !of.trim().is_empty();
            short.then(|| Slot {
                what: format!("{what} {}", of.trim()),
                whose: whose(before),
                said: said.trim().to_owned(),
            })
        })
    })
}

/// What stands before and behind a phrase; in English it is whole words.
fn around<'a>(lower: &'a str, phrase: &str) -> Option<(&'a str, &'a str)> {
    let (before, after) = lower.split_once(phrase)?;
    let letter = |it: char| it.is_ascii_alphanumeric();
    let whole = !phrase.is_ascii() || !(before.ends_with(letter) || after.starts_with(letter));
    whole.then_some((before, after))
}

fn has_digit(text: &str) -> bool {
    text.chars().any(|it| it.is_ascii_digit())
}

/// Whether somebody else is named by what stands before a phrase.
fn whose(before: &str) -> Whose {
    let mut before = before.to_owned();
    for theirs in WHO_IN_CHINESE.into_iter().chain(SINCE_IN_CHINESE) {
        before = before.replace(theirs, " ");
    }
    if words(&before).all(|word| THEIRS.contains(&word)) {
        Whose::Theirs
    } else {
        Whose::Anothers
    }
}
