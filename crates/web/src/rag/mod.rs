//! Agentic retrieval (SPEC §6): searches, grades the results, rewrites the query, and reads pages.
//!
//! Example: "When is high water at Hilbre?" finds five pages, and one of them is relevant.
//! The query is rewritten, and the second search finds four relevant pages. The answer is written
//! from passages of the best three. [`research`] does all of this. Every effect of this function is
//! a step, so a search that was interrupted continues when the function is called again. Its
//! [`Findings`] contain three lists: pages that may be cited, pages that are not relevant with the
//! reasons, and pages that were not graded.
//!
//! Deliberately absent: the provider of results ([`crate::search::Provider`]), consent
//! (`tools::consent`), and the citations of an answer (`agent::citations`).

mod activity;
mod aspects;
mod findings;
mod grade;
mod judge;
mod query;
mod read;
mod rewrite;
mod search;

pub use activity::{activity, model_calls, sent_usage};
pub use findings::{Card, Findings, IrrelevantResult, UngradedResult};
pub use grade::{Grade, Grader, MOST_MS as A_GRADING_MS, Wanted};
pub use judge::{A_SEARCH, Judge, JudgeCall, SENT};
pub use query::{is_general, is_new, reword};
pub use rewrite::{MOST_MS as A_REWRITE_MS, MOST_REWRITES, Rewritten};

use crate::search::{Kind, Provider, Query};
use crate::{Passages, SourceData};
use findings::{GradedResults, Round};
use gloss_durable::{Clock, Ctx, Halt};
use gloss_model::prompts::Prompts;
use gloss_model::role_models::{RoleCall, RoleModels};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The minimum share of relevant results, in percent. If a search reaches it, the query is not
/// rewritten.
const ENOUGH_PERCENT: usize = 50;

/// The maximum number of relevant pages that are read, the best first (DETAILS §6).
pub const MOST_READ: usize = 3;

/// The limit on the active time of a whole search, in milliseconds (DETAILS §2). Each step gets at
/// most the time that is left, so the findings so far are always returned.
pub const MOST_MS: u64 = 120_000;

/// The input of [`research`].
#[derive(Debug, Clone)]
pub struct ResearchRequest {
    /// The search query, with its filters.
    pub query: Query,
    /// The aspects that the answer should cover, each in a few words.
    pub aspects: Vec<String>,
    /// The message of the user that led to the search.
    pub by_person: Rc<str>,
    /// The user's own messages, oldest first. They determine the language of the search.
    pub said: Rc<[String]>,
    /// True if the provider is asked even if the result is cached.
    pub is_fresh: bool,
    /// The question by which the results are graded, if it isn't the query: after untrusted text
    /// was read, a query that the user has not seen doesn't decide which pages are read.
    pub graded_for: Option<String>,
}

/// The services and settings of a search.
#[derive(Clone)]
pub struct Research {
    /// The search provider.
    pub provider: Rc<dyn Provider>,
    /// Reads the pages. Its field `query` is replaced by the question of the search.
    pub passages: Passages,
    /// Grades results and rewrites queries.
    pub judge: Judge,
    /// Returns true while the user's switch for web search is on.
    pub is_on: Rc<dyn Fn() -> bool>,
    /// True if the user may be asked for permission to read the results.
    pub may_ask: bool,
    /// Returns true if a rewritten query may be sent without asking.
    pub may_send: Rc<dyn Fn(&str) -> bool>,
    /// True if the model that rewrites a query may read the results. A rewritten query then has
    /// their origin, so the user must have approved the search.
    pub may_show_results: bool,
    /// Returns the number of pages of an address's site that the search may read.
    pub reads_left: Rc<dyn Fn(&str) -> usize>,
    /// The prompts that are in use for the run.
    pub prompts: Rc<Prompts>,
    /// The models that may be called.
    pub aid: RoleModels,
    /// The prefix of the ids of pages, as in `s2a`.
    pub source: String,
}

/// The outcome of a search, and its usage.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResearchOutcome {
    /// The findings.
    pub findings: Findings,
    /// The permissions that the search needs; `None` if it needs none.
    pub lacks: Option<MissingPermission>,
    /// True if the user turned web search off during the search.
    pub is_off: bool,
    /// The sum of the active times of the steps, in milliseconds.
    pub duration_ms: u64,
    /// The model calls of the search.
    pub role_calls: Vec<RoleCall>,
}

/// The permissions that a search needs.
#[derive(Debug, Clone, PartialEq)]
pub enum MissingPermission {
    /// Permission for the provider's origin. Nothing was searched.
    Provider(String),
    /// Permission for the sites of pages that should be read.
    Pages {
        /// The origins, as in `https://a.example`.
        origins: Vec<String>,
        /// The progress from which the search continues after the user has answered.
        so_far: Box<ResearchProgress>,
    },
}

/// The progress of a search that waits for the user: the results, their grades, and the pages that
/// were already read. It is a part of the call's outcome, and is stored in the same way
/// (`durable::bodies`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResearchProgress {
    known: GradedResults,
    findings: Findings,
    /// The pages that were read, by their rank among the relevant pages, from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    read: Vec<(u32, SourceData)>,
    duration_ms: u64,
}

/// Searches until enough results are relevant, then reads the best of them. If `so_far` is given,
/// continues a search that waited for the user.
///
/// # Errors
/// [`Halt`] if the run can't continue in this worker.
pub async fn research(
    ctx: &Ctx,
    with: &Research,
    asked: ResearchRequest,
    so_far: Option<ResearchProgress>,
) -> Result<ResearchOutcome, Halt> {
    let mut work = ResearchState::new(ctx, with, &asked);
    match so_far {
        Some(so_far) => work.go_on(so_far),
        None => work.find().await?,
    }
    // The call returns no findings now, because the user is asked first, or has turned web search
    // off.
    if work.lacks.is_some() && with.may_ask || work.is_off {
        return Ok(work.close());
    }
    let found = work.so_far();
    let lacking = work.read().await?;
    if !lacking.is_empty() && with.may_ask {
        let so_far = ResearchProgress {
            read: std::mem::take(&mut work.read),
            duration_ms: work.duration_ms,
            ..found
        };
        work.lacks = Some(MissingPermission::Pages {
            origins: lacking,
            so_far: Box::new(so_far),
        });
        return Ok(work.close());
    }
    work.cover().await?;
    Ok(work.close())
}

impl ResearchState<'_> {
    /// Searches, and rewrites the query until enough results are relevant.
    async fn find(&mut self) -> Result<(), Halt> {
        let work = self;
        let asked = work.asked;
        let mut queries = vec![asked.query.text.clone()];
        while let Some(query) = queries.last() {
            let Some(hits) = work.search(queries.len(), query).await? else {
                break;
            };
            // If a search for images or videos finds none, the query is rewritten, as for pages.
            if is_shown(asked.query.kind) && !hits.is_empty() {
                work.findings.show(hits);
                break;
            }
            let round = work.grade(queries.len(), hits).await?;
            let is_last = queries.len() > MOST_REWRITES || work.is_over();
            // Results that were not graded before the time limit are used without grades (SPEC §6).
            if round.is_enough() || round.is_ungraded || is_last {
                break;
            }
            let rewritten = work.rewrite(&queries, &round).await?;
            // The search ends with what it has found, because the user would have to be asked.
            if work.is_over() || !(work.with.may_send)(&rewritten) {
                break;
            }
            queries.push(rewritten);
        }
        Ok(())
    }

    fn go_on(&mut self, so_far: ResearchProgress) {
        let ResearchProgress {
            known,
            findings,
            read,
            duration_ms,
        } = so_far;
        self.known = known;
        self.findings = findings;
        self.read = read;
        (self.duration_ms, self.before_ms) = (duration_ms, duration_ms);
    }

    fn so_far(&self) -> ResearchProgress {
        ResearchProgress {
            known: self.known.clone(),
            findings: self.findings.clone(),
            read: Vec::new(),
            duration_ms: self.duration_ms,
        }
    }
}

/// Joins a question and its aspects.
fn in_full(question: &str, aspects: &[String]) -> String {
    let parts = [question]
        .into_iter()
        .chain(aspects.iter().map(String::as_str));
    parts.collect::<Vec<_>>().join("; ")
}

/// Returns true for images and videos, which are shown as cards and can't be cited.
fn is_shown(kind: Kind) -> bool {
    match kind {
        Kind::Image | Kind::Video => true,
        Kind::Web | Kind::News => false,
    }
}

impl Round {
    /// Returns true if the query needs no rewrite. A share of exactly [`ENOUGH_PERCENT`] is enough.
    fn is_enough(&self) -> bool {
        self.relevant > 0 && self.relevant * 100 >= self.found * ENOUGH_PERCENT
    }
}

/// The state of a running search.
struct ResearchState<'a> {
    ctx: &'a Ctx,
    with: &'a Research,
    asked: &'a ResearchRequest,
    known: GradedResults,
    findings: Findings,
    /// The relevant pages that were read, by their rank.
    read: Vec<(u32, SourceData)>,
    lacks: Option<MissingPermission>,
    is_off: bool,
    duration_ms: u64,
    /// The part of `duration_ms` from before the user was asked.
    before_ms: u64,
    role_calls: Vec<RoleCall>,
}

impl<'a> ResearchState<'a> {
    fn new(ctx: &'a Ctx, with: &'a Research, asked: &'a ResearchRequest) -> Self {
        Self {
            ctx,
            with,
            asked,
            known: GradedResults::default(),
            findings: Findings::by(with.provider.name()),
            read: Vec::new(),
            lacks: None,
            is_off: false,
            duration_ms: 0,
            before_ms: 0,
            role_calls: Vec::new(),
        }
    }

    /// Returns the time limit of a step in ms: the time that is left for the search, but at most
    /// `most_ms`.
    fn within(&self, most_ms: u64) -> u64 {
        MOST_MS.saturating_sub(self.duration_ms).min(most_ms)
    }

    fn is_over(&self) -> bool {
        self.duration_ms >= MOST_MS
    }

    /// Returns the question that the passages should answer.
    fn question(&self) -> String {
        in_full(&self.asked.query.text, &self.asked.aspects)
    }

    fn clock(&self) -> Rc<dyn Clock> {
        self.with.judge.clock.clone()
    }

    /// Returns the judge, with a separate count of model calls.
    fn judging(&self) -> JudgeCall {
        JudgeCall {
            judge: self.with.judge.clone(),
            aid: self.with.aid.for_one_call(),
            prompts: self.with.prompts.clone(),
        }
    }

    fn close(self) -> ResearchOutcome {
        let Query {
            category, dates, ..
        } = &self.asked.query;
        let narrowed = category.is_some() || dates.is_some();
        let is_wide = narrowed && !self.with.provider.can_filter();
        ResearchOutcome {
            findings: self.findings.advised(is_wide),
            lacks: self.lacks,
            is_off: self.is_off,
            duration_ms: self.duration_ms - self.before_ms,
            role_calls: self.role_calls,
        }
    }
}
