//! The phrases by which a question shows what it asks for.
//!
//! Driving example: "In which year …", "哪一年……" and "When …" ask for a time.

use super::super::super::simplified;
use super::{Expected, has_any};

/// Phrases of English questions, with the kind of thing they ask for. An answer doesn't repeat
/// them.
#[rustfmt::skip]
pub(super) const ASKING: &[(&str, Expected)] = &[
    ("who", Expected::Person), ("whom", Expected::Person), ("whose", Expected::Person),
    ("which person", Expected::Person), ("which author", Expected::Person),
    ("what is the name", Expected::Person), ("what was the name", Expected::Person),
    ("when", Expected::Time), ("what time", Expected::Time), ("what date", Expected::Time),
    ("which date", Expected::Time), ("what day", Expected::Time), ("which day", Expected::Time),
    ("what month", Expected::Time), ("which month", Expected::Time), ("what year", Expected::Time),
    ("which year", Expected::Time), ("what century", Expected::Time),
    ("which century", Expected::Time), ("what is the date", Expected::Time),
    ("what decade", Expected::Time), ("how long ago", Expected::Time),
    ("how many", Expected::Number), ("how much", Expected::Number), ("how long", Expected::Length),
    ("how old", Expected::Age), ("how far", Expected::Number), ("how high", Expected::Number),
    ("how tall", Expected::Number), ("how deep", Expected::Number), ("how big", Expected::Number),
    ("how large", Expected::Number),
    ("how small", Expected::Number), ("how wide", Expected::Number), ("how often", Expected::Number),
    ("how fast", Expected::Number), ("how heavy", Expected::Number),
    ("what percentage", Expected::Number), ("what percent", Expected::Number),
    ("what number", Expected::Number), ("what is the number", Expected::Number),
    ("what amount", Expected::Number), ("what is the price", Expected::Money),
    ("how much money", Expected::Money),
    ("what is the cost", Expected::Money), ("what does it cost", Expected::Money),
    ("what size", Expected::Number), ("what age", Expected::Age),
    ("where", Expected::Place), ("what place", Expected::Place), ("which country", Expected::Place),
    ("what country", Expected::Place), ("which city", Expected::Place),
    ("what city", Expected::Place), ("which state", Expected::Place),
    ("what state", Expected::Place), ("which town", Expected::Place),
    ("why", Expected::Reason), ("what is the reason", Expected::Reason),
    ("what was the reason", Expected::Reason), ("for what reason", Expected::Reason),
    ("how come", Expected::Reason), ("what causes", Expected::Reason),
    ("how", Expected::Manner), ("in what way", Expected::Manner),
    ("what is a", Expected::Definition), ("what is an", Expected::Definition),
    ("what is meant by", Expected::Definition),
    ("define", Expected::Definition), ("stand for", Expected::Definition),
    ("short for", Expected::Definition), ("what is the meaning of", Expected::Definition),
];

/// The same for Chinese.
#[rustfmt::skip]
pub(super) const ASKING_CHINESE: &[(&str, Expected)] = &[
    ("谁", Expected::Person), ("哪人", Expected::Person),
    ("何人", Expected::Person), ("叫什么名字", Expected::Person),
    ("什么时候", Expected::Time), ("什么时间", Expected::Time), ("何时", Expected::Time),
    ("哪年", Expected::Time), ("哪一年", Expected::Time), ("哪天", Expected::Time),
    ("哪一天", Expected::Time), ("哪月", Expected::Time), ("几月", Expected::Time),
    ("几号", Expected::Time), ("几点", Expected::Time), ("哪世纪", Expected::Time),
    ("多少", Expected::Number), ("多少钱", Expected::Money), ("价格", Expected::Money),
    ("价钱", Expected::Money), ("几", Expected::Number), ("多久", Expected::Length), ("多长时间", Expected::Length),
    ("多长", Expected::Length), ("多少岁", Expected::Age), ("几岁", Expected::Age), ("多大", Expected::Number), ("多高", Expected::Number),
    ("多远", Expected::Number), ("多快", Expected::Number), ("多重", Expected::Number),
    ("哪里", Expected::Place), ("哪儿", Expected::Place), ("何处", Expected::Place),
    ("什么地方", Expected::Place), ("哪国家", Expected::Place), ("哪城市", Expected::Place),
    ("哪国", Expected::Place), ("哪地方", Expected::Place), ("哪目录", Expected::Place),
    ("为什么", Expected::Reason), ("为何", Expected::Reason), ("为啥", Expected::Reason),
    ("什么原因", Expected::Reason), ("原因是什么", Expected::Reason),
    ("如何", Expected::Manner), ("怎么", Expected::Manner), ("怎样", Expected::Manner),
    ("怎么样", Expected::Manner), ("怎么办", Expected::Manner), ("什么办法", Expected::Manner),
    ("什么是", Expected::Definition), ("什么意思", Expected::Definition),
    ("什么的缩写", Expected::Definition), ("什么的简称", Expected::Definition),
    ("的全称是什么", Expected::Definition), ("的意思是什么", Expected::Definition),
    ("是指什么", Expected::Definition), ("何谓", Expected::Definition),
    ("是什么", Expected::Definition), ("什么", Expected::Anything), ("哪些", Expected::Anything),
    ("哪一", Expected::Anything), ("哪", Expected::Anything), ("是否", Expected::Anything), ("是不是", Expected::Anything),
    ("有没有", Expected::Anything), ("能不能", Expected::Anything), ("可不可以", Expected::Anything),
    ("有多", Expected::Number), ("请问", Expected::Anything), ("吗", Expected::Anything),
    ("文中", Expected::Anything), ("本文", Expected::Anything), ("这篇文章", Expected::Anything),
    ("本页", Expected::Anything), ("根据", Expected::Anything),
];

/// Removes Chinese measure words: "哪本" asks like "哪", "多少个" like "多少".
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
