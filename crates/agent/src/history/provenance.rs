//! The origins of everything that a run has read, from its journal.
//!
//! Example: a turn read a page and a search result. The next turn reads the turn's answer,
//! so it has the same origins from its first step on. They are a fold over the journal, so they are
//! the same after a replay, a fork, an update of Gloss or a restart.

use crate::config::{FollowUp, Lesson};
use crate::events::Event;
use crate::lessons::FindSimilarLessons;
use crate::run::TOPIC;
use crate::trajectory::config_of;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Body, Effect, Entry, Message, Path, Record, json};
use gloss_memory::{Recall, RecalledFacts};
use gloss_model::provenance::{Origin, Provenance};
use gloss_tools::{RunTool, ToolLabel, ToolOutcome};
use serde_json::Value;

/// Returns the origins of everything that the model of a run has read or written. A result that
/// this code can't read counts as a tool's text.
pub fn provenance_of(records: &[Record]) -> Provenance {
    let mut read = config_of(records).map(|config| config.provenance());
    let mut read = read.take().unwrap_or_default().and(Origin::Model);
    let mut begun: SortedMap<Path, (&str, &Value)> = SortedMap::new();
    for record in records {
        match &record.entry {
            Entry::Intent { effect, label, .. } => {
                begun.insert(record.path.clone(), (effect, label));
            }
            Entry::Outcome { body } => {
                if let Some((effect, label)) = begun.remove(&record.path) {
                    read.add(&of_outcome(effect, label, body));
                }
            }
            Entry::Arrived { kind, body, .. } if kind == FollowUp::NAME => {
                if let Ok(message) = json::read::<FollowUp>(body) {
                    read.add(&message.goal.provenance());
                }
            }
            Entry::Note { topic, body } if topic == TOPIC => {
                if let Ok(Event::PageRead { page }) = json::read::<Event>(body) {
                    read = read.and(Origin::Page(page.url));
                }
            }
            _ => {}
        }
    }
    read
}

fn of_outcome(effect: &str, label: &Value, body: &Body) -> Provenance {
    let value = match body {
        Body::Inline(value) => Some(value),
        Body::Blob(_) => None,
    };
    match effect {
        RunTool::KIND => {
            let tool = json::read::<ToolLabel>(label).map(|label| label.tool);
            let tool = tool.unwrap_or_default();
            let outcome = value.and_then(|value| json::read::<ToolOutcome>(value).ok());
            outcome.map_or_else(
                || Provenance::of(Origin::Tool(tool.clone())),
                |outcome| outcome.provenance(&tool),
            )
        }
        Recall::KIND => {
            let recalled = value.and_then(|value| json::read::<RecalledFacts>(value).ok());
            recalled.map_or_else(
                || Provenance::of(Origin::Document),
                |recalled| recalled.provenance,
            )
        }
        FindSimilarLessons::KIND => {
            let lessons = value.and_then(|value| json::read::<Vec<Lesson>>(value).ok());
            let Some(lessons) = lessons else {
                return Provenance::of(Origin::Document);
            };
            let mut read = Provenance::default();
            for lesson in lessons {
                read.add(&lesson.provenance());
            }
            read
        }
        _ => Provenance::default(),
    }
}
