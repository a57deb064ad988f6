//! Reads the best relevant pages. The findings contain passages of these pages, and the provider's
//! excerpts of the other relevant pages.

use super::{Grade, MOST_READ, ResearchState};
use crate::search::Hit;
use crate::{Assessment, MOST_PAGE_MS, PageReading, PassageOrigin, Passages, SourceData, site};
use gloss_durable::Halt;
use gloss_durable::sorted::SortedMap;
use gloss_model::PassageData;

impl ResearchState<'_> {
    /// Reads the best relevant pages in parallel. Pages that were read before the user was asked
    /// are not read again. Returns the origins that the user would have to permit, so that all
    /// pages can be read.
    pub(super) async fn read(&mut self) -> Result<Vec<String>, Halt> {
        let relevant = self.known.sort_into(&mut self.findings);
        let mut sites: Vec<String> = Vec::new();
        let (best, rest): (Vec<_>, Vec<_>) = relevant.into_iter().partition(|(hit, _)| {
            let site = site(&hit.url);
            let used = sites.iter().filter(|it| **it == site).count();
            let goes = sites.len() < MOST_READ && used < (self.with.reads_left)(&hit.url);
            if goes {
                sites.push(site);
            }
            goes
        });
        let urls = best.iter().map(|(hit, _)| hit.url.clone()).collect();
        let reading = PageReading {
            passages: Passages {
                query: Some(self.question()),
                ..self.with.passages.clone()
            },
            urls,
            source: self.with.source.clone(),
            is_on: self.with.is_on.clone(),
            within_ms: self.within(MOST_PAGE_MS),
            known: std::mem::take(&mut self.read),
        };
        let tried = reading.read(self.ctx).await?;
        self.duration_ms += tried.duration_ms;
        self.read = tried.read();
        let mut pages = tried.pages.into_iter();
        for (number, (hit, grade)) in (1_u32..).zip(best.into_iter().chain(rest)) {
            let source = format!("{}{number}", self.with.source);
            let page = pages.next().and_then(Result::ok);
            let page = source_data(page, source, hit, grade);
            self.findings.pages.push(page);
        }
        Ok(tried.lacking)
    }
}

/// Returns a page with its assessment. It contains its own passages if it was read, otherwise the
/// provider's excerpt.
fn source_data(page: Option<SourceData>, source: String, hit: Hit, grade: Grade) -> SourceData {
    let read = page.filter(|page| !page.passages.is_empty());
    let standing = match read {
        Some(_) => PassageOrigin::Read,
        None => PassageOrigin::Excerpt,
    };
    let excerpt = PassageData {
        id: format!("{source}.p1"),
        text: hit.snippet,
        why: None,
    };
    let mut page = read.unwrap_or_else(|| SourceData {
        id: source,
        asked: None,
        url: hit.url,
        title: String::new(),
        passages: Some(excerpt)
            .filter(|excerpt| !excerpt.text.trim().is_empty())
            .into_iter()
            .collect(),
        share_percent: None,
        printed: SortedMap::new(),
        directives: SortedMap::new(),
        found: None,
    });
    if page.title.trim().is_empty() {
        page.title = hit.title;
    }
    page.found = Some(Assessment {
        relevant: grade.reason,
        confidence_percent: grade.confidence_percent,
        date: hit.date,
        standing,
    });
    page
}
