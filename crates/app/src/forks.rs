//! Forks a run at one of its steps. The fork becomes a new turn of the same conversation.

use super::App;
use gloss_agent::fork::{self, ForkOrigin};
use gloss_agent::trajectory::config_of;
use gloss_agent::{Failure, RunConfig, Settings, failure};
use gloss_durable::{RunId, Stop};

impl App {
    /// Starts a fork and runs it until it ends or waits. The records of the original run don't
    /// change. An active original run is stopped, because a conversation has only one open turn at
    /// a time.
    pub(super) async fn fork(
        &self,
        run: RunId,
        from: RunId,
        forked: ForkOrigin,
    ) -> Result<(), Failure> {
        if self.runs.has_begun(&run) {
            return Ok(());
        }
        let (records, bodies) = self.recorded(&from).await?;
        let config = config_of(&records).ok_or_else(|| failure("no_fork"))?;
        let open = self.runs.open_turn(&config.conversation);
        if open.is_some_and(|open| open != from) {
            return Err(failure("run_busy"));
        }
        let copied = fork::fork_records(&records, &bodies, &run, &forked);
        let copied = copied.map_err(|failure| *failure)?;
        let config = RunConfig {
            settings: Settings {
                // The monthly limit applies to all runs together, so the fork uses the current
                // setting.
                max_month_dollars: self.kept.now().max_month_dollars,
                ..forked.settings(config.settings)
            },
            forked: Some(forked),
            replaces: None,
            ..config
        };
        let withdrawn = self.runs.withdraw_all(&from);
        // `stop` only requests the stop; it doesn't wait until the original run has ended.
        let asleep = self.runs.stop(&from, Stop::User);
        self.runs.fork(&run, &from, &config, copied);
        withdrawn.await;
        if asleep == super::runs::NeedsDrive::Yes {
            self.runs.drive(&from).await;
        }
        self.runs.drive(&run).await;
        if let Some(failure) = self.runs.take_refused_start(&run) {
            return Err(failure);
        }
        self.drive_to_end(run).await;
        Ok(())
    }
}
