//! A call that is being made, and what the person's answers change about it.

use crate::events::Verdict;
use gloss_durable::Ctx;
use gloss_model::ToolCall;
use gloss_tools::{Aid, Aided, Need, Part, Rights, ToolError, ToolOutcome, Toolbox};
use serde_json::Value;

/// A call that is being made.
pub(crate) struct Attempt {
    pub(crate) place: usize,
    pub(crate) call: ToolCall,
    pub(crate) ctx: Ctx,
    pub(crate) terms: Terms,
    /// What it asked of models so far.
    pub(crate) aided: Vec<Aided>,
    /// How long it was at work so far: waits between are none.
    pub(crate) worked_ms: u64,
    /// What the person was asked for, for it.
    pub(crate) asked: Vec<Need>,
    /// Where it stood when it lacked the person's word.
    pub(crate) so_far: Option<Value>,
    /// How often it was made as it is, from 1.
    pub(crate) tries: u32,
    /// How often it was made, the person's answers between, from 1.
    pub(crate) made: u32,
}

/// What stands about the person's word and about helpers when a call is made.
pub(crate) struct Terms {
    pub(crate) rights: Rights,
    pub(crate) aid: Aid,
    /// Why the call is not made, where it lacks the person's word.
    pub(crate) refused: Option<ToolError>,
}

impl Attempt {
    /// Keeps what a try came to that another follows.
    pub(crate) fn keep(&mut self, tried: ToolOutcome) {
        self.aided.extend(tried.aided);
        self.worked_ms = self.worked_ms.saturating_add(tried.duration_ms);
    }

    /// What it lacks that the person was not asked for. What Chrome gave and does not know of
    /// is not asked for for ever.
    pub(crate) fn lacks(&self, outcome: &ToolOutcome) -> Option<Need> {
        match &outcome.result {
            Err(ToolError::NotPermitted { right }) if !self.asked.contains(right) => {
                Some(right.clone())
            }
            Ok(_) | Err(_) => None,
        }
    }

    /// Takes the person's answer; whether the call is made again with it. What they refuse,
    /// the tool goes without, or says so.
    pub(crate) fn take(&mut self, right: Need, verdict: Verdict, toolbox: &Toolbox) -> bool {
        match (&right, verdict) {
            // Each page is read or refused by itself; a search says that it could not be made.
            (Need::Pages { .. }, Verdict::Granted | Verdict::Refused)
            | (Need::Search { .. }, Verdict::Refused)
            | (Need::Memory(_), Verdict::Granted) => {
                self.terms.rights = Rights::Answered;
            }
            // What a search then finds is asked for by itself.
            (Need::Search { .. } | Need::Screenshot | Need::Provider { .. }, Verdict::Granted) => {}
            // This device does without another server's help, but for an image.
            (Need::Provider { .. }, Verdict::Refused) => match toolbox.asks(&self.call) {
                Some(Part::Image) => return false,
                Some(part @ (Part::Vision | Part::Light)) => {
                    self.terms.aid = self.terms.aid.without(part);
                }
                None => {}
            },
            (Need::Image { .. }, Verdict::Granted) => {
                self.terms.refused = None;
            }
            (Need::Screenshot | Need::Image { .. } | Need::Memory(_), Verdict::Refused)
            // Asked for by the run itself.
            | (Need::Site { .. } | Need::Outcome { .. }, _) => return false,
        }
        self.asked.push(right);
        self.made += 1;
        true
    }
}
