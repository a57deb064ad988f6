//! Where sentences end: tables by language, and laws over any text.

use quickcheck::quickcheck;

use super::super::Language::{self, Chinese, English, Other};
use super::sentences;

/// In each case `|` stands where a sentence ends.
fn check(language: Language, cases: &[&str]) {
    for case in cases {
        let text: String = case.chars().filter(|c| *c != '|').collect();
        let wanted: Vec<String> = case.split('|').map(|s| s.trim().to_owned()).collect();
        assert_eq!(sentences(&text, language), wanted, "{case}");
    }
}

#[test]
fn english_sentences_end_where_a_reader_says() {
    check(
        English,
        &[
            "One sentence only",
            "It rains.| The cat sleeps!| Does it?| Yes.",
            "Dr. Smith met Mrs. Jones at St. Mary's.| They left.",
            "Use a shell, e.g. Bash, i.e. Bourne's.| Or cf. Knuth vs. Dijkstra.",
            "He lives in the U.S. Navy's yard.| She lives in the U.S.| The rest moved.",
            "See Fig. 3 and Sec. 2.1 (pp. 3 ff.) in Vol. 2.| Done.",
            "J. R. R. Tolkien wrote it.| George W. Bush did not.",
            "Choose plan B.| The other failed.",
            "It costs $3.50, or 1,000.25 in all.| Version 3.11.2 is out.",
            "She said \"Go home.\"| He went.",
            "\"What?\" he asked.| “Nothing!” she cried.| Silence.",
            "(He left.)| She stayed (alone).| [Exit.]| End.",
            "Wait... for it.| Well...| That was it.",
            "He waited… and left.| Then… nothing.",
            "Open https://example.com/a.b?q=1&x=2.html now.| Then www.example.org.| Lower.",
            "Call foo.bar() or std::io.Read.| Node.js works.| Yahoo! is a name.",
            "It was late (approx. 5 p.m.).| At 6 p.m. Bob slept.| At 7 p.m.| The end.",
            "Apples, pears, etc. are fruit.| Nails, etc.| They rust.",
            "Gloss Inc. Europe sold it to Acme Corp.| It paid.",
            "It lists all machines.| virsh starts them.| Approx. five (sp. nov. too) of them.",
            "1. Install it.| 2. Run it.",
        ],
    );
}

#[test]
fn reference_marks_stay_with_their_sentence() {
    check(
        English,
        &[
            "Rust is fast.[1] | It is safe.[2][3] | Others agree.[a]",
            "He said [...] The rest is lost.| So it is.",
            "Say no. 5 again.| I say no.| Really.",
            "- one item\n| - another item",
            "First line\nwraps here.| Second.\n\n| A heading\n\n| Body text",
        ],
    );
}

#[test]
fn chinese_sentences_end_where_a_reader_says() {
    check(
        Chinese,
        &[
            "今天下雨。|猫在睡觉！|真的吗？|是的。",
            "他说：“走吧。”|她走了。",
            "「好的。」|他说。|『不！』|完了。",
            "“真的吗？”，他问。|没有人回答。",
            "（见第三章。）|然后继续。",
            "他走了……|没有人知道。",
            "他笑了，“嗯……”|然后走了。",
            "太好了！！！|真的？！|当然。",
            "版本 3.14 已发布。|参见 https://example.com/a?b=1。|完。",
            "我们使用 Debian GNU/Linux.| 它很稳定。",
            "红；黄；蓝。",
            "第一个系统的优点是它非常稳定而且有很长的支持周期；|第二个系统更新很快。",
            "1. 安装软件。| 2. 运行。",
            "第一行\n第二行。|完",
        ],
    );
}

#[test]
fn other_languages_follow_unicode() {
    check(
        Other,
        &[
            "Il pleut.| Le chat dort !| Vraiment ?",
            "猫です。|犬です。",
            "यह एक वाक्य है।| यह दूसरा है।",
        ],
    );
}

/// Texts made of what sentences are made of: random characters seldom meet the rules.
fn text(seeds: &[u8]) -> String {
    const PARTS: &[&str] = &[
        "The cat",
        "Dr",
        ".",
        ". ",
        "!",
        "? ",
        "...",
        "…",
        "……",
        "“",
        "”",
        ")",
        "(",
        "\n",
        "\n\n",
        " ",
        "猫在睡觉",
        "。",
        "；",
        "！",
        "」",
        "a",
        "3",
        "U.S",
        "e.g",
        ".[1] ",
        "[",
        "]",
        "\u{a0}",
        "\u{2029}",
        "é",
        "🦀",
        "- ",
    ];
    seeds
        .iter()
        .filter_map(|seed| PARTS.get(usize::from(*seed) % PARTS.len()))
        .copied()
        .collect()
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn hold(text: &str) -> bool {
    [English, Chinese, Other].into_iter().all(|language| {
        let found = sentences(text, language);
        let mut rest = text;
        let in_order = found.iter().all(|sentence| {
            let at = rest.find(sentence);
            rest = at
                .and_then(|at| rest.get(at + sentence.len()..))
                .unwrap_or_default();
            at.is_some() && !sentence.is_empty() && sentence.trim() == *sentence
        });
        in_order && squeezed(&found.concat()) == squeezed(text)
    })
}

quickcheck! {
    fn sentences_are_slices_in_order_and_lose_only_white_space(seeds: Vec<u8>) -> bool {
        hold(&text(&seeds))
    }

    fn the_same_holds_for_any_text(text: String) -> bool {
        hold(&text)
    }
}

#[test]
fn a_sentence_without_end_is_cut_in_one_walk() {
    for unit in [
        "so we went down to the river ",
        "自由软件运动今天继续",
        "a",
        "Mr. ",
        "e.g. x; ",
        "a；",
        ".[",
        "x] y. ",
        "(",
        "\n",
        "。",
        "…",
    ] {
        let text = unit.repeat((1 << 18) / unit.len());
        for language in [English, Chinese, Other] {
            let found = sentences(&text, language);
            assert!(
                found.iter().all(|sentence| sentence.len() <= 1_200),
                "{unit}"
            );
        }
    }
}
