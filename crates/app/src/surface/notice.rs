//! Unusual events of a turn.

use super::{StepShown, Turn};
use gloss_agent::{Failure, MissingRight, ModelIdentity, Verdict};
use gloss_durable::Stop;
use gloss_model::phrase::Phrase;
use serde::{Deserialize, Serialize};

/// A note about an interruption or change between parts of a turn (`ui/README.md`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// The worker died between steps, or in a step of a tool call's own.
    Resumed {
        /// The time of the last death.
        at_ms: u64,
        /// The number of deaths in a row.
        times: u32,
        /// The requests that were sent again; empty if none.
        again: Vec<Phrase>,
    },
    /// The worker died inside a model call, which was made again.
    Restarted {
        /// The time of the last death.
        at_ms: u64,
        /// The number of deaths in a row.
        times: u32,
    },
    /// The user stopped the run.
    Stopped {
        /// The time of the stop.
        at_ms: u64,
    },
    /// Gloss was updated; earlier results were carried over into a fresh continuation.
    Renewed {
        /// The time of the continuation.
        at_ms: u64,
        /// The tools whose calls may or may not have been carried out.
        unknown: Vec<String>,
    },
    /// The run was paused until the user continued it.
    Paused {
        /// The start of the pause.
        at_ms: u64,
        /// The cause of the pause.
        by: Stop,
        /// The end of the pause; `None` while it lasts.
        until_ms: Option<u64>,
        /// The requests that the pause had cut off and that were sent again.
        again: Vec<Phrase>,
    },
    /// The older part of the transcript was shortened.
    Compacted {
        /// The transcript's length before, estimated in tokens.
        before: u32,
        /// Its length afterwards.
        after: u32,
    },
    /// The turn continues from a step of another, with the same goal.
    Forked {
        /// The step at which it was forked, from 1.
        step: u8,
    },
    /// Another model took over.
    ModelChanged {
        /// The model that answered before.
        from: ModelIdentity,
        /// The model that answers from here on.
        to: ModelIdentity,
        /// The failure of the model before, if one caused the change.
        failure: Option<Box<Failure>>,
    },
    /// The user allowed or refused what the run waited for.
    Permission {
        /// The time of the decision.
        at_ms: u64,
        /// The permission that was needed.
        need: MissingRight,
        /// The decision.
        verdict: Verdict,
    },
}

impl Turn {
    /// Ends what was in flight and keeps earlier results.
    pub(super) fn renew(&mut self, unknown: &[String], at_ms: u64) {
        self.growing.clear();
        self.tool = None;
        self.wait = None;
        self.until_ms = None;
        self.steps.iter_mut().for_each(StepShown::cut_off);
        // The run was resumed and continued afresh: one note covers both.
        self.seams
            .pop_if(|seam| matches!(seam, Notice::Resumed { .. }));
        self.seams.push(Notice::Renewed {
            at_ms,
            unknown: unknown.to_vec(),
        });
    }

    /// Notes that the worker died once more. If the user saw nothing in between, one note counts
    /// the deaths.
    pub(super) fn resume(&mut self, what: &[Phrase], at_ms: u64) {
        if let Some(Notice::Resumed {
            at_ms: last_ms,
            times,
            again,
        }) = self.seams.last_mut()
        {
            *last_ms = at_ms;
            *times += 1;
            for doing in what {
                if !again.contains(doing) {
                    again.push(doing.clone());
                }
            }
            return;
        }
        self.seams.push(Notice::Resumed {
            at_ms,
            times: 1,
            again: what.to_vec(),
        });
    }

    /// Adds repeated requests to the pause's note, because no worker died.
    pub(super) fn send_again(&mut self, what: &[Phrase]) {
        if let Some(Notice::Paused { again, .. }) = self.seams.last_mut() {
            again.extend_from_slice(what);
        }
    }

    /// Notes that the worker died inside the run's own model call.
    pub(super) fn restart(&mut self, at_ms: u64) {
        if let Some(Notice::Restarted {
            at_ms: last_ms,
            times,
        }) = self.seams.last_mut()
        {
            *last_ms = at_ms;
            *times += 1;
            return;
        }
        self.seams.push(Notice::Restarted { at_ms, times: 1 });
    }
}
