//! Viewing an earlier step of a run, and the composer that starts a fork there.

use crate::browser::is_escape;
use crate::composer::{is_send, message_area, send_button};
use crate::prelude::*;
use crate::surface::Surface;
use gloss::agent::fork::{Edit, ForkOrigin};

/// Returns, as a signal, the number of the last step of the turn whose trajectory is open; 0 if
/// there is none.
fn last_step() -> ReadSignal<u8> {
    let surface = Surface::from_context();
    let (shown, drawer) = (surface.shown, surface.drawer);
    create_selector(move || {
        let run = drawer.get_clone();
        shown.with(|shown| {
            let turn = shown
                .turns
                .iter()
                .find(|turn| Some(&turn.run) == run.as_ref());
            let steps = turn.into_iter().flat_map(|turn| &turn.steps);
            steps.map(|step| step.number).max().unwrap_or(0)
        })
    })
}

/// The buttons "Earlier step" and "Later step".
fn arrows() -> View {
    let viewed = Surface::from_context().viewed;
    let last = last_step();
    // The first click on "Earlier step" shows the last step.
    let earlier = icon_button("tiny", "left", msg("earlier_step"), move || {
        let now = viewed.get_untracked();
        viewed.set(Some(
            now.map_or(last.get_untracked(), |at| at.saturating_sub(1).max(1)),
        ));
    });
    let later = icon_button("tiny", "right", msg("later_step"), move || {
        viewed.set(
            viewed
                .get_untracked()
                .map(|at| (at + 1).min(last.get_untracked())),
        );
    });
    let at_first = move || last.get() == 0 || viewed.get() == Some(1);
    let at_last = move || viewed.get().is_none_or(|at| at >= last.get());
    fragment((earlier.disabled(at_first), later.disabled(at_last)))
}

/// The line about the viewed step, in place of the status line.
fn viewing() -> Tag {
    let viewed = Surface::from_context().viewed;
    let last = last_step();
    let words = live_text(move || {
        let step = [viewed.get().unwrap_or(0), last.get()].map(|step| step.to_string());
        msg_with("viewing_step", &step.each_ref().map(String::as_str))
    });
    let line = tag("p", (tag("span.dot.held", ()), tag("b", words)));
    tag(
        "div.status.grow",
        line.role("status").name(msg("agent_status")),
    )
}

/// The composer for a fork, which replaces the normal composer. Its message is sent to the fork.
pub(crate) fn fork_composer() -> Tag {
    let surface = Surface::from_context();
    let (viewed, draft) = (surface.viewed, surface.fork_draft);
    let [submitted, typing, keys, leaving] = [(); 4].map(|()| surface.clone());
    let field = create_node_ref();
    let area = message_area(draft)
        .attr("placeholder", msg("fork_hint"))
        .node(field);
    let area = area.on("keydown", move |event: web_sys::KeyboardEvent| {
        if is_send(&event) {
            send(&typing);
        }
    });
    let words =
        live_text(move || msg_with("fork_from_step", &[&viewed.get().unwrap_or(0).to_string()]));
    let fork = button("quiet", (icon("fork"), words), move || {
        crate::surface::focus(&field);
    });
    let leave = button("quiet", msg("back_to_now"), move || back(&leaving));
    let send_it = send_button(draft, msg("send_into_fork"));
    let row = tag("div.row", (fork, leave, tag("span.grow", ()), send_it));
    let form = tag("form.composer", (area, row)).name(msg("fork"));
    form.on_submit(move || send(&submitted))
        .on("keydown", move |event: web_sys::KeyboardEvent| {
            if is_escape(&event) {
                event.prevent_default();
                back(&keys);
            }
        })
}

/// Leaves the viewed step, and shows the normal composer again.
fn back(surface: &Surface) {
    surface.viewed.set(None);
    surface.focus_message();
}

fn send(surface: &Surface) {
    let text = surface.fork_draft.get_clone_untracked().trim().to_owned();
    let Some(step) = surface.viewed.get_untracked() else {
        return;
    };
    if !text.is_empty() {
        surface.fork_draft.set(String::new());
        surface.fork(ForkOrigin {
            step,
            edit: Edit::Message { text },
        });
    }
}

/// The line above the composer: the status or the viewed step; and, while the trajectory is open,
/// the arrows.
pub(crate) fn dock_header(status: View) -> Tag {
    let surface = Surface::from_context();
    let (viewed, drawer) = (surface.viewed, surface.drawer);
    let back = create_selector(move || viewed.get().is_some());
    let open = create_selector(move || drawer.with(Option::is_some));
    let line = live_if(back, viewing);
    let arrows = live_if(open, arrows);
    let name = msg("step_back");
    let status = tag("div.grow", status).flag("hidden", move || back.get());
    tag("div", (status, line, arrows))
        .class(move || if open.get() { "row" } else { "" })
        .role(move || open.get().then_some("group"))
        .name(move || open.get().then(|| name.clone()))
}
