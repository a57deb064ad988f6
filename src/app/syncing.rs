//! Facts between the person's own machines, if they want that (off at first).
//!
//! Driving example: a fact is erased here while another machine sleeps. Each fact is an item of
//! its own in the account, and so is that it is gone; whoever looks next merges the items with
//! what it knows, which comes to the same in every order. Keys are never facts, and nothing
//! else is ever there. Refused, it is tried again when next there is anything to tell.

use super::App;
use super::preferences::Kept;
use crate::host::{ALL_BYTES, Account, Host, ITEM_BYTES, ITEMS, StoreError};
use crate::json;
use crate::memory::{Facts, Memory, Synced};
use futures::lock::{Mutex, MutexGuard};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is shared, and whoever changes that: one at a time.
pub(in crate::app) struct Sharing {
    account: Rc<dyn Account>,
    kept: Rc<Kept>,
    memory: Rc<Memory>,
    one: Mutex<()>,
}

/// While it is there nobody else shares.
pub(in crate::app) struct Alone<'a> {
    account: &'a dyn Account,
    _one: MutexGuard<'a, ()>,
}

impl App {
    /// Brings what is known here and what is shared together, if the person wants that.
    pub(super) async fn sync(&self) {
        self.sharing.sync().await;
    }
}

impl Sharing {
    pub(in crate::app) fn new(host: &Host, kept: Rc<Kept>, memory: Rc<Memory>) -> Rc<Self> {
        Rc::new(Self {
            account: host.account.clone(),
            kept,
            memory,
            one: Mutex::default(),
        })
    }

    /// Once what is on its way has landed. Whoever shares looks after that whether it is
    /// still wanted.
    pub(in crate::app) async fn alone(&self) -> Alone<'_> {
        Alone {
            _one: self.one.lock().await,
            account: &*self.account,
        }
    }

    async fn sync(&self) {
        if !self.kept.now().sync_facts {
            return;
        }
        let alone = self.alone().await;
        if self.kept.now().sync_facts {
            // Refused, the next time will do: nothing here depends on it.
            let _ = alone.sync(&self.memory).await;
        }
    }
}

impl Alone<'_> {
    async fn sync(&self, memory: &Memory) -> Result<(), StoreError> {
        let shared: BTreeMap<String, String> = self.account.all().await?.into_iter().collect();
        let others: Vec<(String, Synced)> = shared
            .iter()
            .filter_map(|(id, text)| Some((id.clone(), read(text)?)))
            .collect();
        let mut ours = Vec::new();
        let mut merge = |facts: &mut Facts, now_ms: u64| {
            facts.merge(others.clone(), now_ms);
            ours = facts.to_sync();
        };
        memory.change(&mut merge).await?;
        let (put, gone) = difference(&shared, &items(&ours));
        if !gone.is_empty() {
            self.account.remove(gone).await?;
        }
        if !put.is_empty() {
            self.account.put(put).await?;
        }
        Ok(())
    }

    /// Takes all that is shared away.
    ///
    /// # Errors
    /// When the browser refuses.
    pub(in crate::app) async fn unshare(&self) -> Result<(), StoreError> {
        let shared = self.account.all().await?;
        let names: Vec<String> = shared.into_iter().map(|(name, _)| name).collect();
        if names.is_empty() {
            return Ok(());
        }
        self.account.remove(names).await
    }
}

/// What a later Gloss wrote, or nobody, is left alone.
fn read(text: &str) -> Option<Synced> {
    json::read(&serde_json::from_str(text).ok()?).ok()
}

/// As many items as there is room for in an account, in the order given.
fn items(ours: &[(String, Synced)]) -> BTreeMap<String, String> {
    let mut left = ALL_BYTES;
    let written = ours.iter().filter_map(|(id, synced)| {
        let text = serde_json::to_string(synced).ok()?;
        // It stands there as JSON once more.
        let bytes = id.len() + serde_json::to_string(&text).map_or(usize::MAX, |it| it.len()) + 2;
        let fits = bytes <= ITEM_BYTES && bytes <= left;
        left -= if fits { bytes } else { 0 };
        fits.then(|| (id.clone(), text))
    });
    written.take(ITEMS).collect()
}

/// What is to be put, and what is to be taken away: only what reads as ours.
fn difference(
    shared: &BTreeMap<String, String>,
    ours: &BTreeMap<String, String>,
) -> (Vec<(String, String)>, Vec<String>) {
    let put = ours
        .iter()
        .filter(|(id, text)| shared.get(*id) != Some(*text));
    let put = put.map(|(id, text)| (id.clone(), text.clone())).collect();
    let gone = shared
        .iter()
        .filter(|(id, text)| !ours.contains_key(*id) && read(text).is_some());
    (put, gone.map(|(id, _)| id.clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::super::options::{Ask, Change, Switch, TypedFact};
    use super::super::surface::{Command, Reply};
    use super::super::{App, SurfaceId};
    use crate::host::sim::Sim;
    use crate::memory::{Category, FactId, Tier};
    use crate::retrieval::Retrieval;
    use crate::study::Study;
    use futures::future::join;
    use std::rc::Rc;

    const PAGE: SurfaceId = SurfaceId(1);

    fn machine(sim: &Sim) -> Rc<App> {
        let app = App::new(sim.host(), Study::here(Retrieval::with(None)), 1);
        app.connect_options(PAGE, Rc::new(|_: &Reply| {}));
        app
    }

    async fn asks(app: &Rc<App>, asks: impl IntoIterator<Item = Ask>) {
        for (n, ask) in (1..).zip(asks) {
            app.clone().command(PAGE, Command::Options { n, ask }).await;
        }
    }

    fn sharing(switch: Switch) -> Ask {
        let change = Change::SyncFacts(switch);
        Ask::Change { change }
    }

    fn fact(id: &str, content: &str) -> Ask {
        Ask::WriteFact {
            fact: TypedFact {
                id: FactId(id.to_owned()),
                content: content.to_owned(),
                category: Category::Preference,
                tier: Tier::Core,
            },
        }
    }

    /// What one machine shares comes to the other's account.
    fn carry(from: &Sim, to: &Sim) {
        for (name, text) in from.shared() {
            to.set_shared(&name, &text);
        }
    }

    /// Two machines that share a fact of each.
    fn two_machines(seed: u64) -> (Sim, Sim) {
        let (one, other) = (Sim::new(seed), Sim::new(seed + 1));
        for (sim, id, content) in [(&one, "a", "Plays chess"), (&other, "b", "Sails a sloop")] {
            let app = machine(sim);
            carry(&one, sim);
            let done = sim.life(u64::MAX, async {
                app.load(None).await;
                asks(&app, [fact(id, content), sharing(Switch::On)]).await;
            });
            assert!(done.is_some());
        }
        carry(&other, &one);
        (one, other)
    }

    #[test]
    fn two_machines_know_what_either_was_told() {
        let (one, other) = two_machines(1);
        assert_eq!(one.shared(), other.shared());
        assert_eq!(one.shared().len(), 2);
        let app = machine(&one);
        let known = one.life(u64::MAX, async {
            app.load(None).await;
            app.sync().await;
            app.memory.now().await.map(|facts| facts.all().len())
        });
        assert_eq!(known, Some(Ok(2)));
    }

    #[test]
    fn nothing_stays_in_the_account_once_it_is_turned_off_whatever_is_on_its_way() {
        for (seed, wait) in (0..20).flat_map(|seed| (0..16).map(move |wait| (seed, wait))) {
            for erases in [false, true] {
                let (sim, _) = two_machines(seed);
                let app = machine(&sim);
                let ended = sim.life(u64::MAX, async {
                    app.load(None).await;
                    // A run ends, and what it brought is shared.
                    let mut told = |facts: &mut crate::memory::Facts, now_ms: u64| {
                        facts.pin(&FactId("a".to_owned()), true, now_ms);
                    };
                    app.memory.change(&mut told).await.expect("kept");
                    let off = async {
                        for _ in 0..wait {
                            sim.send(|| ()).await;
                        }
                        let off = if erases {
                            Ask::Erase
                        } else {
                            sharing(Switch::Off)
                        };
                        asks(&app, [off]).await;
                    };
                    join(app.sync(), off).await;
                    app.sync().await;
                });
                assert!(ended.is_some());
                assert_eq!(sim.shared().len(), 0, "{seed} {wait} {erases}");
            }
        }
    }
}
