//! Reads the best relevant pages. The findings contain passages of these pages, and the provider's
//! excerpts of the other relevant pages.

use super::{Grade, MOST_READ, ResearchState};
use crate::search::Hit;
use crate::{Assessment, MOST_PAGE_MS, PassageOrigin, Passages, ReadPage, SourceData};
use futures::future::join_all;
use gloss_durable::Halt;
use gloss_durable::sorted::SortedMap;
use gloss_model::PassageData;

/// A relevant page, with its passages if it was read.
struct RelevantPage {
    /// The rank of the page among the relevant pages, from 1.
    number: u32,
    /// The page as it was read; `None` if it was not read.
    read: Option<SourceData>,
    /// The page in the form in which the findings contain it.
    page: SourceData,
    lacking: Vec<String>,
    duration_ms: u64,
}

impl ResearchState<'_> {
    /// Reads the best relevant pages in parallel. Pages that were read before the user was asked
    /// are not read again. Returns the origins that the user would have to permit, so that all
    /// pages can be read.
    pub(super) async fn read(&mut self) -> Result<Vec<String>, Halt> {
        let relevant = self.known.sort_into(&mut self.findings);
        let passages = Passages {
            query: Some(self.question()),
            ..self.with.passages.clone()
        };
        let within_ms = self.within(MOST_PAGE_MS);
        let is_known = |number: u32| self.read.iter().any(|(known, _)| *known == number);
        let numbers = (1..=MOST_READ).take(relevant.len());
        let of = numbers.filter(|number| !is_known(*number)).count();
        let reading = (1..).zip(relevant).map(|(number, (hit, grade))| {
            let ctx = self.ctx.clone();
            let source = format!("{}{number}", self.with.source);
            let read = ReadPage {
                passages: passages.clone(),
                url: hit.url.clone(),
                source: source.clone(),
                of,
                is_on: self.with.is_on.clone(),
                within_ms,
            };
            let at = self.read.iter().position(|(known, _)| *known == number);
            let known = at.map(|at| self.read.swap_remove(at).1);
            async move {
                let is_read = number <= MOST_READ && within_ms > 0 && known.is_none();
                let done = if is_read {
                    Some(ctx.step(format!("read.{number}"), read).await?)
                } else {
                    None
                };
                let (page, lacking, duration_ms) = match done {
                    Some(done) => (done.page.ok(), done.lacking, done.duration_ms),
                    None => (known, Vec::new(), 0),
                };
                Ok(RelevantPage {
                    number,
                    read: page.clone(),
                    page: source_data(page, source, hit, grade),
                    lacking,
                    duration_ms,
                })
            }
        });
        let reading: Vec<_> = reading.collect();
        let read: Vec<Result<RelevantPage, Halt>> = join_all(reading).await;
        let (mut longest_ms, mut lacking) = (0, Vec::new());
        for tried in read {
            let RelevantPage {
                number,
                read,
                page,
                lacking: origins,
                duration_ms,
            } = tried?;
            self.read.extend(read.map(|page| (number, page)));
            for origin in origins {
                if !lacking.contains(&origin) {
                    lacking.push(origin);
                }
            }
            longest_ms = longest_ms.max(duration_ms);
            self.findings.pages.push(page);
        }
        self.duration_ms += longest_ms;
        Ok(lacking)
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
