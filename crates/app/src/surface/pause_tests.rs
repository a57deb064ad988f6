//! Pauses, as a surface shows them.

use super::{Notice, Snapshot, TabContent, Turn};
use gloss_agent::{Event, MissingRight, Phase, Status, Verdict, Wait};
use gloss_durable::{RunId, Stop};
use gloss_host::TabId;
use gloss_markdown as markdown;
use gloss_model::phrase::{Phrase, phrase};

fn turn(events: &[Event]) -> Turn {
    let mut turn = Turn::new(RunId("a".to_owned()));
    for (place, event) in events.iter().enumerate() {
        turn.fold(event, 100 + place as u64);
    }
    turn
}

fn grew() -> Event {
    Event::AnswerGrew {
        frozen: 0,
        tail: markdown::parse("The lamp"),
    }
}

fn thinks() -> Event {
    Event::PhaseChanged {
        phase: Phase::Thinking,
        step: 1,
        max_steps: 5,
    }
}

fn paused(by: Stop) -> Event {
    Event::Paused { by }
}

#[test]
fn a_page_that_is_looked_at_needs_a_worker_as_a_run_at_work_does() {
    let mut shown = Snapshot::unknown();
    shown.beside = TabContent::Looking;
    // The worker may die before it has described the page. The surface must wake it then.
    assert!(shown.needs_worker());
    shown.beside = TabContent::Nothing;
    assert!(!shown.needs_worker());
    shown.turns.push(turn(&[thinks()]));
    assert!(shown.needs_worker());
}

#[test]
fn pauses_waits_and_the_sleep_between_lives_are_no_active_time() {
    let waits = Event::Deferred { until_ms: 90_000 };
    let needs = Event::PermissionNeeded {
        wait: Wait {
            id: 4,
            need: MissingRight::Site { tab: TabId(1) },
        },
    };
    let answered = Event::PermissionAnswered {
        verdict: Verdict::Granted,
    };
    let ended = Event::RunEnded {
        status: Status::Completed,
    };
    let mut turn = Turn::new(RunId("a".to_owned()));
    for (at_ms, event, active_ms) in [
        (1_000, thinks(), 0),
        (1_020, grew(), 20),
        (1_030, paused(Stop::Pause), 30),
        (9_000, Event::Continued, 30),
        (9_005, needs, 35),
        (20_000, answered, 35),
        (20_004, waits, 39),
        (90_000, thinks(), 39),
        (90_001, grew(), 40),
        // The worker died, and the next one resumed the run.
        (99_000, Event::Resumed, 40),
        (99_010, grew(), 50),
        // The worker died again, during a model call.
        (200_000, Event::AnswerRestarted, 50),
        (200_007, ended, 57),
    ] {
        turn.fold(&event, at_ms);
        assert_eq!(turn.active_ms, active_ms, "{at_ms} {event:?}");
        let works = turn.status == Status::Running && turn.until_ms.is_none();
        assert_eq!(turn.active_since_ms, works.then_some(at_ms));
        let later = turn.active_ms_at(at_ms + 5);
        assert_eq!(later, active_ms + if works { 5 } else { 0 });
    }
}

#[test]
fn a_paused_turn_is_open_keeps_its_text_and_says_since_when() {
    for by in [Stop::Pause, Stop::Restart] {
        let held = turn(&[thinks(), grew(), paused(by)]);
        assert_eq!(held.status, Status::Paused);
        assert!(held.is_open());
        assert_eq!(held.growing, markdown::parse("The lamp"));
        let since = |until_ms| Notice::Paused {
            at_ms: 102,
            by,
            until_ms,
            again: Vec::new(),
        };
        assert_eq!(held.notices, [since(None)]);
        let on = turn(&[thinks(), grew(), paused(by), Event::Continued]);
        assert_eq!(
            (on.status, &on.notices[..]),
            (Status::Running, &[since(Some(103))][..])
        );
        // The streamed text is shown until the step is repeated.
        assert_eq!(on.growing, held.growing);
        let again = [
            thinks(),
            grew(),
            paused(by),
            Event::Continued,
            Event::AnswerRestarted,
        ];
        let again = turn(&again);
        assert!(again.growing.is_empty());
        assert_eq!(
            again.notices,
            [
                since(Some(103)),
                Notice::Restarted {
                    at_ms: 104,
                    times: 1
                }
            ]
        );
    }
}

#[test]
fn a_second_pause_is_a_seam_of_its_own_and_a_stop_ends_it() {
    let pause = paused(Stop::Pause);
    let twice = turn(&[
        pause.clone(),
        Event::Continued,
        pause.clone(),
        Event::Stopped,
    ]);
    let (first, second) = (Some(101), None);
    let since = |at_ms, until_ms| Notice::Paused {
        at_ms,
        by: Stop::Pause,
        until_ms,
        again: Vec::new(),
    };
    let stopped = Notice::Stopped { at_ms: 103 };
    assert_eq!(
        twice.notices,
        [since(100, first), since(102, second), stopped]
    );
}

#[test]
fn what_a_paused_turn_waits_for_is_asked_again_when_it_goes_on() {
    let wait = Wait {
        id: 7,
        need: MissingRight::Site { tab: TabId(1) },
    };
    let needed = Event::PermissionNeeded { wait: wait.clone() };
    let held = turn(&[needed.clone(), paused(Stop::Pause)]);
    assert_eq!((held.status, held.wait), (Status::Paused, None));
    let granted = Event::PermissionAnswered {
        verdict: Verdict::Granted,
    };
    let on = [
        needed.clone(),
        paused(Stop::Pause),
        Event::Continued,
        needed,
    ];
    assert_eq!(turn(&on).wait, Some(wait));
    let on: Vec<Event> = on.into_iter().chain([granted]).collect();
    assert_eq!(turn(&on).status, Status::Running);
}

#[test]
fn deaths_in_a_row_are_one_line_that_says_what_was_sent_again() {
    let grading = phrase("doing_grade");
    let again = Event::AskedAgain {
        what: vec![grading.clone()],
    };
    let seam = |at_ms, times, again: &[Phrase]| Notice::Resumed {
        at_ms,
        times,
        again: again.to_vec(),
    };
    let twice = turn(&[thinks(), Event::Resumed, Event::Resumed]);
    assert_eq!(twice.notices, [seam(102, 2, &[])]);
    let named = turn(&[Event::Resumed, again.clone(), again]);
    assert_eq!(
        named.notices,
        [seam(102, 3, std::slice::from_ref(&grading))]
    );
    // If another event comes between two deaths, there are two notices.
    let apart = turn(&[Event::Resumed, grew(), Event::Stopped, Event::Resumed]);
    assert_eq!(apart.notices.len(), 3);
}

#[test]
fn what_a_pause_had_cut_off_stands_in_its_line_and_a_death_behind_it_in_its_own() {
    let grading = phrase("doing_grade");
    let what = vec![grading.clone()];
    let paused_once = turn(&[
        thinks(),
        paused(Stop::Pause),
        Event::Continued,
        Event::SentAgain { what: what.clone() },
        Event::AskedAgain { what },
    ]);
    let [
        Notice::Paused { again, .. },
        Notice::Resumed { times: 1, .. },
    ] = &paused_once.notices[..]
    else {
        panic!("{:?}", paused_once.notices);
    };
    assert_eq!(again, &[grading]);
}
