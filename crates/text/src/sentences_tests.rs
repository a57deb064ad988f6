//! Tests where sentences end: tables for each language, and properties that hold for any text.

use quickcheck::quickcheck;

use super::super::Language::{self, Chinese, English, Other};
use super::sentences;

/// Checks cases in which `|` marks the end of a sentence.
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
fn names_numbers_and_addresses_are_no_ends() {
    check(
        English,
        &[
            "Mail ada@b.example.com.| She answers.",
            "He holds a Ph.D. in physics.| It helps.",
            "The U.S. Senate met.| Did the U.K. agree?",
            "I live in the U.S.| Did you know?",
            "Turn to p. 55 and to pp. 60 ff. of vol. 3.| Then stop.",
            "It is at N° 12, no. 5, fig. 2.| There.",
            "St. Michael's is on 5th st. near the light.",
            "That is JFK Jr.'s book.| Ask J. Doe and co.| They know.",
            "The dose is 0.5 ml, i.e. 1.5 cl. per day.| Rinse.",
            "At 5 a.m. Mr. Smith went out.| He slept.",
            "Windows 3.1 ran on 2.5 MB.| It was 1992.",
            "Read RFC 2119, sec. 3, para. 2.| Then act.",
            "We make a good team, you and I.| Did you see Albert I. Jones?",
            "Yahoo! in Sunnyvale hires.| Jeopardy! is on.",
        ],
    );
}

#[test]
fn quotations_and_brackets_stay_in_their_sentence() {
    check(
        English,
        &[
            "She turned to him, 'This is great.' she said.",
            "“It is late. Let us go,” Mary said.| Nobody moved.",
            "“Nothing!” Mary cried.| Silence.",
            "\"Is it far?\" asked Tom.| \"No.\"| He smiled.",
            "He teaches (he was an engineer.) at the school.| It is old.",
            "\"Bohr [...] used it [...]\" (Smith 55).| So he did.",
            "“Stop.”| She stopped.",
        ],
    );
}

#[test]
fn points_that_leave_something_out_are_not_ends() {
    check(
        English,
        &[
            "I wasn't really ... well, what I mean...see, the thing is . . . I didn't.",
            "I never meant that....| She left.",
            "It is left out . . . .| Next sentence.",
        ],
    );
}

#[test]
fn lists_within_a_line_are_cut_at_their_items() {
    check(
        English,
        &[
            "1) The first item| 2) The second item",
            "1.) The first item.| 2.) The second item.",
            "1. The first item| 2. The second item",
            "a. The first item| b. The second item| c. The third",
            "• 9. The first item| • 10. The second item",
            "(1) flour and water| (2) some salt",
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
            "「好的。」他说。|『不！』|完了。",
            "“真的吗？”，他问。|没有人回答。",
            "（见第三章。）|然后继续。",
            "他走了……|没有人知道。",
            "他笑了，“嗯……”|然后走了。",
            "太好了！！！|真的？！|当然。",
            "版本 3.14 已发布。|参见 https://example.com/a?b=1。|完。",
            "我们使用 Debian GNU/Linux.| 它很稳定。",
            "红；黄；蓝。",
            "第一个系统的优点是它非常稳定而且有很长的支持周期；|第二个系统更新很快。",
            "我们明天一起去看《摔跤吧！爸爸》好吗？|好！",
            "他喊道：“快跑！他们来了！”|没有人回头。",
            "“真的吗？”他问道。|“是的。”|她点点头。",
            "老師說：「今天不上課！」|大家都笑了。",
            "他（真的！）走了。|天黑了。",
            "价格是3.50元，涨幅12.5%。|明天再说。",
            "时间是10:30。|地点见附件（共3页）。",
            "一、准备材料。|二、开始施工。",
            "（1）准备材料；（2）开始施工。",
            "J. K. Rowling的书很好看。|我读过。",
            "使用Node.js和Vue.js。|版本为v2.0。",
            "他说“好”。|她说“不”。",
            "什么？！|你再说一遍……|我没听清。",
            "《红楼梦》、《西游记》都是名著。|你读过吗？",
            "参见第3.2节。|下一章继续。",
            "今天是2024.5.1。|放假。",
            "iPhone 15 Pro。|售价7999元起。",
            "１．准备。|全角数字３．５也一样。",
            "Hello world！|你好，世界！",
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
            "„Ich habe keine Zeit“, sagte sie: „Und keine Lust.“| Wir haben 1.000.000 Euro.",
            "Es gibt z. B. Wasser, Saft usw.| Die Wahl war am 12. Juni.",
            "Frau Prof. Schulze wohnt in der Berliner Str. 5, d. h. dort.| Das ist nah.",
            "Vom 01. Januar 2015 an gilt es im 19. Jahrhundert.| So ist es.",
            "¿Cómo está hoy?| ¡Hola Srta. Ledesma!| Soy el Lic. Naser y él es el Dr. Ruiz.",
            "La casa cuesta $170.500.000,00.| ¡Muy costosa!",
            "M. Dupont et Mme. Durand sont là.| Elle « n’aura aucun impact ».| Voilà.",
            "Проф. Семенов живёт на ул. Ленина.| Л. Н. Толстой написал роман.| Конец.",
            "В 2012 гг. он был в г. Москве.| Потом уехал.",
            "هل أنت بخير؟| نعم، أنا بخير.| شكرا.",
            "これはペンです。|「引き下げ幅は３．２９％以上」と指摘した。|それは何ですか？",
            "그는 학생이다.| 나는 선생님이다.",
            "Het is ca. 5 km.| Dat is ver.",
            "O Sr. Silva chegou.| A Dra. Costa saiu.",
        ],
    );
}

/// Builds texts from typical parts of sentences, because random characters rarely match the rules.
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

#[test]
fn a_megabyte_of_marks_behind_a_full_stop_is_cut_in_one_walk() {
    for marks in [
        ")",
        " ",
        "\u{a0}",
        "\t",
        ") ",
        "”",
        ")\u{301}",
        ")\u{102b}",
        ")1",
        "(a.",
        "[a.[b]",
    ] {
        let text = format!("a.{}b", marks.repeat((1 << 20) / marks.len()));
        let found = sentences(&text, English);
        assert_eq!(squeezed(&found.concat()), squeezed(&text), "{marks:?}");
    }
}

#[test]
fn long_runs_of_spaces_end_sentences_as_one_space_does() {
    for gap in [1, 31, 32, 33, 34, 100, 5_000] {
        let gap = " ".repeat(gap);
        let text = format!("It rains.{gap}The cat sleeps (it does.){gap}Мы идём.{gap}Yes");
        let wanted = ["It rains.", "The cat sleeps (it does.)", "Мы идём.", "Yes"];
        assert_eq!(sentences(&text, English), wanted, "{}", gap.len());
    }
}

quickcheck! {
    fn where_no_run_is_long_all_boundaries_of_unicode_are_looked_at(seeds: Vec<u8>) -> bool {
        let words = text(&seeds).replace("猫", "идёт, слово; 猫");
        let ends = super::super::candidates::candidates(&words);
        let mut bounds = unicode_segmentation::UnicodeSegmentation::split_sentence_bound_indices(words.as_str());
        bounds.all(|(at, sentence)| ends.binary_search(&(at + sentence.len())).is_ok())
    }
}
