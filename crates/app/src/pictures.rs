//! Sends surfaces the images that tool calls made.
//!
//! Example: the user opens yesterday's conversation. Its snapshot contains only a
//! description of the image that a tool call made. The image has several megabytes and is stored in
//! the archive, with the call's outcome. The panel asks for the image separately.

use super::surface::Reply;
use super::{App, SurfaceId};
use gloss_agent::Failure;
use gloss_durable::{Body, Effect, Entry, Path, Record, RunId, json, with_database_timeout};
use gloss_model::Image;
use gloss_tools::{RunTool, ToolLabel, ToolOutcome};
use serde_json::Value;

impl App {
    /// Sends a surface the image that a call made.
    pub(super) async fn picture(&self, surface: SurfaceId, run: RunId, step: u8, call: String) {
        // Pages ask for images automatically, so the user is not shown a failure.
        let image = self.image_of(&run, step, &call).await.unwrap_or_default();
        let reply = Reply::Picture {
            run,
            step,
            call,
            image,
        };
        self.hub.answer(surface, Ok(reply));
    }

    /// Returns the image that a call made. `None` if the call made no image, or the image is no
    /// longer stored.
    async fn image_of(&self, run: &RunId, step: u8, call: &str) -> Result<Option<Image>, Failure> {
        let records = self.runs.records(run).await?;
        // A call may have been repeated, for example after a stop. The newest image is returned.
        for body in outcomes(&records, step, call) {
            let kept;
            let value = match body {
                Body::Inline(value) => Some(value),
                Body::Blob(hash) => {
                    let body =
                        with_database_timeout(&*self.host.clock, self.host.blobs.get(hash)).await;
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

/// Returns the outcomes of a call's attempts, the last one first.
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
