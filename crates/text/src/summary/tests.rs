//! Tests the properties that every summary should have.

use quickcheck::quickcheck;

use super::super::Language::{self, Chinese, English};
use super::super::sentences;
use super::{About, Parts, Role, Summary, SummaryCandidate, choose, without_reference_marks};

fn summarise(title: &str, page: &[SummaryCandidate<'_>], language: Language) -> Summary {
    super::summarise(about(title), page, &Parts::Whole, None, language)
}

fn about(title: &str) -> About<'_> {
    About {
        title,
        description: None,
    }
}

fn prose(paragraphs: &[&'static str], language: Language) -> Vec<SummaryCandidate<'static>> {
    (0..)
        .zip(paragraphs)
        .flat_map(|(paragraph, text)| {
            sentences(text, language)
                .into_iter()
                .map(move |text| SummaryCandidate {
                    text,
                    paragraph,
                    role: Role::Prose,
                })
        })
        .collect()
}

const BRIDGES: &[&str] = &[
    "Have you ever wondered how bridges stand? A suspension bridge is a bridge whose deck hangs \
     from cables between towers. However, it is not the oldest kind.",
    "See also: arch bridges. The cables of a suspension bridge carry the load of the deck to the \
     towers and to the anchors on both banks. They are made of steel wires.",
    "The load of the deck is carried by the cables of a suspension bridge to the towers and to \
     the anchors on both banks.",
    "Wind is the greatest danger to a long suspension bridge, because the deck can begin to \
     swing. In 1940 the Tacoma Narrows bridge fell after the wind had set its deck swinging. \
     Engineers now test models of each deck in a wind tunnel. Figure 3: the tunnel.",
    "The anchors take the pull of the main cables into the rock or into blocks of concrete, \
     which weigh more than the deck itself. Where the ground is soft, the blocks are sunk \
     deep below the river's bed. The towers carry only weight, and can be slender.",
    "Building begins with the towers, between which the first wires are drawn by boat or by \
     helicopter. Machines then spin thousands of wires into each cable, which takes months. \
     The deck comes last, and is lifted piece by piece from ships below.",
];

#[test]
fn the_gist_says_what_the_page_is_about_and_stands_alone() {
    let page = prose(BRIDGES, English);
    let summary = summarise("Suspension bridge", &page, English);
    let gist = page[summary.gist.start].text;
    assert!(
        gist.starts_with("A suspension bridge is a bridge"),
        "{gist}"
    );
}

#[test]
fn points_are_in_the_order_of_the_page_and_never_say_the_same_twice() {
    let page = prose(BRIDGES, English);
    let summary = summarise("Suspension bridge", &page, English);
    assert!(summary.points.is_sorted());
    assert_eq!(summary.points.len(), 2);
    assert!(!summary.points.contains(&summary.gist.start));
    let about_cables = summary
        .points
        .iter()
        .filter(|at| page[**at].text.contains("both banks"));
    assert!(about_cables.count() <= 1);
    for at in &summary.points {
        let text = page[*at].text;
        assert!(
            !text.starts_with("See also") && !text.ends_with('?') && !text.starts_with("Figure")
        );
    }
}

#[test]
fn as_many_points_are_chosen_as_are_asked_for() {
    let page = prose(BRIDGES, English);
    let summary = super::summarise(about(""), &page, &Parts::Whole, Some(3), English);
    assert_eq!(summary.points.len(), 3);
}

#[test]
fn what_the_next_sentence_reverses_is_only_chosen_with_it() {
    let page = prose(
        &[
            "Parents were told for years to keep peanuts away from babies. But new guidance says \
             that peanuts in the first year prevent an allergy to peanuts.",
            "The study followed six hundred babies for five years in two hospitals of London.",
        ],
        English,
    );
    let summary = super::summarise(
        about("Peanuts and babies"),
        &page,
        &Parts::Whole,
        Some(1),
        English,
    );
    assert_eq!(summary.gist, 0..2);
    assert_ne!(summary.points, [0]);
}

#[test]
fn a_description_is_the_gist_unless_a_sentence_shares_more_words_with_the_title() {
    let page = prose(BRIDGES, English);
    let gist = |title: &str, description: &str| {
        let about = About {
            title,
            description: Some(description),
        };
        super::summarise(about, &page, &Parts::Whole, None, English).gist
    };
    let good = "How a suspension bridge hangs from cables and towers.";
    assert_eq!(gist("Suspension bridge", good), 0..0);
    assert_ne!(gist("Suspension bridge", "How cables carry a road."), 0..0);
}

#[test]
fn a_quotation_without_its_speaker_a_header_and_an_address_are_no_gist() {
    let page = prose(
        &[
            "“The bridge is a danger to all ships. It is a bridge for giants.”",
            "“The bridge is too low,” he said.",
            "Bridge Society, 12 River Street, London E1 6AN, United Kingdom.",
            "Write to bridge@society.example about the bridge and its towers.",
            "Bridge Report J. Smith Category: Information June 2015 Society Of Bridges.",
            "The bridge was opened in 1932 after eight years of work.",
        ],
        English,
    );
    let summary = summarise("The bridge", &page, English);
    assert!(page[summary.gist.start].text.contains("opened in 1932"));
}

#[test]
fn reference_marks_are_left_out_and_brackets_are_not() {
    for (text, bare) in [
        ("Fast.[1][2]", "Fast."),
        ("It is fast [12], and small.", "It is fast, and small."),
        ("Fast.[citation needed] Small.", "Fast. Small."),
        (
            "\"[T]he lottery\" [of births] is x[i].",
            "\"[T]he lottery\" [of births] is x[i].",
        ),
        ("[1] Smith", "[1] Smith"),
        ("open [1", "open [1"),
    ] {
        assert_eq!(without_reference_marks(text), bare);
    }
}

#[test]
fn a_chinese_page_is_summarised_too() {
    let page = prose(
        &[
            "你知道桥为什么不会塌吗？悬索桥是一种以缆索悬挂桥面的桥梁。但是它并不是最古老的桥。",
            "悬索桥的主缆把桥面的重量传到桥塔和两岸的锚碇。它们由钢丝制成。",
            "风是大跨度悬索桥最大的威胁，桥面可能会发生剧烈的摆动。1940年，塔科马海峡大桥因为风振而倒塌。参见第三章。",
            "锚碇把主缆的拉力传入两岸的岩石，或者传入比桥面更重的混凝土块。桥塔只承受压力，可以造得很细。施工从桥塔开始，第一根钢丝由船或直升机牵引过江。",
            "机器随后把成千上万根钢丝编成主缆，这项工作需要几个月。桥面最后完成，一段一段地从江面的船上吊装到位。工程师在风洞中试验每一座桥面的模型，以免桥面在强风中摆动。",
        ],
        Chinese,
    );
    let summary = summarise("悬索桥", &page, Chinese);
    assert_eq!(
        page[summary.gist.start].text,
        "悬索桥是一种以缆索悬挂桥面的桥梁。"
    );
    assert_eq!(summary.points.len(), 2);
    for at in &summary.points {
        assert!(!page[*at].text.starts_with("参见"));
    }
}

#[test]
fn a_page_without_a_sentence_has_no_summary() {
    for texts in [
        &[][..],
        &["Home", "Log in", "Next page"],
        &["let x = {a: 1};", "$ rm -rf /tmp/x_y"],
    ] {
        let page = prose(texts, English);
        let summary = summarise("Title", &page, English);
        assert_eq!((summary.gist, summary.points), (0..0, vec![]), "{texts:?}");
    }
}

quickcheck! {
    fn choices_are_distinct_positions_and_no_more_than_wanted(picks: Vec<u8>, count: u8) -> bool {
        let all = prose(BRIDGES, English);
        let page: Vec<_> = picks.iter().map(|pick| all[usize::from(*pick) % all.len()]).collect();
        let count = usize::from(count);
        let chosen = choose(&page, English, count);
        let mut texts: Vec<&str> = chosen.iter().map(|at| page[*at].text).collect();
        texts.sort_unstable();
        texts.dedup();
        chosen.len() <= count && texts.len() == chosen.len()
    }
}
