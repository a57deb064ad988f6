//! Tests of a worker that is killed during a stream. The next worker repeats the call, and the
//! answer is the same.

use super::*;
use crate::{Ask, AskLabel, UsageLedger};
use gloss_durable::{Ctx, Journal, JournalEvent, Listener as Hears, RunId, drive, read_batches};

struct Deaf;

impl Hears for Deaf {
    fn on_event(&self, _: &RunId, _: &JournalEvent) {}
}

/// The part of a run with one call that is executed in one life of the worker.
fn life(sim: &Sim, model: &Rc<ServerModel>, kill_at: u64) -> Option<Result<Reply, ModelError>> {
    let host = sim.host();
    let run = RunId("r".to_owned());
    sim.life(kill_at, async {
        let stored = host.store.load_all().await.unwrap();
        let journal = match read_batches(stored).remove(&run) {
            Some(read) => {
                let (batches, records) = read.unwrap();
                Journal::recovered(run, batches, records, &host.ports(), Rc::new(Deaf))
            }
            None => Journal::begin(run, &"brief", "r1", &host.ports(), Rc::new(Deaf)),
        };
        let ctx = Ctx::new(journal.clone());
        let asks = async move {
            let ask = Ask {
                model: model.clone(),
                request: request(),
                label: AskLabel {
                    purpose: Purpose::Reason,
                    reflects: false,
                    step: 1,
                    max_steps: 5,
                    prompt_tokens: 0,
                    reply_tokens: 0,
                    cost: None,
                    prompt_cost: None,
                },
                ledger: UsageLedger::new(&host),
                price: None,
            };
            ctx.step("reason", ask).await
        };
        drive(&journal, asks).await.unwrap()
    })
}

#[test]
fn a_call_killed_anywhere_is_made_again_and_once_recorded_never() {
    let mut abandoned = 0;
    for seed in 0..5 {
        for kill_at in 0..40 {
            let sim = Sim::new(seed);
            sim.serve(|_, _| well("Two.").head_after(1_000));
            let model = Rc::new(model(&sim, profile(), CANARY));
            let first = life(&sim, &model, kill_at);
            let died = first.is_none();
            let arrived = sim.requests().len();
            let reply = life(&sim, &model, u64::MAX).unwrap().unwrap();
            assert_eq!(reply.text, "Two.");
            let again = sim.requests().len() - arrived;
            assert!(again <= 1 && arrived <= 1, "{seed} {kill_at}");
            assert!(died || again == 0, "a recorded call was made again");
            abandoned += sim.abandoned_requests();
            // The reply is already recorded, so the model is not asked again.
            let known = life(&sim, &model, u64::MAX).unwrap().unwrap();
            assert_eq!((known, sim.requests().len()), (reply, arrived + again));
            let stored = sim
                .batches()
                .into_iter()
                .map(|batch| batch.records)
                .collect::<String>();
            assert!(!stored.contains("canary"));
        }
    }
    assert!(abandoned > 20, "no kill fell into a stream: {abandoned}");
}
