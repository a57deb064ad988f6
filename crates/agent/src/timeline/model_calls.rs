//! Model calls of the run and of its tools, from the request to the count of their tokens.

use super::Timeline;
use super::in_progress::EffectInProgress;
use crate::events::Event;
use gloss_durable::{Effect, Path, json};
use gloss_model::{AnswerOrigin, AskLabel};
use gloss_tools::{RunTool, ToolLabel};
use gloss_web::rag::{activity, model_calls, sent_usage};
use serde_json::Value;

impl Timeline {
    /// Classifies an effect that is not a model call of the run: a tool call, a step of a tool
    /// call, or another effect.
    pub(super) fn part(&self, path: &Path, part: &str, label: &Value) -> EffectInProgress {
        if part == RunTool::KIND
            && let (Some(sent), Ok(label)) = (sent_usage(label), json::read::<ToolLabel>(label))
        {
            return EffectInProgress::Call {
                sent: Some((label.tool, sent)),
            };
        }
        let call = self.calls.get(&path.parent());
        match call.zip(activity(part, label)) {
            Some((call, doing)) => EffectInProgress::Part {
                doing,
                sent: sent_usage(label).map(|sent| (call.tool.clone(), sent)),
            },
            None => EffectInProgress::Other,
        }
    }

    /// Classifies a model call of the run itself.
    pub(super) fn own(&self, label: &Value) -> EffectInProgress {
        let label = json::read::<AskLabel>(label).ok();
        let label =
            label.filter(|it| self.voice == Some(AnswerOrigin::Model) && it.prompt_tokens > 0);
        EffectInProgress::Model {
            sent: label.map(|it| (it.prompt_tokens, it.prompt_cost)),
        }
    }

    /// Counts the model calls that a tool call or a step of a tool call made. The model calls count
    /// even if the step of the run never ends.
    pub(super) fn asked_aside(&mut self, path: &Path, outcome: &Value) -> Vec<Event> {
        let counting = &mut self.counting;
        let a_try = path.parent();
        if let Some(call) = self.calls.get(path) {
            counting.count_try(path, &call.tool, model_calls(outcome))
        } else if let Some(call) = self.calls.get(&a_try) {
            counting.count_step(&a_try, &call.tool, model_calls(outcome))
        } else {
            Vec::new()
        }
    }

    /// Returns an event that the loop recorded, and the events that follow from it. Tokens that
    /// were reported before are not reported again.
    pub(super) fn noted(&mut self, path: &Path, event: Event) -> Vec<Event> {
        let counted = match &event {
            Event::TokensUsed { total, cost, by } => {
                let told = self.counting.count_note(*total, *cost, by.clone());
                return told.into_iter().collect();
            }
            Event::ToolFinished {
                tool, role_calls, ..
            } => self
                .counting
                .count_call(&path.parent(), tool, role_calls.clone()),
            Event::ModelChanged { to, .. } => {
                self.voice = Some(to.voice);
                Vec::new()
            }
            Event::PageRead { page } => {
                page.url.clone_into(&mut self.page);
                Vec::new()
            }
            _ => Vec::new(),
        };
        [event].into_iter().chain(counted).collect()
    }
}
