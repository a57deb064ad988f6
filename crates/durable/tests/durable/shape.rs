//! The persisted format, compared with fixtures.

use super::toys::{World, facts, run_id, tame};
use gloss_durable::{
    Body, Class, Entry, Fingerprint, Path, Record, Stop, StoredBatch, read_batches,
};
use quickcheck::{Arbitrary, Gen, quickcheck};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const FIXTURE: &str = include_str!("../../../../tests/fixtures/journal_v1.json");

/// The entries of version 1, at least one of every kind.
fn every_entry() -> Vec<Entry> {
    let intent = |class, label| Entry::Intent {
        effect: "model".to_owned(),
        class,
        fingerprint: Fingerprint::of("request"),
        attempt: 2,
        label,
    };
    let stopped = |stop| Entry::Stopped {
        partial: String::new(),
        stop,
    };
    vec![
        Entry::Begun {
            config: json!({"goal": "summarise", "max_steps": 5}),
            revision: "r1".to_owned(),
            forked: None,
        },
        intent(Class::Safe, json!({"tool": "find_in_page"})),
        intent(Class::Keyed, Value::Null),
        intent(Class::External, Value::Null),
        Entry::Outcome {
            body: Body::Inline(json!({"score": 0.1, "none": null})),
        },
        Entry::Outcome {
            body: Body::Inline(Value::Null),
        },
        Entry::Outcome {
            body: Body::Blob("ba7816bf".to_owned()),
        },
        Entry::Stopped {
            partial: "half a th".to_owned(),
            stop: Stop::User,
        },
        Entry::Stopped {
            partial: String::new(),
            stop: Stop::User,
        },
        Entry::Note {
            topic: "bound".to_owned(),
            body: json!(["steps", 5]),
        },
        Entry::Resumed,
        Entry::Continued,
        Entry::Panicked {
            message: "index out of bounds".to_owned(),
        },
        Entry::Ended {
            body: json!({"stopped": false}),
        },
        Entry::Left,
        Entry::Arrived {
            message: "m1".to_owned(),
            kind: "follow_up".to_owned(),
            body: json!({"goal": "summarize"}),
        },
        Entry::Withdrawn {
            message: "m1".to_owned(),
        },
        Entry::MessagesRead {
            messages: vec!["m2".to_owned()],
        },
        Entry::Waiting {
            kind: "verdict".to_owned(),
            body: json!({"site": {"tab": 7}}),
            within_ms: None,
        },
        Entry::Shown { place: json!(7) },
        stopped(Stop::Pause),
        stopped(Stop::Restart),
        Entry::Waiting {
            kind: "elapsed".to_owned(),
            body: Value::Null,
            within_ms: Some(35_000),
        },
        Entry::Restarted {
            revision: "r3".to_owned(),
            gathered: json!({"steps": 2}),
            keeps: Vec::new(),
        },
        Entry::Restarted {
            revision: "r4".to_owned(),
            gathered: Value::Null,
            keeps: vec![Path::root().child("page")],
        },
    ]
}

fn journal(entries: Vec<Entry>) -> Vec<Record> {
    let record = |(seq, entry): (usize, Entry)| Record {
        v: 1,
        seq: seq as u64,
        path: Path::root().child(seq).child("act"),
        at_ms: 1_700_000_000_000,
        entry,
    };
    entries.into_iter().enumerate().map(record).collect()
}

fn through_the_store(records: &[Record]) -> Vec<Record> {
    let batch = StoredBatch {
        run: run_id(),
        number: 0,
        records: serde_json::to_string(records).unwrap(),
    };
    let mut runs = read_batches(vec![batch]);
    runs.remove(&run_id()).unwrap().unwrap().1
}

/// If this test fails, Gloss can no longer read the journals in users' browsers. Raise the version
/// and keep reading the old format. Never edit the fixture.
#[test]
fn the_persisted_shape_is_the_fixture() {
    let written = serde_json::to_string_pretty(&journal(every_entry())).unwrap();
    assert_eq!(written, FIXTURE.trim_end());
}

#[test]
fn the_fixture_is_read() {
    let batch = StoredBatch {
        run: run_id(),
        number: 0,
        records: FIXTURE.to_owned(),
    };
    let read = read_batches(vec![batch]).remove(&run_id()).unwrap();
    assert_eq!(read.unwrap(), (1, journal(every_entry())));
}

#[test]
fn every_kind_of_entry_is_in_the_fixture() {
    // This `match` lists every kind, so that a new kind of entry must be added here to compile.
    let place = |entry: &Entry| match entry {
        Entry::Begun { .. } => 0,
        Entry::Intent { .. } => 1,
        Entry::Outcome { .. } => 2,
        Entry::Stopped { .. } => 3,
        Entry::Note { .. } => 4,
        Entry::Resumed => 5,
        Entry::Continued => 6,
        Entry::Panicked { .. } => 7,
        Entry::Ended { .. } => 8,
        Entry::Left => 9,
        Entry::Arrived { .. } => 10,
        Entry::Withdrawn { .. } => 11,
        Entry::MessagesRead { .. } => 12,
        Entry::Waiting { .. } => 13,
        Entry::Shown { .. } => 14,
        Entry::Restarted { .. } => 15,
    };
    let seen: BTreeSet<i32> = every_entry().iter().map(place).collect();
    assert_eq!(seen, (0..=15).collect());
}

/// A random JSON value.
#[derive(Debug, Clone)]
struct AnyValue(Value);

impl Arbitrary for AnyValue {
    fn arbitrary(g: &mut Gen) -> Self {
        Self(any_value(g, 3))
    }
}

fn any_value(g: &mut Gen, depth: u32) -> Value {
    let kinds = if depth == 0 { 6 } else { 8 };
    match u32::arbitrary(g) % kinds {
        0 => Value::Null,
        1 => bool::arbitrary(g).into(),
        2 => i64::arbitrary(g).into(),
        3 => u64::arbitrary(g).into(),
        // NaN and infinities become null, as in the browser's storage.
        4 => f64::arbitrary(g).into(),
        5 => String::arbitrary(g).into(),
        6 => (0..3).map(|_| any_value(g, depth - 1)).collect(),
        _ => {
            let field = |_| (String::arbitrary(g), any_value(g, depth - 1));
            Value::Object((0..3).map(field).collect())
        }
    }
}

quickcheck! {
    /// Property: a journal has the same content before and after it is stored and loaded.
    fn records_survive_storage(values: Vec<AnyValue>, text: String) -> bool {
        let mut entries = vec![Entry::Begun { config: json!(text), revision: text.clone(), forked: None }];
        for AnyValue(value) in values {
            entries.push(Entry::Outcome { body: Body::Inline(value.clone()) });
            entries.push(Entry::Note { topic: text.clone(), body: value.clone() });
            entries.push(Entry::Stopped { partial: text.clone(), stop: Stop::User });
            entries.push(Entry::Ended { body: value });
        }
        let records = journal(entries);
        through_the_store(&records) == records
    }

    /// Property: the fold over a random run's journal is the same before and after a store that
    /// changes values as the browser does.
    fn the_fold_of_a_run_survives_storage(seed: u64, kill_at: u8) -> bool {
        let world = World::new(seed);
        world.life(u64::from(kill_at) % 50, tame);
        world.life(u64::MAX, tame);
        let before = world.journal.take().unwrap().read(<[_]>::to_vec);
        let after = world.stored();
        before == after && facts(&before) == facts(&after)
    }
}
