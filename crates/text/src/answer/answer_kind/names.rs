//! Finds people and places in a sentence, and words that introduce a reason or a manner.

use super::super::super::language::is_cjk;
use super::super::question_words::QuestionWords;
use super::super::words::is_time;
use super::{has_any, is_capitalised, news};

/// Returns the certainty that a sentence names a person, from 0 to 1. Two names in succession give
/// 1, and one name at the beginning of a sentence gives 0.4. An occupation, such as "painters",
/// gives 0.5.
pub(super) fn person(sentence: &str, known: &QuestionWords) -> f64 {
    let mut fit = 0.0_f64;
    let mut last_is_name = false;
    for (is_first, word) in news(sentence, known) {
        let lower = word.to_lowercase();
        let is_name = is_capitalised(word) && !is_time(&lower);
        if is_name {
            // Two names in succession are a first and a last name. A single name may be a place.
            fit = fit.max(match (is_first, last_is_name) {
                (_, true) => 1.0,
                (true, false) => 0.4,
                (false, false) => 0.7,
            });
        } else if word.len() > 5
            && ["ers", "ors", "ists", "ist", "ian", "ians"]
                .iter()
                .any(|end| lower.ends_with(end))
        {
            fit = fit.max(0.5);
        }
        last_is_name = is_name;
    }
    fit
}

pub(super) fn person_chinese(sentence: &str, known: &QuestionWords) -> f64 {
    #[rustfmt::skip]
    const PEOPLE: [&str; 35] = [
        "·", "先生", "女士", "小姐", "教授", "博士", "总统", "主席", "总裁", "总理", "部长", "院长", "校长", "创始人", "负责人",
        "发言人", "作者", "记者", "导演", "科学家", "专家", "学者", "医生", "律师", "工程师", "开发者", "研究人员", "宇航员", "团队",
        "公司", "组织", "委员会", "基金会", "项目", "们",
    ];
    // These verbs follow a name, as in 李博灏表示.
    const SPEAKING: [&str; 8] = ["表示", "认为", "指出", "介绍", "回忆", "写道", "告诉", "说"];
    let latin = news(sentence, known).any(|(_, word)| {
        word.chars().next().is_some_and(char::is_uppercase) && !word.chars().any(is_cjk)
    });
    let people = has_any(sentence, &PEOPLE).max(0.7 * has_any(sentence, &SPEAKING));
    f64::from(u8::from(latin)).max(people)
}

/// Returns 1 for a capitalised word after a preposition such as "in", and for a file path. Returns
/// less for the preposition alone.
pub(super) fn place(sentence: &str, known: &QuestionWords) -> f64 {
    const BEFORE: [&str; 12] = [
        "in", "at", "near", "from", "to", "on", "of", "inside", "outside", "across", "under",
        "around",
    ];
    if sentence.split_whitespace().any(|word| {
        word.trim_matches(|c: char| !(c.is_alphanumeric() || c == '/'))
            .starts_with('/')
    }) {
        return 1.0;
    }
    let mut fit = 0.0_f64;
    let mut after_place = false;
    for word in sentence
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-')))
        .filter(|w| !w.is_empty())
    {
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

pub(super) const PLACES_CHINESE: [&str; 26] = [
    "在", "位于", "于", "到", "省", "市", "县", "国", "州", "区", "岛", "山", "河", "路", "街",
    "村", "镇", "目录", "文件", "/", "网站", "上", "里", "中", "北", "南",
];

pub(super) const REASONS: [&str; 22] = [
    " because ",
    " since ",
    " due to ",
    " so that ",
    " in order to ",
    " therefore ",
    " thus ",
    " reason ",
    " reasons ",
    " as a result ",
    " owing to ",
    " thanks to ",
    " caused ",
    " causes ",
    " leads to ",
    " led to ",
    " prevent ",
    " avoid ",
    " ensure ",
    " allows ",
    " means that ",
    " so ",
];

pub(super) const REASONS_CHINESE: [&str; 16] = [
    "因为", "由于", "因此", "所以", "原因", "为了", "以便", "从而", "导致", "避免", "防止", "使得",
    "以免", "因而", "理由", "造成",
];

pub(super) const MANNERS: [&str; 20] = [
    " by ",
    " using ",
    " use ",
    " uses ",
    " with ",
    " through ",
    " via ",
    " run ",
    " command ",
    " first ",
    " then ",
    " can ",
    " must ",
    " need to ",
    " should ",
    " method ",
    " step ",
    " steps ",
    " click ",
    " type ",
];

pub(super) const MANNERS_CHINESE: [&str; 15] = [
    "通过", "使用", "利用", "运行", "执行", "命令", "可以", "方法", "步骤", "首先", "然后", "需要",
    "以", "用", "按",
];
