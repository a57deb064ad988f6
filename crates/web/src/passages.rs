//! Passages of a web page that relate to a question, with their own ids.

use super::{FetchError, Fetcher, Freshness, SourceData};
use gloss_host::Address;
use gloss_model::PassageData;
use gloss_reader::{Extracts, PageService};
use std::rc::Rc;

/// Selects the passages of web pages that relate to a question.
#[derive(Clone)]
pub struct Passages {
    /// The service that fetches the pages.
    pub fetcher: Fetcher,
    /// The service that selects the passages.
    pub page_service: PageService,
    /// The question to which the passages relate. If it is `None`, passages are selected from the
    /// whole page.
    pub query: Option<String>,
    /// The maximum number of words from each page; `None` if only the token budget limits them.
    pub most_words: Option<usize>,
    /// The token budget for each page.
    pub budget_tokens: u32,
    /// The choice between cached pages and new requests.
    pub freshness: Freshness,
}

impl Passages {
    /// Reads the page at an address and selects its passages. Their ids begin with `source`, such
    /// as `w2a1`.
    ///
    /// # Errors
    /// If the page can't be read within `within_ms`.
    pub(super) async fn of(
        &self,
        source: String,
        address: &Address,
        within_ms: u64,
    ) -> Result<SourceData, FetchError> {
        let work = self.read(source, address);
        self.fetcher.in_time(work, within_ms).await
    }

    async fn read(&self, source: String, address: &Address) -> Result<SourceData, FetchError> {
        let page = self.fetcher.fetch(address, self.freshness).await?;
        let (url, document) = (page.url, Rc::new(page.document));
        let query = self.query.clone();
        let found = self
            .page_service
            .extracts(&document, query, self.most_words, self.budget_tokens)
            .await?;
        let Extracts { found, directives } = found;
        let passages = found.passages.into_iter().map(|passage| PassageData {
            id: format!("{source}.{}", passage.id),
            ..passage
        });
        let passages: Vec<PassageData> = passages.collect();
        let printed = passages.iter().filter_map(|passage| {
            let (_, own) = passage.id.split_once(".p")?;
            let paragraph = own.split('.').next()?.parse().ok()?;
            let page = u32::try_from(document.page_of(paragraph)?).ok()?;
            Some((passage.id.clone(), page))
        });
        let directives = directives.into_iter();
        let directives = directives.map(|(own, directive)| (format!("{source}.{own}"), directive));
        Ok(SourceData {
            directives: directives.collect(),
            id: source,
            asked: (url != address.href).then(|| address.href.clone()),
            url,
            title: document.title.clone(),
            printed: printed.collect(),
            passages,
            share_percent: found.share_percent,
            found: None,
        })
    }
}
