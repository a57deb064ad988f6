//! Of whom a piece of a sentence speaks.

use super::pieces::{Joint, Piece};
use crate::memory::judge::begins_as_of_the_person;
use crate::memory::words::{FIRST, FIRST_IN_CHINESE, OF_FIRST, words};

/// Of whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Whose {
    /// Of the person.
    Theirs,
    /// Of somebody of theirs: `daughter`.
    Of(&'static str),
    /// Of others, of nobody, or it can't be told.
    Nobodys,
}

/// Who is spoken of with no name.
const OTHERS: [&str; 16] = [
    "he", "she", "they", "it", "his", "her", "their", "its", "this", "that", "these", "those",
    "he's", "she's", "it's", "they're",
];
const OTHERS_IN_CHINESE: [&str; 9] = ["他", "她", "它", "这", "那", "该", "用户", "大家", "人们"];

/// What makes it no statement.
const SUPPOSED: [&str; 9] = [
    "if",
    "whether",
    "suppose",
    "supposing",
    "imagine",
    "pretend",
    "wonder",
    "unless",
    "assuming",
];
const SUPPOSED_IN_CHINESE: [&str; 7] = ["如果", "假如", "要是", "假设", "倘若", "还是", "是否"];

/// How another's words are told.
const REPORTS: [&str; 10] = [
    "says",
    "tells",
    "claims",
    "writes",
    "recommends",
    "suggests",
    "advises",
    "told",
    "asks",
    "wants",
];
const REPORTS_IN_CHINESE: [&str; 15] = [
    "网页说",
    "页面说",
    "文章说",
    "它说",
    "他说",
    "她说",
    "人说",
    "上说",
    "里说",
    "写着",
    "写道",
    "声称",
    "告诉我",
    "建议我",
    "让我",
];

/// How it is told that somebody said what stands behind a colon.
const SAID: [&str; 5] = ["said", "wrote", "asked", "replied", "writes"];
const SAID_IN_CHINESE: [&str; 4] = ["说", "写道", "写着", "问"];

/// How one begins that says how the person would have it.
const WISHES: [&str; 18] = [
    "please", "remember", "note", "call", "address", "answer", "reply", "respond", "use", "speak",
    "write", "always", "never", "keep", "prefer", "don't", "avoid", "stop",
];
const WISHES_IN_CHINESE: [&str; 10] = [
    "请",
    "记住",
    "记得",
    "叫我",
    "称呼我",
    "用",
    "回答",
    "以后",
    "别",
    "不要",
];

/// What makes words behind a colon their own.
const ANNOUNCES: [&str; 7] = [
    "remember", "note", "notes", "save", "fyi", "know", "about me",
];
const ANNOUNCES_IN_CHINESE: [&str; 4] = ["记住", "记得", "备注", "关于我"];

/// What of theirs is said in sentences of their own: "My situation: I live in Leeds".
const SITUATION: [&str; 12] = [
    "situation",
    "background",
    "profile",
    "bio",
    "details",
    "preferences",
    "context",
    "setup",
    "info",
    "facts",
    "diet",
    "family",
];
const SITUATION_IN_CHINESE: [&str; 9] = [
    "情况", "背景", "资料", "简介", "信息", "偏好", "喜好", "爱好", "习惯",
];

/// A verb of a subject of its own.
const VERBS: [&str; 8] = ["is", "are", "was", "were", "has", "does", "will", "would"];

const KIN: [&str; 66] = [
    "daughter",
    "daughters",
    "son",
    "sons",
    "wife",
    "husband",
    "partner",
    "spouse",
    "girlfriend",
    "boyfriend",
    "fiancé",
    "fiancée",
    "mother",
    "mom",
    "mum",
    "mama",
    "father",
    "dad",
    "papa",
    "parents",
    "parent",
    "brother",
    "brothers",
    "sister",
    "sisters",
    "sibling",
    "siblings",
    "child",
    "children",
    "kid",
    "kids",
    "baby",
    "twins",
    "grandmother",
    "grandma",
    "grandfather",
    "grandpa",
    "grandparents",
    "grandson",
    "granddaughter",
    "grandchildren",
    "uncle",
    "aunt",
    "cousin",
    "niece",
    "nephew",
    "friend",
    "friends",
    "colleague",
    "colleagues",
    "coworker",
    "boss",
    "manager",
    "teacher",
    "neighbour",
    "neighbor",
    "roommate",
    "flatmate",
    "landlord",
    "client",
    "customer",
    "doctor",
    "team",
    "company",
    "cat",
    "dog",
];
const KIN_IN_CHINESE: [&str; 40] = [
    "女儿",
    "儿子",
    "孩子",
    "老婆",
    "妻子",
    "太太",
    "老公",
    "丈夫",
    "先生",
    "爱人",
    "对象",
    "女朋友",
    "男朋友",
    "女友",
    "男友",
    "朋友",
    "妈",
    "母亲",
    "爸",
    "父亲",
    "父母",
    "爷爷",
    "奶奶",
    "外公",
    "外婆",
    "姥姥",
    "姥爷",
    "哥",
    "姐",
    "弟",
    "妹",
    "老板",
    "上司",
    "同事",
    "老师",
    "邻居",
    "室友",
    "同学",
    "猫",
    "狗",
];

/// Whose a piece of the person's own words is, after one that was `before`'s.
pub(super) fn of_words(piece: &Piece<'_>, before: Option<&Whose>) -> Whose {
    let lower = piece.words.to_lowercase();
    let words: Vec<&str> = words(&lower).collect();
    let first = words.first().copied().unwrap_or_default();
    let holds = |all: &[&str]| words.iter().any(|word| all.contains(word));
    let said = |all: &[&str]| all.iter().any(|it| lower.contains(it));
    let begins = |all: &[&str]| all.iter().any(|it| lower.starts_with(it));
    if holds(&SUPPOSED) || said(&SUPPOSED_IN_CHINESE) || said(&REPORTS_IN_CHINESE) {
        return Whose::Nobodys;
    }
    if OTHERS.contains(&first) || begins(&OTHERS_IN_CHINESE) || holds(&REPORTS) {
        return Whose::Nobodys;
    }
    if let Some(kin) = kin(&lower, &words) {
        return Whose::Of(kin);
    }
    let is_first = holds(&FIRST) || words.iter().take(2).any(|it| OF_FIRST.contains(it));
    if is_first || said(&FIRST_IN_CHINESE) || WISHES.contains(&first) || begins(&WISHES_IN_CHINESE)
    {
        return Whose::Theirs;
    }
    match before {
        Some(whose) if piece.joint != Joint::Start && goes_on(piece.words, &words) => whose.clone(),
        // A sentence without a subject is of whom the one before is.
        Some(whose @ (Whose::Of(_) | Whose::Nobodys)) if begins_as_of_the_person(&lower) => {
            whose.clone()
        }
        _ if begins_as_of_the_person(&lower) => Whose::Theirs,
        Some(_) | None => Whose::Nobodys,
    }
}

/// The same of a fact, whose subject is the person where it names nobody else.
pub(super) fn of_fact(piece: &Piece<'_>, before: Option<&Whose>) -> Whose {
    let lower = piece.words.to_lowercase();
    let words: Vec<&str> = words(&lower).collect();
    if let Some(kin) = kin(&lower, &words) {
        return Whose::Of(kin);
    }
    let first = words.first().copied().unwrap_or_default();
    let is_theirs = lower.contains("user") || lower.contains("用户") || OTHERS.contains(&first);
    match before {
        Some(whose) if !is_theirs => whose.clone(),
        Some(_) | None => Whose::Theirs,
    }
}

/// Whether what stands behind a colon is the person's word, by what stands before it, and whose
/// that is.
pub(super) fn announces(before: &str, whose: Option<&Whose>, behind: &str) -> bool {
    let lower = before.to_lowercase();
    let words: Vec<&str> = words(&lower).collect();
    let spaced = format!(" {} ", words.join(" "));
    let holds = |all: &[&str]| all.iter().any(|it| spaced.contains(&format!(" {it} ")));
    let said = |all: &[&str]| all.iter().any(|it| lower.contains(it));
    let of_another = matches!(whose, Some(Whose::Of(_)));
    // A text of theirs, or another's, goes on in the first person: "My essay: I live on Mars".
    let speaks = behind.trim().is_empty() || begins_with_them(behind);
    if holds(&REPORTS) || holds(&SAID) || said(&SAID_IN_CHINESE) || of_another && speaks {
        return false;
    }
    if holds(&ANNOUNCES) || said(&ANNOUNCES_IN_CHINESE) {
        return true;
    }
    let is_situation = words.last().is_some_and(|it| SITUATION.contains(it))
        || SITUATION_IN_CHINESE
            .iter()
            .any(|it| lower.trim_end().ends_with(it));
    let of_theirs = words.first() == Some(&"my") || lower.contains("我的");
    of_theirs && (is_situation || !speaks)
}

/// Whether a question begins with what the person says of themselves.
pub(super) fn begins_with_them(piece: &str) -> bool {
    let lower = piece.to_lowercase();
    let first = words(&lower).next().unwrap_or_default();
    let begins = |all: &[&str]| all.contains(&first);
    begins(&FIRST) || begins(&OF_FIRST) || FIRST_IN_CHINESE.iter().any(|it| lower.starts_with(it))
}

/// Whether a piece has no subject of its own: "and French", not "and Anna plays chess".
fn goes_on(piece: &str, words: &[&str]) -> bool {
    let has_verb = words.iter().skip(1).take(4).any(|it| VERBS.contains(it));
    let mut written = piece.split_whitespace();
    let is_name = written
        .next()
        .is_some_and(|it| it.starts_with(char::is_uppercase));
    let does = written.next().is_some_and(|it| {
        it.len() > 2 && it.ends_with('s') && it.chars().all(|it| it.is_ascii_lowercase())
    });
    let has_subject = has_verb || is_name && does;
    !has_subject
}

/// Somebody of the person's of whom this is: "my eldest daughter …", "I have a son who …". Who
/// ends what the person does is none: "I play chess with my wife".
fn kin(lower: &str, words: &[&str]) -> Option<&'static str> {
    const HAVING: [&str; 11] = [
        "my", "our", "user's", "their", "his", "her", "have", "has", "had", "got", "i've",
    ];
    for (place, word) in words.iter().enumerate() {
        let bare = word.strip_suffix("'s").unwrap_or(word);
        let Some(kin) = KIN.iter().find(|it| **it == bare) else {
            continue;
        };
        let near = words
            .get(place.saturating_sub(3)..place)
            .unwrap_or_default();
        let is_had = near.iter().any(|it| HAVING.contains(it));
        let does = words.first().is_some_and(|it| FIRST.contains(it))
            || words.get(..2) == Some(&["the", "user"][..]);
        let is_last = place + 1 == words.len() && does && *word == bare;
        if is_had && !is_last {
            return Some(kin);
        }
    }
    let whose = [
        "我",
        "我的",
        "我家",
        "用户",
        "用户的",
        "用户家",
        "有个",
        "有一个",
        "有",
    ];
    KIN_IN_CHINESE.into_iter().find(|kin| {
        let Some((before, after)) = lower.split_once(kin) else {
            return false;
        };
        let does = !after.trim().is_empty() || before.chars().count() < 3;
        whose.iter().any(|it| before.trim_end().ends_with(it)) && does
    })
}
