//! Facts between the person's own machines, if they want that (off at first).
//!
//! Driving example: a fact is erased here while another machine sleeps. Each fact is an item of
//! its own in the account, and so is that it is gone; whoever looks next merges the items with
//! what it knows, which comes to the same in every order. Keys are never facts, and nothing
//! else is ever there. Refused, it is tried again when next there is anything to tell, and why
//! stands in Options until it is done.

use super::App;
use super::options::Unsynced;
use super::preferences::Kept;
use crate::host::{ALL_BYTES, Account, Clock, Host, ITEM_BYTES, ITEMS, StoreError};
use crate::json;
use crate::memory::{Facts, Memory, Synced};
use crate::phrase::phrase;
use futures::lock::{Mutex, MutexGuard};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is shared, and whoever changes that: one at a time.
pub(in crate::app) struct Sharing {
    account: Rc<dyn Account>,
    kept: Rc<Kept>,
    memory: Rc<Memory>,
    clock: Rc<dyn Clock>,
    one: Mutex<()>,
    /// Why it could not be done when it was tried last.
    failed: RefCell<Option<Box<Unsynced>>>,
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
        self.options.tell_synced();
    }
}

impl Sharing {
    pub(in crate::app) fn new(host: &Host, kept: Rc<Kept>, memory: Rc<Memory>) -> Rc<Self> {
        Rc::new(Self {
            account: host.account.clone(),
            kept,
            memory,
            clock: host.clock.clone(),
            one: Mutex::default(),
            failed: RefCell::default(),
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

    /// Why it could not be done when it was tried last, if it could not.
    pub(in crate::app) fn failed(&self) -> Option<Box<Unsynced>> {
        self.failed.borrow().clone()
    }

    async fn sync(&self) {
        let failed = if self.kept.now().sync_facts {
            self.sync_wanted().await
        } else {
            None
        };
        self.failed.replace(failed);
    }

    /// Refused, the next time will do: nothing here depends on it.
    async fn sync_wanted(&self) -> Option<Box<Unsynced>> {
        let alone = self.alone().await;
        if !self.kept.now().sync_facts {
            return None;
        }
        let why = match alone.sync(&self.memory).await.err()? {
            StoreError::Full => phrase("options_sync_full"),
            StoreError::Denied { message } => phrase("options_sync_refused").with(&message),
            StoreError::Corrupt { message } => phrase("options_sync_unread").with(&message),
        };
        let at_ms = self.clock.now_ms();
        Some(Box::new(Unsynced { at_ms, why }))
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
        let items = items(&ours);
        let (put, gone) = difference(&shared, &items);
        if !gone.is_empty() {
            self.account.remove(gone).await?;
        }
        if !put.is_empty() {
            self.account.put(put).await?;
        }
        // What there was no room for is not shared, and that is said.
        let is_whole = items.len() == ours.len();
        is_whole.then_some(()).ok_or(StoreError::Full)
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
    use std::cell::RefCell;
    use std::rc::Rc;

    const PAGE: SurfaceId = SurfaceId(1);
    const CHAT: SurfaceId = SurfaceId(2);

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
    fn why_facts_could_not_be_shared_stands_until_they_are() {
        let sim = Sim::new(1);
        let app = machine(&sim);
        let replies = Rc::new(RefCell::new(Vec::new()));
        let heard = replies.clone();
        app.connect_options(
            PAGE,
            Rc::new(move |reply: &Reply| heard.borrow_mut().push(reply.clone())),
        );
        let told = || {
            let replies = replies.borrow();
            let last = replies.iter().rev().find_map(|reply| match reply {
                Reply::Options { state, .. } => Some(state.unsynced.clone()),
                _ => None,
            });
            last.flatten().map(|it| (it.why.key, it.at_ms))
        };
        let done = sim.life(u64::MAX, async {
            app.load(None).await;
            sim.set_shared("another's", &"x".repeat(crate::host::ALL_BYTES + 2_000));
            asks(&app, [fact("a", "Plays chess"), sharing(Switch::On)]).await;
            let full = told().expect("why not");
            assert_eq!(full.0, "options_sync_full");
            // Tried once more, it says why and when it was tried then.
            sim.jump_clock(60_000);
            sim.deny_storage("Sync is off.");
            app.sync().await;
            let denied = told().expect("why not");
            assert_eq!(denied.0, "options_sync_refused");
            assert!(denied.1 >= full.1 + 60_000);
            sim.heal_storage();
            sim.set_shared("another's", "x");
            app.sync().await;
            assert_eq!(told(), None);
            // Turned off, nothing is wrong.
            sim.deny_storage("Sync is off.");
            app.sync().await;
            assert!(told().is_some());
            sim.heal_storage();
            asks(&app, [sharing(Switch::Off)]).await;
            assert_eq!(told(), None);
        });
        assert!(done.is_some());
    }

    #[test]
    fn what_is_taken_back_in_a_chat_is_gone_from_the_account() {
        let (sim, _) = two_machines(1);
        let app = machine(&sim);
        app.connect(CHAT, Rc::new(|_: &Reply| {}));
        let done = sim.life(u64::MAX, async {
            app.load(None).await;
            let fact = FactId("a".to_owned());
            app.clone()
                .command(CHAT, Command::Unremember { fact })
                .await;
        });
        assert!(done.is_some());
        let left = sim.shared();
        assert!(
            left.get("a").is_some_and(|it| it.contains("gone")),
            "{left:?}"
        );
        assert!(left.values().all(|it| !it.contains("chess")));
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
