//! What went otherwise than usual in a turn.

use super::{StepShown, Turn};
use gloss_agent::{Failure, Need, Speaker, Verdict};
use gloss_durable::Stop;
use gloss_model::phrase::Phrase;
use serde::{Deserialize, Serialize};

/// A label of honesty between parts of a turn (`ui/README.md`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seam {
    /// The worker died between steps, or in one of a call's own.
    Resumed {
        /// When, the last time.
        at_ms: u64,
        /// How often in a row.
        times: u32,
        /// What was sent once more; empty: nothing was repeated.
        again: Vec<Phrase>,
    },
    /// The worker died inside a model call, which was made again.
    Restarted {
        /// When, the last time.
        at_ms: u64,
        /// How often in a row.
        times: u32,
    },
    /// The user stopped the run.
    Stopped {
        /// When.
        at_ms: u64,
    },
    /// Gloss was updated; what was gathered went over into a fresh continuation.
    Renewed {
        /// When.
        at_ms: u64,
        /// The tools of the calls that may have been carried out, which is not known.
        unknown: Vec<String>,
    },
    /// The run stood still until the person let it go on.
    Paused {
        /// Since when.
        at_ms: u64,
        /// Who halted it.
        by: Stop,
        /// When it went on; `None` while it stands still.
        until_ms: Option<u64>,
        /// What was sent once more then, as the pause had cut it off.
        again: Vec<Phrase>,
    },
    /// What is old of it was written anew, shorter.
    Compacted {
        /// What all of it cost a model to read, estimated in tokens.
        before: u32,
        /// What it costs since.
        after: u32,
    },
    /// The turn goes on from the middle of another, whose goal it has.
    Forked {
        /// The step at which it was forked, from 1.
        step: u8,
    },
    /// Another model took over.
    ModelChanged {
        /// Who answered until then.
        from: Speaker,
        /// Who answers from there on.
        to: Speaker,
        /// Why, where the one before failed.
        failure: Option<Box<Failure>>,
    },
    /// The person let the run have what it waited for, or not.
    Permission {
        /// When.
        at_ms: u64,
        /// What was needed.
        need: Need,
        /// What became of it.
        verdict: Verdict,
    },
}

impl Turn {
    /// What was in flight will not end; what was gathered stays.
    pub(super) fn renew(&mut self, unknown: &[String], at_ms: u64) {
        self.growing.clear();
        self.tool = None;
        self.wait = None;
        self.until_ms = None;
        self.steps.iter_mut().for_each(StepShown::cut_off);
        // Taken up, it went on afresh: one word for both.
        self.seams
            .pop_if(|seam| matches!(seam, Seam::Resumed { .. }));
        self.seams.push(Seam::Renewed {
            at_ms,
            unknown: unknown.to_vec(),
        });
    }

    /// The worker died once more. Where nothing came between that the person sees, one line
    /// says so, and how often.
    pub(super) fn resume(&mut self, what: &[Phrase], at_ms: u64) {
        if let Some(Seam::Resumed {
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
        self.seams.push(Seam::Resumed {
            at_ms,
            times: 1,
            again: what.to_vec(),
        });
    }

    /// What a pause had cut off is sent once more: its line says so, as nobody died.
    pub(super) fn send_again(&mut self, what: &[Phrase]) {
        if let Some(Seam::Paused { again, .. }) = self.seams.last_mut() {
            again.extend_from_slice(what);
        }
    }

    /// The same inside the run's own call of a model.
    pub(super) fn restart(&mut self, at_ms: u64) {
        if let Some(Seam::Restarted {
            at_ms: last_ms,
            times,
        }) = self.seams.last_mut()
        {
            *last_ms = at_ms;
            *times += 1;
            return;
        }
        self.seams.push(Seam::Restarted { at_ms, times: 1 });
    }
}
