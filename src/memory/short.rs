//! Chinese words of one character, which pairs of characters don't find.
//!
//! Driving example: "推荐一种茶" and "用户喜欢茶" share no pair of characters, and speak of the same.
//! Between what only frames a sentence ("推荐", "一种", "喜欢") a single character stands by
//! itself: that is a word.
//!
//! Deliberately absent: a dictionary. A character within a longer word says nothing alone, for
//! "上海" is no sea: what is not surely a word by itself is none.

use super::likeness::{ADDITIVE, DISLIKES, FILLERS, LIKES, one_character};
use super::words::{ASKED_IN_CHINESE, WHO_IN_CHINESE};
use crate::text::simplified;
use std::collections::BTreeSet;

/// What frames what somebody asks, or does with a thing.
const FRAMES: [&str; 101] = [
    "推荐",
    "推薦",
    "建议",
    "选择",
    "挑选",
    "购买",
    "想买",
    "想要",
    "想养",
    "想吃",
    "想喝",
    "想学",
    "需要",
    "适合",
    "好吃",
    "好喝",
    "好看",
    "便宜",
    "一种",
    "一款",
    "一些",
    "一点",
    "一只",
    "一条",
    "一匹",
    "一头",
    "一个",
    "一辆",
    "一本",
    "一杯",
    "一壶",
    "一瓶",
    "一支",
    "一把",
    "一首",
    "一张",
    "一幅",
    "两只",
    "两条",
    "两个",
    "两辆",
    "三只",
    "三个",
    "几只",
    "几种",
    "这种",
    "那种",
    "哪种",
    "哪款",
    "每天",
    "每周",
    "经常",
    "喜爱",
    "养了",
    "养着",
    "家里",
    "有没有",
    "不能",
    "不吃",
    "不喝",
    "可以",
    "应该",
    "可能",
    "附近",
    "送给",
    "比较",
    "热的",
    "冷的",
    "过敏",
    "收藏",
    "时候",
    "之前",
    "之后",
    "会弹",
    "会拉",
    "会骑",
    "会下",
    "在学",
    "学过",
    "在练",
    "练习",
    "没有",
    "不要",
    "不会",
    "不爱",
    "和",
    "与",
    "跟",
    "或",
    "的",
    "了",
    "吗",
    "吧",
    "是",
    "有",
    "请",
    "喝",
    "吃",
    "养",
    "买",
    "爱",
];

/// Words that hold one of those, and are another.
const WHOLE: [&str; 56] = [
    "营养",
    "保养",
    "养老",
    "养生",
    "培养",
    "可爱",
    "爱情",
    "爱人",
    "爱尔兰",
    "恋爱",
    "所有",
    "有限",
    "有关",
    "有名",
    "有效",
    "有机",
    "国有",
    "和平",
    "和谐",
    "温和",
    "共和",
    "目的",
    "的确",
    "的士",
    "了解",
    "为了",
    "但是",
    "还是",
    "于是",
    "是否",
    "只是",
    "要是",
    "总是",
    "申请",
    "请求",
    "邀请",
    "请假",
    "小吃",
    "吃力",
    "吃惊",
    "买卖",
    "酒吧",
    "网吧",
    "贴吧",
    "或者",
    "或许",
    "参与",
    "与会",
    "跟踪",
    "跟随",
    "没收",
    "拥有",
    "享有",
    "除了",
    "极了",
    "饱和",
];

/// Characters that stand alone and name nothing.
const NOTHING: &str = "我你他她它们这那其此一二两三四五六七八九十百千万几多少大小好坏新旧老高低\
    长短上下左右前后里外中内间边人天年月日时分秒点事话次回遍种类样些个只条头匹本张支把件位名\
    家地得着过在到从向往对为被让给使于以而且但却也都就还再又才已将要会能可应该想去来做用说看\
    听学玩打弹拉骑写读叫住不没别很太更最真挺极如若因故所则由即吧呢啊嘛哪谁何怎么什多钱元块";

/// What stands before a thing, and behind it, without a word of its own between.
const BEFORE: &str = "对给做卖把";
const BEHIND: &str = "好";

/// The longest word that is known by its last character: "乌龙茶".
const LONGEST: usize = 3;

/// What a text says in single characters.
#[derive(Debug, Default)]
pub(super) struct Short {
    /// Those that are words.
    pub(super) words: BTreeSet<char>,
    /// Those that a short word ends with: a green tea is a tea.
    pub(super) ends: BTreeSet<char>,
}

impl Short {
    /// Reads texts.
    pub(super) fn of<'a>(texts: impl IntoIterator<Item = &'a String>) -> Self {
        let mut found = Self::default();
        for text in texts {
            for run in runs(text) {
                let run = run.trim_start_matches(|it| BEFORE.contains(it));
                let run = run.trim_end_matches(|it| BEHIND.contains(it));
                let length = run.chars().count();
                let Some(last) = run.chars().next_back() else {
                    continue;
                };
                if length > LONGEST || NOTHING.contains(last) {
                    continue;
                }
                found.ends.insert(last);
                if length == 1 {
                    found.words.insert(last);
                }
            }
        }
        found
    }

    /// Which of these words are spoken of.
    pub(super) fn speaks_of(&self, word: char) -> bool {
        self.ends.contains(&word)
    }
}

/// What stands between frames: of CJK alone.
fn runs(text: &str) -> Vec<String> {
    let text = simplified(text);
    let mut found = vec![String::new()];
    let mut rest = text.as_str();
    while let Some(letter) = rest.chars().next() {
        let begins = |all: &[&'static str]| {
            let fits = all.iter().filter(|it| rest.starts_with(**it));
            fits.map(|it| it.len()).max()
        };
        let frames = [
            begins(&FRAMES),
            begins(&LIKES),
            begins(&DISLIKES),
            begins(&ADDITIVE),
            begins(&FILLERS),
            begins(&WHO_IN_CHINESE),
            begins(&ASKED_IN_CHINESE),
        ];
        let frame = frames.into_iter().flatten().max();
        let whole = begins(&WHOLE);
        let is_cjk = one_character(letter.encode_utf8(&mut [0; 4])).is_some();
        let length = match (whole, frame) {
            (Some(whole), frame) if frame.is_none_or(|frame| frame <= whole) => {
                if let Some(run) = found.last_mut() {
                    run.push_str(rest.get(..whole).unwrap_or_default());
                }
                whole
            }
            (_, Some(frame)) => {
                found.push(String::new());
                frame
            }
            (_, None) if is_cjk => {
                if let Some(run) = found.last_mut() {
                    run.push(letter);
                }
                letter.len_utf8()
            }
            (_, None) => {
                found.push(String::new());
                letter.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    found.retain(|run| !run.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is asked, what is known, whether that bears on it.
    const PAIRS: [(&str, &str, bool); 47] = [
        ("推荐一种茶", "用户喜欢茶", true),
        ("推荐一种茶", "用户喜欢喝茶", true),
        ("推荐一种茶", "用户喜欢绿茶", true),
        ("我应该买什么茶？", "用户爱喝乌龙茶", true),
        ("哪种茶适合我", "用户不喝茶", true),
        ("喝茶好吗", "用户对茶过敏", true),
        ("我的猫不吃东西怎么办", "用户养了一只猫", true),
        ("猫可以吃葡萄吗", "用户有两只猫", true),
        ("给狗买什么", "用户养狗", true),
        ("有什么好的酒推荐", "用户喜欢红酒", true),
        ("附近有没有卖花的", "用户喜欢花", true),
        ("怎么做鱼", "用户喜欢吃鱼", true),
        ("推荐几种鱼", "用户不吃鱼", true),
        ("请推荐一本书", "用户喜欢书", true),
        ("书的推荐", "用户喜欢书和茶", true),
        ("梨和桃哪个甜", "用户对桃过敏", true),
        ("我可以吃虾吗", "用户对虾过敏", true),
        ("推薦一種茶", "用户喜欢茶", true),
        ("琴怎么保养", "用户有一把琴", true),
        ("车怎么保养", "用户有一辆车", true),
        ("画的价格", "用户收藏油画", true),
        // A character of another word, or of none.
        ("上海天气如何", "用户喜欢海", false),
        ("罗马有什么好玩", "用户喜欢马", false),
        ("马上要下雨了吗", "用户喜欢马", false),
        ("熊猫吃什么", "用户养了一只猫", false),
        ("热狗怎么做", "用户养狗", false),
        ("茶几怎么擦", "用户喜欢茶", false),
        ("怎么考证书", "用户喜欢书", false),
        ("花费太高了", "用户喜欢花", false),
        ("公共汽车时间表", "用户有一辆车", false),
        ("推荐一种咖啡", "用户喜欢茶", false),
        ("推荐一部电影", "用户喜欢茶", false),
        ("今天天气怎么样", "用户喜欢茶", false),
        ("多少人住在成都", "用户是一个人", false),
        ("成就是什么", "用户住在成都", false),
        ("营养怎么补充", "用户养猫", false),
        ("总结这个页面", "用户喜欢喝茶", false),
        ("有什么好的建议", "用户有一只好猫", false),
        ("一年有几天", "用户每天喝茶", false),
        ("爱尔兰的首都是哪里", "用户爱尔", false),
        ("和平条约是什么", "用户喜欢平", false),
        ("用 Rust 怎么写", "用户喜欢茶", false),
        ("What tea is good?", "用户喜欢茶", false),
        ("画面太暗了", "用户喜欢画", false),
        ("鱼缸多少钱", "用户喜欢茶", false),
        ("请问这是什么意思", "用户喜欢问题", false),
        ("", "用户喜欢茶", false),
    ];

    #[test]
    fn a_question_and_a_fact_share_words_of_one_character_and_no_parts_of_others() {
        let bears = |asked: &str, known: &str| {
            let [asked, known] = [asked, known].map(|it| Short::of([&it.to_owned()]));
            asked.words.iter().any(|it| known.speaks_of(*it))
        };
        let wrong: Vec<_> = PAIRS
            .iter()
            .filter(|(asked, known, wanted)| bears(asked, known) != *wanted)
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
