//! The storage and retrieval of lessons, and the calls that are not retried.

use super::*;
use crate::config::Lesson;
use crate::lessons::store::{LessonStore, MOST, MOST_GIVEN, StoredLessons};
use futures::future::join;
use gloss_durable::RunId;
use gloss_durable::sorted::SortedSet;
use gloss_host_sim::Sim;
use gloss_model::ToolCall;
use gloss_model::phrase::{DisplayText, phrase};
use gloss_model::provenance::Provenance;
use gloss_tools::{ErrorKind, ToolError, ToolOutcome};
use quickcheck::{Arbitrary, Gen, quickcheck};
use serde_json::{Value, json};

pub(crate) const KINDS: [ErrorKind; 8] = [
    ErrorKind::Validation,
    ErrorKind::NotFound,
    ErrorKind::Timeout,
    ErrorKind::Network,
    ErrorKind::RateLimit,
    ErrorKind::Refused,
    ErrorKind::Empty,
    ErrorKind::Other,
];

impl Arbitrary for Lesson {
    fn arbitrary(g: &mut Gen) -> Self {
        Self {
            id: format!("run{}/{}", u8::arbitrary(g) % 4, u16::arbitrary(g)),
            tool: (*g.choose(&["web_fetch", "find_in_page"]).unwrap()).to_owned(),
            kind: *g.choose(&KINDS).unwrap(),
            arguments: String::arbitrary(g),
            error: String::arbitrary(g),
            analysis: Option::arbitrary(g),
            fix: DisplayText::Phrase(phrase("reflection_other")),
            applied: bool::arbitrary(g),
            at_ms: None,
            read: Provenance::default(),
        }
    }
}

pub(crate) fn failed(message: &str) -> ToolError {
    serde_json::from_value(json!({ "failed": { "message": message } })).unwrap()
}

pub(crate) fn call(tool: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: "a".to_owned(),
        name: tool.to_owned(),
        arguments,
        reasoning: None,
        after: None,
    }
}

quickcheck! {
    /// Feature: agent-architecture-upgrade, Property 6: the lesson from a failure is stored, and
    /// found for the next similar attempt.
    fn what_was_learned_is_found_for_the_next_try(before: Vec<Lesson>, new: Lesson) -> bool {
        let mut book = StoredLessons::default();
        book.keep(before, &[]);
        let mut new = new;
        new.arguments = json!({ "query": format!("spring tide {}", new.arguments) }).to_string();
        book.keep(vec![new.clone()], &[]);
        let found = book.similar(&new.tool, new.kind, &new.arguments);
        found.iter().any(|it| it.id == new.id) && found.len() <= MOST_GIVEN && book.reflections.len() <= MOST
    }

    fn a_book_holds_each_act_once(all: Vec<Lesson>) -> bool {
        let mut book = StoredLessons::default();
        for one in all.iter().chain(&all) {
            book.keep(vec![one.clone()], &[]);
        }
        let ids: SortedSet<&str> = book.reflections.iter().map(|it| it.id.as_str()).collect();
        ids.len() == book.reflections.len()
    }
}

quickcheck! {
    /// Feature: agent-architecture-upgrade, Property 1: the total number of retries for any single
    /// action shall not exceed maxRetries (default 3). An action is a tool, or a tool with a site.
    /// The count of an action ends with a step in which all calls of the action succeed.
    fn no_action_is_tried_more_than_four_times_on_end(steps: Vec<Vec<(u8, bool, bool)>>) -> bool {
        let mut retries = Retries::default();
        let mut on_end = [0; 3];
        steps.into_iter().enumerate().all(|(step, calls)| {
            let sites = |bits: u8| (0..3_usize).filter(move |site| bits & (1 << site) > 0);
            let made = calls.into_iter().take(3).enumerate().filter_map(|(n, (bits, well, twice))| {
                let urls: Vec<String> = sites(bits).map(|it| format!("https://{it}.test/{step}/{n}")).collect();
                let call = call("web_fetch", json!({ "urls": urls }));
                let tries = retries.left(&call).min(1 + u32::from(twice));
                let outcome = if well { went_well() } else { failed_by(ErrorKind::Network) };
                (!urls.is_empty() && retries.known_failure(&call).is_none()).then_some((bits, call, outcome, tries))
            });
            let made: Vec<_> = made.collect();
            retries.take(made.iter().map(|(_, call, outcome, tries)| (call, outcome, *tries)));
            for (site, on_end) in on_end.iter_mut().enumerate() {
                let of_it = made.iter().filter(|(bits, ..)| sites(*bits).any(|it| it == site));
                let (mut any, mut most) = (false, 0);
                for (_, _, outcome, tries) in of_it {
                    any = true;
                    most = most.max(if outcome.result.is_err() { *tries } else { 0 });
                }
                *on_end = if any && most == 0 { 0 } else { *on_end + most };
            }
            on_end.iter().all(|tries| *tries <= 4)
        })
    }

    fn an_erasure_that_is_taken_back_leaves_the_book_as_if_it_had_never_been(
        known: u8, erased: u8, since: u8, applied: u8
    ) -> bool {
        let mut book = StoredLessons::default();
        let mut at = 0;
        let mut learned = || {
            at += 1;
            vec![Lesson { at_ms: Some(at), ..one(usize::try_from(at).unwrap()) }]
        };
        for _ in 0..known {
            // Later runs apply all lessons, every second one, or every third one.
            let applied = book.reflections.last().filter(|it| it.at_ms.unwrap() % u64::from(1 + applied % 3) == 0);
            let applied: Vec<String> = applied.map(|it| it.id.clone()).into_iter().collect();
            book.keep(learned(), &applied);
        }
        let mut kept = book.clone();
        let gone: Vec<Lesson> = book.reflections.iter().take(erased.into()).cloned().collect();
        let ids: Vec<String> = gone.iter().map(|it| it.id.clone()).collect();
        kept.erase(&ids);
        for _ in 0..since {
            let new = learned();
            book.keep(new.clone(), &[]);
            kept.keep(new, &[]);
        }
        kept.bring_back(gone);
        kept.reflections == book.reflections
    }
}

pub(crate) fn one(n: usize) -> Lesson {
    Lesson {
        id: format!("run/{n}"),
        tool: "web_fetch".to_owned(),
        kind: ErrorKind::Network,
        arguments: String::new(),
        error: String::new(),
        analysis: None,
        fix: DisplayText::Words("Use another.".to_owned()),
        applied: false,
        at_ms: None,
        read: Provenance::default(),
    }
}

#[test]
fn where_all_were_applied_the_oldest_goes_and_not_what_is_new() {
    let all: Vec<String> = (0..MOST).map(|n| one(n).id).collect();
    let mut book = StoredLessons::default();
    book.keep((0..MOST).map(one).collect(), &all);
    book.keep(vec![one(MOST), one(MOST + 1)], &[]);
    let ids: Vec<&str> = book.reflections.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids.len(), MOST);
    assert_eq!(ids.first(), Some(&"run/2"));
    assert_eq!(ids.last(), Some(&"run/101"));
}

#[test]
fn the_oldest_that_nobody_applied_goes_first() {
    let mut book = StoredLessons::default();
    book.keep((0..MOST).map(one).collect(), &["run/0".to_owned()]);
    book.keep(vec![one(MOST)], &[]);
    let ids: Vec<&str> = book.reflections.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids.len(), MOST);
    assert_eq!(ids[..2], ["run/0", "run/2"]);
}

#[test]
fn what_failed_is_not_made_again_as_it_was_until_the_person_speaks() {
    let mut retries = Retries::default();
    let made = call("web_fetch", json!({ "urls": ["https://a.test/"] }));
    let outcome = ToolOutcome::not_made(failed("the server returned 404"));
    retries.take([(&made, &outcome, 1)].into_iter());
    let again = ToolCall {
        id: "b".to_owned(),
        reasoning: Some(DisplayText::words("Again.")),
        ..made.clone()
    };
    let other = call("web_fetch", json!({ "urls": ["https://b.test/"] }));
    assert!(retries.known_failure(&again).is_some());
    assert!(retries.known_failure(&other).is_none());
    retries.forget();
    assert!(retries.known_failure(&again).is_none());
}

fn failed_by(kind: ErrorKind) -> ToolOutcome {
    let error = json!({ "failed": { "message": "no answer", "kind": kind } });
    ToolOutcome::not_made(serde_json::from_value(error).unwrap())
}

fn went_well() -> ToolOutcome {
    let output = json!({ "data": {}, "summary": { "key": "summary_nothing_found" } });
    let outcome = json!({ "result": { "Ok": output }, "duration_ms": 1 });
    serde_json::from_value(outcome).unwrap()
}

fn fetch(n: usize) -> ToolCall {
    let url = format!("https://a.test/{n}");
    call("web_fetch", json!({ "urls": [url] }))
}

#[test]
fn a_tool_that_failed_four_times_is_left_alone_in_whatever_ways_it_failed() {
    for other in [ErrorKind::Timeout, ErrorKind::Network] {
        let outcomes = [ErrorKind::Timeout, other, ErrorKind::Timeout].map(failed_by);
        let [first, second, third] = &outcomes;
        let mut retries = Retries::default();
        retries.take([(&fetch(1), first, 2)].into_iter());
        assert_eq!(retries.left(&fetch(2)), 2);
        retries.take([(&fetch(2), second, 1)].into_iter());
        assert_eq!(retries.left(&fetch(3)), 1);
        retries.take([(&fetch(3), third, 1)].into_iter());
        let in_vain = retries.known_failure(&fetch(4)).expect("left alone");
        let kinds = match other {
            ErrorKind::Timeout => "timeout",
            _ => "timeout, network",
        };
        let expected = ToolError::TooManyFailures {
            of: "web_fetch of a.test".to_owned(),
            tries: 4,
            kinds: kinds.to_owned(),
        };
        assert_eq!(in_vain, expected);
        assert!(!in_vain.to_string().contains("hange its arguments"));
        assert_eq!(ToolError::in_vain(&in_vain.summary()), Some(in_vain));
        let other = call("find_in_page", json!({ "query": "tide" }));
        assert!(retries.known_failure(&other).is_none());
    }
}

#[test]
fn pages_of_other_sites_are_other_actions_and_other_words_are_not() {
    let gone = failed_by(ErrorKind::NotFound);
    let fetch = |urls: &[&str]| call("web_fetch", json!({ "urls": urls }));
    let mut retries = Retries::default();
    for n in 0..9 {
        let dead = fetch(&[format!("https://{n}.test/").as_str()]);
        assert_eq!(retries.left(&dead), 4);
        retries.take([(&dead, &gone, 1)].into_iter());
        // The same call is not made again, and the model reads the reason.
        let again = retries.known_failure(&dead).expect("the very same");
        assert!(
            matches!(again, ToolError::RepeatedFailure { .. }),
            "{again:?}"
        );
        assert_eq!(ToolError::in_vain(&again.summary()), Some(again));
    }
    // Four calls to one site are enough, however the address is spelled and whatever the other
    // arguments are.
    for n in 0..3 {
        let dead = fetch(&[format!("HTTPS://me@A.test?{n}").as_str()]);
        assert_eq!(retries.known_failure(&dead), None);
        retries.take([(&dead, &gone, 1)].into_iter());
    }
    let both = fetch(&["https://a.test/x", "https://0.test/x"]);
    assert_eq!(
        (retries.left(&both), retries.known_failure(&both)),
        (1, None)
    );
    retries.take([(&both, &gone, 1)].into_iter());
    assert_eq!(retries.left(&fetch(&["https://0.test/y"])), 2);
    let both = fetch(&["https://a.test/y", "https://0.test/y"]);
    let given_up = retries.known_failure(&both).expect("one is given up");
    assert!(
        given_up
            .to_string()
            .contains("web_fetch of a.test failed 4 times"),
        "{given_up}"
    );
    // A search is one action, whatever its query.
    let search = |n: usize| {
        call(
            "web_search",
            json!({ "query": format!("https://{n}.test/ tide") }),
        )
    };
    for n in 0..4 {
        assert_eq!(retries.known_failure(&search(n)), None);
        retries.take([(&search(n), &gone, 1)].into_iter());
    }
    let error = retries
        .known_failure(&search(4))
        .expect("four failed")
        .to_string();
    assert!(
        error.starts_with("not made: web_search failed 4 times in a row (not_found)"),
        "{error}"
    );
}

#[test]
fn a_success_beside_a_failure_clears_nothing_and_one_by_itself_all() {
    let (failed, well) = (failed_by(ErrorKind::Network), went_well());
    let mut retries = Retries::default();
    for n in 1..=3 {
        let both = [(&fetch(n), &failed, 1), (&fetch(n + 10), &well, 1)];
        retries.take(both.into_iter());
        assert_eq!(retries.left(&fetch(9)) as usize, 4 - n);
    }
    retries.take([(&fetch(9), &well, 1)].into_iter());
    assert_eq!(retries.left(&fetch(20)), 4);
}

#[test]
fn an_erased_lesson_comes_back_with_its_position_and_content() {
    let sim = Sim::new(1);
    let ids = |all: &[Lesson]| all.iter().map(|it| it.id.clone()).collect::<Vec<_>>();
    let ended = sim.life(u64::MAX, async {
        let episodes = LessonStore::new(&sim.host());
        let kept = episodes.keep((0..3).map(one).collect(), &[]).await;
        assert_eq!(kept, Ok(()));
        let all = episodes.all().await.expect("all");
        assert_eq!(ids(&all), ["run/2", "run/1", "run/0"]);
        assert!(all.iter().all(|it| it.at_ms.is_some()));
        let changes = episodes.changes();
        let erased = episodes.erase(&ids(&all[1..2])).await;
        assert_eq!(erased, Ok(()));
        assert!(episodes.changes() > changes);
        assert_eq!(ids(&episodes.all().await.expect("all")), ["run/2", "run/0"]);
        // After the undo, the lesson has its old position and content.
        for _ in 0..2 {
            let back = episodes.bring_back(all[1..2].to_vec()).await;
            assert_eq!(back, Ok(()));
            let now = episodes.all().await.expect("all");
            assert_eq!(now.len(), 3);
            assert!(now.contains(&all[1]));
        }
    });
    assert!(ended.is_some());
}

#[test]
fn an_erasure_and_what_a_run_keeps_meanwhile_both_hold() {
    for seed in 0..20 {
        let sim = Sim::new(seed);
        let left = sim.life(u64::MAX, async {
            let episodes = LessonStore::new(&sim.host());
            let kept = episodes.keep((0..3).map(one).collect(), &[]).await;
            assert_eq!(kept, Ok(()));
            let ids: Vec<String> = (0..3).map(|n| one(n).id).collect();
            let both = join(episodes.erase(&ids), episodes.keep(vec![one(3)], &ids));
            assert_eq!(both.await, (Ok(()), Ok(())));
            let all = episodes.all().await.expect("all");
            all.into_iter().map(|it| it.id).collect::<Vec<_>>()
        });
        assert_eq!(left, Some(vec!["run/3".to_owned()]), "{seed}");
    }
}

#[test]
fn what_is_kept_once_more_stays_applied_and_when_it_was_and_where() {
    let sim = Sim::new(1);
    let ended = sim.life(u64::MAX, async {
        let episodes = LessonStore::new(&sim.host());
        let kept = episodes.keep((0..2).map(one).collect(), &[]).await;
        assert_eq!(kept, Ok(()));
        let applied = episodes.keep(Vec::new(), &["run/0".to_owned()]).await;
        assert_eq!(applied, Ok(()));
        let before = episodes.all().await.expect("all");
        sim.host().clock.sleep(5_000).await;
        // The worker died before the write was recorded, and stores the lesson again.
        assert_eq!(episodes.keep(vec![one(0)], &[]).await, Ok(()));
        assert_eq!(episodes.all().await.expect("all"), before);
        assert!(before.iter().any(|it| it.applied));
    });
    assert!(ended.is_some());
}

#[test]
fn of_runs_that_are_erased_not_even_their_names_are_kept() {
    let sim = Sim::new(1);
    let ended = sim.life(u64::MAX, async {
        let episodes = LessonStore::new(&sim.host());
        let kept = episodes.keep((0..3).map(one).collect(), &[]).await;
        assert_eq!(kept, Ok(()));
        let others = SortedSet::from([RunId("run2".to_owned())]);
        assert_eq!(episodes.forget(&others).await, Ok(()));
        assert!(
            sim.shelved("reflections")
                .is_some_and(|it| it.contains("run/2"))
        );
        let runs = SortedSet::from([RunId("run".to_owned())]);
        assert_eq!(episodes.forget(&runs).await, Ok(()));
    });
    assert!(ended.is_some());
    let text = sim.shelved("reflections").expect("a book");
    assert!(!text.contains("run"), "{text}");
}
