//! Notices about unusual events of a turn, such as a pause.

use super::{StepShown, Turn};
use gloss_agent::{Failure, MissingRight, ModelIdentity, Verdict};
use gloss_durable::Stop;
use gloss_model::phrase::Phrase;
use serde::{Deserialize, Serialize};

/// A notice that a turn shows between its steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// The worker died between two steps, or during a tool call, and the run was resumed.
    Resumed {
        /// The time at which the run was last resumed, in milliseconds since the Unix epoch.
        at_ms: u64,
        /// The number of times that the worker died without another event in between.
        times: u32,
        /// The requests that were repeated after the run was resumed; empty if there were none.
        again: Vec<Phrase>,
    },
    /// The worker died during a model call, and the call was repeated.
    Restarted {
        /// The time at which the run was last resumed, in milliseconds since the Unix epoch.
        at_ms: u64,
        /// The number of times that the worker died without another event in between.
        times: u32,
    },
    /// The user stopped the run.
    Stopped {
        /// The time of the stop, in milliseconds since the Unix epoch.
        at_ms: u64,
    },
    /// Gloss was updated, and the run was started over. Its earlier results became part of its
    /// context.
    Renewed {
        /// The time at which the run was started over, in milliseconds since the Unix epoch.
        at_ms: u64,
        /// The names of the tools with interrupted calls, whose outcomes are unknown.
        unknown: Vec<String>,
    },
    /// The run was paused by the user or by a restart of the browser.
    Paused {
        /// The start of the pause, in milliseconds since the Unix epoch.
        at_ms: u64,
        /// The cause of the pause.
        by: Stop,
        /// The end of the pause, in milliseconds since the Unix epoch; `None` while it lasts.
        until_ms: Option<u64>,
        /// The requests that the pause interrupted and that were repeated after the pause.
        again: Vec<Phrase>,
    },
    /// The older part of the transcript was shortened to fit the model's context window.
    Compacted {
        /// The transcript's length before it was shortened, in estimated tokens.
        before: u32,
        /// The transcript's length after it was shortened, in estimated tokens.
        after: u32,
    },
    /// The turn was forked from a step of another turn.
    Forked {
        /// The number of the other turn's step, from 1.
        step: u8,
    },
    /// Another model continued the answer.
    ModelChanged {
        /// The model before the change.
        from: ModelIdentity,
        /// The model after the change.
        to: ModelIdentity,
        /// The failure of the earlier model, if that failure caused the change.
        failure: Option<Box<Failure>>,
    },
    /// The user granted or refused a permission that the run waited for.
    Permission {
        /// The time of the decision, in milliseconds since the Unix epoch.
        at_ms: u64,
        /// The permission that the run waited for.
        need: MissingRight,
        /// The decision.
        verdict: Verdict,
    },
}

impl Turn {
    /// Ends all calls in flight when the run is started over. Results of earlier calls stay.
    pub(super) fn renew(&mut self, unknown: &[String], at_ms: u64) {
        self.growing.clear();
        self.tool = None;
        self.wait = None;
        self.until_ms = None;
        self.steps.iter_mut().for_each(StepShown::cut_off);
        // A run that was just resumed and is then started over needs only one notice.
        self.notices
            .pop_if(|seam| matches!(seam, Notice::Resumed { .. }));
        self.notices.push(Notice::Renewed {
            at_ms,
            unknown: unknown.to_vec(),
        });
    }

    /// Adds a notice that the worker died. If the last notice is also [`Notice::Resumed`], only the
    /// count of that notice is increased.
    pub(super) fn resume(&mut self, what: &[Phrase], at_ms: u64) {
        if let Some(Notice::Resumed {
            at_ms: last_ms,
            times,
            again,
        }) = self.notices.last_mut()
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
        self.notices.push(Notice::Resumed {
            at_ms,
            times: 1,
            again: what.to_vec(),
        });
    }

    /// Adds repeated requests to the notice of the last pause. No separate notice is needed,
    /// because the worker did not die.
    pub(super) fn send_again(&mut self, what: &[Phrase]) {
        if let Some(Notice::Paused { again, .. }) = self.notices.last_mut() {
            again.extend_from_slice(what);
        }
    }

    /// Adds a notice that the worker died during a model call of the run.
    pub(super) fn restart(&mut self, at_ms: u64) {
        if let Some(Notice::Restarted {
            at_ms: last_ms,
            times,
        }) = self.notices.last_mut()
        {
            *last_ms = at_ms;
            *times += 1;
            return;
        }
        self.notices.push(Notice::Restarted { at_ms, times: 1 });
    }
}
