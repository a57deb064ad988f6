//! What kind of thing a question asks for, and whether a sentence has one.
//!
//! Driving example: "When was it built?" is answered by a sentence with a year in
//! it. Deliberately by signs on the surface: a year is not told from a price of four
//! digits, and a city not from a person.

use super::super::Language;
use super::super::language::is_cjk;
use super::question::Words;
use super::words::{is_number, is_occasion, is_time};

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// Who: a name, or people by what they do.
    Person,
    /// When: a date, a time, an occasion.
    Time,
    /// How many, how much, how long.
    Number,
    /// What it costs.
    Money,
    /// Where.
    Place,
    /// Why.
    Reason,
    /// How.
    Manner,
    /// What something is.
    Definition,
    /// Which, what, whether: nothing that could be told by its look.
    Anything,
}

/// Words of a question and what they ask for; the longest that occurs decides. They
/// are no words that an answer repeats.
#[rustfmt::skip]
const ASKING: &[(&str, Expected)] = &[
    ("who", Expected::Person), ("whom", Expected::Person), ("whose", Expected::Person),
    ("which person", Expected::Person), ("which author", Expected::Person),
    ("what is the name", Expected::Person), ("what was the name", Expected::Person),
    ("when", Expected::Time), ("what time", Expected::Time), ("what date", Expected::Time),
    ("which date", Expected::Time), ("what day", Expected::Time), ("which day", Expected::Time),
    ("what month", Expected::Time), ("which month", Expected::Time), ("what year", Expected::Time),
    ("which year", Expected::Time), ("what century", Expected::Time),
    ("which century", Expected::Time), ("what is the date", Expected::Time),
    ("what decade", Expected::Time), ("how long ago", Expected::Time),
    ("how many", Expected::Number), ("how much", Expected::Number), ("how long", Expected::Number),
    ("how old", Expected::Number), ("how far", Expected::Number), ("how high", Expected::Number),
    ("how tall", Expected::Number), ("how deep", Expected::Number), ("how big", Expected::Number),
    ("how large", Expected::Number), ("how often", Expected::Number),
    ("how fast", Expected::Number), ("how heavy", Expected::Number),
    ("what percentage", Expected::Number), ("what percent", Expected::Number),
    ("what number", Expected::Number), ("what is the number", Expected::Number),
    ("what amount", Expected::Number), ("what is the price", Expected::Money),
    ("how much money", Expected::Money),
    ("what is the cost", Expected::Money), ("what does it cost", Expected::Money),
    ("what size", Expected::Number), ("what age", Expected::Number),
    ("where", Expected::Place), ("what place", Expected::Place), ("which country", Expected::Place),
    ("what country", Expected::Place), ("which city", Expected::Place),
    ("what city", Expected::Place), ("which state", Expected::Place),
    ("what state", Expected::Place), ("which town", Expected::Place),
    ("why", Expected::Reason), ("what is the reason", Expected::Reason),
    ("what was the reason", Expected::Reason), ("for what reason", Expected::Reason),
    ("how come", Expected::Reason), ("what causes", Expected::Reason),
    ("how", Expected::Manner), ("in what way", Expected::Manner),
    ("what is a", Expected::Definition), ("what is an", Expected::Definition),
    ("what does", Expected::Anything), ("what is meant by", Expected::Definition),
    ("define", Expected::Definition), ("stand for", Expected::Definition),
    ("short for", Expected::Definition), ("what is the meaning of", Expected::Definition),
];

/// The same in Chinese.
#[rustfmt::skip]
const ASKING_CHINESE: &[(&str, Expected)] = &[
    ("谁", Expected::Person), ("哪位", Expected::Person), ("哪个人", Expected::Person),
    ("何人", Expected::Person), ("叫什么名字", Expected::Person),
    ("什么时候", Expected::Time), ("什么时间", Expected::Time), ("何时", Expected::Time),
    ("哪年", Expected::Time), ("哪一年", Expected::Time), ("哪天", Expected::Time),
    ("哪一天", Expected::Time), ("哪个月", Expected::Time), ("几月", Expected::Time),
    ("几号", Expected::Time), ("几点", Expected::Time), ("哪个世纪", Expected::Time),
    ("多少", Expected::Number), ("多少钱", Expected::Money), ("价格", Expected::Money),
    ("价钱", Expected::Money), ("几个", Expected::Number), ("几种", Expected::Number),
    ("几", Expected::Number), ("多久", Expected::Number), ("多长时间", Expected::Number),
    ("多长", Expected::Number), ("多大", Expected::Number), ("多高", Expected::Number),
    ("多远", Expected::Number), ("多快", Expected::Number), ("多重", Expected::Number),
    ("哪里", Expected::Place), ("哪儿", Expected::Place), ("何处", Expected::Place),
    ("什么地方", Expected::Place), ("哪个国家", Expected::Place), ("哪个城市", Expected::Place),
    ("哪国", Expected::Place), ("哪个地方", Expected::Place), ("哪个目录", Expected::Place),
    ("为什么", Expected::Reason), ("为何", Expected::Reason), ("为啥", Expected::Reason),
    ("什么原因", Expected::Reason), ("原因是什么", Expected::Reason),
    ("如何", Expected::Manner), ("怎么", Expected::Manner), ("怎样", Expected::Manner),
    ("怎么样", Expected::Manner), ("怎么办", Expected::Manner), ("什么办法", Expected::Manner),
    ("什么是", Expected::Definition), ("什么意思", Expected::Definition),
    ("什么的缩写", Expected::Definition), ("什么的简称", Expected::Definition),
    ("的全称是什么", Expected::Definition), ("的意思是什么", Expected::Definition),
    ("是指什么", Expected::Definition), ("何谓", Expected::Definition),
    ("是什么", Expected::Definition), ("什么", Expected::Anything), ("哪些", Expected::Anything),
    ("哪个", Expected::Anything), ("哪种", Expected::Anything), ("哪一个", Expected::Anything),
    ("哪一种", Expected::Anything), ("是否", Expected::Anything), ("是不是", Expected::Anything),
    ("有没有", Expected::Anything), ("能不能", Expected::Anything), ("可不可以", Expected::Anything),
    ("有多", Expected::Number), ("请问", Expected::Anything), ("吗", Expected::Anything),
    ("文中", Expected::Anything), ("本文", Expected::Anything), ("这篇文章", Expected::Anything),
    ("本页", Expected::Anything), ("根据", Expected::Anything),
];

impl Expected {
    /// What a question asks for, and the question without the words that say so.
    pub(super) fn of(question: &str) -> (Self, String) {
        let lower = question.to_lowercase();
        let mut rest = format!(" {} ", spaced(&lower));
        let mut found = Self::Anything;
        let english = ASKING
            .iter()
            .filter(|(words, _)| rest.contains(&format!(" {words} ")))
            // The earliest asks; of those that begin together, the longest.
            .min_by_key(|(words, _)| {
                let at = rest.find(&format!(" {words} "));
                (at.unwrap_or(usize::MAX), usize::MAX - words.len())
            });
        if let Some((words, expected)) = english {
            found = *expected;
            rest = rest.replacen(&format!(" {words} "), " ", 1);
        }
        let mut chinese: Vec<_> = ASKING_CHINESE
            .iter()
            .filter(|(words, _)| rest.contains(words))
            .collect();
        chinese.sort_by_key(|(words, _)| usize::MAX - words.len());
        for (words, expected) in chinese {
            if rest.contains(words) {
                if found == Self::Anything {
                    found = *expected;
                }
                rest = rest.replace(words, " ");
            }
        }
        if found == Self::Number && is_of_cost(&rest) {
            found = Self::Money;
        }
        (found, rest)
    }

    /// Whether a sentence without a sign of this surely does not answer.
    pub(super) fn is_strict(self) -> bool {
        match self {
            Self::Person | Self::Time | Self::Number | Self::Money | Self::Place => true,
            Self::Reason | Self::Manner | Self::Definition | Self::Anything => false,
        }
    }

    /// How far a sentence has what is asked for, 0 to 1; what the question says
    /// itself does not count.
    pub(super) fn fit(self, sentence: &str, known: &Words, language: Language) -> f64 {
        let chinese = language == Language::Chinese;
        match self {
            Self::Person if chinese => person_chinese(sentence, known),
            Self::Person => person(sentence, known),
            Self::Time if chinese => time_chinese(sentence),
            Self::Time => time(sentence, known),
            Self::Number if chinese => number_chinese(sentence, known),
            Self::Number => number(sentence, known),
            Self::Money => money(sentence),
            Self::Place if chinese => has_any(sentence, &PLACES_CHINESE),
            Self::Place => place(sentence, known),
            Self::Reason if chinese => has_any(sentence, &REASONS_CHINESE),
            Self::Reason => has_any(&padded(sentence), &REASONS),
            Self::Manner if chinese => has_any(sentence, &MANNERS_CHINESE),
            Self::Manner => has_any(&padded(sentence), &MANNERS),
            Self::Definition | Self::Anything => 0.0,
        }
    }
}

const OCCASIONS_CHINESE: [&str; 17] = [
    "时候", "期间", "之后", "之前", "以后", "以前", "时，", "每天", "每年", "每月", "每周", "昨天", "今天",
    "明天", "目前", "去年", "今年",
];

const PLACES_CHINESE: [&str; 26] = [
    "在", "位于", "于", "到", "省", "市", "县", "国", "州", "区", "岛", "山", "河", "路", "街",
    "村", "镇", "目录", "文件", "/", "网站", "上", "里", "中", "北", "南",
];

const REASONS: [&str; 22] = [
    " because ", " since ", " due to ", " so that ", " in order to ", " therefore ", " thus ",
    " reason ", " reasons ", " as a result ", " owing to ", " thanks to ", " caused ", " causes ",
    " leads to ", " led to ", " prevent ", " avoid ", " ensure ", " allows ", " means that ",
    " so ",
];

const REASONS_CHINESE: [&str; 16] = [
    "因为", "由于", "因此", "所以", "原因", "为了", "以便", "从而", "导致", "避免", "防止", "使得",
    "以免", "因而", "理由", "造成",
];

const MANNERS: [&str; 20] = [
    " by ", " using ", " use ", " uses ", " with ", " through ", " via ", " run ", " command ",
    " first ", " then ", " can ", " must ", " need to ", " should ", " method ", " step ", " steps ",
    " click ", " type ",
];

const MANNERS_CHINESE: [&str; 15] = [
    "通过", "使用", "利用", "运行", "执行", "命令", "可以", "方法", "步骤", "首先", "然后", "需要",
    "以", "用", "按",
];

/// "How much does it cost?"
fn is_of_cost(rest: &str) -> bool {
    const COST: [&str; 8] = [" cost ", " costs ", " pay ", " paid ", " price ", " charge ", "花了", "售价"];
    has_any(rest, &COST) > 0.0
}

fn has_any(text: &str, signs: &[&str]) -> f64 {
    f64::from(u8::from(signs.iter().any(|sign| text.contains(sign))))
}

/// Lower-cased words between single spaces.
fn spaced(lower: &str) -> String {
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '.' | '_')))
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

fn padded(sentence: &str) -> String {
    format!(" {} ", spaced(&sentence.to_lowercase()))
}

/// The words of a sentence that the question does not have, with whether each is
/// its first.
fn news<'a>(sentence: &'a str, known: &'a Words) -> impl Iterator<Item = (bool, &'a str)> {
    sentence
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-')))
        .filter(|word| !word.is_empty())
        .enumerate()
        .filter(|(_, word)| !known.has(word))
        .map(|(at, word)| (at == 0, word))
}

fn is_capitalised(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
        && word.chars().any(char::is_lowercase)
        && !super::super::english::is_stop_word(&word.to_lowercase())
}

/// A name within the sentence is one; a first word may be; people go by what they do.
fn person(sentence: &str, known: &Words) -> f64 {
    let mut fit = 0.0_f64;
    for (is_first, word) in news(sentence, known) {
        let lower = word.to_lowercase();
        if is_capitalised(word) && !is_time(&lower) {
            fit = fit.max(if is_first { 0.5 } else { 1.0 });
        } else if word.len() > 5
            && ["ers", "ors", "ists", "ist", "ian", "ians"]
                .iter()
                .any(|end| lower.ends_with(end))
        {
            fit = fit.max(0.5);
        }
    }
    fit
}

fn person_chinese(sentence: &str, known: &Words) -> f64 {
    const PEOPLE: [&str; 19] = [
        "·", "先生", "女士", "教授", "博士", "总统", "主席", "者", "家", "员", "师", "团队", "公司",
        "组织", "人", "们", "由", "项目", "委员会",
    ];
    let latin = news(sentence, known).any(|(_, word)| {
        word.chars().next().is_some_and(char::is_uppercase) && !word.chars().any(is_cjk)
    });
    f64::from(u8::from(latin)).max(has_any(sentence, &PEOPLE))
}

fn time(sentence: &str, known: &Words) -> f64 {
    let mut fit = 0.0_f64;
    for (_, word) in news(sentence, known) {
        let lower = word.to_lowercase();
        let is_year = word.len() >= 4
            && word.bytes().take(4).all(|b| b.is_ascii_digit())
            && matches!(word.get(..2), Some("10" | "11" | "12" | "13" | "14" | "15" | "16" | "17" | "18" | "19" | "20"));
        if is_year || is_time(&lower) && (lower != "may" && lower != "march" || is_capitalised(word)) {
            return 1.0;
        }
        if is_occasion(&lower) {
            fit = fit.max(0.7);
        }
    }
    fit
}

fn number(sentence: &str, known: &Words) -> f64 {
    let mut fit = 0.0_f64;
    for (_, word) in news(&without_marks(sentence), known) {
        let lower = word.to_lowercase();
        if word.chars().any(|c| c.is_ascii_digit()) || is_number(&lower) {
            return 1.0;
        }
        if matches!(lower.as_str(), "several" | "few" | "many" | "every" | "always" | "no" | "none" | "all") || is_time(&lower) {
            fit = fit.max(0.5);
        }
    }
    fit
}

fn is_numeral(c: char) -> bool {
    c.is_ascii_digit() || "〇零一二三四五六七八九十百千万亿两".contains(c)
}

/// A number before a unit of time; failing that, an occasion.
fn time_chinese(sentence: &str) -> f64 {
    const UNITS: [&str; 12] = [
        "年", "月", "日", "号", "点", "时", "世纪", "天", "周", "小时", "分钟", "岁",
    ];
    let counted = UNITS.iter().any(|unit| {
        let mut before = sentence.match_indices(unit).map(|(at, _)| sentence.get(..at));
        before.any(|before| before.is_some_and(|text| text.trim_end().ends_with(is_numeral)))
    });
    if counted { 1.0 } else { 0.6 * has_any(sentence, &OCCASIONS_CHINESE) }
}

/// "一" alone is an article more often than a number.
fn number_chinese(sentence: &str, known: &Words) -> f64 {
    let sentence = without_marks(sentence);
    let latin = news(&sentence, known).any(|(_, word)| word.chars().any(|c| c.is_ascii_digit()));
    let written = sentence.chars().any(|c| is_numeral(c) && c != '一');
    if latin || written {
        1.0
    } else {
        0.4 * has_any(&sentence, &["一", "半", "几", "多个", "许多"])
    }
}

fn money(sentence: &str) -> f64 {
    const SIGNS: [&str; 14] = [
        "$", "€", "£", "¥", " usd", " eur", "dollar", "euro", "pound", "free", "元", "免费", "cent", "yuan",
    ];
    has_any(&sentence.to_lowercase(), &SIGNS)
}

/// Without "[12]", which is a reference and no number.
fn without_marks(sentence: &str) -> String {
    let mut parts = sentence.split('[');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(']') {
            Some((mark, rest)) if mark.len() <= 4 => text.push_str(rest),
            _ => text.push_str(part),
        }
    }
    text
}

/// A capital after a word of place; a path; failing that, a word of place.
fn place(sentence: &str, known: &Words) -> f64 {
    const BEFORE: [&str; 12] = [
        "in", "at", "near", "from", "to", "on", "of", "inside", "outside", "across", "under", "around",
    ];
    if sentence.split_whitespace().any(|word| word.trim_matches(|c: char| !(c.is_alphanumeric() || c == '/')).starts_with('/')) {
        return 1.0;
    }
    let mut fit = 0.0_f64;
    let mut after_place = false;
    for word in sentence.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-'))).filter(|w| !w.is_empty()) {
        let lower = word.to_lowercase();
        if after_place && is_capitalised(word) && !known.has(word) {
            return 1.0;
        }
        if BEFORE.contains(&lower.as_str()) {
            after_place = true;
            fit = 0.5;
        } else if lower != "the" && !is_capitalised(word) {
            after_place = false;
        }
    }
    fit
}

#[cfg(test)]
mod tests {
    use super::Expected::{self, Anything, Definition, Manner, Number, Person, Place, Reason, Time};
    use super::super::super::Language::{Chinese, English};
    use super::Words;

    #[test]
    fn a_question_is_read_by_its_asking_words() {
        for (question, expected) in [
            ("Who wrote it?", Person),
            ("In which year did he die?", Time),
            ("How many moons does it have?", Number),
            ("How long does it take?", Number),
            ("Where are logs kept?", Place),
            ("Why is the sky blue?", Reason),
            ("What is the reason that the tide is late?", Reason),
            ("How do I install it?", Manner),
            ("What is a neap tide?", Definition),
            ("Which colour is it?", Anything),
            ("Is it safe when wet?", Time),
            ("谁写了这本书？", Person),
            ("它是哪一年建成的？", Time),
            ("一共有多少个？", Number),
            ("总部在哪里？", Place),
            ("为什么天是蓝的？", Reason),
            ("怎么安装？", Manner),
            ("什么是大潮？", Definition),
            ("用的是哪种颜色？", Anything),
        ] {
            assert_eq!(Expected::of(question).0, expected, "{question}");
        }
    }

    #[test]
    fn a_sentence_shows_whether_it_has_one() {
        let none = Words::default();
        for (expected, sentence, fit) in [
            (Person, "The lens was cut by Fresnel.", 1.0),
            (Person, "The lens was cut by hand.", 0.0),
            (Time, "It was lit in 1823.", 1.0),
            (Time, "It was lit on a Monday.", 1.0),
            (Time, "It is lit when it is dark.", 0.7),
            (Time, "It may be lit.", 0.0),
            (Number, "It has twelve panes.", 1.0),
            (Number, "It has panes.[12]", 0.0),
            (Place, "It stands in Cornwall.", 1.0),
            (Place, "It is kept in a box.", 0.5),
            (Reason, "It broke because it was thin.", 1.0),
        ] {
            let found = expected.fit(sentence, &none, English);
            assert!((found - fit).abs() < 1e-9, "{sentence}: {found}");
        }
        assert!(Time.fit("灯塔建于1823年。", &none, Chinese) > 0.9);
        assert!(Time.fit("灯塔很高。", &none, Chinese) < 0.1);
    }
}
