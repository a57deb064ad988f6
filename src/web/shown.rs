//! Pages that say nothing until their scripts have run: opened in a tab beside the person's,
//! read as any tab is, and closed.
//!
//! Driving example: an application answers with an empty `<div id=root>` and a script; a few
//! seconds later its text stands there. The tab is never the one in front. It is closed when
//! its text was read, when nobody waits for it any more, and, where the worker was killed
//! meanwhile, before the next one is opened: its number stands in the session. It is done where
//! Gloss may read the page's site. The rules that keep such a tab from knowing the person reach
//! no further: where that is not every site, the page is kept to its own ([`Reach`]).

use super::address::{Refusal, check};
use super::error::FetchError;
use super::kept::Page;
use crate::host::{ALL_SITES, CaptureError, Clock, Grants, Reach, Store, TabId, Tabs, Web};
use crate::page::{Document, Form, ReadError};
use crate::study::Study;
use std::rc::Rc;

/// A page with less text, in characters, may be waiting for its scripts.
const LITTLE: usize = 200;

/// How long its scripts are waited for.
const MOST_MS: u64 = 10_000;

/// How often it is looked at meanwhile.
const LOOK_MS: u64 = 1_000;

/// The name under which the session knows what is open.
const OPEN: &str = "fetch_tabs";

/// What it takes to show a page.
pub(super) struct Show {
    pub(super) web: Rc<dyn Web>,
    pub(super) tabs: Rc<dyn Tabs>,
    pub(super) grants: Rc<dyn Grants>,
    pub(super) store: Rc<dyn Store>,
    pub(super) clock: Rc<dyn Clock>,
    pub(super) study: Study,
    /// One at a time: the session knows of one.
    pub(super) one: futures::lock::Mutex<()>,
}

/// A tab that is closed when nobody needs it any more.
struct Open {
    tabs: Rc<dyn Tabs>,
    tab: TabId,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.tabs.close(self.tab);
    }
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
    /// What a page says once its scripts have run.
    ///
    /// # Errors
    /// When it can't be shown or read, or ends where nothing may be read.
    pub(super) async fn read(&self, url: &str) -> Result<Page, FetchError> {
        let _one = self.one.lock().await;
        self.close_left_open().await;
        let reach = if self.grants.covers(ALL_SITES).await {
            Reach::Everywhere
        } else if self.grants.covers(url).await {
            Reach::ItsSite
        } else {
            return Err(FetchError::NotShown {
                message: "Gloss may not read its site; the user can open the page and ask there"
                    .to_owned(),
            });
        };
        let tab = self.tabs.open().await.map_err(not_shown)?;
        let open = Open {
            tabs: self.tabs.clone(),
            tab,
        };
        // Refused, it is closed all the same unless the worker is killed now.
        let _ = self.store.keep(OPEN, tab.0.to_string()).await;
        self.tabs.send(tab, url, reach).await.map_err(not_shown)?;
        let read = self.settled(tab).await;
        drop(open);
        let _ = self.store.keep(OPEN, String::new()).await;
        read
    }

    async fn close_left_open(&self) {
        let left = self.store.kept(OPEN).await.ok().flatten();
        if let Some(tab) = left.and_then(|left| left.parse().ok()) {
            self.tabs.close(TabId(tab));
        }
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
    use crate::page::{Kind, Paragraph};

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
