//! Runs that were active when the code changed. If their records no longer replay, a new run
//! continues with the results so far. This happens once for each revision.

use crate::stage::{Life, NEVER, TAB, article, ask, ended_at, run_id, start, steady, whole, world};
use gloss::agent::{Status, gather};
use gloss::app::surface::{Command, Notice, Turn};
use gloss::durable::{Body, Class, Entry, Fingerprint, Path, Record, read_batches};
use gloss::host::CaptureError;
use gloss::host_sim::Sim;
use serde_json::{Value, json};

fn again() -> [Command; 1] {
    [start("run", ask())]
}

fn records(sim: &Sim) -> Vec<Record> {
    let stored = read_batches(sim.batches()).remove(&run_id());
    stored.map_or_else(Vec::new, |stored| stored.expect("readable").1)
}

pub(crate) fn renewals(sim: &Sim) -> Vec<Record> {
    let mut records = records(sim);
    records.retain(|record| matches!(record.entry, Entry::Restarted { .. }));
    records
}

/// The JSON of a batch, without the checksum before it.
fn unsealed(text: &str) -> Value {
    let json = text.rsplit('\n').next().unwrap_or_default();
    serde_json::from_str(json).expect("a batch")
}

/// Calls `change` with each stored record of the run.
fn rewrite(sim: &Sim, change: impl Fn(&mut Value)) {
    for batch in sim.batches() {
        sim.damage(&batch.run, batch.number, |json| {
            let mut records: Value = unsealed(&json);
            for record in records.as_array_mut().expect("records") {
                change(record);
            }
            Some(records.to_string())
        });
    }
}

/// Changes the records so that another revision seems to have begun the run.
pub(crate) fn of_another_revision(sim: &Sim) {
    rewrite(sim, |record| {
        if let Some(revision) = record.pointer_mut("/entry/begun/revision") {
            *revision = "0.0.1+older".into();
        }
    });
}

/// Changes the records so that the run seems to have sent the model other requests, from a step
/// on.
pub(crate) fn asked_otherwise(sim: &Sim, from: &str) {
    rewrite(sim, |record| {
        let reaches = record["path"].as_str().is_some_and(|path| path >= from);
        let asks = record.pointer("/entry/intent/effect") == Some(&"model".into());
        if reaches && asks {
            record["entry"]["intent"]["fingerprint"] = "0123456789abcdef".into();
        }
    });
}

/// A run that was killed at a tick, and whose records were then changed to those of other code.
/// Returns true if it was killed.
fn outdated(seed: u64, kill_at: u64, from: &str) -> (Sim, bool) {
    let sim = world(seed);
    let survived = Life::new(&sim, 1, &steady(&sim)).until(kill_at, &again());
    of_another_revision(&sim);
    asked_otherwise(&sim, from);
    (sim, survived)
}

fn seams(turn: &Turn) -> usize {
    let renewed = |seam: &&Notice| matches!(seam, Notice::Renewed { .. });
    turn.notices.iter().filter(renewed).count()
}

#[test]
fn a_run_that_replays_goes_on_under_new_code_as_if_nothing_had_happened() {
    let (expected, ticks) = whole(1, steady, &ask());
    for kill_at in 0..ticks {
        let (sim, _) = outdated(1, kill_at, "zzz");
        let life = Life::new(&sim, 2, &steady(&sim));
        assert!(life.until(NEVER, &again()));
        assert_eq!(life.turn().answer, expected.answer, "{kill_at}");
        assert!(renewals(&sim).is_empty());
    }
}

#[test]
fn a_run_that_does_not_is_renewed_once_and_answers_wherever_a_kill_falls() {
    let (_, ticks) = whole(1, steady, &ask());
    let (mut renewed, mut deaths) = (0, 0);
    for from in ["1/", "2/"] {
        for kill_at in (0..ticks).step_by(3) {
            for second in (0..ticks + 8).step_by(2) {
                let (sim, _) = outdated(1, kill_at, from);
                let life = Life::new(&sim, 2, &steady(&sim));
                let killed = !life.until(second, &again());
                deaths += u32::from(killed);
                let life = Life::new(&sim, 3, &steady(&sim));
                assert!(life.until(NEVER, &again()));
                let at = format!("{from} {kill_at} {second}");
                let turn = life.turn();
                assert_eq!(turn.status, Status::Completed, "{at}");
                let answer = turn.answer.as_ref().expect("an answer");
                assert!(!answer.citations.is_empty(), "{at}");
                let renewals = renewals(&sim).len();
                assert!(renewals <= 1, "{at}");
                assert_eq!(seams(&turn), renewals, "{at}");
                renewed += renewals;
            }
        }
    }
    println!("{renewed} renewed, {deaths} deaths");
    assert!(renewed > 100 && deaths > 100, "{renewed} {deaths}");
}

#[test]
fn what_was_gathered_is_read_and_what_was_spent_counts_on() {
    let ticks = ended_at(1, steady, &ask());
    // The kill is late enough for two results, and for a changed second request.
    let (sim, _) = outdated(1, ticks - 3, "2/");
    let captures = sim.captures();
    let life = Life::new(&sim, 2, &steady(&sim));
    assert!(life.until(NEVER, &again()));
    let renewals = renewals(&sim);
    let Some(Entry::Restarted {
        gathered, revision, ..
    }) = renewals.first().map(|record| &record.entry)
    else {
        panic!("not renewed: {:?}", life.turn());
    };
    assert_ne!(revision, "0.0.1+older");
    let results = gathered.to_string().matches("\"intent\"").count();
    assert!(results >= 3, "a reply and two calls: {gathered}");
    assert!(
        !gathered.to_string().contains("harbour"),
        "nothing is copied: {gathered}"
    );
    assert!(gathered["steps"].as_u64() >= Some(1), "{gathered}");
    // The page was captured for the panel only. The continued run did not capture it again,
    // because the permission may be gone.
    assert_eq!(sim.captures(), captures + 1);
    assert!(life.turn().steps.len() >= 2);
}

#[test]
fn a_page_that_may_not_be_read_again_is_still_there() {
    let (_, ticks) = whole(1, steady, &ask());
    for kill_at in (12..ticks).step_by(3) {
        let (sim, _) = outdated(1, kill_at, "1/");
        if records(&sim).iter().all(|r| !is_capture(r)) {
            continue;
        }
        sim.set_page(TAB, Err(CaptureError::NoAccess));
        let life = Life::new(&sim, 2, &steady(&sim));
        assert!(life.until(NEVER, &again()));
        assert_eq!(life.turn().status, Status::Completed, "{kill_at}");
        assert!(life.turn().answer.is_some_and(|a| !a.citations.is_empty()));
    }
}

#[test]
fn a_disk_that_falls_silent_while_a_run_is_renewed_holds_nothing_up() {
    let ended = ended_at(1, steady, &ask());
    let mut renewed = 0;
    for tick in 0..60 {
        let sim = world(1);
        sim.set_page(TAB, Ok(article(400)));
        assert!(!Life::new(&sim, 1, &steady(&sim)).until(ended - 3, &again()));
        assert!(
            !sim.blob_hashes().is_empty(),
            "the page is a body of its own"
        );
        of_another_revision(&sim);
        asked_otherwise(&sim, "1/");
        let life = Life::new(&sim, 2, &steady(&sim));
        let world = sim.clone();
        sim.at_tick(tick, move || world.hang_archive());
        assert!(life.until(NEVER, &again()), "{tick}");
        sim.heal_storage();
        renewed += renewals(&sim).len();
    }
    assert!(renewed > 10, "{renewed}");
}

fn is_capture(record: &Record) -> bool {
    record.path.as_str() == "page" && matches!(record.entry, Entry::Outcome { .. })
}

#[test]
fn a_run_of_this_very_revision_that_does_not_replay_fails_in_words() {
    let ticks = ended_at(1, steady, &ask());
    let sim = world(1);
    assert!(!Life::new(&sim, 1, &steady(&sim)).until(ticks - 3, &again()));
    asked_otherwise(&sim, "1/");
    let life = Life::new(&sim, 2, &steady(&sim));
    assert!(life.until(NEVER, &again()));
    assert_eq!(life.turn().failure.expect("a failure").code, "run_diverged");
    assert!(renewals(&sim).is_empty());
}

#[test]
fn a_second_divergence_under_one_revision_fails_in_words_and_a_further_update_renews_again() {
    let renewed = || {
        let ticks = ended_at(1, steady, &ask());
        let (sim, _) = outdated(1, ticks - 3, "1/");
        for kill_at in 0.. {
            let life = Life::new(&sim, kill_at + 2, &steady(&sim));
            assert!(!life.until(18, &again()), "it answers too soon");
            // The code changes again, after the continued run has sent the model a request.
            let records = records(&sim);
            let at = records
                .iter()
                .position(|record| matches!(record.entry, Entry::Restarted { .. }));
            let asks = |record: &Record| matches!(&record.entry, Entry::Intent { effect, .. } if effect == "model");
            if at.is_some_and(|at| records[at..].iter().any(asks)) {
                return sim;
            }
        }
        unreachable!("it is renewed at last");
    };
    let sim = renewed();
    asked_otherwise(&sim, "1/");
    let life = Life::new(&sim, 90, &steady(&sim));
    assert!(life.until(NEVER, &again()));
    assert_eq!(life.turn().failure.expect("a failure").code, "run_diverged");
    assert_eq!(renewals(&sim).len(), 1);

    let sim = renewed();
    asked_otherwise(&sim, "1/");
    rewrite(&sim, |record| {
        if let Some(revision) = record.pointer_mut("/entry/restarted/revision") {
            *revision = "0.0.2+older".into();
        }
    });
    let life = Life::new(&sim, 90, &steady(&sim));
    assert!(life.until(NEVER, &again()));
    assert_eq!(life.turn().status, Status::Completed);
    assert_eq!(renewals(&sim).len(), 2);
    assert_eq!(seams(&life.turn()), 2);
}

#[test]
fn an_outcome_that_this_code_cannot_read_renews_the_run_too() {
    let ticks = ended_at(1, steady, &ask());
    let sim = world(1);
    assert!(!Life::new(&sim, 1, &steady(&sim)).until(ticks - 3, &again()));
    of_another_revision(&sim);
    rewrite(&sim, |record| {
        let asked = record["path"].as_str() == Some("1/reason");
        if let Some(body) = record.pointer_mut("/entry/outcome/body").filter(|_| asked) {
            *body = json!({ "inline": { "Ok": "in a shape of its own" } });
        }
    });
    let life = Life::new(&sim, 2, &steady(&sim));
    assert!(life.until(NEVER, &again()));
    assert_eq!(life.turn().status, Status::Completed);
    assert_eq!(seams(&life.turn()), 1);
}

fn recorded(entries: impl IntoIterator<Item = (&'static str, Entry)>) -> Vec<Record> {
    let record = |(seq, (path, entry)): (usize, (&str, Entry))| Record {
        v: 2,
        seq: seq as u64,
        path: Path::root().child(path),
        at_ms: 0,
        entry,
    };
    entries.into_iter().enumerate().map(record).collect()
}

#[test]
fn a_call_that_waits_for_the_persons_word_is_none_that_they_refused() {
    let fetch = || Entry::Intent {
        effect: "tool".to_owned(),
        class: Class::Safe,
        fingerprint: Fingerprint::default(),
        attempt: 1,
        label: json!({ "step": 1, "call": "a", "tool": "web_fetch", "arguments": "{}" }),
    };
    let lacks = || Entry::Outcome {
        body: Body::Inline(json!({
            "result": { "Err": { "not_permitted": { "right": { "pages": { "origins": ["https://a.example"] } } } } },
            "duration_ms": 5,
        })),
    };
    let waits = Entry::Waiting {
        kind: "permit".to_owned(),
        body: Value::Null,
        within_ms: None,
    };
    let heard = Entry::MessagesRead {
        messages: vec!["m".to_owned()],
    };
    let open = [
        ("1/act/0/try.1", fetch()),
        ("1/act/0/try.1", lacks()),
        ("1/act/0/permit.1", waits),
    ];
    let answered = [
        ("1/act/0/permit.1", heard),
        ("1/act/0/try.2", fetch()),
        ("1/act/0/try.2", lacks()),
    ];
    let gathered = |records: Vec<Record>| {
        let (gathered, _) = gather(&records, &Path::root().child("2"));
        serde_json::to_value(gathered).expect("JSON")
    };
    // The call is repeated, and asks for the permission again.
    let asks = gathered(recorded(open.clone()));
    assert_eq!(asks["tool_calls"], 0);
    assert_eq!(asks["pieces"], json!([]));
    let refused = gathered(recorded(open.into_iter().chain(answered)));
    assert_eq!(refused["tool_calls"], 1);
    let calls = &refused["pieces"][0]["called"]["calls"];
    assert_eq!(*calls, json!([{ "intent": 4, "outcome": 5, "tries": 2 }]));
}

/// The records of three calls that change the world. One call ended, one was cut off, and one was
/// repeated because the user decided so.
fn acts_on_the_world() -> Vec<Record> {
    let intent = |call: &str, effect: &str| Entry::Intent {
        effect: effect.to_owned(),
        class: Class::External,
        fingerprint: Fingerprint::default(),
        attempt: 1,
        label: json!({
            "step": 1, "call": call, "tool": format!("send_{call}"), "arguments": "{\"to\":1}",
        }),
    };
    let sent = || Entry::Outcome {
        body: Body::Inline(json!({
            "result": { "Ok": { "data": "sent", "summary": { "key": "k" } } }, "duration_ms": 5,
        })),
    };
    let entries = [
        ("1/act/0/try.1", intent("made", "tool")),
        ("1/act/0/try.1", sent()),
        ("1/act/1/try.1", intent("cut", "tool")),
        ("1/act/2/try.1", intent("again", "tool")),
        ("1/act/2/try.2", intent("again", "tool")),
        ("1/act/2/try.2", sent()),
    ];
    recorded(entries)
}

#[test]
fn effects_on_the_world_are_gathered_as_done_or_as_unknown() {
    let (gathered, keeps) = gather(&acts_on_the_world(), &Path::root().child("2"));
    assert!(keeps.is_empty());
    let gathered = serde_json::to_value(gathered).expect("JSON");
    assert_eq!(gathered["unknown"], json!(["send_cut"]));
    assert_eq!(gathered["tool_calls"], 3);
    let calls = &gathered["pieces"][0]["called"]["calls"];
    assert_eq!(
        *calls,
        json!([
            { "intent": 0, "outcome": 1, "tries": 1 },
            { "intent": 2, "outcome": null, "tries": 1 },
            { "intent": 4, "outcome": 5, "tries": 1 },
        ])
    );
    // After a second continuation, the unknown call is still known, but it is not reported again.
    let mut records = acts_on_the_world();
    records.push(Record {
        v: 2,
        seq: 6,
        path: Path::root(),
        at_ms: 0,
        entry: Entry::Restarted {
            revision: "r".to_owned(),
            gathered: gathered.clone(),
            keeps,
        },
    });
    let (again, _) = gather(&records, &Path::root().child("2"));
    assert_eq!(serde_json::to_value(again).expect("JSON"), gathered);
}
