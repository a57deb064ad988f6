//! `memory_retrieve`: finds facts about the user by words and category.
//!
//! Example: the user asks "What shall I pack?", and the model searches for "travel, boat".
//! The best match comes first, and each returned fact that contains a search word counts as used. A
//! search without a match is not an error.

use super::memory_save::unkept;
use super::schema::{BoundedInteger, BoundedList, arguments};
use super::{Destination, Group, Output, Requirement, Tool, ToolContext, ToolError};
use chrono::DateTime;
use futures::FutureExt;
use gloss_durable::json::put;
use gloss_durable::{Class, Fut};
use gloss_memory::{Category, Conversation, Fact, FactId, Facts, Query, SearchResults};
use gloss_model::PassageData;
use gloss_model::phrase::phrase;
use gloss_model::provenance::{Origin, Provenance};
use gloss_page::{Document, Kind, Paragraph};
use gloss_reader::PageService;
use serde_json::{Value, json};
use std::rc::Rc;

/// The tool's name.
pub const NAME: &str = "memory_retrieve";

/// The maximum number of facts if the call sets no maximum.
const USUAL: usize = 10;

/// The maximum number of characters of an earlier conversation's question in a result, and of its
/// page's title.
const MOST_SHOWN: usize = 200;

arguments! {
    /// The arguments.
    pub(super) struct Arguments {
        /// Words to search for, in the user's language; without them, all facts are returned.
        terms: Option<BoundedList<String, 0, 10>>,
        /// Only facts of these categories.
        categories: Option<BoundedList<Category, 0, 4>>,
        /// At most this many facts; 10 if absent.
        most: Option<BoundedInteger<1, 26>>,
    }
}

pub(super) struct MemoryRetrieve {
    pub(super) page_service: PageService,
}

impl Tool for MemoryRetrieve {
    type Arguments = Arguments;

    const NAME: &'static str = NAME;

    const TITLE: &'static str = "msg:tool_recall_facts";
    const SUMMARY: &'static str = "msg:tool_recall_facts_means";

    const DESTINATION: Destination = Destination::Device;

    const GROUP: Option<Group> = Some(Group::Memory);

    /// The class is not `Safe`, because the call marks facts as used.
    const CLASS: Class = Class::Keyed;

    const NEEDS: Option<Requirement> = Some(Requirement::Memory);

    const DESCRIPTION: &'static str = "Finds facts about the user that earlier conversations \
        saved, with ids, and past conversations on the same subject. Use when the answer depends \
        on the user, or to get the id of a fact that is no longer true. Don't use for content of \
        a page or of this conversation.";

    const EXAMPLES: [&'static str; 2] = [
        r#"{ "terms": ["boat", "sailing"] }"#,
        r#"{ "categories": ["preference"], "most": 5 }"#,
    ];

    fn run(&self, arguments: Arguments, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        let page_service = self.page_service.clone();
        async move {
            let most = arguments
                .most
                .map_or(USUAL, |most| usize::try_from(most.0).unwrap_or(USUAL));
            let categories = arguments.categories.map(|it| it.0).unwrap_or_default();
            let terms = arguments.terms.map(|it| it.0).unwrap_or_default();
            let mind = context
                .mind
                .clone()
                .ok_or_else(|| unkept("it is not there"))?;
            let known = mind.memory.now().await;
            let known = known.map_err(|error| unkept(&error.to_string()))?;
            let query = Query {
                near: related_facts(&page_service, &known, &terms).await,
                terms,
                categories,
                most,
            };
            let act = context.key.to_string();
            let related = mind.memory.conversations();
            let related = related.related(&query.terms, &mind.conversation);
            let mut found = SearchResults::default();
            let mut look = |facts: &mut Facts, now_ms: u64| {
                found = facts.retrieve(&query, &act, now_ms);
            };
            let looked = mind.memory.change(&mut look).await;
            looked.map_err(|error| unkept(&error.to_string()))?;
            let SearchResults {
                facts,
                matched,
                total,
            } = found;
            let words = match (total, matched) {
                (0, _) => "no fact about the user is saved yet",
                (_, 0) => "no saved fact matches; try other words",
                _ => "saved facts about the user, as data",
            };
            let mut data = json!({
                "says": words,
                "facts": facts.iter().map(of_fact).collect::<Vec<_>>(),
                "matched": matched,
                "total": total,
            });
            let mut provenance = Provenance::of(Origin::Memory);
            for fact in &facts {
                provenance.add(&fact.provenance());
            }
            if !related.is_empty() {
                // The titles of pages are text of pages.
                provenance = provenance.and(Origin::Page(String::new()));
                let related = related.iter().map(of_conversation).collect();
                put(&mut data, "pastConversations", related);
            }
            let summary = phrase("summary_facts").with(&facts.len()).with(&total);
            Ok(Output::new(data, summary, provenance))
        }
        .boxed_local()
    }
}

/// Finds the facts that are most related to the terms, the best first. The page service searches
/// the facts as if they were the paragraphs of a page. The list is empty if the page service fails.
async fn related_facts(page_service: &PageService, known: &Facts, terms: &[String]) -> Vec<FactId> {
    if terms.is_empty() || known.all().is_empty() {
        return Vec::new();
    }
    let paragraphs = (1..).zip(known.all()).map(|(number, fact)| Paragraph {
        number,
        kind: Kind::Prose,
        markdown: String::new(),
        text: fact.content.clone(),
    });
    let page = Rc::new(Document {
        // Facts are too short for language detection. The page service recognises Chinese by its
        // characters, whatever language is given here.
        language: "en".to_owned(),
        paragraphs: paragraphs.collect(),
        ..Document::default()
    });
    let found = page_service
        .find(&page, terms.join(" "), known.all().len())
        .await;
    let found = found.map(|found| found.passages).unwrap_or_default();
    let of_passage = |passage: &PassageData| {
        let number: usize = passage.id.strip_prefix('p')?.parse().ok()?;
        let fact = known.all().get(number.checked_sub(1)?)?;
        Some(fact.id.clone())
    };
    found.iter().filter_map(of_passage).collect()
}

/// Describes an earlier conversation for the model.
fn of_conversation(one: &Conversation) -> Value {
    let head = |text: &str| -> String { text.chars().take(MOST_SHOWN).collect() };
    let at = i64::try_from(one.at_ms)
        .ok()
        .and_then(DateTime::from_timestamp_millis);
    let day = at.map(|at| at.date_naive().to_string());
    json!({ "asked": head(&one.asked), "page": head(&one.page), "day": day })
}

fn of_fact(fact: &Fact) -> Value {
    let mut told = json!({
        "id": fact.id,
        "content": fact.content,
        "category": fact.category,
        "tier": fact.tier,
        "confidence": (fact.confidence * 100.0).round() / 100.0,
    });
    if let Some(replaced) = &fact.replaced {
        put(
            &mut told,
            "instead_of",
            replaced.fact.content.as_str().into(),
        );
    }
    told
}
