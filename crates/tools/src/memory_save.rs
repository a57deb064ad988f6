//! `memory_save`: saves what the user said about themselves, and reports on each fact.
//!
//! Example: "I sail a 7-metre sloop out of Hoylake; my card is 4111 …". One call contains
//! both facts. The first is saved, and the second is refused with a reason. A blank or overlong
//! fact is also refused, and the other facts are still saved. After untrusted text was read, the
//! user is asked before anything is saved, because a page may have caused the call.
//!
//! The rules for refusing facts are in [`gloss_memory`].

use super::schema::{Argument, BoundedList, InvalidArgument, arguments, choices};
use super::{
    Consent, ConsentState, Decision, Destination, Group, MemoryAccess, MissingRight, Output,
    ProposedFacts, Requirement, RoleModels, RunContext, Tool, ToolContext, ToolError,
};
use futures::FutureExt;
use gloss_durable::json::{self, put};
use gloss_durable::{Class, Fut};
use gloss_markdown::shortened;
use gloss_memory::{
    Category, Draft, FactId, Facts, Origin as FactOrigin, Refusal, Report, SaveResult, SourceKind,
    Tier,
};
use gloss_model::ToolCall;
use gloss_model::phrase::{DisplayText, Phrase, phrase};
use gloss_model::provenance::{Origin, Provenance};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The tool's name.
pub(super) const NAME: &str = "memory_save";

choices!(Category);
choices!(Tier);

/// The maximum number of facts in one call.
const MOST: usize = 8;

/// The maximum number of characters of a refused fact that a report shows.
const SHOWN: usize = 120;

/// A list of facts. A single item without a list is an error, unlike in a [`BoundedList`]. If such
/// an item were accepted, each request to a model would contain the schema of an item twice.
#[derive(Debug)]
pub(super) struct Items(Vec<Item>);

impl Argument for Items {
    fn schema() -> Value {
        json!({ "type": "array", "items": Item::schema(), "minItems": 1, "maxItems": MOST })
    }

    fn expected() -> String {
        format!("a list of 1 to {MOST}")
    }

    fn read(value: &Value) -> Result<Self, InvalidArgument> {
        if !value.is_array() {
            return Err(InvalidArgument::but(Self::expected(), value));
        }
        BoundedList::<Item, 1, MOST>::read(value).map(|list| Self(list.0))
    }
}

/// A string of any length; it may be blank. A fact whose text is blank or too long is refused on
/// its own, so that the other facts of the call are saved.
#[derive(Debug)]
pub(super) struct Sentence(String);

impl Argument for Sentence {
    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn expected() -> String {
        "a text".to_owned()
    }

    fn read(value: &Value) -> Result<Self, InvalidArgument> {
        let text = value.as_str().map(|text| Self(text.to_owned()));
        text.ok_or_else(|| InvalidArgument::but(Self::expected(), value))
    }
}

/// A number from 0 to 1.
#[derive(Debug)]
pub(super) struct Share(f64);

impl Argument for Share {
    fn schema() -> Value {
        json!({ "type": "number", "minimum": 0, "maximum": 1 })
    }

    fn expected() -> String {
        "a number from 0 to 1".to_owned()
    }

    fn read(value: &Value) -> Result<Self, InvalidArgument> {
        let number = value.as_f64().filter(|it| (0.0..=1.0).contains(it));
        let wrong = || InvalidArgument::but(Self::expected(), value);
        number.map(Self).ok_or_else(wrong)
    }
}

arguments! {
    /// A fact to save.
    pub(super) struct Item {
        /// The fact in one sentence about the user, in their language; at most 300 characters.
        content: Sentence,
        /// True if it is about the user; anything else is not saved.
        about_user: bool,
        /// True if it lasts; what is only true now is not saved.
        lasting: bool,
        /// The id of the known fact that is no longer true because of this one.
        replaces: Option<String>,
        /// The kind of fact; preference if absent.
        category: Option<Category>,
        /// The time it is kept: core forever, important (if absent) 90 days, context 30 days.
        tier: Option<Tier>,
        /// Your confidence; 0.8 if absent, below 0.6 is not saved.
        confidence: Option<Share>,
        /// Other words to find it by.
        keywords: Option<BoundedList<String, 0, 8>>,
        /// True if the user asked you to remember it.
        asked_for: Option<bool>,
    }
}

arguments! {
    /// The facts to save.
    pub(super) struct Arguments {
        /// One item for each fact.
        facts: Items,
    }
}

impl Item {
    fn draft(&self) -> Draft {
        Draft {
            content: self.content.0.clone(),
            about_user: self.about_user,
            lasting: self.lasting,
            category: self.category,
            tier: self.tier,
            confidence: self.confidence.as_ref().map(|share| share.0),
            keywords: self
                .keywords
                .as_ref()
                .map(|it| it.0.clone())
                .unwrap_or_default(),
            replaces: self.replaces.clone().map(FactId),
            by_itself: self.asked_for != Some(true),
        }
    }
}

/// Returns the facts that would be saved and replaced, for the user's approval; `None` if nothing
/// would be saved.
fn proposed_facts(drafts: &[Draft], known: &Facts) -> Option<ProposedFacts> {
    let mut shown = ProposedFacts::default();
    for draft in drafts {
        let Ok(older) = known.judge(draft) else {
            continue;
        };
        let kept = draft.sanitized();
        if kept.tier.or(older.map(|it| it.tier)) == Some(Tier::Core) {
            shown.core.push(shown.facts.len());
        }
        shown.facts.push(kept.content);
        shown.replaces.extend(older.map(|it| it.content.clone()));
        shown.keywords.extend(kept.keywords);
    }
    (!shown.facts.is_empty()).then_some(shown)
}

/// The outcome of saving one fact, as the user reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactOutcome {
    /// The fact was saved.
    Remembered {
        /// The id of the saved fact.
        id: String,
        /// The text of the saved fact.
        content: String,
        /// The text of the known fact that was replaced; `None` if none was.
        #[serde(skip_serializing_if = "Option::is_none")]
        replaced: Option<String>,
    },
    /// The fact was refused.
    Refused {
        /// The text of the refused fact, or a description if the text is blank or contains a
        /// secret.
        what: DisplayText,
        /// The reason for the refusal.
        why: Phrase,
    },
}

/// Reads the outcome for each fact from the data of a tool result.
pub(super) fn saved_facts(data: &Value) -> Vec<FactOutcome> {
    let facts = data.get("facts").and_then(Value::as_array);
    let facts = facts.into_iter().flatten();
    facts.filter_map(minded_one).collect()
}

fn minded_one(fact: &Value) -> Option<FactOutcome> {
    let text = |name: &str| fact.get(name).and_then(Value::as_str).map(str::to_owned);
    if let Some(refused) = fact.get("refused") {
        let refusal = json::read::<Refusal>(refused).ok()?;
        let what = match refusal.named() {
            Some(named) => DisplayText::Phrase(named),
            None => DisplayText::words(&text("content").unwrap_or_default()),
        };
        let why = refusal.why();
        return Some(FactOutcome::Refused { what, why });
    }
    Some(FactOutcome::Remembered {
        id: text("id")?,
        content: text("content")?,
        replaced: text("replaced"),
    })
}

pub(super) struct MemorySave;

impl Tool for MemorySave {
    type Arguments = Arguments;

    const NAME: &'static str = NAME;

    const TITLE: &'static str = "msg:tool_remember";
    const SUMMARY: &'static str = "msg:tool_remember_means";

    const DESTINATION: Destination = Destination::MemorySave;

    const GROUP: Option<Group> = Some(Group::Memory);

    const CLASS: Class = Class::Keyed;

    const NEEDS: Option<Requirement> = Some(Requirement::Memory);

    const DESCRIPTION: &'static str = "Saves lasting facts about the user for later \
        conversations. Use when the user says something lasting about themselves or asks you to \
        remember it. If it contradicts a known fact, give that fact's id as replaces. Don't use \
        for content of a page, guesses, passwords, card or identity numbers.";

    /// [`Tool::run`] asks, because the request lists the known facts that would be replaced.
    fn consent(_: &Arguments, _: &ToolCall, _: &RunContext, _: &RoleModels) -> Consent {
        Consent::Unasked
    }

    const EXAMPLES: [&'static str; 2] = [
        r#"{ "facts": [{ "content": "The user sails a sloop", "aboutUser": true,
            "lasting": true, "category": "profile" }] }"#,
        r#"{ "facts": [{ "content": "The user works in Rust", "aboutUser": true,
            "lasting": true, "replaces": "3f9a12c4", "tier": "core" }] }"#,
    ];

    fn run(&self, arguments: Arguments, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        async move {
            let MemoryAccess {
                memory,
                conversation,
            } = context
                .mind
                .clone()
                .ok_or_else(|| unkept("it is not there"))?;
            let drafts: Vec<Draft> = arguments.facts.0.iter().map(Item::draft).collect();
            let asks = context.policy.decide(Destination::MemorySave) != Decision::Goes;
            if asks && context.rights == ConsentState::MayBeAsked {
                let known = memory.now().await;
                let known = known.map_err(|error| unkept(&error.to_string()))?;
                if let Some(unsaid) = proposed_facts(&drafts, &known) {
                    let right = MissingRight::Memory(unsaid);
                    return Err(ToolError::NotPermitted { right });
                }
            }
            let mut reports = Vec::new();
            let mut keep = |facts: &mut Facts, now_ms: u64| {
                let origin = FactOrigin {
                    act: context.key.to_string(),
                    how: SourceKind::Conversation,
                    conversation: Some(conversation.0.clone()),
                    provenance: context.policy.read().clone(),
                    now_ms,
                };
                reports = facts.keep(&drafts, &origin);
            };
            let kept = memory.change(&mut keep).await;
            kept.map_err(|error| unkept(&error.to_string()))?;
            let is_saved = |report: &&Report| !matches!(report.became, SaveResult::Refused(_));
            let saved = reports.iter().filter(is_saved).count();
            let refused = reports.len() - saved;
            let summary = if refused == 0 {
                phrase("summary_remembered").with(&saved)
            } else {
                phrase("summary_remembered_some")
                    .with(&saved)
                    .with(&refused)
            };
            let data = json!({
                "saved": saved,
                "refused": refused,
                "facts": reports.iter().map(of_report).collect::<Vec<_>>(),
                "shown": "to the user, under your answer, with Undo; don't repeat it",
            });
            Ok(Output::new(data, summary, Provenance::of(Origin::Gloss)))
        }
        .boxed_local()
    }
}

/// Describes the outcome of saving one fact, for the model.
fn of_report(report: &Report) -> Value {
    match &report.became {
        SaveResult::Kept(id) => {
            let mut told = json!({ "content": report.content, "saved": true, "id": id });
            if let Some(older) = &report.replaced {
                put(&mut told, "replaced", older.as_str().into());
            }
            told
        }
        SaveResult::Known(_) => json!({ "content": report.content, "saved": true, "known": true }),
        SaveResult::Refused(refusal) if refusal.is_of_secrets() => {
            json!({ "saved": false, "refused": refusal, "reason": refusal.reason() })
        }
        SaveResult::Refused(refusal) => {
            json!({ "content": shortened(&report.content, SHOWN), "saved": false,
            "refused": refusal, "reason": refusal.reason() })
        }
    }
}

/// Makes the error for a memory that can't be read or written.
pub(super) fn unkept(why: &str) -> ToolError {
    let said = phrase("memory_unkept");
    ToolError::temporary_failure(format!("memory can't be reached: {why}"), said)
}
