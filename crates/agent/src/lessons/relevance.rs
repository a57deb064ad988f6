//! Decides if a lesson from an earlier failure relates to a question, by the terms that both
//! contain.
//!
//! Example: "How high is the spring tide at Bristol?" relates to a search for `{"query":
//! "Bristol tide tables", "detail": "brief"}`, because both mention Bristol and tides. "What does
//! this page say?" relates to no lesson. A lesson may contain untrusted text, so a run that reads a
//! lesson must ask the user more often (`agent::consent`). An irrelevant lesson therefore costs
//! tokens and also causes needless questions to the user. The comparison uses terms, because a
//! comparison by meaning would need a model. A run begins without waiting for a model.

use gloss_durable::sorted::SortedSet;
use gloss_model::protocol::json_within;
use gloss_text::{Language, simplified, terms, words_and_characters};
use serde_json::Value;

/// The terms of a text that show its topic.
pub(crate) type Topic = SortedSet<String>;

/// The arguments that have a fixed choice of values. Such values are options and say nothing about
/// the topic.
pub(crate) const CHOICES: [&str; 12] = [
    "categories",
    "category",
    "dateRange",
    "date_range",
    "detail",
    "kind",
    "level",
    "region",
    "sourceCategory",
    "source_category",
    "tier",
    "unit",
];

/// Words that are common in questions and failures, or in web addresses. No topic contains these
/// words.
const OF_NO_TOPIC: &str = "page site website web link url address search query question answer \
    result source article text document content file tool call argument request response server \
    error fail block refuse allow empty fetch find look read open get give show tell say know \
    need want make use try help work explain describe summary summarize translate compare list \
    define mean example thing way kind type good best new latest current today yesterday \
    tomorrow year month week day time people information detail fact different first last \
    please thank http https www com org net html wiki wikipedia en";

/// Common words of Chinese questions. A longer word is listed before the shorter words that are
/// part of the longer word.
const ASKED_IN_CHINESE: &str = "为什么 是什么 什么 为何 怎么样 怎么 怎样 如何 请问 告诉我 告诉 \
    帮我 哪一 哪些 哪个 哪里 多少 是否 可以 能否 一下 介绍 总结 解释 说明 翻译 搜索 查询 查找 \
    网页 网站 页面 文章 内容 结果 信息 问题 今天 现在 最新 关于 失败 错误 工具 调用 参数 请求 \
    服务器";

pub(crate) struct Topics {
    none: Topic,
}

impl Topics {
    pub(crate) fn new() -> Self {
        let none = terms(OF_NO_TOPIC, Language::English).into_iter().collect();
        Self { none }
    }

    /// Returns the topic of a text. In Chinese, the terms are pairs of characters, because a single
    /// character is too common.
    pub(crate) fn of(&self, words: &str) -> Topic {
        let (apart, characters) = words_and_characters(words);
        let all = if characters > apart {
            let mut words = simplified(words);
            for said in ASKED_IN_CHINESE.split_whitespace() {
                words = words.replace(said, " ");
            }
            terms(&words, Language::Chinese)
        } else {
            terms(words, Language::English)
        };
        let tells = |term: &String| term.chars().nth(1).is_some() && !self.none.contains(term);
        all.into_iter().filter(tells).collect()
    }

    /// Returns the topic of a tool call. `arguments` is JSON that may be cut off.
    pub(crate) fn of_call(&self, arguments: &str) -> Topic {
        self.of(&texts(arguments))
    }
}

/// Returns the string values in the arguments, without keys and without the values of options.
fn texts(arguments: &str) -> String {
    let mut texts = String::new();
    add_texts(&json_within(arguments).unwrap_or_default(), &mut texts);
    texts
}

fn add_texts(value: &Value, texts: &mut String) {
    match value {
        Value::String(text) => {
            texts.push(' ');
            texts.push_str(text);
        }
        Value::Array(items) => items.iter().for_each(|item| add_texts(item, texts)),
        Value::Object(fields) => {
            let free = |(name, _): &(&String, &Value)| !CHOICES.contains(&name.as_str());
            let free = fields.iter().filter(free);
            free.for_each(|(_, value)| add_texts(value, texts));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns the number of the question's terms that an earlier call, or the analysis of its failure,
/// contains.
pub(crate) fn count_shared(question: &Topic, call: &Topic, said: &Topic) -> usize {
    let shares = |term: &&String| call.contains(*term) || said.contains(*term);
    question.iter().filter(shares).count()
}

/// Returns true if a failed call relates to a question; `said` is the topic of the failure's
/// analysis. One of two conditions must be met. First: the question shares at least two terms with
/// the call and the analysis, and at least a third of the terms of the shorter side. Second: the
/// question and the call share at least half of all their terms.
pub(crate) fn is_relevant(question: &Topic, call: &Topic, said: &Topic) -> bool {
    let both = |one: &Topic, other: &Topic| one.intersection(other).count();
    let all = call.len() + said.len() - both(call, said);
    let shared = count_shared(question, call, said);
    let of_call = both(question, call);
    let of_both = question.len() + call.len() - of_call;
    (shared > 1 && shared * 3 >= all.min(question.len())) || (of_call > 0 && of_call * 2 >= of_both)
}

#[cfg(test)]
#[path = "relevance_tests.rs"]
mod tests;
