//! What was searched for an answer, and what of it the answer does not stand on.
//!
//! Driving example: three pages were relevant and the answer cites none: it says so, and they
//! are listed. Nothing here asks anybody; it follows from what searches recorded.

use super::elsewhere::{Elsewhere, plain};
use super::{Citation, Disclaimer, Left, Researched};
use crate::markdown::clean;
use crate::phrase::{Phrase, phrase};
use crate::rag::{Card, Judged, Unchecked};
use crate::search::SearchError;

impl Elsewhere {
    /// What was searched for an answer that cites these; `None` where nothing was.
    pub(super) fn researched(&self, cited: &[Citation]) -> Option<Researched> {
        if self.findings.is_empty() {
            return None;
        }
        let relevant = |url: &str| {
            let mut pages = self.findings.iter().flat_map(|it| &it.pages);
            pages.any(|page| plain(&page.url) == plain(url))
        };
        let not_relevant = self.findings.iter().flat_map(|it| &it.not_relevant);
        let not_relevant = not_relevant.map(
            |Judged {
                 title, url, reason, ..
             }| Left {
                title: clean(title),
                url: url.clone(),
                reason: clean(reason),
            },
        );
        let unchecked = self.findings.iter().flat_map(|it| &it.unchecked);
        let unchecked = unchecked.map(|Unchecked { title, url, .. }| Left {
            title: clean(title),
            url: url.clone(),
            reason: String::new(),
        });
        let once = |left: &mut dyn Iterator<Item = Left>| {
            distinct(&mut left.filter(|it| !relevant(&it.url)))
        };
        let (not_relevant, unchecked) = (
            once(&mut not_relevant.into_iter()),
            once(&mut unchecked.into_iter()),
        );
        // What stands on the person's own page stands on nothing that was searched for.
        let cites = |url: &str| {
            let mut cited = cited.iter().filter(|it| it.elsewhere.is_some());
            cited.any(|it| plain(&it.url) == plain(url))
        };
        let uncited = self.findings.iter().flat_map(|it| &it.pages);
        let uncited = uncited.filter(|page| !cites(&page.url)).map(|page| Left {
            title: clean(&page.title),
            url: page.url.clone(),
            reason: page
                .found
                .as_ref()
                .map_or_else(String::new, |it| clean(&it.relevant)),
        });
        let uncited = distinct(&mut uncited.into_iter());
        let mut failures: Vec<Phrase> = Vec::new();
        for found in self.findings.iter().filter(|it| it.failure.is_some()) {
            let said = found.error.as_ref().map_or_else(
                || phrase("summary_search_failed").with(&found.provider),
                SearchError::said,
            );
            if !failures.contains(&said) {
                failures.push(said);
            }
        }
        let found_none = self.findings.iter().all(|it| it.pages.is_empty());
        let cards = self.cards();
        let disclaimer = if cited.iter().any(|it| it.elsewhere.is_some()) || !cards.is_empty() {
            None
        } else if !found_none {
            Some(Disclaimer::Uncited)
        } else if unchecked.is_empty() && self.findings.iter().any(|it| it.failure.is_some()) {
            Some(Disclaimer::Failed)
        } else if unchecked.is_empty() {
            Some(Disclaimer::Alone)
        } else {
            Some(Disclaimer::Unchecked)
        };
        let queries = self.findings.iter().map(|it| {
            let queries = it.searched.iter().map(|query| clean(query));
            queries.collect()
        });
        Some(Researched {
            searched: queries.collect(),
            not_relevant,
            uncited,
            unchecked,
            cards,
            failures,
            disclaimer,
        })
    }

    /// The pictures and films that searches found, each once.
    fn cards(&self) -> Vec<Card> {
        let mut cards: Vec<Card> = Vec::new();
        for card in self.findings.iter().flat_map(|it| &it.cards) {
            let known =
                |other: &Card| (&other.url, &other.thumbnail) == (&card.url, &card.thumbnail);
            if !cards.iter().any(known) {
                cards.push(Card {
                    title: clean(&card.title),
                    ..card.clone()
                });
            }
        }
        cards
    }
}

/// Each page once.
fn distinct(left: &mut dyn Iterator<Item = Left>) -> Vec<Left> {
    let mut kept: Vec<Left> = Vec::new();
    for left in left {
        if !kept.iter().any(|it| plain(&it.url) == plain(&left.url)) {
            kept.push(left);
        }
    }
    kept
}
