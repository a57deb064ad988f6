//! The options page's requests about facts. The page creates the ids of new facts, so a repeated
//! request doesn't add a fact twice.

use super::super::preferences::FieldName;
use super::rejection::Rejection;
use super::{LeftOutFacts, Outcome, Switch};
use gloss_durable::StoreError;
use gloss_durable::sorted::sort_by_key;
use gloss_markdown::visible_json;
use gloss_memory::{
    Category, Draft, Fact, FactId, Facts, ImportError, ImportResult, Memory, Refusal, Tier,
    Unreadable, export,
};
use gloss_model::phrase::{Phrase, phrase};

/// A fact as the user typed it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct TypedFact {
    /// The fact's id. For a new fact, the page creates the id.
    pub id: FactId,
    /// The fact's text.
    pub content: String,
    /// The fact's category.
    pub category: Category,
    /// The fact's tier, which decides how long the fact is kept.
    pub tier: Tier,
}

/// Returns all facts, sorted as in [`in_order`]. Returns no facts if storage refuses.
pub(super) async fn shown(memory: &Memory) -> Vec<Fact> {
    in_order(&memory.now().await.unwrap_or_default())
}

/// Sorts facts by tier: the tier that keeps facts longest is first. Within a tier, the oldest fact
/// is first.
pub(super) fn in_order(known: &Facts) -> Vec<Fact> {
    let mut facts = known.all().to_vec();
    sort_by_key(&mut facts, |fact| {
        (fact.tier, fact.created_at_ms, fact.id.clone())
    });
    facts
}

/// Stores a fact as the user typed it. Returns the facts that the typed fact replaced.
pub(super) async fn write(memory: &Memory, typed: &TypedFact) -> Result<Vec<Fact>, Rejection> {
    let draft = Draft {
        content: typed.content.clone(),
        category: Some(typed.category),
        tier: Some(typed.tier),
        ..Draft::default()
    };
    let mut written = Ok(Vec::new());
    let mut write = |facts: &mut Facts, now_ms: u64| {
        written = facts.write(&typed.id, &draft, now_ms);
    };
    memory.change(&mut write).await?;
    written.map_err(refused)
}

fn refused(refusal: Refusal) -> Rejection {
    Rejection::at(FieldName::Fact, refusal.why())
}

pub(super) async fn pin(memory: &Memory, id: &FactId, switch: Switch) -> Result<(), Rejection> {
    let pinned = switch == Switch::On;
    let mut pin = |facts: &mut Facts, now_ms: u64| facts.pin(id, pinned, now_ms);
    Ok(memory.change(&mut pin).await?)
}

pub(super) async fn forget(memory: &Memory, id: &FactId) -> Result<(), Rejection> {
    let mut forget = |facts: &mut Facts, _: u64| facts.forget(id);
    Ok(memory.change(&mut forget).await?)
}

/// Restores facts that the user deleted, or that were replaced by the fact `written`.
pub(super) async fn bring_back(
    memory: &Memory,
    written: Option<&FactId>,
    facts: &[Fact],
) -> Result<(), Rejection> {
    let mut is_back = false;
    let mut back = |known: &mut Facts, now_ms: u64| {
        is_back = known.undo_edit(written, facts, now_ms);
    };
    memory.change(&mut back).await?;
    let full = || Rejection::at(FieldName::Fact, phrase("memory_tier_full"));
    is_back.then_some(()).ok_or_else(full)
}

/// Imports the facts of a file. Returns the number of imported facts, and the number of skipped
/// facts for each reason.
pub(super) async fn read_in(memory: &Memory, text: &str, act: &str) -> Result<Outcome, Rejection> {
    let mut taken = Ok(ImportResult::default());
    let mut take = |known: &mut Facts, now_ms: u64| taken = known.import(text, act, now_ms);
    memory.change(&mut take).await?;
    let taken = taken.map_err(|none| Rejection::at(FieldName::File, words(none)));
    let ImportResult { facts, left_out } = taken?;
    let left_out = left_out.into_iter();
    Ok(Outcome::TakenIn {
        facts,
        left_out: left_out
            .map(|(why, facts)| LeftOutFacts { why, facts })
            .collect(),
    })
}

fn words(none: ImportError) -> Phrase {
    match none {
        ImportError::Unreadable(Unreadable::Foreign) => phrase("memory_import_foreign"),
        ImportError::Unreadable(Unreadable::Newer) => phrase("options_import_newer"),
        ImportError::TooMany { facts, most } => {
            phrase("memory_import_many").with(&facts).with(&most)
        }
    }
}

/// Returns the ids of the facts that contain the typed words. The words may be misspelt.
pub(super) async fn with_words(memory: &Memory, typed: &str) -> Result<Outcome, StoreError> {
    let ids = memory.now().await?.with_words(typed);
    Ok(Outcome::FoundFacts { ids })
}

/// Returns the facts as the text of an exported file.
pub(super) async fn as_text(memory: &Memory) -> Result<Outcome, StoreError> {
    let text = visible_json(&export(&memory.now().await?));
    Ok(Outcome::Exported { text })
}
