//! Tests which sentences explain a selection, and for which reasons.

use quickcheck::quickcheck;

use super::super::Language::{Chinese, English, Other};
use super::Reason::{Beside, Definition, Expansion, Here, Related, Use};
use super::{Candidate, Lead, Reason, explain_selection};
use crate::Language;

const PAGE: &[&str] = &[
    "Threads often wait for a mutex.",
    "The World Health Organization (WHO) is an agency of the United Nations.",
    "A mutex is a lock that one thread holds at a time.",
    "In 2020 the WHO published its report.",
    "Forgetting to release mutexes leads to a deadlock.",
    "Two threads that wait for each other are in a state called deadlock.",
    "HTTP (Hypertext Transfer Protocol) carries the web.",
    "A report on health was published by the agency in 2020.",
    "Caches, or fast copies, hide latency.",
    "A cachet is not what you think.",
];

const SEITE: &[&str] = &[
    "很多系统使用防火墙。",
    "防火墙是指保护内部网络的设备。",
    "世界卫生组织（WHO）发布了报告。",
    "所谓死锁，就是两个线程互相等待。",
    "配置防火墙需要管理员权限。",
];

/// The numbers of the explaining sentences, with the reasons.
fn explain(
    selection: &str,
    around: Option<&str>,
    sentences: &[&str],
    language: Language,
) -> Vec<(usize, Reason)> {
    let candidates: Vec<Candidate<'_>> = sentences
        .iter()
        .map(|text| Candidate {
            text,
            markdown: text,
            lead: Lead::None,
        })
        .collect();
    let found = explain_selection(selection, around, &candidates, language);
    found.iter().map(|f| (f.sentence, f.reason)).collect()
}

#[test]
fn a_form_defines_a_term_in_each_language() {
    for (term, sentence, defines) in [
        ("lamp", "A lamp is bright for longer than it is dark.", true),
        (
            "lamp",
            "The lamp is bright for longer than it is dark.",
            false,
        ),
        (
            "Sperre",
            "Eine Sperre ist ein Objekt, das ein Thread hält.",
            true,
        ),
        (
            "Sperre",
            "Unter einer Sperre versteht man ein Objekt.",
            true,
        ),
        (
            "Sperre",
            "Die Sperre wird danach wieder freigegeben.",
            false,
        ),
        (
            "verrou",
            "Un verrou est un objet que détient un seul fil.",
            true,
        ),
        ("verrou", "Cet objet est appelé verrou.", true),
        ("verrou", "Le verrou doit ensuite être libéré.", false),
        (
            "cerrojo",
            "Un cerrojo es un objeto que posee un solo hilo.",
            true,
        ),
        ("cerrojo", "Este objeto se llama cerrojo.", true),
        ("cerrojo", "Después hay que liberar el cerrojo.", false),
        (
            "ロック",
            "ロックとは、一つのスレッドだけが持つものである。",
            true,
        ),
        ("ロック", "この仕組みはロックと呼ばれる。", true),
        ("ロック", "その後でロックを解放する。", false),
    ] {
        let found = explain(term, None, &[sentence], Other);
        assert_eq!(
            found.first() == Some(&(0, Definition)),
            defines,
            "{sentence}"
        );
    }
}

#[test]
fn a_sentence_below_its_heading_or_entry_defines_the_term() {
    for (term, lead, text, defines) in [
        (
            "guard",
            Lead::Heading("8.6.2. Guards"),
            "A guard must succeed first.",
            true,
        ),
        (
            "guard",
            Lead::Heading("Coast guard"),
            "It rescues a guard.",
            false,
        ),
        (
            "dirty read",
            Lead::Entry("dirty read"),
            "A transaction reads uncommitted data.",
            true,
        ),
        (
            "Full",
            Lead::Entry("exception queue.Full"),
            "Raised when there is no room.",
            true,
        ),
        (
            "package",
            Lead::Entry("__package__"),
            "It must be set to a string.",
            false,
        ),
    ] {
        let candidate = Candidate {
            text,
            markdown: text,
            lead,
        };
        let found = explain_selection(term, None, &[candidate], English);
        assert_eq!(
            found.first().map(|f| f.reason) == Some(Definition),
            defines,
            "{text}"
        );
    }
    let emphasised = Candidate {
        text: "The alignment of a value is measured in bytes.",
        markdown: "The *alignment* of a value is measured in bytes.",
        lead: Lead::None,
    };
    let found = explain_selection("alignment", None, &[emphasised], English);
    assert_eq!(found.first().map(|f| f.reason), Some(Definition));
}

#[test]
fn definitions_come_first_then_expansions_then_uses() {
    for (selection, wanted) in [
        ("mutex", vec![(2, Definition), (0, Use), (4, Use)]),
        ("Mutexes", vec![(2, Definition), (0, Use), (4, Use)]),
        ("WHO", vec![(1, Expansion), (3, Use)]),
        ("World Health Organization", vec![(1, Definition)]),
        ("deadlock", vec![(5, Definition), (4, Use)]),
        ("“deadlock”,", vec![(5, Definition), (4, Use)]),
        ("HTTP", vec![(6, Expansion)]),
        ("Hypertext Transfer Protocol", vec![(6, Definition)]),
        ("cache", vec![(8, Definition)]),
        ("zebra", vec![]),
        ("", vec![]),
    ] {
        let found = explain(selection, None, PAGE, English);
        assert_eq!(found, wanted, "{selection}");
    }
}

#[test]
fn chinese_terms_are_explained_too() {
    for (selection, wanted) in [
        ("防火墙", vec![(1, Definition), (0, Use), (4, Use)]),
        ("死锁", vec![(3, Definition)]),
        ("WHO", vec![(2, Expansion)]),
        ("世界卫生组织", vec![(2, Definition)]),
    ] {
        let found = explain(selection, None, SEITE, Chinese);
        assert_eq!(found, wanted, "{selection}");
    }
}

#[test]
fn a_passage_is_explained_by_what_stands_beside_it_and_is_like_it_elsewhere() {
    let found = explain(PAGE[3], None, PAGE, English);
    assert_eq!(found[..3], [(2, Beside), (4, Beside), (7, Related)]);
    assert!(found.iter().all(|(at, _)| *at != 3));
}

#[test]
fn a_term_that_stands_nowhere_else_says_so() {
    let found = explain("report", Some(PAGE[7]), &PAGE[4..], English);
    assert_eq!(found, [(3, Use), (2, Beside), (4, Beside)]);
}

#[test]
fn where_a_term_was_selected_is_known() {
    let found = explain("mutex", Some(PAGE[0]), PAGE, English);
    assert_eq!(found, [(2, Definition), (0, Here), (4, Use)]);
}

quickcheck! {
    fn findings_are_ranked_distinct_and_scored_within_one(selection: String, picks: Vec<u8>) -> bool {
        let page: Vec<&str> = picks
            .iter()
            .map(|pick| PAGE[usize::from(*pick) % PAGE.len()])
            .chain([selection.as_str()])
            .collect();
        let word = picks.first().map_or("thread", |pick| {
            PAGE[usize::from(*pick) % PAGE.len()].split(' ').nth(2).unwrap_or("")
        });
        [selection.as_str(), word].iter().all(|selection| {
            let candidates: Vec<Candidate<'_>> = page
                .iter()
                .map(|text| Candidate {
                    text,
                    ..Candidate::default()
                })
                .collect();
            let found = explain_selection(selection, None, &candidates, English);
            let mut at: Vec<usize> = found.iter().map(|f| f.sentence).collect();
            at.sort_unstable();
            at.dedup();
            at.len() == found.len()
                && found.iter().all(|f| f.score > 0.0 && f.score <= 1.0 + 1e-9)
                && found.is_sorted_by(|a, b| {
                    a.reason < b.reason || a.reason == b.reason && a.score >= b.score
                })
        })
    }
}
