//! *Edit and fork*: the user edits a thought, a call or a result within the trajectory.

use crate::browser::is_escape;
use crate::prelude::*;
use crate::surface::{Surface, focus};
use crate::words::text_of;
use gloss::agent::fork::ForkOrigin;
use gloss::app::surface::{Command, StepShown};
use gloss::durable::RunId;
use gloss::ui::step_edit::{Steered, StepPart, parts_of};

impl Surface {
    /// Starts a fork of the run whose trajectory is open.
    pub(crate) fn fork(&self, forked: ForkOrigin) {
        if let Some(from) = self.drawer.get_clone_untracked() {
            self.fork_of(from, forked);
        }
        self.leave_drawer();
        self.focus_message();
    }

    /// Starts a fork of a run.
    pub(crate) fn fork_of(&self, from: RunId, forked: ForkOrigin) {
        let run = RunId(crate::browser::unique_id());
        self.connection().send(Command::Fork { run, from, forked });
    }

    /// Closes the trajectory and the form in it.
    pub(crate) fn leave_drawer(&self) {
        self.viewed.set(None);
        self.steered.set(None);
        self.drawer.set(None);
    }
}

/// The edit buttons of a step, and the form if the user has opened one.
pub(crate) fn steering(run: &RunId, step: &StepShown) -> View {
    let number = step.number;
    let rows = parts_of(step)
        .into_iter()
        .map(|(part, tool)| row((run.clone(), number, part), tool.as_deref()))
        .collect::<Vec<_>>();
    let summary = tag("summary", (icon("fork"), msg("edit_and_fork")));
    (!rows.is_empty())
        .then(|| tag("details.steer", (summary, rows)))
        .into_view()
}

fn row(steered: Steered, tool: Option<&str>) -> View {
    let open = Surface::from_context().steered;
    let (of, toggled) = (steered.clone(), steered.clone());
    let ours = create_selector(move || open.with(|open| open.as_ref() == Some(&of)));
    let args: Vec<&str> = tool.into_iter().collect();
    let words = match steered.2 {
        StepPart::Thought => msg("edit_thought"),
        StepPart::Arguments(_) => msg_of_with("msg:edit_arguments", &args),
        StepPart::Result(_) => msg_of_with("msg:edit_result", &args),
    };
    let label = words.clone();
    let form = live_if(ours, move || form(&steered, label.clone()));
    let toggle = button("quiet tiny", words, move || {
        open.set((!ours.get_untracked()).then(|| toggled.clone()));
    });
    fragment((
        toggle.attr("aria-expanded", move || bool_text(ours.get())),
        form,
    ))
}

fn form((run, number, part): &Steered, name: String) -> Tag {
    let surface = Surface::from_context();
    let known = surface.inspected.with_untracked(|known| {
        let (of, trajectory) = known.as_ref()?;
        (of == run).then(|| part.text_in(trajectory, *number))?
    });
    let text = create_signal(known.as_ref().map(text_of).unwrap_or_default());
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
        surface.fork(ForkOrigin { step, edit });
    });
    form.on("keydown", move |event: web_sys::KeyboardEvent| {
        if is_escape(&event) {
            event.prevent_default();
            event.stop_propagation();
            open.set(None);
        }
    })
}

/// Scrolls until the form around this field is visible with its buttons.
fn show_whole(field: &NodeRef) {
    let form = field.try_get().and_then(|field| field.parent_element());
    if let Some(form) = form {
        form.scroll_into_view_with_bool(false);
    }
}
