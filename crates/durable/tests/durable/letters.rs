//! Each wait ends with its own answer and with no other message.

use super::toys::{Failure, World};
use gloss_durable::{Ctx, Entry, Halt, Journal, Message, Path, is_parked};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::rc::Rc;

const NEVER: u64 = u64::MAX;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Grant(String);

impl Message for Grant {
    const NAME: &'static str = "grant";
}

/// Asks two questions at the same time.
async fn asks(ctx: Ctx, _: Rc<World>) -> Result<String, Halt> {
    let (left, right) = (ctx.at("left"), ctx.at("right"));
    let left = left.signal::<Grant>("ask", &"left");
    let right = right.signal::<Grant>("ask", &"right");
    let (left, right) = futures::future::join(left, right).await;
    Ok(format!("{} {}", left?.0, right?.0))
}

/// Changes the journal while the run is not being driven.
fn meanwhile(world: &Rc<World>, does: impl FnOnce(&Journal)) {
    let host = world.host();
    world.sim.life(NEVER, async {
        let journal = world.open(&host).await.unwrap();
        does(&journal);
        journal.flushed().await.unwrap();
    });
}

fn grant(world: &Rc<World>, wait: u64, words: &str) {
    meanwhile(world, |journal| {
        journal.deliver(&format!("grant.{wait}"), &Grant(words.to_owned()));
    });
}

/// The last record of each wait, by its path.
fn waits(world: &World) -> BTreeMap<String, u64> {
    let mut waits = BTreeMap::new();
    for record in world.stored() {
        if let Entry::Waiting { .. } = record.entry {
            waits.insert(record.path.to_string(), record.seq);
        }
    }
    waits
}

fn assert_parks(world: &Rc<World>) {
    let life = world.life(NEVER, asks);
    let parked = matches!(life, Some(Err(Failure::Halt(Halt::Parked { .. }))));
    assert!(parked, "{life:?}");
    assert!(is_parked(&world.stored()), "it would be driven for ever");
}

#[test]
fn an_answer_to_one_question_answers_no_other() {
    for right_first in [true, false] {
        let world = World::new(1);
        assert_parks(&world);
        let waits = waits(&world);
        let of = |side: &str| (waits[&format!("{side}/ask")], side.to_owned());
        let mut answers = [of("left"), of("right")];
        if right_first {
            answers.reverse();
        }
        let [(first, said), (second, then)] = answers;
        grant(&world, first, &said);
        assert!(!is_parked(&world.stored()));
        assert_parks(&world);
        // An answer to a question that was never asked.
        grant(&world, 999, "other");
        assert_parks(&world);
        grant(&world, second, &then);
        let answer = world.life(NEVER, asks);
        assert_eq!(answer, Some(Ok("left right".to_owned())));
    }
}

#[test]
fn an_answer_from_before_a_renewal_answers_nothing_after_it() {
    let world = World::new(2);
    assert_parks(&world);
    let asked = waits(&world);
    for wait in asked.values() {
        grant(&world, *wait, "old");
    }
    meanwhile(&world, |journal| {
        let renewed = Entry::Restarted {
            revision: "r2".to_owned(),
            gathered: serde_json::Value::Null,
            keeps: Vec::new(),
        };
        journal.mark(&Path::root(), renewed);
    });
    assert_parks(&world);
    let asked_anew = waits(&world);
    assert!(asked_anew.values().min() > asked.values().max());
    for wait in asked_anew.values() {
        grant(&world, *wait, "new");
    }
    let answer = world.life(NEVER, asks);
    assert_eq!(answer, Some(Ok("new new".to_owned())));
}

#[test]
fn a_wait_that_was_noted_again_takes_the_answer_to_its_first_record() {
    let world = World::new(3);
    assert_parks(&world);
    let asked = waits(&world);
    let stored = world.stored();
    meanwhile(&world, |journal| {
        for wait in asked.values() {
            let record = stored[usize::try_from(*wait).unwrap()].clone();
            journal.mark(&record.path, record.entry);
        }
    });
    assert_parks(&world);
    for wait in asked.values() {
        grant(&world, *wait, "yes");
    }
    assert!(!is_parked(&world.stored()));
    let answer = world.life(NEVER, asks);
    assert_eq!(answer, Some(Ok("yes yes".to_owned())));
}
