//! `web_fetch`: reads up to three addresses and returns the passages that relate to a question.
//!
//! Example: two of three pages are read, and the user is asked to permit the third. The
//! worker stops while the user decides. The next worker does not read the two pages again, because
//! each page is a recorded step of the call. Each step has its own time limit,
//! [`gloss_web::MOST_PAGE_MS`].

mod reading;

use super::consent::reason_of;
use super::context::source;
use super::schema::{BoundedList, arguments, choices};
use super::sent_parts::Authors;
use super::{
    Approval, Consent, Destination, ErrorKind, Execution, Group, MissingRight, Output, RoleModels,
    RunContext, SendKind, SendRequest, SourceData, StandingApproval, Tool, ToolContext, ToolError,
    ToolOutcome, host,
};
use futures::FutureExt;
use gloss_durable::json::{self, put};
use gloss_durable::{Ctx, Fut, Halt};
use gloss_model::phrase::phrase;
use gloss_model::provenance::Origin;
use gloss_model::{ContextWindow, ToolCall};
use gloss_page::ReadError;
use gloss_reader::PageService;
use gloss_web::{FetchError, Fetcher, Freshness, MOST_PAGE_MS, PageReading, Passages, Refusal};
use reading::{FetchProgress, is_off, lacks};
use serde_json::{Value, json};
use std::rc::Rc;

/// The tool's name.
pub(super) const NAME: &str = "web_fetch";

/// The maximum number of pages in one call.
pub(super) const MOST_PAGES: usize = 3;

/// The maximum number of addresses in one call. A call with more addresses is an error.
const MOST_GIVEN: usize = 1_000;

/// The maximum number of unread addresses that the result names.
const MOST_NAMED: usize = 20;

/// The token limit for all pages of a call together.
const FULL_TOKENS: u32 = 12_000;

choices! {
    /// The amount of each page to return.
    enum Detail {
        /// At most 100 words, which suffice for a fact.
        Brief = "brief",
        /// At most 400 words.
        Detailed = "detailed",
        /// As much as fits.
        Full = "full",
    }
}

impl Detail {
    /// Returns the maximum number of words from each page (DETAILS §4). `Detailed` is the default;
    /// `None` means no limit.
    fn most_words(asked: Option<Self>) -> Option<usize> {
        match asked.unwrap_or(Self::Detailed) {
            Self::Brief => Some(100),
            Self::Detailed => Some(400),
            Self::Full => None,
        }
    }
}

arguments! {
    /// The arguments.
    pub(super) struct Arguments {
        /// Whole addresses, as in `https://site.example/page`. The first three are read.
        urls: BoundedList<String, 1, MOST_GIVEN>,
        /// Your question about the pages. Only the passages relevant to it are returned.
        query: Option<String>,
        /// The length per page: brief is at most 100 words, detailed 400, full as much as fits; detailed if left out.
        detail: Option<Detail>,
        /// True to ask the site again although the page was read within the last 15 minutes.
        fresh: Option<bool>,
    }
}

/// The tool `web_fetch`. If one page can't be read, the call still returns the other pages.
pub(super) struct WebFetch {
    pub(super) fetcher: Fetcher,
    pub(super) page_service: PageService,
}

impl Tool for WebFetch {
    type Arguments = Arguments;

    const NAME: &'static str = NAME;

    const TITLE: &'static str = "msg:tool_fetch";
    const SUMMARY: &'static str = "msg:tool_fetch_means";

    const DESTINATION: Destination = Destination::FetchAddress;

    const GROUP: Option<Group> = Some(Group::WebSearch);

    const DESCRIPTION: &'static str = "Reads web pages and returns their passages that are \
        relevant to a query, with ids. Reads HTML, plain text, Markdown, JSON, CSV, PDF, DOCX \
        and feeds. Use for an address from the user's message or the page. Don't use for the \
        user's own page, and don't guess addresses. Cite a passage by its id right after the \
        claim, as in [[w1a1.p4]].";

    fn consent(
        arguments: &Arguments,
        call: &ToolCall,
        run: &RunContext,
        _: &RoleModels,
    ) -> Consent {
        let used = arguments.used();
        let (_, asked) = run.policy.split(&call.id, used);
        let mut hosts: Vec<String> = asked.iter().map(|it| host(it)).collect();
        hosts.dedup();
        let always = match hosts.as_slice() {
            [] => return Consent::Unasked,
            [host] => Some(StandingApproval::Fetches { host: host.clone() }),
            _ => None,
        };
        Consent::Shown(MissingRight::Send(Box::new(SendRequest {
            tool: Self::NAME.to_owned(),
            kind: SendKind::Fetch,
            to: hosts.join(", "),
            reason: reason_of(call),
            parts: Authors::of(run).addresses(used),
            always,
        })))
    }

    fn approved(_: &Arguments, arguments: &Value, sent: &str) -> Value {
        let urls = sent.lines().map(|url| url.trim().replace(' ', "%20"));
        let mut arguments = arguments.clone();
        put(&mut arguments, "urls", urls.collect());
        arguments
    }

    const EXAMPLES: [&'static str; 2] = [
        r#"{ "urls": ["https://tides.example/brest"], "query": "height of a spring tide", "detail": "brief" }"#,
        r#"{
            "urls": ["https://a.example/one", "https://b.example/two"],
            "query": "what each says about safety"
        }"#,
    ];

    const EXECUTION: Execution = Execution::InSteps;

    fn run_in_steps(
        &self,
        arguments: Arguments,
        context: ToolContext,
        ctx: Ctx,
    ) -> Fut<Result<ToolOutcome, Halt>> {
        let (fetcher, page_service) = (self.fetcher.clone(), self.page_service.clone());
        async move {
            let Arguments {
                urls: BoundedList(mut urls),
                query,
                detail,
                fresh,
            } = arguments;
            let left_out = urls.split_off(urls.len().min(MOST_PAGES));
            // The user has seen the addresses, or always allows the host of those that would be
            // asked about.
            let (urls, refused) = match context.approval {
                Approval::NotAsked => context.policy.split(&context.call, &urls),
                Approval::Seen | Approval::Always => (urls, Vec::new()),
            };
            if urls.is_empty() {
                return Ok(ToolOutcome::not_made(ToolError::NotApproved));
            }
            let so_far = context.so_far.as_ref().map(json::read::<FetchProgress>);
            let so_far = so_far.and_then(Result::ok).unwrap_or_default();
            let switches = context.switches.clone();
            let FetchProgress { pages, mut asked } = so_far;
            let reading = PageReading {
                passages: Passages {
                    fetcher,
                    page_service,
                    query,
                    most_words: Detail::most_words(detail),
                    budget_tokens: budget(context.room, urls.len()),
                    freshness: match fresh {
                        Some(true) => Freshness::Fresh,
                        Some(false) | None => Freshness::Kept,
                    },
                },
                urls: urls.clone(),
                source: source("w", &context.key),
                is_on: Rc::new(move || switches.is_on(Group::WebSearch)),
                within_ms: MOST_PAGE_MS,
                known: pages,
            };
            let tried = reading.read(&ctx).await?;
            let duration_ms = tried.duration_ms;
            let lacks = lacks(&tried, &asked);
            let so_far = lacks.as_ref().and_then(|_| {
                let pages = tried.read();
                asked.extend_from_slice(&tried.lacking);
                serde_json::to_value(FetchProgress { pages, asked }).ok()
            });
            let result = match lacks {
                Some(origins) => Err(ToolError::NotPermitted {
                    right: MissingRight::Pages { origins },
                }),
                None if is_off(&tried) => Err(ToolError::TurnedOff {
                    group: Group::WebSearch,
                }),
                None => page_entry(urls, tried.pages, refused, left_out),
            };
            Ok(ToolOutcome {
                result,
                duration_ms,
                role_calls: Vec::new(),
                so_far,
            })
        }
        .boxed_local()
    }
}

impl Arguments {
    /// Returns the addresses that the call reads.
    fn used(&self) -> &[String] {
        let BoundedList(urls) = &self.urls;
        urls.get(..MOST_PAGES).unwrap_or(urls)
    }
}

/// Divides the token limit of a call among its pages.
fn budget(room: ContextWindow, pages: usize) -> u32 {
    let pages = u32::try_from(pages.max(1)).unwrap_or(u32::MAX);
    room.page(FULL_TOKENS) / pages
}

/// Makes the result for the model and the user; an error if no page was read.
fn page_entry(
    urls: Vec<String>,
    pages: Vec<Result<SourceData, FetchError>>,
    refused: Vec<String>,
    mut left_out: Vec<String>,
) -> Result<Output, ToolError> {
    let (mut read, mut hosts, mut failed) = (Vec::new(), Vec::new(), Vec::new());
    for (url, page) in urls.into_iter().zip(pages) {
        match page {
            Ok(page) => {
                let host = site(page.asked.as_ref().unwrap_or(&page.url)).to_owned();
                if !hosts.contains(&host) {
                    hosts.push(host);
                }
                read.push(page);
            }
            Err(error) => failed.push((url, error)),
        }
    }
    let not_named = left_out.len().saturating_sub(MOST_NAMED);
    left_out.truncate(MOST_NAMED);
    if not_named > 0 {
        left_out.push(format!("and {not_named} more"));
    }
    if read.is_empty() {
        return Err(nothing_read(&failed, &refused, &left_out));
    }
    let refused = refused
        .into_iter()
        .map(|url| (url, ToolError::NotApproved.to_string()));
    let failed = failed
        .into_iter()
        .map(|(url, error)| (url, error.to_string()));
    let errors: Vec<Value> = failed
        .chain(refused)
        .map(|(url, error)| json!({ "url": url, "error": error }))
        .collect();
    let (count, all) = (read.len(), read.len() + errors.len());
    let mut data = json!({
        "pages": read,
        "errors": errors,
        "fetchedCount": count,
        "failedCount": all - count,
    });
    if !left_out.is_empty() {
        put(&mut data, "notRead", left_out.into());
    }
    let summary = phrase("summary_fetched").with(&count).with(&all);
    let summary = summary.with(&hosts.join(", "));
    let origins = hosts.into_iter().map(Origin::Fetched);
    Ok(Output::new(data, summary, origins.collect()))
}

/// Makes the error for a call that read no page. A retry is useless, because the fetcher has already
/// retried.
fn nothing_read(
    failed: &[(String, FetchError)],
    refused: &[String],
    left_out: &[String],
) -> ToolError {
    if let [(_, FetchError::Refused(Refusal::Closed(closed)))] = failed {
        return closed.clone().into();
    }
    let refused = refused.iter();
    let refused = refused.map(|url| format!("{url}: {}", ToolError::NotApproved));
    let told = failed.iter().map(|(url, error)| format!("{url}: {error}"));
    let mut told = told.chain(refused).collect::<Vec<_>>().join("; ");
    if !left_out.is_empty() {
        let left_out = left_out.join(", ");
        told = format!("{told}; not read, as only {MOST_PAGES} are: {left_out}");
    }
    let said = match failed {
        [(url, error)] => error.phrase(site(url)),
        several => phrase("fetch_none").with(&several.len()),
    };
    // If several pages failed, the first failure decides the kind.
    let kind = failed.first().map(|(_, error)| kind(error));
    ToolError::permanent_failure(kind.unwrap_or_default(), told, said)
}

fn kind(error: &FetchError) -> ErrorKind {
    match error {
        FetchError::Refused(Refusal::NotAnAddress | Refusal::Scheme { .. }) => {
            ErrorKind::Validation
        }
        FetchError::Refused(_)
        | FetchError::NotPermitted { .. }
        | FetchError::TurnedOff
        | FetchError::RedirectRefused { .. } => ErrorKind::Refused,
        FetchError::Unreachable { .. } | FetchError::Cut => ErrorKind::Network,
        FetchError::Status { status, .. } => ErrorKind::of_status(*status),
        FetchError::TimedOut { .. } => ErrorKind::Timeout,
        FetchError::NoText { .. } | FetchError::Read(ReadError::Empty) => ErrorKind::Empty,
        FetchError::TooLarge { .. } | FetchError::NoTextInTab { .. } | FetchError::Read(_) => {
            ErrorKind::Other
        }
    }
}

/// Returns the host of an address, or the given text if it is not an address.
fn site(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Argument;

    #[test]
    fn a_failure_is_of_a_kind_whatever_the_address_looks_like() {
        let status = |status| FetchError::Status {
            status,
            retry_after_ms: None,
        };
        let message = "net::ERR_FAILED".to_owned();
        let table = [
            (status(404), ErrorKind::NotFound),
            (status(403), ErrorKind::Refused),
            (status(429), ErrorKind::RateLimit),
            (status(503), ErrorKind::Network),
            (FetchError::Unreachable { message }, ErrorKind::Network),
            (FetchError::Cut, ErrorKind::Network),
            (FetchError::TimedOut { seconds: 30 }, ErrorKind::Timeout),
            (
                FetchError::Refused(Refusal::NotAnAddress),
                ErrorKind::Validation,
            ),
            (
                FetchError::Refused(Refusal::Credentials),
                ErrorKind::Refused,
            ),
            (FetchError::Read(ReadError::Empty), ErrorKind::Empty),
            (FetchError::TooLarge { megabytes: 5 }, ErrorKind::Other),
        ];
        for (error, kind) in table {
            let said = error.to_string();
            let failed = [("https://shop.test/p/40412?no=text&429".to_owned(), error)];
            assert_eq!(nothing_read(&failed, &[], &[]).kind(), kind, "{said}");
        }
    }

    #[test]
    fn brief_is_a_hundred_words_and_four_hundred_are_given_where_nobody_said() {
        for (asked, most) in [
            (Some("brief"), Some(100)),
            (Some("detailed"), Some(400)),
            (Some("full"), None),
            (None, Some(400)),
        ] {
            let mut given = json!({ "urls": ["https://tides.example/"] });
            if let Some(detail) = asked {
                given["detail"] = detail.into();
            }
            let given = <Arguments as Argument>::read(&given).unwrap();
            assert_eq!(Detail::most_words(given.detail), most, "{asked:?}");
        }
    }
}
