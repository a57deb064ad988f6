//! Pages that say nothing until their scripts have run: opened in a tab beside the person's,
//! read as any tab is, and closed.
//!
//! Driving example: an application answers with an empty `<div id=root>` and a script; a few
//! seconds later its text stands there. The tab is never the one in front. It is closed when
//! its text was read, when nobody waits for it any more, and, where the worker was killed
//! meanwhile, before the next worker opens one: its number stands in the session. As many may be
//! open as pages are read at once: none waits for another's scripts. It is done where
//! Gloss may read the page's site. The rules that keep such a tab from knowing the person reach
//! no further: where that is not every site, the page is kept to its own ([`Reach`]).

use super::address::{Refusal, check};
use super::error::FetchError;
use super::kept::Page;
use futures::future::select_all;
use futures::lock::Mutex;
use gloss_durable::{Clock, Store};
use gloss_host::{ALL_SITES, Beside, CaptureError, Grants, Host, Reach, TabId, Tabs, Web};
use gloss_page::{Document, Form, ReadError};
use gloss_reader::Study;
use std::cell::RefCell;
use std::rc::Rc;

/// A page with less text, in characters, may be waiting for its scripts.
const LITTLE: usize = 200;

/// How long its scripts are waited for.
const MOST_MS: u64 = 10_000;

/// How often it is looked at meanwhile.
const LOOK_MS: u64 = 1_000;

/// The name under which the session knows what is open.
const OPEN: &str = "fetch_tabs";

/// So many tabs at once.
const MOST_OPEN: usize = 3;

/// What it takes to show a page.
pub(super) struct Show {
    web: Rc<dyn Web>,
    tabs: Rc<dyn Tabs>,
    grants: Rc<dyn Grants>,
    store: Rc<dyn Store>,
    clock: Rc<dyn Clock>,
    study: Study,
    /// Each has its own rules.
    places: [Mutex<()>; MOST_OPEN],
    open: Rc<RefCell<Vec<Beside>>>,
    /// Whether those that a killed worker left open were closed.
    are_left_closed: Mutex<bool>,
}

/// A tab that is closed when nobody needs it any more.
struct Open {
    tabs: Rc<dyn Tabs>,
    beside: Beside,
    /// All that are open.
    among: Rc<RefCell<Vec<Beside>>>,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.among.borrow_mut().retain(|it| *it != self.beside);
        self.tabs.close(self.beside);
    }
}

/// As the session knows them.
fn listed(open: &[Beside]) -> String {
    let named = open.iter().map(|it| format!("{}:{}", it.tab.0, it.place));
    named.collect::<Vec<_>>().join(" ")
}

fn named(text: &str) -> Option<Beside> {
    let (tab, place) = text.split_once(':')?;
    Some(Beside {
        tab: TabId(tab.parse().ok()?),
        place: place.parse().ok()?,
    })
}

#[expect(clippy::needless_pass_by_value, reason = "as map_err gives it")]
fn not_shown(error: CaptureError) -> FetchError {
    FetchError::NotShown {
        message: error.to_string(),
    }
}

/// Whether a page has scripts that may say more.
pub(super) fn has_scripts(html: &str) -> bool {
    html.contains("<script") || html.contains("<SCRIPT")
}

/// Whether what was read of a page is so little that its scripts may have more to say.
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

impl Show {
    /// On this host, with pages read by `study`.
    pub(super) fn new(host: &Host, study: &Study) -> Self {
        Self {
            web: host.web.clone(),
            tabs: host.tabs.clone(),
            grants: host.grants.clone(),
            store: host.store.clone(),
            clock: host.clock.clone(),
            study: study.clone(),
            places: Default::default(),
            open: Rc::default(),
            are_left_closed: Mutex::default(),
        }
    }

    /// What a page says once its scripts have run.
    ///
    /// # Errors
    /// When it can't be shown or read, or ends where nothing may be read.
    pub(super) async fn read(&self, url: &str) -> Result<Page, FetchError> {
        let free = self.places.iter().map(Mutex::lock);
        let (_free, place, _) = select_all(free).await;
        self.close_left_open().await;
        let reach = if self.grants.covers(ALL_SITES).await {
            Reach::Everywhere
        } else if self.grants.covers(url).await {
            Reach::ItsSite
        } else {
            return Err(FetchError::NotShown {
                message:
                    "Gloss isn't allowed to read its site; the user can open the page and ask there"
                        .to_owned(),
            });
        };
        let beside = Beside {
            tab: self.tabs.open().await.map_err(not_shown)?,
            place: place as u8,
        };
        self.open.borrow_mut().push(beside);
        let open = Open {
            tabs: self.tabs.clone(),
            beside,
            among: self.open.clone(),
        };
        // Refused, it is closed all the same unless the worker is killed now.
        self.note().await;
        let sent = self.tabs.send(beside, url, reach).await;
        sent.map_err(not_shown)?;
        let read = self.settled(beside.tab).await;
        drop(open);
        self.note().await;
        read
    }

    async fn note(&self) {
        let listed = listed(&self.open.borrow());
        let _ = self.store.keep(OPEN, listed).await;
    }

    /// Once in a life, before its first tab is opened: it frees their places.
    async fn close_left_open(&self) {
        let mut are_closed = self.are_left_closed.lock().await;
        if *are_closed {
            return;
        }
        let left = self.store.kept(OPEN).await.ok().flatten();
        for beside in left.unwrap_or_default().split(' ').filter_map(named) {
            self.tabs.close(beside);
        }
        *are_closed = true;
    }

    /// The page as soon as it says something, else as it is in the end.
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
        judged.map_err(|refusal| FetchError::LedTo { refusal })?;
        let url = capture.url.clone();
        let document = self.study.read(Form::Html, capture.html, url).await?;
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
                title: String::new(),
                language: String::new(),
                paragraphs: vec![Paragraph {
                    number: 1,
                    kind: Kind::Prose,
                    markdown: text.clone(),
                    text,
                }],
                pages: Vec::new(),
            };
            assert_eq!(says_little(&Ok(read)), is_little, "{characters}");
        }
    }
}
