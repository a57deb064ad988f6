use super::*;
use crate::{
    AnswerOrigin, Ask, AskLabel, Model, ModelError, Purpose, Reply, Request, Tools, Transcript,
};
use futures::future::join_all;
use gloss_durable::{Ctx, Journal, JournalEvent, Listener, RunId, Sink, drive, read_batches};
use gloss_host_sim::Sim;
use std::cell::Cell;

/// A price of $10 per million tokens.
const PRICE: Price = Price {
    input: 10_000,
    cached: 10_000,
    output: 10_000,
};
/// The usage that the reply reports.
const USED: Usage = Usage {
    input_tokens: 120,
    output_tokens: 30,
    cached_tokens: 0,
    cache_written_tokens: 0,
    reasoning_tokens: 0,
};
const PROMPT: u32 = 100;
const COST: Micros = 1_500;
/// The number of parallel calls. It is higher than the maximum number of concurrent calls.
const ASKED: u64 = 5;

/// A slow model, which counts its calls.
#[derive(Default)]
struct Slow {
    begun: Cell<u64>,
    in_flight: Cell<u64>,
    most_in_flight: Cell<u64>,
}

struct Timed {
    sim: Sim,
    slow: Rc<Slow>,
}

struct Flight(Rc<Slow>);

impl Drop for Flight {
    fn drop(&mut self) {
        self.0.in_flight.set(self.0.in_flight.get() - 1);
    }
}

impl Model for Timed {
    fn reply(&self, _: Request, _: Sink) -> Fut<Result<Reply, ModelError>> {
        let (sim, slow) = (self.sim.clone(), self.slow.clone());
        async move {
            slow.begun.set(slow.begun.get() + 1);
            slow.in_flight.set(slow.in_flight.get() + 1);
            let most = slow.most_in_flight.get().max(slow.in_flight.get());
            slow.most_in_flight.set(most);
            let _flight = Flight(slow);
            for _ in 0..4 {
                sim.send(|| ()).await;
            }
            Ok(Reply {
                usage: USED,
                ..Reply::default()
            })
        }
        .boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        AnswerOrigin::Model
    }
}

struct Deaf;

impl Listener for Deaf {
    fn on_event(&self, _: &RunId, _: &JournalEvent) {}
}

/// The part of a run with five parallel calls that is executed in one life of the worker.
fn life(sim: &Sim, slow: &Rc<Slow>, kill_at: u64) -> Option<usize> {
    let host = sim.host();
    let run = RunId("r".to_owned());
    sim.life(kill_at, async {
        let ledger = UsageLedger::new(&host);
        let stored = host.store.load_all().await.unwrap();
        let journal = match read_batches(stored).remove(&run) {
            Some(read) => {
                let (batches, records) = read.unwrap();
                Journal::recovered(run, batches, records, &host.ports(), Rc::new(Deaf))
            }
            None => Journal::begin(run, &"brief", "r1", &host.ports(), Rc::new(Deaf)),
        };
        let ctx = Ctx::new(journal.clone());
        let model = || {
            Rc::new(Timed {
                sim: sim.clone(),
                slow: slow.clone(),
            })
        };
        let asks = async move {
            let asks = (0..ASKED).map(|n| {
                let ask = Ask {
                    model: model(),
                    request: Request {
                        purpose: Purpose::Reason,
                        transcript: Transcript::default(),
                        tools: Tools::None,
                        temperature: 0.0,
                        page: None,
                        schema: None,
                        task: String::new(),
                        state: String::new(),
                        language: crate::Language::English,
                    },
                    label: AskLabel {
                        purpose: Purpose::Reason,
                        reflects: false,
                        step: 1,
                        max_steps: 5,
                        prompt_tokens: PROMPT,
                        reply_tokens: 0,
                        cost: None,
                        prompt_cost: None,
                    },
                    ledger: ledger.clone(),
                    price: Some(PRICE),
                };
                ctx.step(n, ask)
            });
            let replies = join_all(asks).await.into_iter();
            let replies: Result<Vec<_>, _> = replies.collect();
            ctx.durable().await?;
            ledger.flush().await;
            replies
        };
        drive(&journal, asks).await.unwrap().len()
    })
}

fn spent(sim: &Sim) -> (Micros, UsageTotal) {
    let ledger = UsageLedger::new(&sim.host());
    sim.life(u64::MAX, async { ledger.spent().await }).unwrap()
}

const DAY_MS: i64 = 86_400_000;

#[test]
fn a_fifth_call_waits_and_all_are_charged_once() {
    for seed in 0..5 {
        let (sim, slow) = (Sim::new(seed), Rc::new(Slow::default()));
        assert_eq!(life(&sim, &slow, u64::MAX), Some(5));
        assert_eq!(slow.most_in_flight.get(), 4);
        assert_eq!(slow.begun.get(), ASKED);
        let (month, session) = spent(&sim);
        assert_eq!(month, ASKED * COST);
        assert_eq!((session.tokens, session.cost), (ASKED * 150, ASKED * COST));
    }
}

#[test]
fn killed_anywhere_what_is_recorded_was_charged_and_what_was_abandoned_at_most_in_full() {
    let (mut kills, mut abandoned_kills) = (0, 0);
    for seed in 0..4 {
        for kill_at in 0.. {
            let (sim, slow) = (Sim::new(seed), Rc::new(Slow::default()));
            let survived = life(&sim, &slow, kill_at).is_some();
            // The calls that were active ended when the worker was killed.
            slow.in_flight.set(0);
            if !survived {
                kills += 1;
                assert_eq!(life(&sim, &slow, u64::MAX), Some(5), "{seed} {kill_at}");
            }
            assert!(slow.most_in_flight.get() <= 4, "{seed} {kill_at}");
            let abandoned = slow.begun.get() - ASKED;
            abandoned_kills += u64::from(abandoned > 0);
            assert!(abandoned <= ASKED, "{seed} {kill_at}");
            let (month, _) = spent(&sim);
            // For a call that was active when the worker was killed, only the estimate of its
            // prompt is charged.
            let all = ASKED * COST;
            let least = if survived {
                all
            } else {
                ASKED * u64::from(PROMPT) * 10
            };
            assert!(month >= least, "{seed} {kill_at}: {month}");
            assert!(month <= all + abandoned * COST, "{seed} {kill_at}: {month}");
            // A recorded call is not charged again.
            assert_eq!(life(&sim, &slow, u64::MAX), Some(5));
            assert_eq!(spent(&sim).0, month, "{seed} {kill_at}");
            if survived {
                break;
            }
        }
    }
    assert!(
        kills > 80 && abandoned_kills > 40,
        "{kills} {abandoned_kills}"
    );
}

#[test]
fn each_month_has_a_sum_of_its_own_and_who_travels_back_finds_it() {
    let sim = Sim::new(1);
    let pays = |cost_tokens: u32| {
        let ledger = UsageLedger::new(&sim.host());
        let usage = Usage {
            input_tokens: cost_tokens,
            ..Usage::default()
        };
        sim.life(u64::MAX, async {
            let charge = ledger.charge(Usage::default(), Some(PRICE)).await;
            ledger.settle(charge, usage).await;
            ledger.flush().await;
        });
    };
    pays(100);
    assert_eq!(spent(&sim).0, 1_000);
    sim.jump_clock(30 * DAY_MS);
    assert_eq!(spent(&sim).0, 0);
    pays(7);
    assert_eq!(spent(&sim).0, 70);
    sim.jump_clock(-30 * DAY_MS);
    assert_eq!(spent(&sim).0, 1_000);
    // The usage of the session is independent of the month.
    assert_eq!(spent(&sim).1.tokens, 107);
}

#[test]
fn two_months_are_kept_and_a_sum_that_cannot_be_read_is_none() {
    let sim = Sim::new(1);
    let month = sim.host().clock.month();
    let pays = || {
        let ledger = UsageLedger::new(&sim.host());
        sim.life(u64::MAX, async {
            let _ = ledger.charge(USED, Some(PRICE)).await;
            ledger.flush().await;
        });
        sim.shelved(MONTHS).unwrap_or_default()
    };
    sim.set_shelved(MONTHS, "24310:5000000");
    assert_eq!(pays(), format!(r#"{{"{month}":1500}}"#));
    let older = (month - 1, month - 2);
    sim.set_shelved(MONTHS, &format!(r#"{{"{}":3,"{}":4}}"#, older.0, older.1));
    assert_eq!(pays(), format!(r#"{{"{}":3,"{month}":1500}}"#, older.0));
}
