//! `web_search`: searches the web, grades the results and reads the best of them (SPEC §6).

use super::consent::reason_of;
use super::context::source;
use super::query::{Dates, QueryText};
use super::schema::{BoundedList, arguments, choices};
use super::sent_parts::Authors;
use super::{
    Approval, Consent, ConsentState, Destination, ErrorKind, Execution, Group, MissingRight,
    ModelRole, Output, PassageOrigin, Requirement, RoleModels, RunContext, SendKind, SendRequest,
    StandingApproval, Tool, ToolContext, ToolError, ToolOutcome, host, site,
};
use futures::FutureExt;
use gloss_durable::json::{self, put};
use gloss_durable::{Ctx, Fut, Halt};
use gloss_model::phrase::{Phrase, phrase};
use gloss_model::provenance::Origin;
use gloss_model::{ContextWindow, ToolCall};
use gloss_web::rag::{
    self, Findings, Judge, MissingPermission, Research, ResearchProgress, ResearchRequest, research,
};
use gloss_web::search::{Category, Kind, Provider, Query};
use gloss_web::{Fetcher, Freshness, Passages};
use serde_json::Value;
use std::future::ready;
use std::rc::Rc;

/// Another name for this tool, which some models use in their calls (DETAILS §2).
pub(super) const ALIAS: &str = "search_web_for_info";

pub(super) const NAME: &str = "web_search";

/// The maximum number of aspects that a call may list.
const MOST_ASPECTS: usize = 6;

/// The maximum number of words from each page.
const MOST_WORDS: usize = 400;

/// The token limit for the passages of all pages together.
const PAGES_TOKENS: u32 = 6_000;

choices!(Category);

choices!(Kind);

arguments! {
    /// The arguments.
    pub(super) struct Arguments {
        /// The query in a few words, at most 200 characters. The user sees it, and it is sent to their search provider: include nothing private.
        query: QueryText,
        /// Search only sources trusted for this category.
        source_category: Option<Category>,
        /// The aspects that the answer must cover, each in a few words.
        target_info: Option<BoundedList<QueryText, 1, MOST_ASPECTS>>,
        /// The publication date: day, week, month, year (the last one), or as in 2026-01-01..2026-01-31.
        date_range: Option<Dates>,
        /// web if left out; images and videos are shown to the user and can't be cited.
        kind: Option<Kind>,
        /// True to repeat a search of the last hour.
        fresh: Option<bool>,
    }
}

pub(super) struct WebSearch {
    pub(super) fetcher: Fetcher,
    pub(super) judge: Judge,
}

impl Tool for WebSearch {
    type Arguments = Arguments;

    const NAME: &'static str = NAME;

    const TITLE: &'static str = "msg:tool_search";
    const SUMMARY: &'static str = "msg:tool_search_means";

    const DESTINATION: Destination = Destination::SearchQuery;

    const GROUP: Option<Group> = Some(Group::WebSearch);

    const MODEL_ROLE: Option<ModelRole> = Some(ModelRole::Light);

    const EXECUTION: Execution = Execution::InSteps;

    const READS_FOUND_ADDRESSES: bool = true;

    const NEEDS: Option<Requirement> = Some(Requirement::Search);

    const DESCRIPTION: &'static str = "Searches the web, grades the results, searches again with \
        other words if too few are relevant, and returns passages of the best pages, with ids. \
        Use for what neither the page nor you know: facts, figures, recent events, other views. \
        Don't use for content of the page, and don't repeat a search in other words. Answer only \
        from the passages in `pages`, and cite each by its id right after the claim, as in \
        [[s1a1.p4]].";

    const EXAMPLES: [&'static str; 2] = [
        r#"{ "query": "height of spring tide Brest" }"#,
        r#"{
            "query": "high water Liverpool 28 November 2026",
            "sourceCategory": "government",
            "targetInfo": ["time of high water", "height in metres"],
            "dateRange": "month"
        }"#,
    ];

    fn consent(
        arguments: &Arguments,
        call: &ToolCall,
        run: &RunContext,
        _: &RoleModels,
    ) -> Consent {
        let query = run.policy.without_operators(&arguments.query.0);
        let provider = run.search.as_ref().map(|it| it.name().to_owned());
        let Some(provider) = provider.filter(|_| !run.policy.is_said(&query)) else {
            return Consent::Unasked;
        };
        Consent::Shown(MissingRight::Send(Box::new(SendRequest {
            tool: NAME.to_owned(),
            kind: SendKind::Search,
            to: provider.clone(),
            reason: reason_of(call),
            parts: Authors::of(run).query(&query),
            always: Some(StandingApproval::Searches { provider }),
        })))
    }

    fn approved(_: &Arguments, arguments: &Value, sent: &str) -> Value {
        let words: Vec<&str> = sent.split_whitespace().collect();
        let mut arguments = arguments.clone();
        put(&mut arguments, "query", words.join(" ").into());
        arguments
    }

    fn run_in_steps(
        &self,
        arguments: Arguments,
        context: ToolContext,
        ctx: Ctx,
    ) -> Fut<Result<ToolOutcome, Halt>> {
        let Some(provider) = context.search.clone() else {
            let error = ToolError::permanent_failure(
                ErrorKind::Other,
                "no search provider is set up",
                phrase("tool_failed"),
            );
            return ready(Ok(ToolOutcome::not_made(error))).boxed_local();
        };
        let with = self.research(provider, &arguments, &context);
        let mut asked = arguments.research_request(&context);
        if asked.query.text.trim().is_empty() {
            return ready(Ok(ToolOutcome::not_made(ToolError::NotApproved))).boxed_local();
        }
        let instead = instead(&mut asked.query, &*with.provider);
        let so_far = context.so_far.as_ref().map(json::read::<ResearchProgress>);
        let so_far = so_far.and_then(Result::ok);
        async move {
            let done = research(&ctx, &with, asked, so_far).await?;
            let mut waits = None;
            let result = match done.lacks.filter(|_| with.may_ask) {
                Some(MissingPermission::Provider(origin)) => Err(ToolError::NotPermitted {
                    right: MissingRight::Search {
                        name: done.findings.provider,
                        origin,
                    },
                }),
                Some(MissingPermission::Pages { origins, so_far }) => {
                    waits = serde_json::to_value(so_far).ok();
                    Err(ToolError::NotPermitted {
                        right: MissingRight::Pages { origins },
                    })
                }
                None if done.is_off => Err(ToolError::TurnedOff {
                    group: Group::WebSearch,
                }),
                None => Ok(result_output(done.findings, instead)),
            };
            Ok(ToolOutcome {
                result,
                duration_ms: done.duration_ms,
                role_calls: done.role_calls,
                so_far: waits,
            })
        }
        .boxed_local()
    }
}

impl WebSearch {
    fn research(
        &self,
        provider: Rc<dyn Provider>,
        arguments: &Arguments,
        context: &ToolContext,
    ) -> Research {
        Research {
            provider,
            passages: Passages {
                fetcher: self.fetcher.clone(),
                page_service: self.judge.page_service.clone(),
                query: None,
                most_words: Some(MOST_WORDS),
                budget_tokens: budget(context.room),
                freshness: match arguments.fresh {
                    Some(true) => Freshness::Fresh,
                    Some(false) | None => Freshness::Kept,
                },
            },
            judge: self.judge.clone(),
            is_on: {
                let switches = context.switches.clone();
                Rc::new(move || switches.is_on(Group::WebSearch))
            },
            may_ask: context.rights == ConsentState::MayBeAsked,
            may_send: {
                let (policy, approval) = (context.policy.clone(), context.approval);
                let first = arguments.sent(context);
                Rc::new(move |query| {
                    let words = query.split_whitespace();
                    // The words with which Gloss itself changes a query are Gloss's own.
                    let words = words.filter(|word| !rag::is_general(word));
                    let words = words.collect::<Vec<_>>().join(" ");
                    policy.keeps_operators(query, &first)
                        && (approval != Approval::NotAsked || policy.may_search(&words))
                })
            },
            may_show_results: context.approval != Approval::NotAsked,
            reads_left: {
                let (policy, call) = (context.policy.clone(), context.call.clone());
                Rc::new(move |url| policy.fetches_left(&call, &site(url)))
            },
            prompts: context.prompts.clone(),
            aid: context.aid.clone(),
            source: source("s", &context.key),
        }
    }
}

impl Arguments {
    /// Returns the query that is sent.
    fn sent(&self, context: &ToolContext) -> String {
        let QueryText(text) = &self.query;
        match context.approval {
            Approval::Seen => text.clone(),
            Approval::NotAsked | Approval::Always => context.policy.without_operators(text),
        }
    }

    fn research_request(self, context: &ToolContext) -> ResearchRequest {
        let text = self.sent(context);
        let aspects = self.target_info.map(|BoundedList(aspects)| aspects);
        let aspects = aspects
            .into_iter()
            .flatten()
            .map(|QueryText(aspect)| aspect);
        let policy = &context.policy;
        let dates = self.date_range.map(|Dates(dates)| dates);
        let is_always = context.approval == Approval::Always;
        let dates = dates.filter(|it| is_always || policy.may_narrow(it));
        let is_unseen = is_always && !policy.is_said(&text);
        ResearchRequest {
            graded_for: is_unseen.then(|| context.asked.to_string()),
            query: Query {
                text,
                category: self.source_category,
                dates,
                kind: self.kind.unwrap_or_default(),
                language: String::new(),
            },
            aspects: aspects.collect(),
            by_person: context.asked.clone(),
            said: context.said.clone(),
            is_fresh: self.fresh == Some(true),
        }
    }
}

/// Returns the token limit for one page. A search reads three pages.
fn budget(room: ContextWindow) -> u32 {
    room.page(PAGES_TOKENS) / 3
}

/// If the provider has no results of the requested kind, changes the query to search for pages.
/// Returns a sentence that tells the model about the change.
fn instead(query: &mut Query, provider: &dyn Provider) -> Option<String> {
    if provider.has(query.kind) {
        return None;
    }
    let what = match std::mem::take(&mut query.kind) {
        Kind::Web => "pages",
        Kind::Image => "images",
        Kind::Video => "videos",
        Kind::News => "news of its own",
    };
    let name = provider.name();
    Some(format!(
        "{name} has no {what}: pages were searched instead."
    ))
}

/// Makes the result of a search. A search that finds nothing or fails is not an error: the run
/// continues, and the answer says what is missing.
fn result_output(mut findings: Findings, instead: Option<String>) -> Output {
    if let Some(instead) = instead {
        findings.advice = format!("{instead} {}", findings.advice);
    }
    let summary = summary(&findings);
    let read = findings.pages.iter().filter(|page| {
        let found = page.found.as_ref();
        found.is_some_and(|found| found.standing == PassageOrigin::Read)
    });
    let read = read.map(|page| Origin::Fetched(host(&page.url)));
    let provenance = [Origin::SearchResult].into_iter().chain(read).collect();
    let data = serde_json::to_value(findings).unwrap_or_default();
    Output::new(data, summary, provenance)
}

fn summary(findings: &Findings) -> Phrase {
    let rag::Findings {
        searched,
        pages,
        not_relevant,
        unchecked,
        cards,
        failure,
        ..
    } = findings;
    let all = pages.len() + not_relevant.len() + unchecked.len();
    match (pages.len(), unchecked.len(), cards.len()) {
        (0, 0, 0) if failure.is_some() => phrase("summary_search_failed").with(&findings.provider),
        (0, 0, 0) => phrase("summary_search_nothing").with(&searched.len()),
        (0, 0, cards) => phrase("summary_search_cards").with(&cards),
        (0, unchecked, _) => phrase("summary_search_unchecked").with(&unchecked),
        (relevant, ..) => phrase("summary_searched").with(&all).with(&relevant),
    }
}
