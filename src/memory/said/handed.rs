//! Text that the person hands over to be worked on, which is nobody's word about them.
//!
//! Driving example: "Translate I live in Paris into French", and "I has two cats. Correct that,
//! please". Who asks for it says where the text stands: in the same piece, behind it, or before.
//!
//! Deliberately absent: where the text ends. What stands behind is handed over to the last line,
//! as a text may go on for as long; what a page says is handed over by name ("this page") and
//! ends with it.

use crate::memory::words::FIRST;

/// Where a text stands that somebody is to work on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Handed {
    /// There is none.
    Nothing,
    /// In this piece, and in what is left of its sentence.
    Here,
    /// Here, and behind.
    Behind,
    /// Here, behind, and before.
    Around,
}

/// What is done with the words of a text.
const REWORDS: [&str; 14] = [
    "translate",
    "rephrase",
    "reword",
    "rewrite",
    "paraphrase",
    "proofread",
    "correct",
    "polish",
    "transliterate",
    "transcribe",
    "spellcheck",
    "punctuate",
    "parse",
    "edit",
];

/// What is also done with what a page says, where no text is meant.
const DIGESTS: [&str; 6] = [
    "summarise",
    "summarize",
    "shorten",
    "simplify",
    "condense",
    "render",
];

/// What is done with a text where that is named, as in "check my grammar".
const LOOKS_AT: [&str; 5] = ["check", "fix", "improve", "review", "mark"];
const OF_A_TEXT: [&str; 16] = [
    "grammar",
    "spelling",
    "punctuation",
    "wording",
    "sentence",
    "sentences",
    "text",
    "essay",
    "letter",
    "email",
    "paragraph",
    "paragraphs",
    "draft",
    "translation",
    "writing",
    "english",
];

/// Before the first person these mention what is said, as "how to say I live in Paris" does.
const MENTIONS: [&str; 24] = [
    "say",
    "says",
    "saying",
    "write",
    "writing",
    "type",
    "spell",
    "pronounce",
    "repeat",
    "explain",
    "define",
    "put",
    "turn",
    "convert",
    "continue",
    "complete",
    "finish",
    "reply",
    "for",
    "of",
    "phrase",
    "sentence",
    "words",
    "like",
];

/// A text to be made up.
const MAKES_UP: [&str; 5] = ["write", "draft", "compose", "invent", "generate"];

/// What stands before what somebody is asked to do.
const ASKED_WITH: [&str; 34] = [
    "please", "can", "could", "would", "will", "you", "i", "i'd", "want", "need", "like", "love",
    "to", "help", "me", "us", "let's", "now", "just", "then", "also", "kindly", "and", "next",
    "first", "hi", "hello", "hey", "ok", "okay", "thanks", "so", "quickly", "gloss",
];

/// A text that is meant without being named.
const POINTS: [&str; 11] = [
    "this",
    "that",
    "it",
    "these",
    "those",
    "them",
    "above",
    "below",
    "following",
    "text",
    "sentence",
];

/// What is named instead of a text of the person's.
const OF_THE_WEB: [&str; 18] = [
    "page",
    "pages",
    "article",
    "site",
    "website",
    "link",
    "url",
    "tab",
    "tabs",
    "pdf",
    "document",
    "paper",
    "chapter",
    "section",
    "thread",
    "video",
    "post",
    "selection",
];

const REWORDS_IN_CHINESE: [&str; 17] = [
    "翻译", "翻成", "译成", "译为", "润色", "改写", "校对", "纠正", "修改", "改错", "改成", "转述",
    "复述", "缩写", "扩写", "续写", "仿写",
];
const DIGESTS_IN_CHINESE: [&str; 7] = ["总结", "概括", "归纳", "缩短", "精简", "简化", "分析"];
const MAKES_UP_IN_CHINESE: [&str; 6] = ["写一", "写篇", "写封", "写首", "写段", "编一"];

/// What is asked about words.
const MEANS_IN_CHINESE: [&str; 13] = [
    "什么意思",
    "啥意思",
    "怎么说",
    "怎么讲",
    "怎么写",
    "怎么读",
    "怎么念",
    "怎么翻译",
    "怎么翻",
    "怎么表达",
    "怎样表达",
    "如何表达",
    "语法对",
];
/// Those ask nothing.
const MEANS_NOTHING: [&str; 3] = ["怎么说呢", "不管怎么说", "无论怎么说"];

const ASKED_WITH_IN_CHINESE: [&str; 22] = [
    "请",
    "麻烦",
    "劳驾",
    "帮忙",
    "帮我",
    "帮",
    "给我",
    "替我",
    "为我",
    "你",
    "能不能",
    "能",
    "可不可以",
    "可以",
    "可否",
    "现在",
    "然后",
    "再",
    "先",
    "我想让",
    "我想请",
    "我要",
];
const POINTS_IN_CHINESE: [&str; 9] = [
    "这", "那", "它", "以上", "上面", "前面", "上述", "下面", "以下",
];
const OF_THE_WEB_IN_CHINESE: [&str; 13] = [
    "网页", "页面", "这页", "此页", "本页", "一页", "文章", "链接", "网站", "论文", "文档", "视频",
    "选中",
];

/// Where a piece has its text stand. `lower` is in lower case, `words` are its words.
pub(super) fn handed(lower: &str, words: &[&str]) -> Handed {
    in_english(words).max(in_chinese(lower))
}

fn in_english(words: &[&str]) -> Handed {
    let is_first = |word: &&str| FIRST.contains(word);
    let of = |all: &[&str], word: &str| all.contains(&word);
    let pairs = words.iter().zip(words.iter().skip(1));
    let mut mentions = pairs.map(|(word, next)| of(&MENTIONS, word) && is_first(next));
    let ends_with_means = words.last().is_some_and(|it| of(&["mean", "means"], it))
        && !words.first().is_some_and(is_first);
    let is_here = ends_with_means || mentions.any(|it| it);
    let asked = words.iter().position(|it| {
        of(&REWORDS, it) || of(&DIGESTS, it) || of(&LOOKS_AT, it) || of(&MAKES_UP, it)
    });
    let Some((place, verb)) = asked.and_then(|at| Some((at, *words.get(at)?))) else {
        let points = words.iter().any(|it| of(&POINTS, it));
        return match (is_here, ends_with_means && points || asks_for_words(words)) {
            (_, true) => Handed::Around,
            (true, false) => Handed::Here,
            (false, false) => Handed::Nothing,
        };
    };
    let before = words.get(..place).unwrap_or_default();
    let object = words.get(place + 1..).unwrap_or_default();
    let asks = before.iter().all(|it| of(&ASKED_WITH, it));
    // Who says what they do themselves asks nobody.
    let does = before.iter().any(is_first) && !before.contains(&"you");
    if object.iter().any(is_first) && (asks || !does) && !of(&LOOKS_AT, verb) {
        return Handed::Behind;
    }
    let is_asked = asks && !does;
    if !is_asked || object.iter().any(|it| of(&OF_THE_WEB, it)) {
        return if is_here {
            Handed::Here
        } else {
            Handed::Nothing
        };
    }
    let points = object.iter().take(4).any(|it| of(&POINTS, it));
    let is_made_up = object.iter().take(2).any(|it| of(&["a", "an", "the"], it));
    match verb {
        "correct" if object.is_empty() => Handed::Nothing,
        _ if of(&REWORDS, verb) && points => Handed::Around,
        _ if of(&REWORDS, verb) => Handed::Behind,
        _ if of(&DIGESTS, verb) && points => Handed::Around,
        _ if of(&LOOKS_AT, verb) && object.iter().any(|it| of(&OF_A_TEXT, it)) => Handed::Around,
        _ if of(&MAKES_UP, verb) && is_made_up => Handed::Here,
        _ if is_here => Handed::Here,
        _ => Handed::Nothing,
    }
}

/// "How do I say that in French": of what stands before.
fn asks_for_words(words: &[&str]) -> bool {
    let says = words
        .iter()
        .any(|it| ["say", "spell", "pronounce"].contains(it));
    says && words.contains(&"how") && words.iter().any(|it| POINTS.contains(it))
}

fn in_chinese(lower: &str) -> Handed {
    if lower.is_ascii() {
        return Handed::Nothing;
    }
    let text = lower.trim_end_matches(['?', '？', '呢', '吗', '啊', '的', '。', ' ']);
    let any = |all: &[&str], text: &str| all.iter().any(|it| text.contains(it));
    let behind_means = MEANS_IN_CHINESE
        .iter()
        .find_map(|it| text.split_once(it))
        .filter(|_| !any(&MEANS_NOTHING, lower));
    if let Some((_, behind)) = behind_means {
        if behind.is_empty() {
            return Handed::Around;
        }
        if behind.contains('我') {
            return Handed::Here;
        }
    }
    let mut asked = text.trim_start();
    while let Some(rest) = ASKED_WITH_IN_CHINESE
        .iter()
        .find_map(|it| asked.strip_prefix(it))
    {
        asked = rest.trim_start();
    }
    let verbs = || REWORDS_IN_CHINESE.iter().chain(&DIGESTS_IN_CHINESE);
    // "把…翻译成…" names the text before what is done with it.
    let taken = ["把", "将"].iter().find_map(|it| asked.strip_prefix(it));
    let theirs = ["把我", "将我"].iter().find_map(|it| text.split_once(it));
    let named = taken.or(theirs.map(|(_, behind)| behind));
    if let Some((text, verb)) = named.and_then(|it| {
        let mut found = verbs().filter_map(|verb| Some((it.split_once(verb)?.0, *verb)));
        found.next()
    }) {
        return of_a_text(text, verb);
    }
    if let Some((verb, text)) = verbs().find_map(|it| Some((*it, asked.strip_prefix(it)?))) {
        return of_a_text(text, verb);
    }
    if MAKES_UP_IN_CHINESE.iter().any(|it| asked.starts_with(it)) {
        return Handed::Here;
    }
    let into = ["翻译成", "翻译为", "译成", "译为", "翻成"];
    let does = ["把", "将"].iter().any(|it| text.contains(it));
    if any(&into, text) && !does {
        Handed::Behind
    } else {
        Handed::Nothing
    }
}

/// Where it stands by how it is named beside a verb.
fn of_a_text(text: &str, verb: &str) -> Handed {
    let any = |all: &[&str]| all.iter().any(|it| text.contains(it));
    let is_left_out = text
        .trim_start_matches("一下")
        .trim_start_matches(['成', '为'])
        .len()
        < text.len()
        || text.trim().is_empty();
    let rewords = REWORDS_IN_CHINESE.contains(&verb);
    if any(&OF_THE_WEB_IN_CHINESE) {
        Handed::Nothing
    } else if any(&POINTS_IN_CHINESE) || rewords && is_left_out {
        Handed::Around
    } else if rewords {
        Handed::Behind
    } else if text.contains('我') {
        Handed::Here
    } else {
        Handed::Nothing
    }
}
