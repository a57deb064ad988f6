//! Whether a sentence is about the person.
//!
//! Driving example: "Prefers metric units" and "The user's name is Ada" are, "The Moon pulls
//! on the sea" is not. A sentence without a subject is about them if it begins as such
//! sentences do; what begins otherwise and names nobody is not kept: a model that meant them
//! says so in its next call.

use crate::memory::words::{FIRST, FIRST_IN_CHINESE, OF_FIRST, words};

/// Who they are, as a model says it.
const THEM: [&str; 3] = ["user", "user's", "users"];
const THEM_IN_CHINESE: [&str; 2] = ["用户", "使用者"];

/// What a sentence about another begins with, whoever it names later.
const OTHERS: [&str; 15] = [
    "the page",
    "this page",
    "the article",
    "this article",
    "the site",
    "this site",
    "the website",
    "this website",
    "the author",
    "the document",
    "this document",
    "the text",
    "the paper",
    "user interface",
    "user interfaces",
];
const OTHERS_IN_CHINESE: [&str; 10] = [
    "此页",
    "本页",
    "该页",
    "网页",
    "页面",
    "文章",
    "本文",
    "作者",
    "该网站",
    "用户界面",
];

/// How a sentence without a subject begins.
const OPENINGS: [&str; 94] = [
    "prefers",
    "likes",
    "loves",
    "enjoys",
    "dislikes",
    "hates",
    "avoids",
    "wants",
    "needs",
    "uses",
    "works",
    "lives",
    "is",
    "has",
    "was",
    "owns",
    "keeps",
    "drives",
    "rides",
    "sails",
    "plays",
    "sings",
    "reads",
    "writes",
    "speaks",
    "understands",
    "knows",
    "learns",
    "studies",
    "studied",
    "teaches",
    "builds",
    "develops",
    "maintains",
    "runs",
    "manages",
    "leads",
    "programs",
    "codes",
    "designs",
    "researches",
    "plans",
    "hopes",
    "aims",
    "intends",
    "eats",
    "drinks",
    "cooks",
    "grows",
    "collects",
    "travels",
    "comes",
    "goes",
    "grew",
    "moved",
    "born",
    "based",
    "married",
    "allergic",
    "vegetarian",
    "vegan",
    "interested",
    "fluent",
    "native",
    "learning",
    "working",
    "writing",
    "building",
    "studying",
    "training",
    "preparing",
    "planning",
    "responds",
    "answers",
    "calls",
    "expects",
    "values",
    "follows",
    "listens",
    "watches",
    "can",
    "cannot",
    "can't",
    "doesn't",
    "does",
    "never",
    "always",
    "usually",
    "often",
    "mostly",
    "currently",
    "regularly",
    "rarely",
    "name",
];
/// Never a single character: names of places and things begin with those, too.
const OPENINGS_IN_CHINESE: [&str; 101] = [
    "喜欢",
    "不喜欢",
    "偏好",
    "更喜欢",
    "习惯",
    "讨厌",
    "住在",
    "居住",
    "来自",
    "使用",
    "正在",
    "姓名",
    "名叫",
    "名字",
    "职业",
    "母语",
    "学习",
    "从事",
    "计划",
    "打算",
    "希望",
    "需要",
    "从不",
    "总是",
    "通常",
    "经常",
    "擅长",
    "主修",
    "毕业",
    "生日",
    "出生",
    "开发",
    "维护",
    "负责",
    "研究",
    "常用",
    "倾向",
    "要求",
    "素食",
    "已婚",
    "目前",
    "长期",
    "每天",
    "每周",
    "不吃",
    "爱吃",
    "爱喝",
    "爱看",
    "爱听",
    "爱读",
    "爱玩",
    "爱好",
    "会说",
    "会讲",
    "会写",
    "会用",
    "会弹",
    "会开",
    "会做",
    "懂得",
    "懂一点",
    "在学",
    "在读",
    "在写",
    "在做",
    "是一名",
    "是一位",
    "是一个",
    "是个",
    "用的是",
    "叫做",
    "不爱",
    "不喝",
    "不抽烟",
    "不用",
    "不看",
    "不会",
    "不想",
    "养了",
    "养着",
    "养猫",
    "养狗",
    "有孩子",
    "有女儿",
    "有儿子",
    "有一只",
    "想学",
    "想去",
    "想要",
    "想做",
    "想成为",
    "吃素",
    "喝茶",
    "喝咖啡",
    "教书",
    "写小说",
    "写代码",
    "写博客",
    "读书",
    "读博",
    "读研",
];

/// How one begins that says more of them later: "在上海工作".
const SPANS_IN_CHINESE: [(&str, &[&str]); 3] = [
    (
        "在",
        &["工作", "上班", "上学", "读书", "生活", "长大", "出生"],
    ),
    ("对", &["过敏", "感兴趣"]),
    ("有", &["孩子", "女儿", "儿子", "经验"]),
];

pub(super) fn is_about_user(text: &str) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    if is_of_others(&lower) {
        return false;
    }
    let mut words = words(&lower);
    words.any(|word| THEM.contains(&word) || FIRST.contains(&word) || OF_FIRST.contains(&word))
        || (THEM_IN_CHINESE.iter().chain(&FIRST_IN_CHINESE)).any(|it| lower.contains(it))
        || opens(&lower)
}

/// Whether a sentence without a subject begins as those about the person do.
pub(in crate::memory) fn begins_as_of_the_person(lower: &str) -> bool {
    !is_of_others(lower) && opens(lower)
}

fn is_of_others(lower: &str) -> bool {
    let starts = |with: &&str| lower.starts_with(*with);
    OTHERS.iter().any(starts) || OTHERS_IN_CHINESE.iter().any(starts)
}

fn opens(lower: &str) -> bool {
    let starts = |with: &str| lower.starts_with(with);
    let first = words(lower).next();
    first.is_some_and(|first| OPENINGS.contains(&first))
        || OPENINGS_IN_CHINESE.iter().any(|it| starts(it))
        || SPANS_IN_CHINESE
            .iter()
            .any(|(begins, later)| starts(begins) && later.iter().any(|it| lower.contains(it)))
}
