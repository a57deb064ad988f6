//! Tests which sentences explain a selection, and for which reasons.

use quickcheck::quickcheck;

use super::super::Language::{Chinese, English};
use super::Reason::{Beside, Definition, Expansion, Here, OnlyHere, Related, Use};
use super::explain_selection;

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
        ("Hypertext Transfer Protocol", vec![(6, Expansion)]),
        ("cache", vec![(8, Definition)]),
        ("zebra", vec![]),
        ("", vec![]),
    ] {
        let found = explain_selection(selection, None, PAGE, English);
        let found: Vec<_> = found.iter().map(|f| (f.sentence, f.reason)).collect();
        assert_eq!(found, wanted, "{selection}");
    }
}

#[test]
fn chinese_terms_are_explained_too() {
    for (selection, wanted) in [
        ("防火墙", vec![(1, Definition), (0, Use), (4, Use)]),
        ("死锁", vec![(3, Definition)]),
        ("WHO", vec![(2, Expansion)]),
        ("世界卫生组织", vec![(2, Expansion)]),
    ] {
        let found = explain_selection(selection, None, SEITE, Chinese);
        let found: Vec<_> = found.iter().map(|f| (f.sentence, f.reason)).collect();
        assert_eq!(found, wanted, "{selection}");
    }
}

#[test]
fn a_passage_is_explained_by_what_stands_beside_it_and_is_like_it_elsewhere() {
    let found = explain_selection(PAGE[3], None, PAGE, English);
    let found: Vec<_> = found.iter().map(|f| (f.sentence, f.reason)).collect();
    assert_eq!(found[..3], [(2, Beside), (4, Beside), (7, Related)]);
    assert!(found.iter().all(|(at, _)| *at != 3));
}

#[test]
fn a_term_that_stands_nowhere_else_says_so() {
    let found = explain_selection("report", Some(PAGE[7]), &PAGE[4..], English);
    let found: Vec<_> = found.iter().map(|f| (f.sentence, f.reason)).collect();
    assert_eq!(found, [(3, OnlyHere), (2, Beside), (4, Beside)]);
}

#[test]
fn where_a_term_was_selected_is_known() {
    let found = explain_selection("mutex", Some(PAGE[0]), PAGE, English);
    let found: Vec<_> = found.iter().map(|f| (f.sentence, f.reason)).collect();
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
            let found = explain_selection(selection, None, &page, English);
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
