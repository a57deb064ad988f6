//! Images that were made for the person, for who shows them.
//!
//! Driving example: a panel is opened on a conversation of yesterday. Its snapshot says that a
//! call gave an image, and what that shows; the bytes, megabytes of them, stand in the call's
//! outcome in the archive, and come when the panel asks.

use super::surface::Reply;
use super::{App, SurfaceId};
use gloss_agent::Failure;
use gloss_durable::{Body, Effect, Entry, Path, Record, RunId, json, patiently};
use gloss_model::Image;
use gloss_tools::{RunTool, ToolLabel, ToolOutcome};
use serde_json::Value;

impl App {
    /// Gives a surface the image that a call gave.
    pub(super) async fn picture(&self, surface: SurfaceId, run: RunId, step: u8, call: String) {
        // A page asks by itself: nothing that the person asked for is refused where it fails.
        let image = self.image_of(&run, step, &call).await.unwrap_or_default();
        let reply = Reply::Picture {
            run,
            step,
            call,
            image,
        };
        self.hub.answer(surface, Ok(reply));
    }

    /// `None` if there is none, or it is not kept any more.
    async fn image_of(&self, run: &RunId, step: u8, call: &str) -> Result<Option<Image>, Failure> {
        let records = self.runs.records(run).await?;
        // A call may have been made more than once: the last that gave one.
        for body in outcomes(&records, step, call) {
            let kept;
            let value = match body {
                Body::Inline(value) => Some(value),
                Body::Blob(hash) => {
                    let body = patiently(&*self.host.clock, self.host.blobs.get(hash)).await;
                    let text = body.ok().flatten();
                    kept = text.and_then(|it| serde_json::from_str::<Value>(&it).ok());
                    kept.as_ref()
                }
            };
            let outcome = value.and_then(|value| json::read::<ToolOutcome>(value).ok());
            let picture = outcome.and_then(|outcome| outcome.result.ok()?.picture);
            if let Some(picture) = picture {
                return Ok(Some(picture.image));
            }
        }
        Ok(None)
    }
}

/// What a call gave, the last first.
fn outcomes<'a>(records: &'a [Record], step: u8, call: &str) -> Vec<&'a Body> {
    let is_it = |label: &Value| {
        json::read::<ToolLabel>(label).is_ok_and(|it| it.step == step && it.call == call)
    };
    let tries = records.iter().filter_map(|record| match &record.entry {
        Entry::Intent { effect, label, .. } if effect == RunTool::KIND && is_it(label) => {
            Some(&record.path)
        }
        _ => None,
    });
    let tries: Vec<&Path> = tries.collect();
    let given = records
        .iter()
        .rev()
        .filter_map(|record| match &record.entry {
            Entry::Outcome { body } if tries.contains(&&record.path) => Some(body),
            _ => None,
        });
    given.collect()
}
