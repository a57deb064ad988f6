//! Reads pages that have no text until their scripts have run. Such a page is opened in an inactive
//! tab, read like any other tab, and closed.
//!
//! Example: an application responds with an empty `<div id=root>` and a script, and its
//! text appears a few seconds later. The tab is never the active one. It is closed after its text
//! was read, or when the reading is abandoned. If the worker was killed before that, the next
//! worker closes the tab before it opens another. For this purpose, session storage contains the
//! tab's id.
//!
//! Up to [`MOST_OPEN`] tabs are open at once, as many as pages are read in parallel. Gloss must
//! have permission for the page's site. The network rules that keep such a tab from identifying the
//! user apply only to permitted sites. Without permission for all sites, the page is therefore
//! confined to its own site ([`SiteAccess`]).

use super::allowed_address::{Refusal, check};
use super::error::FetchError;
use super::page_cache::Page;
use futures::future::select_all;
use futures::lock::Mutex;
use gloss_durable::{Clock, Store, json};
use gloss_host::{
    ALL_SITES, BackgroundTab, CaptureError, Grants, Host, SiteAccess, TabId, Tabs, Web,
};
use gloss_page::{Document, ReadError, TextFormat};
use gloss_reader::PageService;
use std::cell::RefCell;
use std::rc::Rc;

/// A page with fewer characters of text than this may be waiting for its scripts.
const LITTLE: usize = 200;

/// The time limit in ms within which scripts have to produce text.
const MOST_MS: u64 = 10_000;

/// The interval in ms at which the page's text is checked.
const LOOK_MS: u64 = 1_000;

/// The key of the list of open tabs in session storage.
const OPEN: &str = "fetch_tabs";

/// The maximum number of tabs that are open at once.
const MOST_OPEN: usize = 3;

pub(super) struct TabReader {
    web: Rc<dyn Web>,
    tabs: Rc<dyn Tabs>,
    grants: Rc<dyn Grants>,
    store: Rc<dyn Store>,
    clock: Rc<dyn Clock>,
    page_service: PageService,
    /// One lock for each tab. Each tab has its own network rules.
    places: [Mutex<()>; MOST_OPEN],
    open: Rc<RefCell<Vec<BackgroundTab>>>,
    /// True after the tabs of a killed worker were closed.
    are_left_closed: Mutex<bool>,
}

/// A tab that is closed when this value is dropped.
struct OpenTab {
    tabs: Rc<dyn Tabs>,
    beside: BackgroundTab,
    /// The list of all open tabs.
    among: Rc<RefCell<Vec<BackgroundTab>>>,
}

impl Drop for OpenTab {
    fn drop(&mut self) {
        self.among.borrow_mut().retain(|it| *it != self.beside);
        self.tabs.close(self.beside);
    }
}

#[expect(clippy::needless_pass_by_value, reason = "as map_err gives it")]
fn not_shown(error: CaptureError) -> FetchError {
    FetchError::NoTextInTab {
        message: error.to_string(),
    }
}

/// Returns true if a page has scripts, which may add text.
pub(super) fn has_scripts(html: &str) -> bool {
    html.contains("<script") || html.contains("<SCRIPT")
}

/// Returns true if a page has so little text that its scripts may add more.
pub(super) fn says_little(read: &Result<Document, ReadError>) -> bool {
    match read {
        Ok(document) => little(document),
        Err(ReadError::Empty) => true,
        Err(ReadError::Failed { .. } | ReadError::Document { .. }) => false,
    }
}

fn little(document: &Document) -> bool {
    let texts = document.paragraphs.iter();
    let characters: usize = texts.map(|it| it.text.chars().count()).sum();
    characters < LITTLE
}

impl TabReader {
    /// Makes a reader that uses the services of `host`. `page_service` reads the pages.
    pub(super) fn new(host: &Host, page_service: &PageService) -> Self {
        Self {
            web: host.web.clone(),
            tabs: host.tabs.clone(),
            grants: host.grants.clone(),
            store: host.store.clone(),
            clock: host.clock.clone(),
            page_service: page_service.clone(),
            places: Default::default(),
            open: Rc::default(),
            are_left_closed: Mutex::default(),
        }
    }

    /// Reads a page after its scripts have run.
    ///
    /// # Errors
    /// If the page can't be opened or read, or redirects to an address that must not be fetched.
    pub(super) async fn read(&self, url: &str) -> Result<Page, FetchError> {
        let free = self.places.iter().map(Mutex::lock);
        let (_free, place, _) = select_all(free).await;
        self.close_left_open().await;
        let reach = if self.grants.covers(ALL_SITES).await {
            SiteAccess::Everywhere
        } else if self.grants.covers(url).await {
            SiteAccess::ItsSite
        } else {
            return Err(FetchError::NoTextInTab {
                message:
                    "Gloss isn't allowed to read its site; the user can open the page and ask there"
                        .to_owned(),
            });
        };
        let beside = BackgroundTab {
            tab: self.tabs.open().await.map_err(not_shown)?,
            place: place as u8,
        };
        self.open.borrow_mut().push(beside);
        let open = OpenTab {
            tabs: self.tabs.clone(),
            beside,
            among: self.open.clone(),
        };
        // If storage refuses the write, the tab is still closed, unless the worker is killed first.
        self.note().await;
        let sent = self.tabs.send(beside, url, reach).await;
        sent.map_err(not_shown)?;
        let read = self.settled(beside.tab).await;
        drop(open);
        self.note().await;
        read
    }

    async fn note(&self) {
        let listed = json::text(&*self.open.borrow()).unwrap_or_default();
        let _ = self.store.put_text(OPEN, listed).await;
    }

    /// Closes tabs that a killed worker left open. This happens once per worker, before its first
    /// tab is opened.
    async fn close_left_open(&self) {
        let mut are_closed = self.are_left_closed.lock().await;
        if *are_closed {
            return;
        }
        let left = self.store.text(OPEN).await.ok().flatten();
        let left = left.and_then(|left| json::parse::<Vec<BackgroundTab>>(&left).ok());
        for beside in left.unwrap_or_default() {
            self.tabs.close(beside);
        }
        *are_closed = true;
    }

    /// Returns the page as soon as it has text, otherwise its last state at the time limit.
    async fn settled(&self, tab: TabId) -> Result<Page, FetchError> {
        let mut last = Err(FetchError::Read(ReadError::Empty));
        for _ in 0..MOST_MS / LOOK_MS {
            self.clock.sleep(LOOK_MS).await;
            last = self.look(tab).await;
            if last.as_ref().is_ok_and(|page| !little(&page.document)) {
                break;
            }
        }
        last
    }

    async fn look(&self, tab: TabId) -> Result<Page, FetchError> {
        let capture = self.tabs.capture(tab).await.map_err(not_shown)?;
        let ended = self.web.address(&capture.url);
        let judged = ended.as_ref().map_or(Err(Refusal::NotAnAddress), check);
        judged.map_err(|refusal| FetchError::RedirectRefused { refusal })?;
        let url = capture.url.clone();
        let document = self
            .page_service
            .read(TextFormat::Html, capture.html, url)
            .await?;
        Ok(Page {
            url: capture.url,
            document,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gloss_page::{Kind, Paragraph};

    #[test]
    fn a_page_of_two_hundred_characters_says_something() {
        for (characters, is_little) in [(0, true), (199, true), (200, false), (201, false)] {
            let text = "潮".repeat(characters);
            let read = Document {
                paragraphs: vec![Paragraph {
                    number: 1,
                    kind: Kind::Prose,
                    markdown: text.clone(),
                    text,
                }],
                ..Document::default()
            };
            assert_eq!(says_little(&Ok(read)), is_little, "{characters}");
        }
    }
}
