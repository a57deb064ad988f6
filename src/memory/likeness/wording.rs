//! Words that say how something is said of the person: who, whether, and that it is liked.

use crate::memory::words::{WHO_IN_CHINESE, words};
use crate::text::Language;

/// Words of the sentence that say who, which is the same in all.
const WHO: [&str; 3] = ["user", "user'", "person"];

/// Whether a term only says of whom something is.
pub(in crate::memory) fn is_who(term: &str) -> bool {
    WHO.contains(&term) || WHO_IN_CHINESE.contains(&term)
}

/// That something is not so.
const NOT: [&str; 31] = [
    "not",
    "no",
    "never",
    "nor",
    "n't",
    "doesn't",
    "isn't",
    "aren't",
    "don't",
    "didn't",
    "can't",
    "cannot",
    "couldn't",
    "won't",
    "wouldn't",
    "hasn't",
    "haven't",
    "hadn't",
    "wasn't",
    "weren't",
    "shouldn't",
    "dislikes",
    "dislike",
    "hates",
    "hate",
    "detests",
    "loathes",
    "stopped",
    "quit",
    "neither",
    "none",
];
const NOT_IN_CHINESE: [&str; 9] = [
    "不再", "不会", "不", "没有", "没", "从未", "从不", "无法", "讨厌",
];

/// They have a "not" in them and say none.
const NO_NOT: [&str; 6] = ["不仅", "不但", "不错", "不锈钢", "不同", "不过"];

/// That something is liked, and how much; the longer ones first.
pub(in crate::memory) const LIKES: [&str; 38] = [
    "would rather have",
    "would like",
    "is a fan of",
    "am a fan of",
    "a fan of",
    "is fond of",
    "am fond of",
    "fond of",
    "is keen on",
    "am keen on",
    "keen on",
    "prefers",
    "prefer",
    "likes",
    "like",
    "liked",
    "loves",
    "love",
    "enjoys",
    "enjoy",
    "adores",
    "adore",
    "fancies",
    "更加喜欢",
    "非常喜欢",
    "特别喜欢",
    "很喜欢",
    "更喜欢",
    "最喜欢",
    "喜欢",
    "喜歡",
    "喜爱",
    "热爱",
    "偏好",
    "偏爱",
    "钟爱",
    "酷爱",
    "爱好是",
];

/// That something is not liked.
pub(in crate::memory) const DISLIKES: [&str; 31] = [
    "can't stand",
    "cannot stand",
    "can't bear",
    "cannot bear",
    "is averse to",
    "dislikes",
    "dislike",
    "disliked",
    "hates",
    "hate",
    "hated",
    "detests",
    "detest",
    "loathes",
    "loathe",
    "不太喜欢",
    "不怎么喜欢",
    "不是很喜欢",
    "并不喜欢",
    "很不喜欢",
    "不喜欢",
    "不喜歡",
    "不爱",
    "非常讨厌",
    "很讨厌",
    "讨厌",
    "討厭",
    "厌恶",
    "反感",
    "受不了",
    "痛恨",
];

/// What is done with what one likes, which says no more than that.
pub(super) const DOING: [&str; 7] = [
    "drinking", "to drink", "eating", "to eat", "having", "喝", "吃",
];

/// Of two, one: then a single thing is preferred.
pub(super) const PREFERS: [&str; 15] = [
    "prefers",
    "prefer",
    "would rather have",
    "would like",
    "wants",
    "want",
    "更喜欢",
    "更加喜欢",
    "偏好",
    "偏爱",
    "希望",
    "想要",
    "倾向",
    "习惯",
    "要求",
];

/// Of these one may do, know or have seen several.
pub(in crate::memory) const ADDITIVE: [&str; 41] = [
    "knows", "know", "speaks", "speak", "likes", "like", "loves", "love", "enjoys", "enjoy",
    "visited", "visits", "read", "reads", "uses", "use", "learns", "learning", "plays", "play",
    "watched", "watches", "played", "finished", "owns", "ran", "won", "worked", "喜欢", "喜爱",
    "热爱", "了解", "会说", "去过", "读过", "看过", "使用", "用过", "学习", "在学", "玩过",
];

/// What says nothing more.
pub(in crate::memory) const FILLERS: [&str; 33] = [
    "really",
    "strongly",
    "currently",
    "usually",
    "always",
    "generally",
    "typically",
    "mostly",
    "personally",
    "absolutely",
    "definitely",
    "still",
    "quite",
    "truly",
    "actually",
    "nowadays",
    "at all",
    "no longer",
    "anymore",
    "any longer",
    "a lot",
    "very much",
    "目前",
    "现在",
    "通常",
    "一般",
    "一直",
    "总是",
    "非常",
    "十分",
    "其实",
    "真的",
    "平时",
];

/// Something is done though another is not: what is denied of what is lost by terms.
pub(super) const BUT: [&str; 8] = [
    "but", "except", "unless", "although", "但", "却", "除了", "只有",
];

/// The one rather than the other.
pub(super) const OVER: [&str; 10] = [
    " rather than ",
    " instead of ",
    " more than ",
    " over ",
    "而不是",
    "而非",
    "胜过",
    "多于",
    "甚于",
    "超过",
];

/// Words too small to be terms that turn what is said.
pub(super) const TURNING: [&str; 12] = [
    "without", "off", "before", "after", "against", "less", "under", "only", "之前", "之后",
    "以前", "以后",
];

/// Something is made, and with what stands behind "in" or "用".
pub(super) const MAKES: [&str; 11] = [
    "writing",
    "building",
    "developing",
    "programming",
    "coding",
    "making",
    "写",
    "开发",
    "编写",
    "搭建",
    "构建",
];

/// "Three cats": a number in words.
pub(super) const NUMBERS: [(&str, &str); 11] = [
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
];
pub(super) const NUMBERS_IN_CHINESE: [(char, &str); 11] = [
    ('一', "1"),
    ('二', "2"),
    ('两', "2"),
    ('三', "3"),
    ('四', "4"),
    ('五', "5"),
    ('六', "6"),
    ('七', "7"),
    ('八', "8"),
    ('九', "9"),
    ('十', "10"),
];
/// What is counted by.
pub(super) const COUNTED_BY: &str = "个只条岁次台辆间位匹头张本米";

/// Whether a sentence says that something is not so.
pub(in crate::memory) fn is_negated(lower: &str) -> bool {
    let mut bare = lower.to_owned();
    for none in NO_NOT {
        bare = bare.replace(none, " ");
    }
    words(&bare).any(|word| NOT.contains(&word))
        || lower.contains("no longer")
        || NOT_IN_CHINESE.iter().any(|it| bare.contains(it))
}

/// Takes out what [`is_negated`] goes by.
pub(super) fn strike_not(text: &mut String) {
    for none in NO_NOT {
        strike(text, none);
    }
    for not in NOT.into_iter().chain(NOT_IN_CHINESE) {
        strike(text, not);
    }
}

/// Whether a phrase stands in a text: in English as whole words.
pub(super) fn has(text: &str, phrase: &str) -> bool {
    find(text, phrase).is_some()
}

/// Takes a phrase out of a text, wherever it stands; `false` if it does not.
pub(super) fn strike(text: &mut String, phrase: &str) -> bool {
    let mut is_there = false;
    while let Some(at) = find(text, phrase) {
        text.replace_range(at..at + phrase.len(), " ");
        is_there = true;
    }
    is_there
}

fn find(text: &str, phrase: &str) -> Option<usize> {
    let letter = |it: char| it.is_alphanumeric() && it.is_ascii() || it == '\'';
    let mut places = text.match_indices(phrase).map(|(at, _)| at);
    places.find(|at| {
        let (before, after) = (text.get(..*at), text.get(at + phrase.len()..));
        let is_bound = before.is_some_and(|it| it.ends_with(letter))
            || after.is_some_and(|it| it.starts_with(letter));
        !phrase.is_ascii() || !is_bound
    })
}

/// The one character of CJK that a text is, if it is one.
pub(in crate::memory) fn one_character(text: &str) -> Option<char> {
    let mut all = text.trim().chars();
    let first = all.next()?;
    let is_one = all.next().is_none() && crate::text::words_and_characters(text) == (0, 1);
    is_one.then_some(first)
}

/// Whose rules a short text is read by.
pub(in crate::memory) fn language(text: &str) -> Language {
    let (words, characters) = crate::text::words_and_characters(text);
    if characters > words {
        Language::Chinese
    } else {
        Language::English
    }
}
