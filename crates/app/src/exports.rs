//! Exports a run as a file, and sends the run's trajectory (steps, tool calls, usage) to a surface.

use super::surface::Reply;
use super::{App, SurfaceId};
use gloss_agent::Failure;
use gloss_agent::export::Export;
use gloss_agent::trajectory::{Bodies, Trajectory};
use gloss_durable::{Record, RunId, Unreadable, body_hashes, json, with_database_timeout};
use gloss_markdown::visible_json;

impl App {
    /// Sends a surface the text of the file to which a run is exported.
    pub(super) async fn export(&self, surface: SurfaceId, run: RunId) {
        let text = self.text_of(&run).await;
        self.hub
            .answer(surface, text.map(|text| Reply::Exported { run, text }));
    }

    pub(super) async fn inspect(&self, surface: SurfaceId, run: RunId) {
        let trajectory = self.trajectory_of(&run).await;
        let reply = trajectory.map(|trajectory| Reply::Inspected { run, trajectory });
        self.hub.answer(surface, reply);
    }

    async fn text_of(&self, run: &RunId) -> Result<String, Failure> {
        let (records, bodies) = self.recorded(run).await?;
        let export = Export::new(run.clone(), super::runs::REVISION, records, bodies);
        let text = export.to_json().map(|text| visible_json(&text));
        text.map_err(|unreadable| Failure::of_journal(&unreadable))
    }

    async fn trajectory_of(&self, run: &RunId) -> Result<String, Failure> {
        let (records, bodies) = self.recorded(run).await?;
        let trajectory = Trajectory::of(&records, &bodies);
        let text = json::text(&trajectory).map(|text| visible_json(&text));
        text.map_err(|error| Failure::of_journal(&Unreadable::Corrupt(error.to_string())))
    }

    /// Returns the records of a run, and the large bodies that the records refer to.
    pub(super) async fn recorded(&self, run: &RunId) -> Result<(Vec<Record>, Bodies), Failure> {
        let records = self.runs.records(run).await?;
        let mut bodies = Bodies::new();
        for hash in body_hashes(&records) {
            let body = with_database_timeout(&*self.host.clock, self.host.blobs.get(&hash)).await;
            // A body that can't be read is left out. The code that reads the exported file reports
            // the body as missing.
            if let Ok(Some(body)) = body {
                bodies.insert(hash, body);
            }
        }
        Ok((records, bodies))
    }
}
