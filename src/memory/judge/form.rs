//! Whether a sentence asks, hedges, or is true only today: by its words, in English and
//! Chinese.

use crate::memory::words::words;

/// The words of a sentence in lower case, with a blank before, between and behind.
fn spaced(text: &str) -> String {
    let lower = text.to_lowercase().replace('’', "'");
    let words: Vec<&str> = words(&lower).collect();
    format!(" {} ", words.join(" "))
}

fn holds(spaced: &str, phrases: &[&str]) -> bool {
    phrases
        .iter()
        .any(|phrase| spaced.contains(&format!(" {phrase} ")))
}

/// What asks where a verb stands before its subject: "Which tea does the user like".
const QUESTION_WORDS: [&str; 8] = [
    "what", "why", "how", "who", "whose", "which", "where", "when",
];

/// Verbs that do.
const VERBS: [&str; 16] = [
    "is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could", "will",
    "would", "should", "am",
];

/// And their subjects.
const SUBJECTS: [&str; 8] = ["the user", "i", "you", "we", "they", "he", "she", "my"];

/// How a question begins without such a word.
const ASKING: [&str; 12] = [
    "is the user",
    "does the user",
    "did the user",
    "has the user",
    "can the user",
    "will the user",
    "should",
    "do i",
    "am i",
    "can i",
    "could you",
    "can you",
];
const ASKING_IN_CHINESE: [&str; 6] = ["吗", "呢", "是不是", "有没有", "为什么", "怎么办"];

/// Whether it is a question.
pub(in crate::memory) fn asks(text: &str) -> bool {
    let end = text.trim_end_matches(['"', '”', '’', ' ', '。', '.']);
    let spaced = spaced(text);
    let begins = |with: &[&str]| with.iter().any(|it| spaced.starts_with(&format!(" {it} ")));
    end.ends_with(['?', '？'])
        || begins(&ASKING)
        || is_inverted(&spaced)
        || ASKING_IN_CHINESE.iter().any(|it| end.ends_with(it))
}

/// Whether a question word begins it and a verb follows, at once or before its subject. "When
/// travelling, the user prefers trains" says something.
fn is_inverted(spaced: &str) -> bool {
    let mut words = spaced.split_whitespace();
    let asks = words.next().is_some_and(|it| QUESTION_WORDS.contains(&it));
    let at_once = words.next().is_some_and(|it| VERBS.contains(&it));
    let before_subject = |verb: &&str| {
        let mut subjects = SUBJECTS.iter();
        subjects.any(|it| holds(spaced, &[&format!("{verb} {it}")]))
    };
    asks && (at_once || VERBS.iter().any(before_subject))
}

const TODAY: [&str; 26] = [
    "today",
    "tonight",
    "tomorrow",
    "yesterday",
    "right now",
    "at the moment",
    "just now",
    "this morning",
    "this afternoon",
    "this evening",
    "this week",
    "this weekend",
    "next week",
    "last night",
    "an hour ago",
    "in an hour",
    "for now",
    "at this moment",
    "as of now",
    "in a minute",
    "later on",
    "earlier on",
    "next weekend",
    "in a few minutes",
    "in a few hours",
    "within the hour",
];
const TODAY_IN_CHINESE: [&str; 22] = [
    "今天",
    "今晚",
    "今早",
    "今日",
    "明天",
    "明晚",
    "昨天",
    "昨晚",
    "后天",
    "刚才",
    "刚刚",
    "此刻",
    "这会儿",
    "本周",
    "这周",
    "下周",
    "这个周末",
    "马上要",
    "待会",
    "眼下",
    "今儿",
    "前天",
];

/// Whether it is true only for a day or so. A name such as "USA Today" is no day.
pub(super) fn is_of_today(text: &str) -> bool {
    let named = text.replace(" Today", " ").replace(
        "Today ",
        if text.starts_with("Today ") {
            "today "
        } else {
            ""
        },
    );
    holds(&spaced(&named), &TODAY) || TODAY_IN_CHINESE.iter().any(|it| text.contains(it))
}

const HEDGES: [&str; 26] = [
    "maybe",
    "perhaps",
    "probably",
    "possibly",
    "presumably",
    "apparently",
    "supposedly",
    "might",
    "may be",
    "may have",
    "may like",
    "may prefer",
    "may want",
    "could be",
    "seems",
    "seem",
    "appears to",
    "i think",
    "i guess",
    "likely",
    "not sure",
    "unsure",
    "sounds like",
    "looks like",
    "i assume",
    "unclear",
];
const HEDGES_IN_CHINESE: [&str; 15] = [
    "可能",
    "也许",
    "或许",
    "大概",
    "似乎",
    "好像",
    "应该是",
    "估计",
    "看起来",
    "看来",
    "猜",
    "疑似",
    "据说",
    "不确定",
    "貌似",
];

/// Whether it says itself that it is not sure.
pub(super) fn hedges(text: &str) -> bool {
    // As short as possible is a wish, and no doubt.
    let chinese = text
        .replace("尽可能", "")
        .replace("不可能", "")
        .replace("猜谜", "");
    holds(&spaced(text), &HEDGES) || HEDGES_IN_CHINESE.iter().any(|it| chinese.contains(it))
}
