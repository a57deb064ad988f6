//! The sites that Gloss never reads, and the guard around the tabs that enforces the list.
//!
//! Example: the user added `bank.example`. A run in a tab of `www.bank.example` captures its page.
//! [`GuardedTabs`] returns [`CaptureError::Closed`] without injecting a script. The crate `web`
//! refuses the site's addresses with the same list. Both checks are part of an effect, so a replay
//! repeats their recorded outcome.

use super::{BackgroundTab, Capture, CaptureError, Shot, ShotError, SiteAccess, TabId, Tabs, Web};
use futures::FutureExt;
use gloss_durable::Fut;
use gloss_durable::sorted::SortedSet;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;
use thiserror::Error;

/// The error for a page that is not read, because the user closed its site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[error("{site} is on the user's list of sites that are never read")]
pub struct ClosedSite {
    /// The site, as in the user's list.
    pub site: String,
}

/// The sites that Gloss never reads, as hosts. A host includes all its subdomains.
pub struct ClosedSites {
    web: Rc<dyn Web>,
    hosts: RefCell<SortedSet<String>>,
}

impl ClosedSites {
    /// Creates an empty list. `web` parses addresses.
    pub fn new(web: Rc<dyn Web>) -> Rc<Self> {
        let hosts = RefCell::default();
        Rc::new(Self { web, hosts })
    }

    /// Replaces the list. Each host must be in the form that [`ClosedSites::site`] returns.
    pub fn set(&self, hosts: SortedSet<String>) {
        self.hosts.replace(hosts);
    }

    /// Checks that the site of an address is not closed.
    ///
    /// # Errors
    /// If it is closed.
    pub fn check(&self, url: &str) -> Result<(), ClosedSite> {
        let host = self.host(url).unwrap_or_default();
        let covers = |site: &&String| {
            let before = host.strip_suffix(site.as_str());
            before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
        };
        let site = self.hosts.borrow().iter().find(covers).cloned();
        site.map_or(Ok(()), |site| Err(ClosedSite { site }))
    }

    /// Returns the site that the user typed as a host, a whole address or a pattern such as
    /// `*.bank.example`. `None` if the text names no site.
    pub fn site(&self, typed: &str) -> Option<String> {
        let typed = typed.trim();
        let (scheme, place) = typed.split_once("://").unwrap_or(("https", typed));
        let place = place.strip_prefix("*.").unwrap_or(place);
        let host = self.host(&format!("{scheme}://{place}"))?;
        let host = host.strip_prefix("www.").unwrap_or(&host);
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._:[]".contains(letter);
        let is_site = !place.contains('@') && !host.is_empty() && host.chars().all(is_plain);
        is_site.then(|| host.to_owned())
    }

    /// Returns the host of an address. An address such as `blob:https://bank.example/1` has the host
    /// of its origin.
    fn host(&self, url: &str) -> Option<String> {
        let address = self.web.address(url)?;
        let host = match address.host.as_str() {
            "" => self.web.address(&address.origin)?.host,
            _ => address.host,
        };
        Some(host.trim_end_matches('.').to_owned())
    }
}

/// Tabs whose pages are not read if their site is closed.
pub struct GuardedTabs {
    tabs: Rc<dyn Tabs>,
    closed: Rc<ClosedSites>,
}

impl GuardedTabs {
    /// Guards `tabs` with a list of closed sites.
    pub fn new(tabs: Rc<dyn Tabs>, closed: Rc<ClosedSites>) -> Rc<Self> {
        Rc::new(Self { tabs, closed })
    }
}

impl Tabs for GuardedTabs {
    fn capture(&self, tab: TabId) -> Fut<Result<Capture, CaptureError>> {
        let (tabs, closed) = (self.tabs.clone(), self.closed.clone());
        async move {
            check(&*tabs, &closed, tab).await?;
            let capture = tabs.capture(tab).await?;
            // The tab may have navigated since its address was checked.
            closed.check(&capture.url)?;
            Ok(capture)
        }
        .boxed_local()
    }

    fn address(&self, tab: TabId) -> Fut<Option<String>> {
        self.tabs.address(tab)
    }

    fn shows(&self, tab: TabId, document: &str) -> Fut<bool> {
        self.tabs.shows(tab, document)
    }

    fn screenshot(&self, tab: TabId, document: Option<String>) -> Fut<Result<Shot, ShotError>> {
        let (tabs, closed) = (self.tabs.clone(), self.closed.clone());
        async move {
            check(&*tabs, &closed, tab).await?;
            let shot = tabs.screenshot(tab, document).await?;
            check(&*tabs, &closed, tab).await?;
            Ok(shot)
        }
        .boxed_local()
    }

    fn open(&self) -> Fut<Result<TabId, CaptureError>> {
        self.tabs.open()
    }

    fn send(
        &self,
        beside: BackgroundTab,
        url: &str,
        reach: SiteAccess,
    ) -> Fut<Result<(), CaptureError>> {
        self.tabs.send(beside, url, reach)
    }

    fn close(&self, beside: BackgroundTab) {
        self.tabs.close(beside);
    }
}

/// Fails if the tab shows a closed site. Chrome hides the address of a tab only if Gloss isn't
/// allowed to read the tab.
async fn check(tabs: &dyn Tabs, closed: &ClosedSites, tab: TabId) -> Result<(), ClosedSite> {
    let is_empty = closed.hosts.borrow().is_empty();
    if is_empty {
        return Ok(());
    }
    let url = tabs.address(tab).await;
    url.map_or(Ok(()), |url| closed.check(&url))
}
