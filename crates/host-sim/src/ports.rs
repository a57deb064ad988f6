//! The simulated clock, tabs, alarms, locks and screenshots.

use super::Sim;
use gloss_durable::{Clock, Fut, RunId};
use gloss_host::{
    BackgroundTab, Capture, CaptureError, LockGuard, Locks, RecognizedText, ScreenshotError,
    ScreenshotRequest, ScreenshotResult, ScreenshotTarget, Screenshots, Script, Shot, ShotError,
    SiteAccess, TabId, Tabs, Watchdog,
};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

const MONTH_MS: u64 = 30 * 86_400_000;

impl Clock for Sim {
    fn now_ms(&self) -> u64 {
        self.queue.now_ms()
    }

    /// Counts months of thirty days since the Unix epoch, because no test needs real months.
    fn month(&self) -> u32 {
        u32::try_from(self.queue.now_ms() / MONTH_MS).unwrap_or(u32::MAX)
    }

    fn sleep(&self, ms: u64) -> Fut<()> {
        self.queue.sleep(ms)
    }
}

/// The pages of the tabs.
#[derive(Default)]
pub(super) struct Pages {
    pub(super) shown: BTreeMap<TabId, Result<Capture, CaptureError>>,
    pub(super) delay_ticks: u64,
    pub(super) captures: u64,
    /// The screenshot of each tab. A tab without one counts as hidden.
    pub(super) pictured: BTreeMap<TabId, Result<Shot, ShotError>>,
    /// The text that is recognised in every screenshot, by writing system.
    pub(super) words: BTreeMap<Script, RecognizedText>,
    pub(super) looks: Vec<ScreenshotRequest>,
    /// The pages that background tabs show, by address.
    pub(super) scripted: BTreeMap<String, Capture>,
    /// The background tabs that are open.
    pub(super) open: BTreeSet<TabId>,
    pub(super) opened: i32,
    /// The tab to which the network request rules of each slot apply.
    pub(super) ruled: BTreeMap<u8, TabId>,
}

/// The id of the first background tab. The ids of the user's tabs are smaller.
const FIRST: i32 = 1_000;

/// The simulated tabs. A tab without a page counts as closed, and so does a background tab without
/// request rules.
impl Tabs for Sim {
    fn capture(&self, tab: TabId) -> Fut<Result<Capture, CaptureError>> {
        let pages = self.pages.clone();
        let delay_ticks = pages.borrow().delay_ticks;
        self.queue.local(delay_ticks, move || {
            let mut pages = pages.borrow_mut();
            pages.captures += 1;
            let is_bare = tab.0 >= FIRST && !pages.ruled.values().any(|it| *it == tab);
            let shown = pages.shown.get(&tab).cloned().filter(|_| !is_bare);
            shown.unwrap_or(Err(CaptureError::Gone))
        })
    }

    fn address(&self, tab: TabId) -> Fut<Option<String>> {
        let pages = self.pages.clone();
        self.queue.local(0, move || {
            let pages = pages.borrow();
            let shown = pages.shown.get(&tab).and_then(|page| page.as_ref().ok());
            shown.map(|page| page.url.clone())
        })
    }

    fn shows(&self, tab: TabId, document: &str) -> Fut<bool> {
        let (pages, document) = (self.pages.clone(), document.to_owned());
        self.queue.local(0, move || {
            let pages = pages.borrow();
            let shown = pages.shown.get(&tab).and_then(|page| page.as_ref().ok());
            shown.is_some_and(|page| page.document == document)
        })
    }

    fn screenshot(&self, tab: TabId, document: Option<String>) -> Fut<Result<Shot, ShotError>> {
        let pages = self.pages.clone();
        self.queue.local(0, move || {
            let pages = pages.borrow();
            if let (Some(wanted), Some(Ok(page))) = (document, pages.shown.get(&tab))
                && page.document != wanted
            {
                return Err(ShotError::Moved);
            }
            let pictured = pages.pictured.get(&tab).cloned();
            pictured.unwrap_or(Err(ShotError::Hidden))
        })
    }

    fn open(&self) -> Fut<Result<TabId, CaptureError>> {
        let pages = self.pages.clone();
        self.queue.local(0, move || {
            let mut pages = pages.borrow_mut();
            let tab = TabId(FIRST + pages.opened);
            pages.opened += 1;
            pages.open.insert(tab);
            Ok(tab)
        })
    }

    fn send(
        &self,
        beside: BackgroundTab,
        url: &str,
        _: SiteAccess,
    ) -> Fut<Result<(), CaptureError>> {
        let (pages, url) = (self.pages.clone(), url.to_owned());
        let BackgroundTab { tab, place } = beside;
        self.queue.local(0, move || {
            let mut pages = pages.borrow_mut();
            let page = pages.scripted.get(&url).cloned();
            let page = page.ok_or(CaptureError::NoAccess);
            pages.ruled.insert(place, tab);
            pages.shown.insert(tab, page);
            Ok(())
        })
    }

    fn close(&self, beside: BackgroundTab) {
        let mut pages = self.pages.borrow_mut();
        pages.open.remove(&beside.tab);
        pages.shown.remove(&beside.tab);
        pages.ruled.remove(&beside.place);
    }
}

/// Recognises the text that a test set, in every screenshot. Cutting a part out returns the whole
/// screenshot.
impl Screenshots for Sim {
    fn look(&self, look: ScreenshotRequest) -> Fut<Result<ScreenshotResult, ScreenshotError>> {
        let pages = self.pages.clone();
        self.queue.local(0, move || {
            let mut pages = pages.borrow_mut();
            pages.looks.push(look.clone());
            match look.aim {
                ScreenshotTarget::Cut(_) => Ok(ScreenshotResult::Cut(look.shot.data_url)),
                ScreenshotTarget::Read(script) => match pages.words.get(&script).cloned() {
                    Some(seen) => Ok(ScreenshotResult::Read(seen)),
                    None => Err(ScreenshotError::Failed {
                        message: "no engine".to_owned(),
                    }),
                },
            }
        })
    }
}

/// The alarms, which continue after the worker that set them has ended.
#[derive(Default)]
pub(super) struct Alarms {
    pub(super) is_armed: Cell<bool>,
    pub(super) ring_at_ms: Cell<Option<u64>>,
}

impl Watchdog for Sim {
    fn arm(&self) {
        self.alarms.is_armed.set(true);
    }

    fn disarm(&self) {
        self.alarms.is_armed.set(false);
    }

    fn ring_at(&self, at_ms: Option<u64>) {
        self.alarms.ring_at_ms.set(at_ms);
    }
}

/// Locks. Their guards release them, also when a life is killed.
impl Locks for Sim {
    fn acquire(&self, run: &RunId) -> Fut<Option<LockGuard>> {
        let held = self.held.clone();
        let lockless = self.lockless.get();
        let run = run.clone();
        self.queue.local(0, move || {
            let taken = held.borrow_mut().insert(run.clone()) || lockless;
            taken.then(|| {
                LockGuard::new(move || {
                    held.borrow_mut().remove(&run);
                })
            })
        })
    }
}
