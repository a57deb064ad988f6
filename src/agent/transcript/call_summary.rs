//! What a call came to, in a line for a model.
//!
//! Driving example: what a surface says as "Passages found: 4" a model reads as `found: 4`,
//! and in a Chinese prompt as `找到的段落：4`.

use crate::model::Language;
use crate::phrase::Phrase;

/// A summary in the language of the prompts.
pub(in crate::agent) fn call_summary(summary: &Phrase, language: Language) -> String {
    let Phrase { key, args } = summary;
    let plain = key.strip_prefix("summary_").unwrap_or(key);
    let (what, behind, between) = match language {
        Language::English => (plain, ": ", ", "),
        Language::Chinese => (in_chinese(plain), "：", "，"),
    };
    match args.as_slice() {
        [] => what.to_owned(),
        args => format!("{what}{behind}{}", args.join(between)),
    }
}

fn in_chinese(what: &str) -> &str {
    match what {
        "passages" => "段落数与占全页的百分比",
        "found" => "找到的段落",
        "fetched" => "读取的网页数、总数与标题",
        "searched" => "结果数与相关数",
        "search_nothing" => "没有找到相关结果，搜索次数",
        "search_failed" => "无法搜索",
        "search_unchecked" => "未及核对的结果数",
        "search_cards" => "找到的图片或视频数",
        "graded" => "已评结果数与相关数",
        "not_graded" => "未能在限时（秒）内评完",
        "rewritten" => "新的检索词",
        "recalled" => "取回",
        "nothing_found" => "页面上没有找到",
        "time" => "时间",
        "screenshot_device" => "在本机读取标签页截图，字数",
        "screenshot_model" => "读取截图的模型与字数",
        "screenshot_nothing" => "标签页截图中没有文字",
        "image" => "已生成图片",
        "remembered" => "已记住",
        "remembered_some" => "已记住与未记住",
        "facts" => "相关事实数与总数",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrase::phrase;

    #[test]
    fn every_summary_has_its_words_in_chinese() {
        let said = include_str!("../../../extension/_locales/en/messages.json");
        let said: serde_json::Value = serde_json::from_str(said).unwrap();
        let keys = said.as_object().unwrap().keys();
        let summaries: Vec<&str> = keys.filter_map(|it| it.strip_prefix("summary_")).collect();
        assert!(summaries.len() > 15, "{summaries:?}");
        for what in summaries {
            assert_ne!(in_chinese(what), what);
        }
    }

    #[test]
    fn a_summary_is_in_the_language_of_the_prompts() {
        let summary = phrase("summary_found").with(&4);
        assert_eq!(call_summary(&summary, Language::English), "found: 4");
        assert_eq!(call_summary(&summary, Language::Chinese), "找到的段落：4");
    }
}
