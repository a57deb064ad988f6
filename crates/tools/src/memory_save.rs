//! `memory_save`: keeps what the person told about themselves, with a report for each fact.
//!
//! Driving example: "I sail a 7-metre sloop out of Hoylake; my card is 4111 …". One call
//! brings both; the first is kept, the second is refused with its reason. One that is blank
//! or too long is refused by itself, too, and the others are kept. Once text of others was
//! read, the user is asked before anything is kept: a page may have prompted it.
//!
//! Deliberately absent: what is refused and how ([`gloss_memory`]).

use super::schema::{Argument, List, Wrong, arguments, choices};
use super::{
    Brings, Group, Mind, Need, Needs, Output, Rights, Tool, ToolContext, ToolError, Unsaid,
};
use futures::FutureExt;
use gloss_durable::json::{self, put};
use gloss_durable::{Class, Fut};
use gloss_markdown::shortened;
use gloss_memory::{Became, Category, Draft, FactId, Facts, How, Origin, Refusal, Report, Tier};
use gloss_model::phrase::{Phrase, Said, phrase};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Its name.
pub(super) const NAME: &str = "memory_save";

choices!(Category);
choices!(Tier);

/// How many facts a call brings.
const MOST: usize = 8;

/// So much of a fact that was refused is told, in characters.
const SHOWN: usize = 120;

/// Facts in a list. One alone is none here: the schema of an item would stand before models
/// twice, in each request.
#[derive(Debug)]
pub(super) struct Items(Vec<Item>);

impl Argument for Items {
    fn schema() -> Value {
        json!({ "type": "array", "items": Item::schema(), "minItems": 1, "maxItems": MOST })
    }

    fn expected() -> String {
        format!("a list of 1 to {MOST}")
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        if !value.is_array() {
            return Err(Wrong::but(Self::expected(), value));
        }
        List::<Item, 1, MOST>::read(value).map(|list| Self(list.0))
    }
}

/// Any text: one that is blank or too long is refused by itself, in its report, and the others
/// are kept (DETAILS §5).
#[derive(Debug)]
pub(super) struct Sentence(String);

impl Argument for Sentence {
    fn schema() -> Value {
        json!({ "type": "string" })
    }

    fn expected() -> String {
        "a text".to_owned()
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        let text = value.as_str().map(|text| Self(text.to_owned()));
        text.ok_or_else(|| Wrong::but(Self::expected(), value))
    }
}

/// A share, 0 to 1.
#[derive(Debug)]
pub(super) struct Share(f64);

impl Argument for Share {
    fn schema() -> Value {
        json!({ "type": "number", "minimum": 0, "maximum": 1 })
    }

    fn expected() -> String {
        "a number from 0 to 1".to_owned()
    }

    fn read(value: &Value) -> Result<Self, Wrong> {
        let number = value.as_f64().filter(|it| (0.0..=1.0).contains(it));
        let wrong = || Wrong::but(Self::expected(), value);
        number.map(Self).ok_or_else(wrong)
    }
}

arguments! {
    /// One fact.
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
        keywords: Option<List<String, 0, 8>>,
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

/// What the user is asked about: all that would be kept of these drafts, and the facts that
/// would be replaced. `None` if nothing would be kept.
fn unsaid(drafts: &[Draft], known: &Facts) -> Option<Unsaid> {
    let mut shown = Unsaid::default();
    for draft in drafts {
        let Ok(older) = known.judge(draft) else {
            continue;
        };
        let kept = draft.as_kept();
        if kept.tier.or(older.map(|it| it.tier)) == Some(Tier::Core) {
            shown.core.push(shown.facts.len());
        }
        shown.facts.push(kept.content);
        shown.replaces.extend(older.map(|it| it.content.clone()));
        shown.keywords.extend(kept.keywords);
    }
    (!shown.facts.is_empty()).then_some(shown)
}

/// What became of a fact that was to be kept, for the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Minded {
    /// It is kept.
    Remembered {
        /// Which fact.
        id: String,
        /// It.
        content: String,
        /// The fact that it replaced.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        replaced: Option<String>,
    },
    /// It is not.
    Refused {
        /// What it was; a secret is named, not repeated.
        what: Said,
        /// Why.
        why: Phrase,
    },
}

/// What became of the facts of a call, from what it gave.
pub(super) fn minded(data: &Value) -> Vec<Minded> {
    let facts = data.get("facts").and_then(Value::as_array);
    let facts = facts.into_iter().flatten();
    facts.filter_map(minded_one).collect()
}

fn minded_one(fact: &Value) -> Option<Minded> {
    let text = |name: &str| fact.get(name).and_then(Value::as_str).map(str::to_owned);
    if let Some(refused) = fact.get("refused") {
        let refusal = json::read::<Refusal>(refused).ok()?;
        let what = match refusal.named() {
            Some(named) => Said::Phrase(named),
            None => Said::words(&text("content").unwrap_or_default()),
        };
        let why = refusal.why();
        return Some(Minded::Refused { what, why });
    }
    Some(Minded::Remembered {
        id: text("id")?,
        content: text("content")?,
        replaced: text("replaced"),
    })
}

/// Keeps facts.
pub(super) struct MemorySave;

impl Tool for MemorySave {
    type Arguments = Arguments;

    const NAME: &'static str = NAME;

    const TITLE: &'static str = "msg:tool_remember";
    const MEANS: &'static str = "msg:tool_remember_means";

    const GROUP: Option<Group> = Some(Group::Memory);

    const BRINGS: Brings = Brings::Own;

    const CLASS: Class = Class::Keyed;

    const NEEDS: Option<Needs> = Some(Needs::Memory);

    const DESCRIPTION: &'static str = "Saves lasting facts about the user for later \
        conversations. Use when the user says something lasting about themselves or asks you to \
        remember it. If it contradicts a known fact, give that fact's id as replaces. Don't use \
        for content of a page, guesses, passwords, card or identity numbers.";

    const EXAMPLES: [&'static str; 2] = [
        r#"{ "facts": [{ "content": "The user sails a sloop", "aboutUser": true,
            "lasting": true, "category": "profile" }] }"#,
        r#"{ "facts": [{ "content": "The user works in Rust", "aboutUser": true,
            "lasting": true, "replaces": "3f9a12c4", "tier": "core" }] }"#,
    ];

    fn run(&self, arguments: Arguments, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        async move {
            let Mind {
                memory,
                conversation,
            } = context
                .mind
                .clone()
                .ok_or_else(|| unkept("it is not there"))?;
            let drafts: Vec<Draft> = arguments.facts.0.iter().map(Item::draft).collect();
            if context.vouched.is_some() && context.rights == Rights::MayBeAsked {
                let known = memory.now().await;
                let known = known.map_err(|error| unkept(&error.to_string()))?;
                if let Some(unsaid) = unsaid(&drafts, &known) {
                    let right = Need::Memory(unsaid);
                    return Err(ToolError::NotPermitted { right });
                }
            }
            let mut reports = Vec::new();
            let mut keep = |facts: &mut Facts, now_ms: u64| {
                let origin = Origin {
                    act: context.key.to_string(),
                    how: How::Conversation,
                    conversation: Some(conversation.0.clone()),
                    now_ms,
                };
                reports = facts.keep(&drafts, &origin);
            };
            let kept = memory.change(&mut keep).await;
            kept.map_err(|error| unkept(&error.to_string()))?;
            let is_saved = |report: &&Report| !matches!(report.became, Became::Refused(_));
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
            Ok(Output::new(data, summary))
        }
        .boxed_local()
    }
}

/// A report, as the model reads it.
fn of_report(report: &Report) -> Value {
    match &report.became {
        Became::Kept(id) => {
            let mut told = json!({ "content": report.content, "saved": true, "id": id });
            if let Some(older) = &report.replaced {
                put(&mut told, "replaced", older.as_str().into());
            }
            told
        }
        Became::Known(_) => json!({ "content": report.content, "saved": true, "known": true }),
        Became::Refused(refusal) if refusal.is_of_secrets() => {
            json!({ "saved": false, "refused": refusal, "reason": refusal.reason() })
        }
        Became::Refused(refusal) => {
            json!({ "content": shortened(&report.content, SHOWN), "saved": false,
            "refused": refusal, "reason": refusal.reason() })
        }
    }
}

/// The store does not answer.
pub(super) fn unkept(why: &str) -> ToolError {
    let said = phrase("memory_unkept");
    ToolError::faltered(format!("memory can't be reached: {why}"), said)
}
