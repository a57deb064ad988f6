//! The vault: keys in session storage, on the device, and sealed with a passphrase.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests"
)]

use gloss_durable::StoreError;
use gloss_host::{KeyError, KeyStorage, Secret, Secrets as _, UnlockResult, VaultState};
use gloss_host_sim::Sim;
use serde_json::Value;
use std::future::Future;

const A: &str = "https://a.example";
const B: &str = "https://b.example";
const CANARY: &str = "sk-canary-a";
const OTHER: &str = "sk-canary-b";
/// The name of the text with the keys in local storage.
const NAME: &str = "keys";
const ALL: [KeyStorage; 3] = [KeyStorage::Session, KeyStorage::Device, KeyStorage::Sealed];

fn passphrase() -> Secret {
    Secret::new("correct horse")
}

fn living<T>(sim: &Sim, life: impl Future<Output = T>) -> T {
    sim.life(u64::MAX, life).unwrap()
}

/// Creates a simulator with two keys that are stored in this way.
fn kept(keeping: KeyStorage, seed: u64) -> Sim {
    let sim = Sim::new(seed);
    let vault = sim.host().secrets;
    living(&sim, async move {
        vault.put("p1", A, Secret::new(CANARY)).await.unwrap();
        vault.keep(keeping, &passphrase()).await.unwrap();
        vault.put("p2", B, Secret::new(OTHER)).await.unwrap();
    });
    sim
}

fn read(sim: &Sim, name: &str, origin: &str) -> Result<Option<Secret>, KeyError> {
    living(sim, sim.host().secrets.get(name, origin))
}

fn holding(sim: &Sim) -> VaultState {
    let vault = sim.host().secrets;
    living(sim, async move { vault.holding().await }).unwrap()
}

fn unlock(sim: &Sim, passphrase: &str) -> UnlockResult {
    let (vault, passphrase) = (sim.host().secrets, Secret::new(passphrase));
    living(sim, async move { vault.unlock(&passphrase).await }).unwrap()
}

/// Returns true for each of the two storage areas that contains a key in plain text.
fn plain(sim: &Sim) -> [bool; 2] {
    sim.key_texts().map(|text| text.contains("canary"))
}

#[test]
fn a_key_stands_where_it_is_to_be_and_nowhere_else() {
    for keeping in ALL {
        let sim = kept(keeping, 1);
        assert_eq!(read(&sim, "p1", A), Ok(Some(Secret::new(CANARY))));
        assert_eq!(read(&sim, "p2", B), Ok(Some(Secret::new(OTHER))));
        for (name, origin) in [("p1", B), ("p2", A), ("p3", A)] {
            assert_eq!(read(&sim, name, origin), Ok(None), "{keeping:?} {name}");
        }
        let expected = match keeping {
            KeyStorage::Session => [false, true],
            KeyStorage::Device => [true, false],
            KeyStorage::Sealed => [false, false],
        };
        assert_eq!(plain(&sim), expected, "{keeping:?}");
        let given = [("p1", A), ("p2", B)].map(|(name, of)| (name.to_owned(), of.to_owned()));
        let expected = VaultState {
            keeping,
            locked: false,
            given: given.to_vec(),
        };
        assert_eq!(holding(&sim), expected);
    }
}

#[test]
fn the_end_of_the_session_takes_keys_locks_them_or_leaves_them() {
    for keeping in ALL {
        let sim = kept(keeping, 2);
        sim.end_session();
        let expected = match keeping {
            KeyStorage::Session => Ok(None),
            KeyStorage::Device => Ok(Some(Secret::new(CANARY))),
            KeyStorage::Sealed => Err(KeyError::Locked),
        };
        assert_eq!(read(&sim, "p1", A), expected, "{keeping:?}");
        let holding = holding(&sim);
        assert_eq!(holding.keeping, keeping);
        assert_eq!(holding.locked, keeping == KeyStorage::Sealed);
        let left = if keeping == KeyStorage::Session { 0 } else { 2 };
        assert_eq!(holding.given.len(), left);
        // A server that needs no key can still be used.
        assert_eq!(read(&sim, "p3", A), Ok(None));
    }
}

#[test]
fn locked_keys_open_by_their_passphrase_alone() {
    let sim = kept(KeyStorage::Sealed, 3);
    let vault = sim.host().secrets;
    living(&sim, async move { vault.lock().await }).unwrap();
    for wrong in ["", "correct horses", "Correct horse"] {
        assert_eq!(unlock(&sim, wrong), UnlockResult::Wrong, "{wrong}");
        assert_eq!(read(&sim, "p1", A), Err(KeyError::Locked));
    }
    let vault = sim.host().secrets;
    let put = living(&sim, async move {
        let kept = vault.put("p3", A, Secret::new(CANARY)).await;
        let moved = vault.keep(KeyStorage::Device, &passphrase()).await;
        (kept, moved)
    });
    assert_eq!(put, (Err(KeyError::Locked), Err(KeyError::Locked)));
    assert_eq!(plain(&sim), [false, false]);
    assert_eq!(unlock(&sim, " correct horse "), UnlockResult::Yes);
    assert_eq!(read(&sim, "p1", A), Ok(Some(Secret::new(CANARY))));
}

#[test]
fn a_key_is_forgotten_locked_or_not_and_so_are_all() {
    for keeping in ALL {
        let sim = kept(keeping, 4);
        let vault = sim.host().secrets;
        living(&sim, async move {
            vault.lock().await.unwrap();
            vault.forget("p1").await.unwrap();
        });
        assert_eq!(holding(&sim).given, [("p2".to_owned(), B.to_owned())]);
        let vault = sim.host().secrets;
        living(&sim, async move { vault.clear().await }).unwrap();
        assert_eq!(sim.key_texts(), ["", ""]);
        assert_eq!(holding(&sim), VaultState::default());
    }
}

#[test]
fn a_sealed_key_that_was_put_under_another_name_or_origin_does_not_open() {
    let sim = kept(KeyStorage::Sealed, 5);
    let [text, _] = sim.key_texts();
    let sealed: Value = serde_json::from_str(&text).unwrap();
    let mut moved = sealed.clone();
    moved["keys"]["p1"]["origin"] = B.into();
    moved["keys"]["p9"] = sealed["keys"]["p1"].clone();
    sim.set_shelved(NAME, &moved.to_string());
    for (name, origin) in [("p1", B), ("p9", A)] {
        let read = read(&sim, name, origin);
        let corrupt = matches!(read, Err(KeyError::Store(StoreError::Corrupt { .. })));
        assert!(corrupt, "{name} {read:?}");
    }
}

#[test]
fn a_damaged_label_is_an_error_and_never_a_guess() {
    for text in [
        "",
        r#"{"version": 2, "header": "device", "keys": {}}"#,
        r#"{"version": 1, "header": "attic", "keys": {}}"#,
        r#"{"version": 1, "header": {"sealed": {"rounds": 7}}, "keys": {}}"#,
    ] {
        let sim = kept(KeyStorage::Sealed, 6);
        sim.set_shelved(NAME, text);
        let before = sim.key_texts();
        let corrupt = |error: &StoreError| matches!(error, StoreError::Corrupt { .. });
        let vault = sim.host().secrets;
        let (held, settled) = living(&sim, async move {
            (vault.holding().await, vault.settle().await)
        });
        assert!(held.is_err_and(|it| corrupt(&it)), "{text}");
        assert!(settled.is_err_and(|it| corrupt(&it)), "{text}");
        assert_eq!(sim.key_texts(), before, "nothing is swept");
    }
}

#[test]
fn what_storage_refuses_leaves_the_keys_where_they_were() {
    for (from, to) in pairs() {
        let sim = kept(from, 7);
        let before = sim.key_texts();
        sim.deny_storage("no");
        let vault = sim.host().secrets;
        let moved = living(&sim, async move { vault.keep(to, &passphrase()).await });
        assert!(moved.is_err(), "{from:?} {to:?}");
        assert_eq!(sim.key_texts(), before);
    }
}

fn pairs() -> impl Iterator<Item = (KeyStorage, KeyStorage)> {
    ALL.into_iter().flat_map(|from| ALL.map(|to| (from, to)))
}

#[test]
fn a_move_killed_anywhere_loses_no_key_and_leaves_no_copy_behind() {
    for (from, to) in pairs() {
        let whole = {
            let sim = kept(from, 8);
            let vault = sim.host().secrets;
            let new = Secret::new("battery staple");
            living(&sim, async move { vault.keep(to, &new).await }).unwrap();
            sim.ticks()
        };
        for kill_at in 0..=whole + 1 {
            let sim = kept(from, 8);
            let vault = sim.host().secrets;
            let moving = async move {
                let new = Secret::new("battery staple");
                vault.keep(to, &new).await.unwrap();
            };
            let ended = sim.life(kill_at, moving).is_some();
            let vault = sim.host().secrets;
            living(&sim, async move { vault.settle().await }).unwrap();
            let told = format!("{from:?} to {to:?}, killed at {kill_at}");
            let now = holding(&sim);
            assert!(now.keeping == to || !ended && now.keeping == from, "{told}");
            if now.locked {
                let opened = ["battery staple", "correct horse"].map(|it| unlock(&sim, it));
                assert!(opened.contains(&UnlockResult::Yes), "{told}");
            }
            assert_eq!(read(&sim, "p1", A), Ok(Some(Secret::new(CANARY))), "{told}");
            assert_eq!(read(&sim, "p2", B), Ok(Some(Secret::new(OTHER))), "{told}");
            let [local, session] = plain(&sim);
            assert_eq!(local, now.keeping == KeyStorage::Device, "{told}");
            assert_eq!(session, now.keeping == KeyStorage::Session, "{told}");
            let sealed = sim.key_texts()[0].matches("origin").count();
            let expected = if now.keeping == KeyStorage::Session {
                0
            } else {
                2
            };
            assert_eq!(sealed, expected, "{told}");
        }
    }
}
