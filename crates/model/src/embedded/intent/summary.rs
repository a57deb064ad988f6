//! Messages that ask for a summary of the page.
//!
//! Example: "What are the main points of this article?" asks for a summary. "Points" is in
//! [`ASKING`], and all other words are in [`BESIDE`]. "Which points does it make about tides?" asks
//! for a passage, because "tides" is in neither list.

/// Words that ask for a summary. A message must contain one of them.
#[rustfmt::skip]
const ASKING: [&str; 27] = [
    "about", "content", "contents", "cover", "covers", "discuss", "discusses", "gist",
    "highlights", "idea", "ideas", "outline", "overview", "points", "recap", "say", "says", "subject",
    "sum", "summarise", "summarize", "summary", "takeaways", "tl;dr", "tldr", "tl", "topic",
];

/// Other words that may occur in a request for a summary.
#[rustfmt::skip]
const BESIDE: [&str; 71] = [
    "a", "an", "and", "are", "article", "as", "at", "all", "basic", "blog", "brief", "briefly",
    "bullet", "bullets", "central", "create", "did", "do", "document", "does", "dr", "few", "five",
    "for", "from", "get", "give", "here", "i", "important", "in", "is", "it", "it's", "key",
    "list", "main", "make", "me", "most", "need", "of", "on", "one", "page", "paper", "paragraph",
    "point", "post", "quick", "sentence", "sentences", "short", "show", "site", "some", "story", "tell",
    "text", "the", "this", "three", "to", "up", "want", "website", "what", "what's", "whole",
    "words", "write",
];

#[rustfmt::skip]
const ASKING_CHINESE: [&str; 22] = [
    "总结", "概括", "摘要", "要点", "大意", "主旨", "概述", "归纳", "梗概", "提要", "主要内容", "讲了什么",
    "讲什么", "讲的是什么", "说了什么", "说的是什么", "写了什么", "写的是什么", "内容是什么", "主要讲", "主要说",
    "中心思想",
];

/// Other characters that may occur in a Chinese request for a summary.
#[rustfmt::skip]
const BESIDE_CHINESE: &str =
    "的一下这篇文章本页面网页全文给我用几句话简单短简要关于是什么了吗它在讲说列出两三四五个点条主要内容请帮我把来做些哪有";

pub(super) fn is_asked_for(words: &str) -> bool {
    is_english(words) || is_chinese(words)
}

fn is_english(words: &str) -> bool {
    let parts: Vec<&str> = words
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | ';')))
        .map(|word| word.trim_matches(';'))
        .filter(|word| !word.is_empty())
        .collect();
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let fits = |word: &&str| ASKING.contains(word) || BESIDE.contains(word) || is_number(word);
    parts.iter().any(|word| ASKING.contains(word)) && parts.iter().all(fits)
}

fn is_chinese(words: &str) -> bool {
    let Some(asking) = ASKING_CHINESE.iter().find(|asking| words.contains(*asking)) else {
        return false;
    };
    let rest = words.replacen(asking, "", 1);
    rest.chars()
        .filter(|c| c.is_alphanumeric())
        .all(|c| BESIDE_CHINESE.contains(c) || c.is_ascii_digit())
}
