//! Forks of a run that was cut off within an effect.

use futures::FutureExt;
use gloss_durable::{
    Call, Class, Ctx, Effect, Entry, Fingerprint, Fork, Fut, Halt, Journal, JournalEvent, Key,
    Listener, Path, Record, RunId, drive,
};
use gloss_host_sim::Sim;
use std::rc::Rc;

/// An effect that returns its idempotency key.
struct Keyed;

impl Effect for Keyed {
    type Outcome = String;
    const KIND: &'static str = "keyed";
    const CLASS: Class = Class::Keyed;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::default()
    }

    fn perform(self, call: Call) -> Fut<String> {
        std::future::ready(call.key.to_string()).boxed_local()
    }
}

struct Deaf;

impl Listener for Deaf {
    fn on_event(&self, _: &RunId, _: &JournalEvent) {}
}

fn run(name: &str) -> RunId {
    RunId(name.to_owned())
}

fn record(seq: u64, path: &Path, entry: Entry) -> Record {
    Record {
        v: 1,
        seq,
        path: path.clone(),
        at_ms: 0,
        entry,
    }
}

/// The records of a run that was cut off in the effect `act`.
fn cut_off() -> Vec<Record> {
    let begun = Entry::Begun {
        config: "brief".into(),
        revision: "r".to_owned(),
        forked: None,
    };
    let intent = Entry::Intent {
        effect: Keyed::KIND.to_owned(),
        class: Class::Keyed,
        fingerprint: Fingerprint::default(),
        attempt: 1,
        label: serde_json::Value::Null,
    };
    let act = Path::root().child("act").child("try.1");
    vec![record(0, &Path::root(), begun), record(1, &act, intent)]
}

fn forked(sim: &Sim, name: &str, from: &str, copied: Vec<Record>) -> Rc<Journal> {
    let (run, from) = (run(name), run(from));
    Journal::fork(
        run,
        &from,
        &"brief",
        copied,
        &sim.host().ports(),
        Rc::new(Deaf),
    )
}

/// Returns the idempotency keys of `act`, of its second attempt, and of an effect whose name
/// contains `act`.
async fn keys(ctx: Ctx) -> Result<Vec<String>, Halt> {
    let act = ctx.at("act");
    let of = |key: Key| key.to_string();
    Ok(vec![
        of(act.key()),
        act.step("try.1", Keyed).await?,
        act.step("try.2", Keyed).await?,
        ctx.at("act.2").step("try.1", Keyed).await?,
    ])
}

#[test]
fn an_act_in_flight_keeps_its_key_in_a_fork_and_in_a_fork_of_that() {
    let sim = Sim::new(0);
    let expected = ["a/act", "a/act/try.1", "b/act/try.2", "b/act.2/try.1"];
    let b = forked(&sim, "b", "a", cut_off());
    let copied = b.read(<[Record]>::to_vec);
    let driven = sim.life(u64::MAX, drive(&b, keys(Ctx::new(b.clone()))));
    assert_eq!(driven.unwrap().unwrap(), expected);

    let c = forked(&sim, "c", "b", copied);
    let driven = sim.life(u64::MAX, drive(&c, keys(Ctx::new(c.clone()))));
    let expected = ["a/act", "a/act/try.1", "c/act/try.2", "c/act.2/try.1"];
    assert_eq!(driven.unwrap().unwrap(), expected);
    // The fork's origin is recorded, so that later lives know it.
    let forked = c.read(|records| match &records[0].entry {
        Entry::Begun { forked, .. } => forked.clone(),
        _ => None,
    });
    let of = Fork {
        run: run("a"),
        seq: 1,
        of: None,
    };
    let expected = Fork {
        run: run("b"),
        seq: 1,
        of: Some(Box::new(of)),
    };
    assert_eq!(forked, Some(expected));
}
