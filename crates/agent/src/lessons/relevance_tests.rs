//! Tests of the choice of lessons for a question.

use super::{CHOICES, texts};
use crate::config::Lesson;
use crate::lessons::store::StoredLessons;
use crate::reflexion::tests::one;
use gloss_host_sim::Sim;
use gloss_reader::PageService;
use gloss_reader::retrieval::Retrieval;
use gloss_tools as tools;
use serde_json::Value;

fn lesson(arguments: &str, analysis: &str) -> Lesson {
    Lesson {
        arguments: arguments.to_owned(),
        analysis: (!analysis.is_empty()).then(|| analysis.to_owned()),
        ..one(1)
    }
}

fn bears(question: &str, arguments: &str, analysis: &str) -> bool {
    let mut book = StoredLessons::default();
    book.keep(vec![lesson(arguments, analysis)], &[]);
    !book.relevant(question).is_empty()
}

#[test]
fn a_question_is_given_what_bears_on_it() {
    let table = [
        (
            "How high is the spring tide at Bristol?",
            r#"{"query":"Bristol tide tables","detail":"brief"}"#,
            "",
        ),
        (
            "When are the tides at Bristol?",
            r#"{"urls":["https://www.ntslf.org/tides/bristol-channel"]}"#,
            "The site answers browsers alone.",
        ),
        ("Why is there a tide?", r#"{"query":"tides"}"#, ""),
        ("neaps", r#"{"words":"neaps"}"#, "It takes a query."),
        (
            "What does the Reuters article on copper prices say?",
            r#"{"urls":["https://www.reuters.com/markets/x19"]}"#,
            "Reuters blocks readers that are no browser; copper prices stand elsewhere, too.",
        ),
        (
            "Compare Rust's async runtimes, tokio and smol.",
            r#"{"query":"tokio vs smol runtime benchmark 2024","sourceCategory":"programming"}"#,
            "",
        ),
        (
            "Who won the 2023 Tour de France?",
            r#"{"query":"Tour de France winners","dateRange":"year"}"#,
            "",
        ),
        // The arguments are cut off within their last text.
        (
            "Is the Severn bridge open?",
            r#"{"query":"Severn bridge closures","targetInfo":["the wind spe"#,
            "",
        ),
        ("明天北京的天气怎么样？", r#"{"query":"北京天气预报"}"#, ""),
        ("潮汐是怎样形成的？", r#"{"query":"潮汐 形成 原因"}"#, ""),
        ("為什麼會有潮汐表？", r#"{"query":"潮汐表"}"#, ""),
        (
            "请介绍一下量子计算机的原理",
            r#"{"urls":["https://zh.wikipedia.org/wiki/x"],"query":"量子计算机"}"#,
            "网站拒绝访问。",
        ),
        (
            "Linux 内核 6.1 有什么新功能？",
            r#"{"query":"Linux 内核 6.1 发布说明"}"#,
            "",
        ),
    ];
    for (question, arguments, analysis) in table {
        assert!(
            bears(question, arguments, analysis),
            "{question} {arguments}"
        );
    }
}

#[test]
fn a_question_is_given_nothing_that_does_not_bear_on_it() {
    let fetch = r#"{"urls":["https://www.a.example/x.html"],"query":"What does this page say?"}"#;
    let blocked = "The site blocks this tool; the page needs a login.";
    let table = [
        ("What does this page say?", fetch, blocked),
        ("What is the best query for this search?", fetch, blocked),
        ("Summarize https://www.b.example/y.html", fetch, blocked),
        ("Tell me a joke.", fetch, blocked),
        ("Remember that I live in Leeds.", fetch, blocked),
        (
            "Give me a brief summary of the news of this week.",
            r#"{"query":"Severn bridge","detail":"brief","kind":"news","dateRange":"week"}"#,
            "",
        ),
        (
            "How do I bake a carrot cake?",
            r#"{"query":"Bristol tide tables"}"#,
            "It found nothing about what was asked.",
        ),
        // The texts share only one word.
        (
            "What is the weather like in Paris in spring?",
            r#"{"query":"spring tide Bristol"}"#,
            "",
        ),
        (
            "Which bank has a branch in Leeds?",
            r#"{"query":"bank holidays England"}"#,
            "",
        ),
        (
            "Explain what a query is in SQL.",
            r#"{"query":"tide"}"#,
            "A query was missing.",
        ),
        (
            "A long letter: the sea was calm, the harbour slept, gulls sat on the wall, and an old \
             man mended nets while his dog watched the boats and the tide go out past the mole",
            r#"{"query":"harbour dues","targetInfo":["price of a berth for yachts by length",
            "discounts of marinas in winter", "sea going vessels registered abroad"]}"#,
            "",
        ),
        (
            "What is the query that this function runs?",
            r#"{"query":"https","text":"does this what query"}"#,
            "What does this query: it is what this does.",
        ),
        (
            "这篇文章说了什么？",
            r#"{"query":"这个网页的内容是什么"}"#,
            "网页拒绝访问，内容没有返回。",
        ),
        (
            "请总结一下这个页面。",
            r#"{"query":"总结 北京 历史"}"#,
            "请求失败。",
        ),
        ("上海今天天气怎么样？", r#"{"query":"北京今天天气"}"#, ""),
        ("怎么做红烧肉？", r#"{"query":"怎么学习英语"}"#, ""),
        ("请问如何申请护照？", r#"{"query":"如何治疗感冒"}"#, ""),
        (
            "我叫王伟，请记住。",
            r#"{"query":"量子计算机"}"#,
            "网站拒绝访问。",
        ),
    ];
    for (question, arguments, analysis) in table {
        assert!(
            !bears(question, arguments, analysis),
            "{question} {arguments}"
        );
    }
}

#[test]
fn the_nearest_come_first_and_of_the_equally_near_the_newest() {
    let numbered = |n: usize, arguments: &str| Lesson {
        id: format!("run/{n}"),
        ..lesson(arguments, "")
    };
    let mut book = StoredLessons::default();
    let all = [
        r#"{"query":"Bristol tide tables"}"#,
        r#"{"query":"spring tide Bristol height"}"#,
        r#"{"query":"tide Bristol"}"#,
        r#"{"query":"carrot cake"}"#,
        r#"{"query":"Bristol tide"}"#,
    ];
    let all = all.into_iter().enumerate();
    book.keep(all.map(|(n, it)| numbered(n, it)).collect(), &[]);
    let found = book.relevant("How high is the spring tide at Bristol?");
    let ids: Vec<&str> = found.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["run/1", "run/4", "run/2"]);
}

#[test]
fn of_arguments_the_texts_are_read_and_no_keys() {
    for (arguments, read) in [
        (
            r#"{"query":"a \"b\" c","urls":["d","e"]}"#,
            " a \"b\" c d e",
        ),
        (r#"{"detail":"full","query":"x"}"#, " x"),
        (r#"{"facts":[{"content":"y","tier":"core"}],"n":3}"#, " y"),
        (r#"{"query":"cut he"#, " cut he"),
        (r#"{"query":"cut\"#, " cut"),
        ("{}", ""),
        ("", ""),
    ] {
        assert_eq!(texts(arguments), read, "{arguments}");
    }
}

/// Collects the names of properties that have a fixed choice of values.
fn choices(name: &str, schema: &Value, found: &mut Vec<String>) {
    if schema.get("enum").is_some() {
        found.push(name.to_owned());
    }
    for (key, inner) in schema.as_object().into_iter().flatten() {
        match (key.as_str(), inner) {
            ("properties", Value::Object(fields)) => {
                for (name, field) in fields {
                    choices(name, field, found);
                }
            }
            (_, Value::Array(several)) => several.iter().for_each(|it| choices(name, it, found)),
            (_, inner) => choices(name, inner, found),
        }
    }
}

#[test]
fn every_argument_that_chooses_between_a_few_words_is_known() {
    let all = tools::all(
        &Sim::new(1).host(),
        &PageService::in_process(Retrieval::with(None)),
    );
    let mut found = Vec::new();
    for tool in all.iter() {
        choices("", &tool.definition().parameters, &mut found);
    }
    assert!(found.len() > 5, "{found:?}");
    for name in found {
        assert!(CHOICES.contains(&name.as_str()), "{name}");
    }
}
