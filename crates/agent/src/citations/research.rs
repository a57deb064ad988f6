//! The searches made for an answer, and the results that the answer does not cite.
//!
//! Example: three pages were relevant, and the answer cites none of them. The answer gets a
//! remark about this, and the three pages are listed. [`Research`] is computed from recorded search
//! results, without a call to a model.

use crate::citations::WebSources;
use crate::events::{Citation, Disclaimer, Research, UncitedPage};
use gloss_markdown::clean;
use gloss_model::phrase::{Phrase, phrase};
use gloss_page::without_place as plain;
use gloss_web::rag::{Card, Findings};
use gloss_web::search::SearchError;

impl WebSources {
    /// Returns the summary of the searches for an answer with these citations; `None` if there were
    /// no searches.
    pub(crate) fn research_summary(&self, cited: &[Citation]) -> Option<Research> {
        if self.findings.is_empty() {
            return None;
        }
        let relevant = |url: &str| {
            let mut pages = self.findings.iter().flat_map(|it| &it.pages);
            pages.any(|page| plain(&page.url) == plain(url))
        };
        let page = |title: &str, url: &str, reason: &str| UncitedPage {
            title: clean(title),
            url: url.to_owned(),
            reason: clean(reason),
        };
        let not_relevant = self.findings.iter().flat_map(|it| &it.not_relevant);
        let not_relevant = not_relevant.map(|it| page(&it.title, &it.url, &it.reason));
        let not_relevant = distinct(&mut not_relevant.filter(|it| !relevant(&it.url)));
        let unchecked = self.findings.iter().flat_map(|it| &it.unchecked);
        let unchecked = unchecked.map(|it| page(&it.title, &it.url, ""));
        let unchecked = distinct(&mut unchecked.filter(|it| !relevant(&it.url)));
        // Only a citation with `elsewhere` cites a search result. Others cite the page that the
        // user asked about.
        let cites = |url: &str| {
            let mut cited = cited.iter().filter(|it| it.elsewhere.is_some());
            cited.any(|it| plain(&it.url) == plain(url))
        };
        let uncited = self.findings.iter().flat_map(|it| &it.pages);
        let uncited = uncited.filter(|it| !cites(&it.url)).map(|it| {
            let found = it.found.as_ref();
            page(&it.title, &it.url, found.map_or("", |it| &it.relevant))
        });
        let uncited = distinct(&mut uncited.into_iter());
        let mut failures: Vec<Phrase> = Vec::new();
        for found in self.findings.iter().filter(|it| it.failure.is_some()) {
            let said = found.error.as_ref().map_or_else(
                || phrase("summary_search_failed").with(&found.provider),
                SearchError::phrase,
            );
            if !failures.contains(&said) {
                failures.push(said);
            }
        }
        // Pictures and films are not sources, so searches for them don't affect the disclaimer.
        let for_sources: Vec<&Findings> = (self.findings.iter())
            .filter(|it| it.cards.is_empty())
            .collect();
        let disclaimer = if cited.iter().any(|it| it.elsewhere.is_some()) || for_sources.is_empty()
        {
            None
        } else if for_sources.iter().any(|it| !it.pages.is_empty()) {
            Some(Disclaimer::Uncited)
        } else if unchecked.is_empty() && for_sources.iter().any(|it| it.failure.is_some()) {
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
        let missing = self.findings.iter().map(|it| {
            // A search for pictures has no aspects to cover.
            let missing = it.missing.iter().filter(|_| it.cards.is_empty());
            missing.map(|aspect| clean(aspect)).collect()
        });
        Some(Research {
            searched: queries.collect(),
            missing: missing.collect(),
            not_relevant,
            uncited,
            unchecked,
            cards: self.cards(),
            failures,
            disclaimer,
        })
    }

    /// Returns the pictures and films that searches found, without duplicates.
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

/// Removes repeated pages.
fn distinct(left: &mut dyn Iterator<Item = UncitedPage>) -> Vec<UncitedPage> {
    let mut kept: Vec<UncitedPage> = Vec::new();
    for left in left {
        if !kept.iter().any(|it| plain(&it.url) == plain(&left.url)) {
            kept.push(left);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn disclaimer(results: &[&Value]) -> Option<Disclaimer> {
        let mut elsewhere = WebSources::default();
        for result in results {
            elsewhere.add(result);
        }
        elsewhere
            .research_summary(&[])
            .expect("a search")
            .disclaimer
    }

    #[test]
    fn pictures_speak_for_their_own_search_and_for_no_other() {
        let pictures = json!({
            "searched": ["lamp"],
            "cards": [{ "title": "Lamp", "url": "https://a.example/lamp" }],
        });
        let nothing = json!({ "searched": ["who lit it"] });
        let failed = json!({ "searched": ["who lit it"], "failure": "no answer" });
        let unchecked = json!({
            "searched": ["who lit it"],
            "unchecked": [{ "title": "Lamp", "url": "https://a.example/" }],
        });
        let uncited = json!({
            "searched": ["who lit it"],
            "pages": [{ "id": "s1a1", "url": "https://a.example/", "title": "Lamp" }],
        });
        assert_eq!(disclaimer(&[&pictures]), None);
        for (other, expected) in [
            (&nothing, Disclaimer::Alone),
            (&failed, Disclaimer::Failed),
            (&unchecked, Disclaimer::Unchecked),
            (&uncited, Disclaimer::Uncited),
        ] {
            assert_eq!(disclaimer(&[other]), Some(expected));
            assert_eq!(disclaimer(&[&pictures, other]), Some(expected));
        }
    }
}
