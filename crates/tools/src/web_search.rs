//! `web_search`: what the web says, graded and read (SPEC §6).

use super::context::source;
use super::query::{Dates, Words};
use super::schema::{List, arguments, choices};
use super::{
    ErrorKind, Group, Made, Need, Needs, Output, Part, Rights, Tool, ToolContext, ToolError,
    ToolOutcome,
};
use futures::FutureExt;
use gloss_durable::{Ctx, Fut, Halt, json};
use gloss_model::Room;
use gloss_model::phrase::{Phrase, phrase};
use gloss_web::rag::{self, Asked, Findings, Judge, Lacks, MOST_MS, Research, SoFar, research};
use gloss_web::search::{Category, Kind, Provider, Query};
use gloss_web::{Fetcher, Freshness, Passages};
use std::future::ready;
use std::rc::Rc;

/// By which some models know it (DETAILS §2).
pub(super) const ALIAS: &str = "search_web_for_info";

pub(super) const NAME: &str = "web_search";

/// So many aspects are looked for.
const MOST_ASPECTS: usize = 6;

/// So many words of each page that is read.
const MOST_WORDS: usize = 400;

/// What the pages may take together, in tokens.
const PAGES_TOKENS: u32 = 6_000;

choices! {
    /// A source category.
    enum SourceCategory {
        /// Encyclopedias.
        Encyclopedia = "encyclopedia",
        /// Programming.
        Programming = "programming",
        /// Papers.
        Academic = "academic",
        /// Governments and the like.
        Government = "government",
        /// Money.
        Finance = "finance",
        /// Technology.
        Tech = "tech",
        /// Works of reference.
        Reference = "reference",
        /// News.
        News = "news",
        /// Health.
        Health = "health",
        /// Law.
        Legal = "legal",
        /// Sports.
        Sports = "sports",
    }
}

choices! {
    /// What is looked for.
    enum Looked {
        /// Pages.
        Web = "web",
        /// Pictures.
        Image = "image",
        /// Films.
        Video = "video",
        /// Reports of the day.
        News = "news",
    }
}

arguments! {
    /// What is searched for.
    pub(super) struct Arguments {
        /// The search in a few words, at most 200 characters. The user sees it, and it goes to their search provider: put nothing private into it.
        query: Words,
        /// Only sources trusted for this.
        source_category: Option<SourceCategory>,
        /// What the answer has to cover, each in a few words.
        target_info: Option<List<Words, 1, MOST_ASPECTS>>,
        /// When it was published: day, week, month, year (the last one), or as 2026-01-01..2026-01-31.
        date_range: Option<Dates>,
        /// web if left out; images and videos are shown to the user and can't be cited.
        kind: Option<Looked>,
        /// True to search again although the same was searched within the hour.
        fresh: Option<bool>,
    }
}

/// Searches the web.
pub(super) struct WebSearch {
    pub(super) fetcher: Fetcher,
    pub(super) judge: Judge,
}

impl Tool for WebSearch {
    type Arguments = Arguments;

    const NAME: &'static str = NAME;

    const TITLE: &'static str = "msg:tool_search";
    const MEANS: &'static str = "msg:tool_search_means";

    const GROUP: Option<Group> = Some(Group::WebSearch);

    const TIMEOUT_MS: u64 = MOST_MS;

    const ASKS: Option<Part> = Some(Part::Light);

    const MADE: Made = Made::InSteps;

    const FINDS: bool = true;

    const NEEDS: Option<Needs> = Some(Needs::Search);

    const DESCRIPTION: &'static str = "Searches the web, grades every result, searches again in other \
        words where too little is relevant, and gives the passages of the best pages, with ids. \
        Use for what the page and you don't know: facts, figures, recent events, other views. \
        Don't use for what the page says, and don't repeat a search in other words: that is done. \
        Answer from its passages alone, and cite each by its id right after the claim, as in \
        [[s1a1.p4]]; what is not in `pages` is not to be cited.";

    const EXAMPLES: [&'static str; 2] = [
        r#"{ "query": "height of spring tide Brest" }"#,
        r#"{
            "query": "high water Liverpool 28 November 2026",
            "sourceCategory": "government",
            "targetInfo": ["time of high water", "height in metres"],
            "dateRange": "month"
        }"#,
    ];

    fn run_in_steps(
        &self,
        arguments: Arguments,
        context: ToolContext,
        ctx: Ctx,
    ) -> Fut<Result<ToolOutcome, Halt>> {
        let Some(provider) = context.search.clone() else {
            let error = ToolError::failed(
                ErrorKind::Other,
                "no search provider is set up",
                phrase("tool_failed"),
            );
            return ready(Ok(ToolOutcome::not_made(error))).boxed_local();
        };
        let with = self.research(provider, &arguments, &context);
        let mut asked = arguments.asked(&context);
        let instead = instead(&mut asked.query, &*with.provider);
        let so_far = context.so_far.as_ref().map(json::read::<SoFar>);
        let so_far = so_far.and_then(Result::ok);
        async move {
            let done = research(&ctx, &with, asked, so_far).await?;
            let mut waits = None;
            let result = match done.lacks.filter(|_| with.may_ask) {
                Some(Lacks::Provider(origin)) => Err(ToolError::NotPermitted {
                    right: Need::Search {
                        name: done.findings.provider,
                        origin,
                    },
                }),
                Some(Lacks::Pages { origins, so_far }) => {
                    waits = serde_json::to_value(so_far).ok();
                    Err(ToolError::NotPermitted {
                        right: Need::Pages { origins },
                    })
                }
                None if done.is_off => Err(ToolError::TurnedOff {
                    group: Group::WebSearch,
                }),
                None => Ok(told(done.findings, instead)),
            };
            Ok(ToolOutcome {
                result,
                duration_ms: done.duration_ms,
                aided: done.aided,
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
                study: self.judge.study.clone(),
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
            may_ask: context.rights == Rights::MayBeAsked,
            prompts: context.prompts.clone(),
            aid: context.aid.clone(),
            source: source("s", &context.key),
        }
    }
}

impl Arguments {
    fn asked(self, context: &ToolContext) -> Asked {
        let aspects = self.target_info.map(|List(aspects)| aspects);
        let aspects = aspects.into_iter().flatten().map(|Words(aspect)| aspect);
        Asked {
            query: Query {
                text: self.query.0,
                category: self.source_category.map(SourceCategory::category),
                dates: self.date_range.map(|Dates(dates)| dates),
                kind: match self.kind {
                    None | Some(Looked::Web) => Kind::Web,
                    Some(Looked::Image) => Kind::Image,
                    Some(Looked::Video) => Kind::Video,
                    Some(Looked::News) => Kind::News,
                },
                language: String::new(),
            },
            aspects: aspects.collect(),
            by_person: context.asked.clone(),
            said: context.said.clone(),
            is_fresh: self.fresh == Some(true),
        }
    }
}

impl SourceCategory {
    fn category(self) -> Category {
        match self {
            Self::Encyclopedia => Category::Encyclopedia,
            Self::Programming => Category::Programming,
            Self::Academic => Category::Academic,
            Self::Government => Category::Government,
            Self::Finance => Category::Finance,
            Self::Tech => Category::Tech,
            Self::Reference => Category::Reference,
            Self::News => Category::News,
            Self::Health => Category::Health,
            Self::Legal => Category::Legal,
            Self::Sports => Category::Sports,
        }
    }
}

/// The tokens of one page.
fn budget(room: Room) -> u32 {
    room.page(PAGES_TOKENS) / 3
}

/// Asks for pages where the provider has none of what is looked for, and says so.
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

/// A search that found nothing, or failed, is no failure of the run's: it goes on without, and
/// the answer says so (Property 14).
fn told(mut findings: Findings, instead: Option<String>) -> Output {
    if let Some(instead) = instead {
        findings.advice = format!("{instead} {}", findings.advice);
    }
    let summary = summary(&findings);
    let data = serde_json::to_value(findings).unwrap_or_default();
    Output::new(data, summary)
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
