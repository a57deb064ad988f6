#![doc = include_str!("../README.md")]

mod allowed_address;
mod content_type;
mod download;
mod encoding;
mod error;
mod host;
mod page_cache;
mod passages;
pub mod rag;
mod reading;
mod redirect_origins;
mod script_pages;
pub mod search;
mod sources;
mod timed_cache;
mod wikipedia_article;

#[cfg(test)]
mod tests;

pub use allowed_address::{Refusal, check};
pub use download::{MOST_BYTES, MOST_DOCUMENT_BYTES, MOST_MS};
pub use error::FetchError;
pub use host::{host, site};
pub use page_cache::{Page, names as kept_names};
pub use passages::Passages;
pub use reading::{PageOutcomes, PageReading, ReadPage, parallel_count};
pub use sources::{Assessment, PassageOrigin, SourceData, for_reading, sources};
pub(crate) use timed_cache::{Bounds, TimedCache};

use content_type::{ContentType, medium};
use download::{ACCEPT, Download, download};
use gloss_documents::DocumentKind;
use gloss_durable::{Clock, within};
use gloss_host::{Address, ClosedSites, Grants, Host, Web};
use gloss_page::{TextFormat, without_place};
use gloss_reader::PageService;
use page_cache::PageCache;
use script_pages::TabReader;
use std::rc::Rc;
use wikipedia_article::{api_address, is_of_wikipedia, page_of};

/// The key in session storage of the list of recently read pages. It is also the prefix of the
/// pages' names in the blob store.
pub const FETCHED: &str = "fetched";

/// The time limit for one page in ms: download, reading and search for passages. It is shorter than
/// the limit of a tool call (DETAILS §2). A call reads its pages in parallel, so all of them fit
/// into that limit.
pub const MOST_PAGE_MS: u64 = 28_000;

/// The time limit in ms for finding out if a site redirects.
const MOST_LOOK_MS: u64 = 5_000;

/// The maximum number of characters of a content type that an error shows.
const MOST_KIND: usize = 80;

/// The choice between a cached page and a new request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// A page that was read recently is taken from the cache.
    Kept,
    /// The page is always requested from its site.
    Fresh,
}

/// Reads pages of the web.
#[derive(Clone)]
pub struct Fetcher {
    web: Rc<dyn Web>,
    grants: Rc<dyn Grants>,
    clock: Rc<dyn Clock>,
    closed_sites: Rc<ClosedSites>,
    page_service: PageService,
    kept: Rc<PageCache>,
    show: Rc<TabReader>,
}

impl Fetcher {
    /// Makes a fetcher that uses the services of `host`. `page_service` reads the pages.
    pub fn new(host: &Host, page_service: &PageService) -> Self {
        Self {
            web: host.web.clone(),
            grants: host.grants.clone(),
            clock: host.clock.clone(),
            closed_sites: host.closed_sites.clone(),
            page_service: page_service.clone(),
            kept: Rc::new(PageCache::new(
                host.store.clone(),
                host.blobs.clone(),
                host.clock.clone(),
            )),
            show: Rc::new(TabReader::new(host, page_service)),
        }
    }

    /// Parses and checks an address. The result depends on the user's current list of closed sites,
    /// so only effects may call it.
    ///
    /// # Errors
    /// If the address must not be fetched, even with the user's consent.
    pub fn address(&self, text: &str) -> Result<Address, Refusal> {
        let address = self.web.address(text.trim()).ok_or(Refusal::NotAnAddress)?;
        check(&address)?;
        self.closed_sites.check(&address.href)?;
        Ok(address)
    }

    /// Returns the origins that the user has to permit before an address can be read. They include
    /// origins to which the site is likely to redirect ([`redirect_origins`]), so that the user is
    /// asked only once.
    async fn lacking(&self, address: &Address) -> Vec<String> {
        if api_address(address).is_some() {
            return Vec::new();
        }
        let mut lacking = self
            .not_granted(redirect_origins::same_host_origins(address))
            .await;
        if !lacking.is_empty() {
            lacking.extend(
                self.not_granted(redirect_origins::www_origins(address))
                    .await,
            );
        }
        lacking
    }

    /// Returns the origins that the user has to permit after this error. The browser hides the
    /// target of a redirect, unless the target allows cross-origin requests. The likely targets are
    /// therefore returned.
    async fn lacking_for(&self, address: &Address, error: &FetchError) -> Vec<String> {
        match error {
            FetchError::NotPermitted { origin } if *origin == address.origin => {
                self.lacking(address).await
            }
            FetchError::NotPermitted { origin } => vec![origin.clone()],
            FetchError::Unreachable { .. } if api_address(address).is_none() => {
                let other = self
                    .not_granted(redirect_origins::www_origins(address))
                    .await;
                // If the site does not exist, the user is not asked for the variant of its name.
                if other.is_empty() || !self.leads_on(address).await {
                    return Vec::new();
                }
                other
            }
            _ => Vec::new(),
        }
    }

    async fn leads_on(&self, address: &Address) -> bool {
        let asked = self.web.leads_on(without_place(&address.href), ACCEPT);
        let leads_on = within(&*self.clock, MOST_LOOK_MS, asked).await;
        leads_on.unwrap_or(false)
    }

    async fn not_granted(&self, origins: Vec<String>) -> Vec<String> {
        let mut lacking = Vec::new();
        for origin in origins {
            if !self.grants.covers(&origin).await {
                lacking.push(origin);
            }
        }
        lacking
    }

    /// Reads the page at an address.
    ///
    /// # Errors
    /// If the page can't be read.
    pub async fn fetch(&self, address: &Address, freshness: Freshness) -> Result<Page, FetchError> {
        let asked = without_place(&address.href);
        let open = api_address(address).and_then(|it| self.web.address(&it));
        if open.is_none() && !self.grants.covers(&address.origin).await {
            let origin = address.origin.clone();
            return Err(FetchError::NotPermitted { origin });
        }
        if freshness == Freshness::Kept
            && let Some(page) = self.kept.get(asked).await
        {
            return Ok(page);
        }
        let page = match open {
            Some(open) => match self.article(address, &open).await? {
                Some(page) => page,
                // Wikipedia has no article with this name, but the page itself may contain other
                // text.
                None if self.grants.covers(&address.origin).await => self.page(address).await?,
                None => {
                    return Err(FetchError::Status {
                        status: 404,
                        retry_after_ms: None,
                    });
                }
            },
            None => self.page(address).await?,
        };
        self.kept.put(asked, &page).await;
        Ok(page)
    }

    /// Reads a Wikipedia article from the API address `open`, which needs no permission; `None` if
    /// there is no such article.
    async fn article(&self, address: &Address, open: &Address) -> Result<Option<Page>, FetchError> {
        let found = download(&*self.web, &*self.clock, open).await?;
        let text = encoding::text(&*self.web, &found.declared, &found.bytes);
        let html = page_of(address, &text).filter(|_| is_of_wikipedia(&found.url));
        let Some(html) = html else {
            return Ok(None);
        };
        let url = address.href.clone();
        let document = self
            .page_service
            .read(TextFormat::Html, html, url.clone())
            .await?;
        Ok(Some(Page { url, document }))
    }

    async fn page(&self, address: &Address) -> Result<Page, FetchError> {
        let found = download(&*self.web, &*self.clock, address).await?;
        // The final address needs permission like the requested one, even if its site allows
        // cross-origin requests.
        let ended = self.address(&found.url)?;
        if !self.grants.covers(&ended.origin).await {
            let origin = ended.origin;
            return Err(FetchError::NotPermitted { origin });
        }
        self.read(found).await
    }

    /// Runs work on a page with a time limit.
    ///
    /// # Errors
    /// The error of the work, or [`FetchError::TimedOut`].
    async fn in_time<T>(
        &self,
        work: impl Future<Output = Result<T, FetchError>>,
        within_ms: u64,
    ) -> Result<T, FetchError> {
        let within_ms = within_ms.min(MOST_PAGE_MS);
        let result = within(&*self.clock, within_ms, work).await;
        result.unwrap_or(Err(FetchError::TimedOut {
            seconds: within_ms.div_ceil(1000),
        }))
    }

    async fn read(&self, found: Download) -> Result<Page, FetchError> {
        let Download {
            url,
            declared,
            bytes,
        } = found;
        let document = match medium(&declared, &url, &bytes) {
            ContentType::Text(form) => {
                let text = encoding::text(&*self.web, &declared, &bytes);
                let may_say_more = form == TextFormat::Html && script_pages::has_scripts(&text);
                let read = self.page_service.read(form, text, url.clone()).await;
                if may_say_more && script_pages::says_little(&read) {
                    return match (self.show.read(&url).await, read) {
                        (Ok(page), _) => Ok(page),
                        // The page in the tab failed, so the text that was read without scripts is
                        // used.
                        (Err(_), Ok(document)) => Ok(Page { url, document }),
                        (Err(error), Err(_)) => Err(error),
                    };
                }
                read?
            }
            ContentType::Document(kind) => {
                // A feed is text, and the document reader supports only UTF-8.
                let bytes = match kind {
                    DocumentKind::Feed => encoding::text(&*self.web, &declared, &bytes).into(),
                    DocumentKind::Pdf | DocumentKind::Docx => bytes,
                };
                let read = self
                    .page_service
                    .read_document(bytes, kind, url.clone())
                    .await?;
                Rc::unwrap_or_clone(read)
            }
            ContentType::Other => {
                let kind = declared.split(';').next().unwrap_or_default().trim();
                let declared = kind.chars().take(MOST_KIND).collect();
                return Err(FetchError::NoText { declared });
            }
        };
        Ok(Page { url, document })
    }
}
