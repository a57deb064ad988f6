//! Answers a surface (a popup or side panel) that connects to the worker. The first snapshot waits
//! for the disk only for a limited time.
//!
//! Example: the user opens the panel after Chrome killed the worker. Session storage
//! contains the newest part of the panel's conversation, and the disk contains the rest. If the
//! disk doesn't answer in time, the panel gets the newest part first. It gets the rest when the
//! disk answers.

use super::options::Outcome;
use super::preferences::unstored;
use super::surface::TabContent;
use super::{App, SurfaceId};
use futures::future::{join, join_all};
use gloss_agent::{Failure, PageRead, Verdict};
use gloss_durable::{DATABASE_TIMEOUT_MS, RunId, within};
use gloss_host::{Capture, CaptureError, TabId};
use gloss_page::{Document, ReadError};
use gloss_tools::StandingApproval;
use std::pin::{Pin, pin};
use std::rc::Rc;

impl App {
    /// Answers [`crate::surface::Command::Hello`].
    pub(super) async fn hello(&self, surface: SurfaceId, tab: Option<TabId>, language: String) {
        let hello = self.hub.set_tab(surface, tab, language);
        let mut rest = pin!(self.load_tab(tab));
        let settled = self.within_patience(rest.as_mut()).await;
        let beside = tab.map_or(TabContent::Nothing, |_| TabContent::Looking);
        self.hub.look(surface, hello, beside);
        let look = async {
            if let Some(tab) = tab {
                let seen = self.read_tab(tab).await;
                self.hub.look(surface, hello, seen);
            }
        };
        let settle = async {
            let settled = if let Some(settled) = settled {
                settled
            } else {
                let settled = rest.await;
                self.hub.refresh();
                settled
            };
            join_all(settled.into_iter().map(|run| self.drive_to_end(run))).await;
        };
        // The facts are loaded, so that the surface can offer Undo. The snapshot doesn't wait for
        // them.
        let mind = async {
            let _ = self.memory.now().await;
        };
        join(join(look, settle), mind).await;
    }

    /// Loads the stored part of a tab's conversation. Also grants waiting runs the permissions that
    /// Gloss has by now. Returns the runs that can continue.
    async fn load_tab(&self, tab: Option<TabId>) -> Vec<RunId> {
        if self.runs.is_partly_known() {
            self.runs.load_all().await;
        } else {
            // If session storage contains no runs, the list of stored runs can be sent later.
            self.runs.load_session().await;
        }
        if let Some(shown) = tab.and_then(|tab| self.hub.current(tab)) {
            self.runs.load_conversation(&shown).await;
        }
        self.apply_grants().await
    }

    /// Returns the result of `look`, a read from disk. Returns `None` after
    /// [`DATABASE_TIMEOUT_MS`]. If the disk did not answer the last read, doesn't wait.
    pub(super) async fn within_patience<T>(
        &self,
        look: Pin<&mut impl Future<Output = T>>,
    ) -> Option<T> {
        let patience = if self.runs.is_partly_known() {
            0
        } else {
            DATABASE_TIMEOUT_MS
        };
        within(&*self.host.clock, patience, look).await
    }

    /// Grants to the waiting runs the permissions that Chrome has already given to Gloss. Chrome's
    /// permission dialog closes the popup, so the popup can't report the user's answer. Returns the
    /// runs that can continue.
    pub(super) async fn apply_grants(&self) -> Vec<RunId> {
        let mut settled = Vec::new();
        for (run, wait, origins) in self.runs.wait_for_origins() {
            let mut covered = true;
            for origin in &origins {
                covered = covered && self.host.grants.covers(origin).await;
            }
            if covered {
                // If storage refuses the verdict, the surface keeps showing the request for
                // permission.
                let _ = self.runs.answer(&run, wait, Verdict::Granted).await;
                settled.push(run);
            }
        }
        settled
    }

    /// Records the user's decision about a waiting run, and a standing approval that it contains.
    pub(super) async fn permit(
        &self,
        surface: SurfaceId,
        run: &RunId,
        wait: u64,
        verdict: Verdict,
    ) {
        let always = self.runs.standing_approval(run, wait);
        let always = always.filter(|_| verdict.is_always());
        if let Err(failure) = self.runs.answer(run, wait, verdict).await {
            self.hub.refuse(surface, failure, None);
        } else if let Some(calls) = always {
            self.approve(surface, calls).await;
        }
    }

    /// Stores calls that the user always allows.
    async fn approve(&self, surface: SurfaceId, calls: StandingApproval) {
        let mut next = self.kept.now();
        next.approve(calls, self.now_ms());
        if let Err(error) = self.kept.set(next).await {
            self.hub.refuse(surface, unstored(&error), None);
        }
        self.apply_settings();
        self.options.send_preferences();
    }

    /// Passes the settings to the hub, the switches of tool groups and the guard of closed sites.
    pub(super) fn apply_settings(&self) {
        let set = self.kept.now();
        self.hub.set_defaults(set.defaults(&self.tools));
        self.switches.set(set.groups_off);
        let closed = set.closed_sites.into_keys().collect();
        self.host.closed_sites.set(closed);
        let always = set.approvals.into_iter().map(|given| given.calls);
        self.switches.set_always_allowed(always.collect());
    }

    /// Adds a site to the closed sites, and reads the surface's tab again.
    pub(super) async fn close_site(&self, surface: SurfaceId, site: String) {
        if let Outcome::Failed { failure } = self.options.close_site(site).await {
            self.hub.refuse(surface, failure, None);
        }
        self.apply_settings();
        self.options.send_preferences();
        if let Some((tab, language)) = self.hub.tab_of(surface) {
            self.hello(surface, Some(tab), language).await;
        }
    }

    async fn read_tab(&self, tab: TabId) -> TabContent {
        let unreadable = |title: String, failure| TabContent::Unreadable { title, failure };
        let is_open = |page: &PageRead| self.host.closed_sites.check(&page.url).is_ok();
        let known = self.pdf.borrow().clone();
        let known = known.filter(|(of, page)| *of == tab && is_open(page));
        if let Some((_, page)) = known
            && self.host.tabs.shows(tab, &page.document).await
        {
            return TabContent::Page { page };
        }
        match self.host.tabs.capture(tab).await {
            Err(error) => {
                let failure = Failure::of_capture(&error);
                match error {
                    CaptureError::Closed(closed) => unreadable(closed.site, failure),
                    _ => unreadable(String::new(), failure),
                }
            }
            Ok(capture) => match self.read(&capture).await {
                Err(error) => unreadable(capture.title, Failure::of_reading(&error)),
                Ok(document) => {
                    let page = PageRead::of(&capture, &document);
                    if capture.pdf.is_some() {
                        self.pdf.replace(Some((tab, page.clone())));
                    }
                    TabContent::Page { page }
                }
            },
        }
    }

    async fn read(&self, capture: &Capture) -> Result<Rc<Document>, ReadError> {
        self.page_service.extract(capture).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::{Command, VERSION};
    use gloss_host_sim::Sim;
    use gloss_reader::PageService;
    use gloss_reader::retrieval::words_only;

    const PDF: &[u8] = include_bytes!("../../../tests/e2e/pages/tides.pdf");

    #[test]
    fn a_pdf_that_is_still_shown_is_not_read_again() {
        let tab = TabId(7);
        let shown = |document: &str| Capture {
            document: document.to_owned(),
            url: "https://a.example/tides.pdf".to_owned(),
            title: "tides.pdf".to_owned(),
            language: String::new(),
            html: "<body></body>".to_owned(),
            selection: None,
            pdf: None,
        };
        let sim = Sim::new(0);
        let app = App::new(sim.host(), PageService::in_process(words_only()), 1);
        sim.life(u64::MAX, async {
            app.load(None).await;
            app.connect(SurfaceId(1), Rc::new(|_| {}));
            let looks = [
                (shown("1").with_pdf(PDF), 1),
                (shown("1").with_pdf(PDF), 1),
                (shown("2").with_pdf(PDF), 2),
                // The content of the page may change between two reads.
                (shown("3"), 3),
                (shown("3"), 4),
            ];
            for (page, captures) in looks {
                sim.set_page(tab, Ok(page));
                let hello = Command::Hello {
                    version: VERSION,
                    tab: Some(tab),
                    language: "en".to_owned(),
                };
                app.clone().command(SurfaceId(1), hello).await;
                assert_eq!(sim.captures(), captures);
            }
        })
        .unwrap();
    }
}
