//! The lessons that a run learns from its failed calls, and their use in later calls.

use crate::config::{Lesson, MOST_KEPT};
use crate::consent::Permissions;
use crate::events::{End, Event};
use crate::lessons::{FindSimilarLessons, MOST_GIVEN, StoreLessons, Topic, Topics, is_relevant};
use crate::run::{CallResult, Run, Step};
use crate::transcript::prompt::Task;
use gloss_durable::Halt;
use gloss_markdown::clean;
use gloss_model::phrase::{DisplayText, phrase};
use gloss_model::prompts::{Name, Note, Prompts, TemplateError};
use gloss_model::provenance::{Origin, Provenance};
use gloss_model::{Control, Message, Part, Role, Source};
use serde_json::{Value as Json, json};

/// The lessons of a run.
#[derive(Debug, Default)]
pub(crate) struct RunLessons {
    /// The failures of the last step. Each is a lesson with the standard advice for its kind of
    /// error.
    failed: Vec<Lesson>,
    /// Lessons from earlier failures that are similar to those of the last step. The lessons that
    /// this run learned come first.
    earlier: Vec<Lesson>,
    /// The lessons that this run learned, oldest first.
    own: Vec<Lesson>,
    /// The lessons that this run learned and that no later call has applied yet.
    open: Vec<Lesson>,
    /// The lessons of earlier runs that the model has read and that no call has applied yet.
    given: Vec<Lesson>,
}

impl RunLessons {
    /// Creates the state of a run that has read these lessons of earlier runs.
    pub(crate) fn with(lessons: &[Lesson]) -> Self {
        Self {
            given: lessons.to_vec(),
            ..Self::default()
        }
    }

    /// Removes the lessons that the successful calls applied, and returns their ids.
    ///
    /// A call can apply the lessons about its tool that were learned from other arguments. In
    /// addition, one of two conditions must be met. First: both calls' arguments have a similar
    /// topic. Second: the lesson is about the same kind of error as a failure that the call
    /// overcame. A call overcomes this run's earlier failures of the same tool with a similar
    /// topic. If there are none, it overcomes the tool's last failure.
    fn applied(&mut self, done: &[CallResult]) -> Vec<String> {
        let mut ids = Vec::new();
        if self.open.is_empty() && self.given.is_empty() {
            return ids;
        }
        let (topics, unsaid) = (Topics::new(), Topic::new());
        for done in done.iter().filter(|it| it.outcome.result.is_ok()) {
            let arguments = cut(&done.call.arguments.to_string());
            let topic = topics.of_call(&arguments);
            let other = |it: &Lesson| it.tool == done.call.name && it.arguments != arguments;
            let near = |it: &Lesson| {
                other(it) && is_relevant(&topic, &topics.of_call(&it.arguments), &unsaid)
            };
            let mut retried: Vec<Lesson> =
                self.open.iter().filter(|it| near(it)).cloned().collect();
            if retried.is_empty() {
                retried.extend(self.open.iter().rfind(|it| other(it)).cloned());
            }
            let around = |it: &Lesson| other(it) && retried.iter().any(|one| one.is_like(it));
            for lessons in [&mut self.open, &mut self.given] {
                lessons.retain(|it| {
                    let applied = near(it) || around(it);
                    if applied {
                        ids.push(it.id.clone());
                    }
                    !applied
                });
            }
        }
        ids
    }

    /// Returns true if the model has read the lesson with this id and no call has applied the
    /// lesson yet.
    fn knows(&self, id: &str) -> bool {
        let mut all = self.open.iter().chain(&self.given);
        all.any(|it| it.id == id)
    }
}

impl RunLessons {
    /// Records the results of a step's calls: the failures to reflect on, and the lessons that the
    /// calls applied.
    pub(crate) async fn take_failures(
        &mut self,
        step: &Step,
        run: &Run,
        done: &[CallResult],
        permissions: &mut Permissions,
    ) -> Result<(), Halt> {
        let applied = self.applied(done);
        self.failed = (done.iter().enumerate())
            .filter_map(|(place, done)| reflection(step, place, done, permissions.provenance()))
            .collect();
        self.earlier = Vec::new();
        for (place, failed) in self.failed.iter().enumerate() {
            let similar = FindSimilarLessons {
                episodes: run.services.episodes.clone(),
                switches: run.services.switches.clone(),
                tool: failed.tool.clone(),
                kind: failed.kind,
                arguments: failed.arguments.clone(),
            };
            let found = step
                .ctx
                .step(format_args!("learned.{place}"), similar)
                .await?;
            // The run's own lessons are taken from `self.own`, because the stored versions may be
            // shortened or missing.
            let own = self.own.iter().rev().filter(|it| it.is_like(failed));
            let own: Vec<Lesson> = own.take(MOST_GIVEN).cloned().collect();
            for one in own.into_iter().chain(found) {
                permissions.read(&one.provenance());
                if !self.earlier.iter().any(|it| it.id == one.id) {
                    self.earlier.push(one);
                }
            }
        }
        if applied.is_empty() {
            return Ok(());
        }
        step.record_event(
            "applied",
            &Event::ReflectionApplied {
                ids: applied.clone(),
                step: step.number,
            },
        )?;
        keep(step, run, "apply", Vec::new(), applied).await
    }

    /// Returns true if a call of the last step failed.
    pub(crate) fn has_failures(&self) -> bool {
        !self.failed.is_empty()
    }

    /// Adds the instruction to reflect on the failed calls to the task of an observation.
    pub(crate) fn reflect_in(
        &self,
        task: &mut Task,
        prompts: &Prompts,
    ) -> Result<(), TemplateError> {
        let state = &mut task.state;
        let calls = (self.failed.iter())
            .map(|it| json!({ "tool": it.tool, "arguments": it.arguments, "kind": it.kind }));
        let errors: Vec<&str> = self.failed.iter().map(|it| it.error.as_str()).collect();
        let earlier: Json = self.earlier.iter().map(Lesson::to_json).collect();
        let values = [
            (
                "action",
                state.refer(prompts, "failed_calls", calls.collect()),
            ),
            ("error", state.refer(prompts, "errors", errors.into())),
            ("earlier", state.refer(prompts, "lessons", earlier)),
        ];
        let reflection = prompts.render(Name::Reflection, &values)?;
        let form = prompts.note(Note::Reflection, &[])?;
        task.text = format!("{}\n\n{reflection}\n\n{form}", task.text);
        Ok(())
    }

    /// Turns the failures into lessons, in the model's words if the model wrote an analysis.
    /// Returns the message with the lessons for the model; `None` if no call failed.
    pub(crate) async fn learn(
        &mut self,
        step: &Step,
        run: &Run,
        control: &Control,
    ) -> Result<Option<Message>, End> {
        let mut learned = std::mem::take(&mut self.failed);
        if learned.is_empty() {
            return Ok(None);
        }
        // A single analysis can't apply to calls that failed in different ways.
        let one_kind = learned
            .iter()
            .all(|it| learned.first().is_some_and(|first| it.is_like(first)));
        let of_all = control.reflection.as_ref().filter(|_| one_kind);
        let each = Some(&control.reflections).filter(|said| said.len() == learned.len());
        for (place, one) in learned.iter_mut().enumerate() {
            let said = each.and_then(|said| said.get(place));
            if let Some(said) = said.or(of_all) {
                one.analysis = said.why.as_deref().map(cut);
                one.fix = DisplayText::Words(cut(&said.instead));
            }
        }
        for (place, reflection) in learned.iter().enumerate() {
            let reflection = reflection.clone();
            let event = Event::Reflected {
                step: step.number,
                reflection,
            };
            step.record_event(&format!("reflected.{place}"), &event)?;
        }
        let mut earlier = std::mem::take(&mut self.earlier);
        earlier.retain(|it| !self.knows(&it.id));
        let lessons = learned.iter().chain(&earlier);
        let message = lessons_message(&run.prompts, lessons)?;
        self.own.extend(learned.iter().cloned());
        self.open.extend(learned.iter().cloned());
        self.given.extend(earlier);
        keep(step, run, "learn", learned, Vec::new()).await?;
        Ok(Some(message))
    }
}

/// Returns lessons as a message for the model. A lesson may contain a page's words, so lessons are
/// quoted as data and never stand in a system message.
pub(crate) fn lessons_message<'a>(
    prompts: &Prompts,
    lessons: impl IntoIterator<Item = &'a Lesson>,
) -> Result<Message, TemplateError> {
    let lessons: Json = lessons.into_iter().map(Lesson::to_json).collect();
    Ok(Message {
        role: Role::User,
        parts: vec![
            Part::Text {
                text: prompts.note(Note::Learned, &[])?,
            },
            Part::Quoted {
                source: Source::Memory,
                text: lessons.to_string(),
            },
        ],
    })
}

async fn keep(
    step: &Step,
    run: &Run,
    segment: &str,
    new: Vec<Lesson>,
    applied: Vec<String>,
) -> Result<(), Halt> {
    if !run.config.learns {
        return Ok(());
    }
    let keep = StoreLessons {
        episodes: run.services.episodes.clone(),
        switches: run.services.switches.clone(),
        new,
        applied,
    };
    // The run continues even if the lessons can't be stored.
    step.ctx.step(segment, keep).await.map(drop)
}

impl Lesson {
    /// Returns true if both lessons are about the same tool and the same kind of error.
    fn is_like(&self, other: &Self) -> bool {
        self.tool == other.tool && self.kind == other.kind
    }

    /// Returns the lesson as JSON for a model.
    pub(crate) fn to_json(&self) -> Json {
        let instead = match &self.fix {
            DisplayText::Words(words) => words.as_str(),
            DisplayText::Phrase(_) => self.kind.advice(),
        };
        json!({
            "tool": self.tool,
            "arguments": self.arguments,
            "kind": self.kind,
            "error": self.error,
            "why": self.analysis,
            "instead": instead,
        })
    }
}

/// Returns a lesson with the standard advice for a call's kind of error. Returns `None` for a call
/// that succeeded, and for a call that ended without an error, such as a skipped one.
fn reflection(step: &Step, place: usize, done: &CallResult, read: &Provenance) -> Option<Lesson> {
    let error = done.outcome.result.as_ref().err()?;
    if !done.outcome.end().is_error() {
        return None;
    }
    let kind = error.kind();
    Some(Lesson {
        id: step.ctx.at(format_args!("act.{place}")).key().to_string(),
        tool: clean(&done.call.name),
        kind,
        arguments: cut(&done.call.arguments.to_string()),
        error: cut(&error.to_string()),
        analysis: None,
        fix: DisplayText::Phrase(phrase(kind.phrase())),
        applied: false,
        at_ms: None,
        read: read.clone().and(Origin::Model),
    })
}

fn cut(text: &str) -> String {
    clean(text).chars().take(MOST_KEPT).collect()
}

#[cfg(test)]
#[path = "learn_tests.rs"]
mod tests;
