use super::*;
use futures::future::{join, join_all};
use gloss_durable::{Clock, StoreError, StoredBatch};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::future::{pending, poll_fn};
use std::task::Poll;

fn batch(number: u64) -> StoredBatch {
    StoredBatch {
        run: RunId("r".to_owned()),
        number,
        records: format!("[{number}]"),
    }
}

async fn write_three(host: Host) {
    join_all([0, 1, 2].map(|number| host.store.append(batch(number)))).await;
}

#[test]
fn what_was_written_survives_the_life_that_wrote_it() {
    let sim = Sim::new(1);
    assert!(sim.life(u64::MAX, write_three(sim.host())).is_some());
    assert_eq!(sim.ticks(), 3);
    let host = sim.host();
    let loaded = sim.life(u64::MAX, async move { host.store.load_all().await });
    let mut loaded = loaded.unwrap().unwrap();
    loaded.sort_by_key(|batch| batch.number);
    assert_eq!(loaded, sim.batches());
    assert_eq!(loaded.len(), 3);
}

#[test]
fn of_the_writes_in_flight_at_a_death_any_prefix_lands() {
    let mut seen = BTreeSet::new();
    for seed in 0..100 {
        let sim = Sim::new(seed);
        assert!(sim.life(1, write_three(sim.host())).is_none());
        let numbers: Vec<u64> = sim.batches().iter().map(|batch| batch.number).collect();
        assert!(
            [vec![0], vec![0, 1], vec![0, 1, 2]].contains(&numbers),
            "{numbers:?}"
        );
        seen.insert(numbers);
    }
    assert_eq!(seen.len(), 3);
}

#[test]
fn one_seed_is_one_world() {
    let order = |seed| {
        let sim = Sim::new(seed);
        let order = Rc::new(RefCell::new(Vec::new()));
        let sent = (0..6).map(|n| {
            let order = order.clone();
            sim.send(move || order.borrow_mut().push(n))
        });
        sim.life(u64::MAX, join_all(sent.collect::<Vec<_>>()));
        (order.take(), sim.now_ms())
    };
    assert_eq!(order(5), order(5));
    let orders: BTreeSet<_> = (0..50).map(order).collect();
    assert!(orders.len() > 20, "{}", orders.len());
}

#[test]
#[should_panic(expected = "deadlock: nothing to do and the run isn't done")]
fn a_run_that_waits_for_nothing_is_a_deadlock() {
    Sim::new(0).life(u64::MAX, pending::<()>());
}

#[test]
#[should_panic(expected = "deadlock")]
fn a_lost_wake_up_is_a_deadlock() {
    let sim = Sim::new(0);
    let mut sleep = Some(sim.host().clock.sleep(5));
    // This drops the only future that would wake this one.
    let forgets = poll_fn(move |_| match sleep.take() {
        Some(_) => Poll::Pending,
        None => Poll::Ready(()),
    });
    sim.life(u64::MAX, forgets);
}

#[test]
fn a_sleep_ends_when_the_clock_has_passed_it() {
    let sim = Sim::new(3);
    let clock = sim.host().clock;
    let before = clock.now_ms();
    sim.life(u64::MAX, join(clock.sleep(60_000), clock.sleep(10)));
    assert!(sim.now_ms() >= before + 60_000);
    sim.jump_clock(-120_000);
    assert!(sim.now_ms() < before);
}

#[test]
fn dropping_a_request_calls_it_back() {
    let sim = Sim::new(3);
    let arrived = Rc::new(Cell::new(false));
    let there = arrived.clone();
    drop(sim.send(move || there.set(true)));
    sim.life(u64::MAX, sim.host().clock.sleep(1));
    assert!(!arrived.get());
}

#[test]
fn a_request_on_its_way_at_a_death_arrives_or_not() {
    let arrived: BTreeSet<bool> = (0..20)
        .map(|seed| {
            let sim = Sim::new(seed);
            let arrived = Rc::new(Cell::new(false));
            let there = arrived.clone();
            sim.life(0, sim.send(move || there.set(true)));
            arrived.get()
        })
        .collect();
    assert_eq!(arrived.len(), 2);
}

#[test]
fn a_hook_is_called_at_its_tick_even_if_all_wait_for_it() {
    let sim = Sim::new(3);
    let (send, receive) = futures::channel::oneshot::channel();
    sim.at_tick(9, move || send.send(()).unwrap());
    assert_eq!(sim.life(u64::MAX, receive), Some(Ok(())));
    assert_eq!(sim.ticks(), 9);
}

#[test]
fn captures_are_scripted_delayed_and_counted() {
    let sim = Sim::new(3);
    sim.set_capture_delay(4);
    sim.set_page(TabId(1), Err(CaptureError::Forbidden));
    let tabs = sim.host().tabs;
    let first = sim.life(u64::MAX, tabs.capture(TabId(1)));
    assert_eq!(first, Some(Err(CaptureError::Forbidden)));
    assert!(sim.ticks() >= 4);
    let second = sim.life(u64::MAX, tabs.capture(TabId(2)));
    assert_eq!(second, Some(Err(CaptureError::Gone)));
    assert_eq!(sim.captures(), 2);
}

#[test]
fn a_lock_has_one_owner_and_a_death_releases_it() {
    let sim = Sim::new(3);
    let run = RunId("r".to_owned());
    let locks = sim.host().locks;
    let owner = async {
        let guard = locks.acquire(&run).await;
        assert!(guard.is_some());
        assert!(locks.acquire(&run).await.is_none());
        pending::<()>().await;
    };
    sim.life(2, owner);
    assert!(!sim.is_locked(&run));
    sim.set_locked(&run, true);
    assert!(
        sim.life(u64::MAX, locks.acquire(&run))
            .is_some_and(|guard| guard.is_none())
    );
}

type Fault = fn(&Sim);

#[test]
fn storage_refuses_as_told() {
    let full = || StoreError::Full;
    let table: [(&str, Fault, Vec<u64>); 4] = [
        ("none", |_| (), vec![0, 1, 2]),
        (
            "after one",
            |sim| sim.fail_writes_after(1, StoreError::Full),
            vec![0],
        ),
        (
            "the second",
            |sim| sim.fail_one_write(1, StoreError::Full),
            vec![0, 2],
        ),
        ("all", |sim| sim.deny_storage("no"), vec![]),
    ];
    for (name, fault, landed) in table {
        let sim = Sim::new(0);
        fault(&sim);
        sim.life(u64::MAX, write_three(sim.host()));
        let numbers: Vec<u64> = sim.batches().iter().map(|batch| batch.number).collect();
        assert_eq!(numbers, landed, "{name}");
        sim.heal_storage();
        let host = sim.host();
        let healed = sim.life(u64::MAX, host.blobs.put("h", "body".to_owned()));
        assert_eq!(healed, Some(Ok(())), "{name}");
        sim.fail_blobs_after(1, full());
        let refused = sim.life(u64::MAX, host.blobs.put("i", "body".to_owned()));
        assert_eq!(refused, Some(Err(full())), "{name}");
    }
}

#[test]
fn the_watchdog_outlives_its_worker() {
    let sim = Sim::new(0);
    let host = sim.host();
    sim.life(0, async {
        host.watchdog.arm();
        pending::<()>().await;
    });
    assert!(sim.is_armed());
    sim.host().watchdog.disarm();
    assert!(!sim.is_armed());
}

#[test]
fn a_batch_that_does_not_fit_is_refused_whole() {
    let sim = Sim::new(0);
    sim.set_quota(12);
    sim.life(u64::MAX, write_three(sim.host()));
    // Each batch takes six bytes: `r/`, the run `r`, and the records `[0]`. Two batches fit.
    assert_eq!(sim.batches().len(), 2);
    assert_eq!(sim.refused_at(), Some(3));
}

#[test]
fn damage_is_done_to_one_batch() {
    for seed in 0..20 {
        for (damage, left) in [
            (Damage::Truncated, 3),
            (Damage::Flipped, 3),
            (Damage::Lost, 2),
        ] {
            let sim = Sim::new(seed);
            assert_eq!(sim.corrupt(damage), None);
            sim.life(u64::MAX, write_three(sim.host()));
            let before = sim.batches();
            let (run, number) = sim.corrupt(damage).unwrap();
            assert_eq!(run.0, "r");
            let after = sim.batches();
            assert_eq!(after.len(), left, "{damage:?}");
            let changed = before.iter().filter(|batch| !after.contains(batch));
            let changed: Vec<u64> = changed.map(|batch| batch.number).collect();
            assert_eq!(changed, [number], "{damage:?}");
        }
    }
}

#[test]
fn without_web_locks_everybody_gets_every_lock() {
    let sim = Sim::new(0);
    sim.set_lockable(false);
    let (run, locks) = (RunId("r".to_owned()), sim.host().locks);
    let both = sim.life(u64::MAX, join(locks.acquire(&run), locks.acquire(&run)));
    assert!(both.is_some_and(|(a, b)| a.is_some() && b.is_some()));
}

#[test]
fn clocks_of_two_hosts_are_one() {
    let sim = Sim::new(0);
    let clock: Rc<dyn Clock> = sim.host().clock;
    sim.jump_clock(1_000);
    assert_eq!(clock.now_ms(), sim.host().clock.now_ms());
}

#[test]
fn a_run_is_listed_from_its_first_filed_batch_on_and_keeps_what_is_said_of_it() {
    let sim = Sim::new(0);
    let archive = sim.host().archive.unwrap();
    let run = RunId("r".to_owned());
    let batch = |number| StoredBatch {
        run: run.clone(),
        number,
        records: "[]".to_owned(),
    };
    let listed = || async {
        let filed = archive.list().await.unwrap();
        filed
            .into_iter()
            .map(|filed| filed.digest)
            .collect::<Vec<_>>()
    };
    let said = |text: &str| archive.describe(&run, text.to_owned());
    let whole = sim.life(u64::MAX, async {
        assert_eq!(listed().await, []);
        // The list contains a run with any batch, whatever the batch's number is.
        archive.file(vec![batch(3)]).await.unwrap();
        assert_eq!(listed().await, [None]);
        said("a summary").await.unwrap();
        archive.file(vec![batch(0), batch(4)]).await.unwrap();
        assert_eq!(listed().await, [Some("a summary".to_owned())]);
        said("").await.unwrap();
        assert_eq!(listed().await, [None]);
        archive.erase(&run).await.unwrap();
        assert_eq!(listed().await, []);
    });
    assert!(whole.is_some());
}
