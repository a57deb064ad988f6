//! Phrases that show the kind of thing that a question asks for.
//!
//! Driving example: "In which year …", "哪一年……" and "When …" ask for a time.

use super::super::super::simplified;
use super::{AnswerKind, has_any};

/// Phrases of English questions, with the kind of thing that they ask for. An answer needn't
/// contain these phrases.
#[rustfmt::skip]
pub(super) const ASKING: &[(&str, AnswerKind)] = &[
    ("who", AnswerKind::Person), ("whom", AnswerKind::Person), ("whose", AnswerKind::Person),
    ("which person", AnswerKind::Person), ("which author", AnswerKind::Person),
    ("what is the name", AnswerKind::Person), ("what was the name", AnswerKind::Person),
    ("when", AnswerKind::Time), ("what time", AnswerKind::Time), ("what date", AnswerKind::Time),
    ("which date", AnswerKind::Time), ("what day", AnswerKind::Time), ("which day", AnswerKind::Time),
    ("what month", AnswerKind::Time), ("which month", AnswerKind::Time), ("what year", AnswerKind::Time),
    ("which year", AnswerKind::Time), ("what century", AnswerKind::Time),
    ("which century", AnswerKind::Time), ("what is the date", AnswerKind::Time),
    ("what decade", AnswerKind::Time), ("how long ago", AnswerKind::Time),
    ("how many", AnswerKind::Number), ("how much", AnswerKind::Number), ("how long", AnswerKind::Length),
    ("how old", AnswerKind::Age), ("how far", AnswerKind::Number), ("how high", AnswerKind::Number),
    ("how tall", AnswerKind::Number), ("how deep", AnswerKind::Number), ("how big", AnswerKind::Number),
    ("how large", AnswerKind::Number),
    ("how small", AnswerKind::Number), ("how wide", AnswerKind::Number), ("how often", AnswerKind::Number),
    ("how fast", AnswerKind::Number), ("how heavy", AnswerKind::Number),
    ("what percentage", AnswerKind::Number), ("what percent", AnswerKind::Number),
    ("what number", AnswerKind::Number), ("what is the number", AnswerKind::Number),
    ("what amount", AnswerKind::Number), ("what is the price", AnswerKind::Money),
    ("how much money", AnswerKind::Money),
    ("what is the cost", AnswerKind::Money), ("what does it cost", AnswerKind::Money),
    ("what size", AnswerKind::Number), ("what age", AnswerKind::Age),
    ("where", AnswerKind::Place), ("what place", AnswerKind::Place), ("which country", AnswerKind::Place),
    ("what country", AnswerKind::Place), ("which city", AnswerKind::Place),
    ("what city", AnswerKind::Place), ("which state", AnswerKind::Place),
    ("what state", AnswerKind::Place), ("which town", AnswerKind::Place),
    ("why", AnswerKind::Reason), ("what is the reason", AnswerKind::Reason),
    ("what was the reason", AnswerKind::Reason), ("for what reason", AnswerKind::Reason),
    ("how come", AnswerKind::Reason), ("what causes", AnswerKind::Reason),
    ("how", AnswerKind::Manner), ("in what way", AnswerKind::Manner),
    ("what is a", AnswerKind::Definition), ("what is an", AnswerKind::Definition),
    ("what is meant by", AnswerKind::Definition),
    ("define", AnswerKind::Definition), ("stand for", AnswerKind::Definition),
    ("short for", AnswerKind::Definition), ("what is the meaning of", AnswerKind::Definition),
];

/// Phrases of Chinese questions, with the kind of thing that they ask for.
#[rustfmt::skip]
pub(super) const ASKING_CHINESE: &[(&str, AnswerKind)] = &[
    ("谁", AnswerKind::Person), ("哪人", AnswerKind::Person),
    ("何人", AnswerKind::Person), ("叫什么名字", AnswerKind::Person),
    ("什么时候", AnswerKind::Time), ("什么时间", AnswerKind::Time), ("何时", AnswerKind::Time),
    ("哪年", AnswerKind::Time), ("哪一年", AnswerKind::Time), ("哪天", AnswerKind::Time),
    ("哪一天", AnswerKind::Time), ("哪月", AnswerKind::Time), ("几月", AnswerKind::Time),
    ("几号", AnswerKind::Time), ("几点", AnswerKind::Time), ("哪世纪", AnswerKind::Time),
    ("多少", AnswerKind::Number), ("多少钱", AnswerKind::Money), ("价格", AnswerKind::Money),
    ("价钱", AnswerKind::Money), ("几", AnswerKind::Number), ("多久", AnswerKind::Length), ("多长时间", AnswerKind::Length),
    ("多长", AnswerKind::Length), ("多少岁", AnswerKind::Age), ("几岁", AnswerKind::Age), ("多大", AnswerKind::Number), ("多高", AnswerKind::Number),
    ("多远", AnswerKind::Number), ("多快", AnswerKind::Number), ("多重", AnswerKind::Number),
    ("哪里", AnswerKind::Place), ("哪儿", AnswerKind::Place), ("何处", AnswerKind::Place),
    ("什么地方", AnswerKind::Place), ("哪国家", AnswerKind::Place), ("哪城市", AnswerKind::Place),
    ("哪国", AnswerKind::Place), ("哪地方", AnswerKind::Place), ("哪目录", AnswerKind::Place),
    ("为什么", AnswerKind::Reason), ("为何", AnswerKind::Reason), ("为啥", AnswerKind::Reason),
    ("什么原因", AnswerKind::Reason), ("原因是什么", AnswerKind::Reason),
    ("如何", AnswerKind::Manner), ("怎么", AnswerKind::Manner), ("怎样", AnswerKind::Manner),
    ("怎么样", AnswerKind::Manner), ("怎么办", AnswerKind::Manner), ("什么办法", AnswerKind::Manner),
    ("什么是", AnswerKind::Definition), ("什么意思", AnswerKind::Definition),
    ("什么的缩写", AnswerKind::Definition), ("什么的简称", AnswerKind::Definition),
    ("的全称是什么", AnswerKind::Definition), ("的意思是什么", AnswerKind::Definition),
    ("是指什么", AnswerKind::Definition), ("何谓", AnswerKind::Definition),
    ("是什么", AnswerKind::Definition), ("什么", AnswerKind::Anything), ("哪些", AnswerKind::Anything),
    ("哪一", AnswerKind::Anything), ("哪", AnswerKind::Anything), ("是否", AnswerKind::Anything), ("是不是", AnswerKind::Anything),
    ("有没有", AnswerKind::Anything), ("能不能", AnswerKind::Anything), ("可不可以", AnswerKind::Anything),
    ("有多", AnswerKind::Number), ("请问", AnswerKind::Anything), ("吗", AnswerKind::Anything),
    ("文中", AnswerKind::Anything), ("本文", AnswerKind::Anything), ("这篇文章", AnswerKind::Anything),
    ("本页", AnswerKind::Anything), ("根据", AnswerKind::Anything),
];

/// Removes Chinese measure words: "哪本" -> "哪", "多少个" -> "多少".
pub(super) fn without_measures(rest: &str) -> String {
    const MEASURES: &str = "个本种家座部篇项次款位条所些名只张台辆件份块片首门间";
    let mut kept = String::with_capacity(rest.len());
    for c in rest.chars() {
        let asks = ["哪", "哪一", "多少", "几", "幾"]
            .iter()
            .any(|asking| kept.ends_with(asking));
        let is_measure = simplified(c.encode_utf8(&mut [0; 4]))
            .chars()
            .all(|c| MEASURES.contains(c));
        if !(asks && is_measure) {
            kept.push(c);
        }
    }
    kept
}

/// Returns true for questions such as "What is the population?" and "At what altitude?".
pub(super) fn asks_for_quantity(rest: &str) -> bool {
    #[rustfmt::skip]
    const QUANTITIES: [&str; 34] = [
        "age", "altitude", "amount", "average", "budget", "capacity", "depth", "distance",
        "duration", "fraction", "frequency", "height", "length", "limit", "number", "percent",
        "percentage", "population", "portion", "proportion", "rate", "ratio", "resolution", "salary",
        "score", "share", "size", "speed", "temperature", "total", "version", "volume", "weight", "width",
    ];
    let mut words = rest.split(' ').filter(|word| !word.is_empty());
    let asks = words
        .by_ref()
        .take(2)
        .any(|word| matches!(word, "what" | "what's" | "which"));
    asks && words.take(3).any(|word| QUANTITIES.contains(&word))
}

/// Returns true for questions such as "How much does it cost?".
pub(super) fn is_of_cost(rest: &str) -> bool {
    const COST: [&str; 8] = [
        " cost ", " costs ", " pay ", " paid ", " price ", " charge ", "花了", "售价",
    ];
    has_any(rest, &COST) > 0.0
}
