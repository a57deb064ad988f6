//! *Edit and fork*: giving a thought, a call or a result other words, in place.

use crate::browser::is_escape;
use crate::icon::icon;
use crate::live::live;
use crate::parts::{bool_text, button, submit, tag};
use crate::surface::{Surface, focus};
use crate::words::{msg, msg_with, words_of};
use gloss::agent::fork::{Edit, Forked};
use gloss::agent::trajectory::{Trajectory, What};
use gloss::app::surface::{CallShown, Command, StepShown};
use gloss::host::RunId;
use sycamore::prelude::*;

/// What can be edited in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// Its thought.
    Thought,
    /// What one of its calls asks for.
    Arguments(String),
    /// What one of its calls gave.
    Result(String),
}

impl Part {
    fn name(&self) -> &'static str {
        match self {
            Self::Thought => "edit_thought",
            Self::Arguments(_) => "edit_arguments",
            Self::Result(_) => "edit_result",
        }
    }

    fn edit(self, text: String) -> Edit {
        match self {
            Self::Thought => Edit::Thought { text },
            Self::Arguments(call) => Edit::Arguments { call, json: text },
            Self::Result(call) => Edit::Result { call, text },
        }
    }
}

/// What is edited: whose, in which step, and which part of it.
pub(crate) type Steered = (RunId, u8, Part);

impl Surface {
    /// Goes on anew from a step of the run whose trajectory is open.
    pub(crate) fn fork(&self, forked: Forked) {
        if let Some(from) = self.drawer.get_clone_untracked() {
            self.fork_of(from, forked);
        }
        self.leave_drawer();
        self.focus_message();
    }

    /// Goes on anew from a step of a run.
    pub(crate) fn fork_of(&self, from: RunId, forked: Forked) {
        let run = RunId(crate::browser::unique_id());
        self.connection().send(Command::Fork { run, from, forked });
    }

    /// Closes the trajectory, and with it every step back.
    pub(crate) fn leave_drawer(&self) {
        self.viewed.set(None);
        self.steered.set(None);
        self.drawer.set(None);
    }
}

/// The buttons of a step, and the form of the one that is open.
pub(crate) fn steering(run: &RunId, step: &StepShown) -> View {
    let mut parts = Vec::new();
    if step.thought.is_some() {
        parts.push((Part::Thought, None));
    }
    for call in &step.calls {
        let tool = Some(call.tool.clone());
        parts.push((Part::Arguments(call.id.clone()), tool.clone()));
        if is_over(call) {
            parts.push((Part::Result(call.id.clone()), tool));
        }
    }
    let number = step.number;
    let rows = parts
        .into_iter()
        .map(|(part, tool)| row((run.clone(), number, part), tool.as_deref()))
        .collect::<Vec<_>>();
    let summary = tag("summary", (icon("fork"), msg("edit_and_fork")));
    (!rows.is_empty())
        .then(|| View::from(tag("details.steer", (summary, rows))))
        .into()
}

fn is_over(call: &CallShown) -> bool {
    call.summary.is_some()
}

fn row(steered: Steered, tool: Option<&str>) -> View {
    let open = Surface::here().steered;
    let (of, toggled) = (steered.clone(), steered.clone());
    let ours = create_selector(move || open.with(|open| open.as_ref() == Some(&of)));
    let words = match tool {
        Some(tool) => msg_with(steered.2.name(), &[tool]),
        None => msg(steered.2.name()),
    };
    let label = words.clone();
    let form = live(move || ours.get().then(|| form(&steered, label.clone())));
    let toggle = button("quiet tiny", words, move || {
        open.set((!ours.get_untracked()).then(|| toggled.clone()));
    });
    View::from((
        toggle.attr("aria-expanded", move || bool_text(ours.get())),
        form,
    ))
}

fn form((run, number, part): &Steered, name: String) -> View {
    let surface = Surface::here();
    let known = surface.inspected.with_untracked(|known| {
        let (of, trajectory) = known.as_ref()?;
        (of == run).then(|| words(trajectory, *number, part))?
    });
    let text = create_signal(known.unwrap_or_default());
    let field = create_node_ref();
    on_mount(move || {
        focus(&field);
        show_whole(&field);
    });
    let (part, step, open) = (part.clone(), *number, surface.steered);
    let area = tag("textarea", ())
        .name(name)
        .attr("rows", "4")
        .node(field)
        .bind(text);
    let fork = submit("tiny", msg_with("fork_from_step", &[&step.to_string()]));
    let cancel = button("quiet tiny", msg("cancel"), move || open.set(None));
    let form = tag("form.stack", (area, tag("div.row", (fork, cancel))));
    let form = form.on_submit(move || {
        let edit = part.clone().edit(text.get_clone_untracked());
        surface.fork(Forked { step, edit });
    });
    form.on("keydown", move |event: web_sys::KeyboardEvent| {
        if is_escape(&event) {
            event.prevent_default();
            event.stop_propagation();
            open.set(None);
        }
    })
    .into()
}

/// Scrolls so that the form around this field is seen, with its buttons.
fn show_whole(field: &NodeRef) {
    let form = field.try_get().and_then(|field| field.parent_element());
    if let Some(form) = form {
        form.scroll_into_view_with_bool(false);
    }
}

/// What stands there now, as it can be edited.
fn words(trajectory: &Trajectory, number: u8, part: &Part) -> Option<String> {
    let of_step = trajectory.log.iter().filter(|logged| logged.step == number);
    of_step.rev().find_map(|logged| match (&logged.what, part) {
        (What::Thought { thought }, Part::Thought) => Some(words_of(thought)),
        (What::Call(call), Part::Arguments(id)) if call.id == *id => Some(call.arguments.clone()),
        (What::Result(given), Part::Result(id)) if given.id == *id => Some(match &given.outcome {
            Ok(value) => value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned),
            Err(error) => error.clone(),
        }),
        _ => None,
    })
}

/// Takes in what the worker said of a run. One of a later version is not shown.
pub(crate) fn inspected(known: Signal<Option<(RunId, Trajectory)>>, run: RunId, trajectory: &str) {
    if let Ok(trajectory) = serde_json::from_str(trajectory) {
        known.set(Some((run, trajectory)));
    }
}
