//! Agentic retrieval (SPEC §6): search, grade, rewrite, read; and what came of it.
//!
//! Driving example: "When is high water at Hilbre?" finds five pages, of which one bears on it;
//! the query is written anew, the second search finds four that do, and of the best three the
//! passages are read from which the answer is written. [`research`] is all of it: one
//! function whose every effect is a step, so that a killed search is the same function called
//! again. What it found ([`Findings`]) says which pages may be cited, which were not relevant
//! and why, and which nobody graded.
//!
//! Deliberately absent: who is asked to search ([`crate::search::Provider`]), what may be asked
//! unasked (`tools::consent`), and what an answer cites (`agent::citations`).

mod aspects;
mod doing;
mod findings;
mod grade;
mod judge;
mod query;
mod read;
mod rewrite;
mod search;

pub use doing::{SENT, aided, doing, sent};
pub use findings::{Card, Findings, Judged, Unchecked};
pub use grade::{Grade, Grader, MOST_MS as A_GRADING_MS, Wanted};
pub use judge::{A_SEARCH, Judge, Judging};
pub use query::{differs, reworded};
pub use rewrite::{MOST_MS as A_REWRITE_MS, Rewritten};

use crate::search::{Kind, Provider, Query};
use crate::{Passages, SourceData};
use findings::{Known, Round};
use gloss_durable::{Clock, Ctx, Halt};
use gloss_model::aid::{Aid, Aided};
use gloss_model::prompts::Prompts;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The query is written anew so often at most (Property 8).
pub const MOST_REWRITES: usize = 2;

/// A search that found a smaller share of relevant results than this is not enough, in percent.
const ENOUGH_PERCENT: usize = 50;

/// So many of the best relevant pages are read (DETAILS §6).
const MOST_READ: u32 = 3;

/// The active time of all of it (DETAILS §2). Each step is given what is left: what was found
/// by then is given, and nothing is cut off in the middle.
pub const MOST_MS: u64 = 120_000;

/// What is wanted.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The search.
    pub query: Query,
    /// What the answer is to cover, each in a few words.
    pub aspects: Vec<String>,
    /// What the person asked, for which it is searched.
    pub by_person: Rc<str>,
    /// What the user said in words of their own, the latest last: it tells the language.
    pub said: Rc<[String]>,
    /// Whether the provider is to be asked although the same was asked a short while ago.
    pub is_fresh: bool,
}

/// What it is done with.
#[derive(Clone)]
pub struct Research {
    /// Who is asked.
    pub provider: Rc<dyn Provider>,
    /// Reads pages; the query is set here.
    pub passages: Passages,
    /// Grades and rewrites.
    pub judge: Judge,
    /// Whether the person lets the web be asked, at this moment.
    pub is_on: Rc<dyn Fn() -> bool>,
    /// Whether the person may be asked for leave to read what was found.
    pub may_ask: bool,
    /// The prompts in force.
    pub prompts: Rc<Prompts>,
    /// The models that may be asked.
    pub aid: Aid,
    /// What the ids of its pages begin with, as in `s2a`.
    pub source: String,
}

/// What came of it, and what it took.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Researched {
    /// What was found.
    pub findings: Findings,
    /// What the person would have to allow.
    pub lacks: Option<Lacks>,
    /// The person turned searches off while this one was at work.
    pub is_off: bool,
    /// The active time of its steps.
    pub duration_ms: u64,
    /// What was asked of models.
    pub aided: Vec<Aided>,
}

/// What only the person can give a search.
#[derive(Debug, Clone, PartialEq)]
pub enum Lacks {
    /// The provider's origin: nothing was searched.
    Provider(String),
    /// The sites of pages that are to be read.
    Pages {
        /// As in `https://a.example`.
        origins: Vec<String>,
        /// What it goes on with once they have answered.
        so_far: Box<SoFar>,
    },
}

/// Where a search stands that waits for the person's word: what was found, its grades, and
/// what of it was read already. As a part of an outcome it stands where outcomes of its size
/// do (`durable::bodies`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SoFar {
    known: Known,
    findings: Findings,
    /// Pages by their rank, from 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    read: Vec<(u32, SourceData)>,
    duration_ms: u64,
}

/// Searches until enough is relevant, then reads the best of it; or goes on where it waited.
///
/// # Errors
/// [`Halt`]: the run goes no further in this life.
pub async fn research(
    ctx: &Ctx,
    with: &Research,
    asked: Asked,
    so_far: Option<SoFar>,
) -> Result<Researched, Halt> {
    let mut work = Work::new(ctx, with, &asked);
    match so_far {
        Some(so_far) => work.go_on(so_far),
        None => work.find().await?,
    }
    // Nothing of it would be told: the person is asked, or has turned it off.
    if work.lacks.is_some() && with.may_ask || work.is_off {
        return Ok(work.close());
    }
    let found = work.so_far();
    let lacking = work.read().await?;
    if !lacking.is_empty() && with.may_ask {
        let so_far = SoFar {
            read: std::mem::take(&mut work.read),
            duration_ms: work.duration_ms,
            ..found
        };
        work.lacks = Some(Lacks::Pages {
            origins: lacking,
            so_far: Box::new(so_far),
        });
        return Ok(work.close());
    }
    work.cover().await?;
    Ok(work.close())
}

impl Work<'_> {
    /// Searches until enough is relevant, in other words where it is not.
    async fn find(&mut self) -> Result<(), Halt> {
        let work = self;
        let asked = work.asked;
        let mut queries = vec![asked.query.text.clone()];
        while let Some(query) = queries.last() {
            let Some(hits) = work.search(queries.len(), query).await? else {
                break;
            };
            // None at all is asked for in other words, as of pages.
            if is_shown(asked.query.kind) && !hits.is_empty() {
                work.findings.show(hits);
                break;
            }
            let round = work.grade(queries.len(), hits).await?;
            let is_last = queries.len() > MOST_REWRITES || work.is_over();
            // What nobody graded in time is used as it is (SPEC §6).
            if round.is_enough() || round.is_ungraded || is_last {
                break;
            }
            let rewritten = work.rewrite(&queries, &round).await?;
            if work.is_over() {
                break;
            }
            queries.push(rewritten);
        }
        Ok(())
    }

    fn go_on(&mut self, so_far: SoFar) {
        let SoFar {
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

    fn so_far(&self) -> SoFar {
        SoFar {
            known: self.known.clone(),
            findings: self.findings.clone(),
            read: Vec::new(),
            duration_ms: self.duration_ms,
        }
    }
}

/// A question with what its answer is to cover besides.
fn in_full(question: &str, aspects: &[String]) -> String {
    let parts = [question]
        .into_iter()
        .chain(aspects.iter().map(String::as_str));
    parts.collect::<Vec<_>>().join("; ")
}

/// Pictures and films are shown as cards; they are no sources.
fn is_shown(kind: Kind) -> bool {
    match kind {
        Kind::Image | Kind::Video => true,
        Kind::Web | Kind::News => false,
    }
}

impl Round {
    /// Whether the search need not be tried in other words. Exactly half is enough.
    fn is_enough(&self) -> bool {
        self.relevant > 0 && self.relevant * 100 >= self.found * ENOUGH_PERCENT
    }
}

/// A search at work.
struct Work<'a> {
    ctx: &'a Ctx,
    with: &'a Research,
    asked: &'a Asked,
    known: Known,
    findings: Findings,
    /// The relevant pages that were read, by their rank.
    read: Vec<(u32, SourceData)>,
    lacks: Option<Lacks>,
    is_off: bool,
    duration_ms: u64,
    /// How much of that was before the person was asked.
    before_ms: u64,
    aided: Vec<Aided>,
}

impl<'a> Work<'a> {
    fn new(ctx: &'a Ctx, with: &'a Research, asked: &'a Asked) -> Self {
        Self {
            ctx,
            with,
            asked,
            known: Known::default(),
            findings: Findings::by(with.provider.name()),
            read: Vec::new(),
            lacks: None,
            is_off: false,
            duration_ms: 0,
            before_ms: 0,
            aided: Vec::new(),
        }
    }

    /// What is left of the time, and no more than a step takes.
    fn within(&self, most_ms: u64) -> u64 {
        MOST_MS.saturating_sub(self.duration_ms).min(most_ms)
    }

    fn is_over(&self) -> bool {
        self.duration_ms >= MOST_MS
    }

    /// What the results are to bear on.
    fn question(&self) -> String {
        in_full(&self.asked.query.text, &self.asked.aspects)
    }

    fn clock(&self) -> Rc<dyn Clock> {
        self.with.judge.clock.clone()
    }

    fn judging(&self) -> Judging {
        Judging {
            judge: self.with.judge.clone(),
            aid: self.with.aid.clone(),
            prompts: self.with.prompts.clone(),
        }
    }

    fn close(self) -> Researched {
        let Query {
            category, dates, ..
        } = &self.asked.query;
        let narrowed = category.is_some() || dates.is_some();
        let is_wide = narrowed && !self.with.provider.narrows();
        Researched {
            findings: self.findings.advised(is_wide),
            lacks: self.lacks,
            is_off: self.is_off,
            duration_ms: self.duration_ms - self.before_ms,
            aided: self.aided,
        }
    }
}
