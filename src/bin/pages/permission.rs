//! The card "Permission needed". It says which permission is needed and why, and what *Not now*
//! does. Its main button asks Chrome.

mod facts;

use crate::approval::sheet;
use crate::browser::{self, host_of};
use crate::grants;
use crate::prelude::*;
use crate::surface::{Surface, focus};
use gloss::agent::{Goal, MissingRight, Status, Verdict};
use gloss::app::surface::{Snapshot, TabContent};
use gloss::durable::RunId;
use gloss::host::{ALL_SITES, TabId};
use gloss::ui::turns::NO_ACCESS;

#[derive(Clone, PartialEq)]
pub(crate) struct PermissionRequest {
    /// The run that waits for the permission; `None` if no run does.
    run: Option<WaitingRun>,
    /// The goal of that run.
    goal: Option<Goal>,
    /// The model that answers once the permission is granted.
    model: String,
    /// The permission that is needed. It is never [`MissingRight::Outcome`], for which
    /// [`crate::unknown`] shows a note.
    need: MissingRight,
}

/// A waiting run, and the id of its wait.
#[derive(Clone, PartialEq)]
struct WaitingRun {
    run: RunId,
    wait: u64,
}

impl PermissionRequest {
    /// Returns the sheet that shows the request, if the request is to send something.
    pub(crate) fn sheet(&self) -> Option<Tag> {
        match (&self.need, &self.run) {
            (MissingRight::Send(request), Some(waiting)) => {
                Some(sheet(request, waiting.run.clone(), waiting.wait))
            }
            _ => None,
        }
    }

    /// Returns true if a run waits for the permission.
    pub(crate) fn holds_a_run(&self) -> bool {
        self.run.is_some()
    }
}

/// Returns the permission that is needed now, if any, as a signal. In an empty conversation, it can
/// be the permission to read the page in the tab. The user can dismiss that request with *Not now*.
pub(crate) fn wanted() -> ReadSignal<Option<PermissionRequest>> {
    let surface = Surface::from_context();
    let (shown, dismissed) = (surface.shown, surface.dismissed);
    let beside = surface.beside();
    create_effect(move || {
        beside.track();
        dismissed.set(false);
    });
    let tab = {
        let surface = surface.clone();
        move || surface.connection().tab()
    };
    let wanted = create_selector(move || {
        let needed = shown.with(of_run);
        needed.or_else(|| {
            let first = shown.with(|shown| {
                let unreadable = matches!(
                    &shown.beside,
                    TabContent::Unreadable { failure, .. } if failure.code == NO_ACCESS
                );
                unreadable && shown.turns.is_empty()
            });
            let tab = tab().filter(|_| first && !dismissed.get())?;
            Some(PermissionRequest {
                run: None,
                goal: None,
                model: String::new(),
                need: MissingRight::Site { tab: TabId(tab) },
            })
        })
    });
    follow_chrome(&surface, wanted);
    wanted
}

fn of_run(shown: &Snapshot) -> Option<PermissionRequest> {
    let turn = shown.running()?;
    let waits = turn.status == Status::AwaitingUser;
    let wait = turn.wait.clone().filter(|_| waits)?;
    let wait = Some(wait).filter(|wait| !matches!(wait.need, MissingRight::Outcome { .. }))?;
    Some(PermissionRequest {
        run: Some(WaitingRun {
            run: turn.run.clone(),
            wait: wait.id,
        }),
        goal: Some(turn.goal.clone()),
        model: turn.model.model.clone(),
        need: wait.need,
    })
}

/// Closes the card when the permission is granted elsewhere in Chrome: beside the address bar, in
/// Options, or by a click on the toolbar icon.
fn follow_chrome(surface: &Surface, wanted: ReadSignal<Option<PermissionRequest>>) {
    let look = {
        let surface = surface.clone();
        move || {
            if let Some(wanted) = wanted.get_clone_untracked() {
                surface.connection().retry();
                settle_if_given(surface.clone(), wanted);
            }
        }
    };
    grants::on_added(look.clone());
    browser::listen(
        &sycamore::web::window(),
        "focus",
        move |_: web_sys::Event| look(),
    );
    let (surface, beside) = (surface.clone(), surface.beside());
    create_effect(move || {
        if !matches!(beside.get_clone(), TabContent::Page { .. }) {
            return;
        }
        if let Some(PermissionRequest {
            run: Some(run),
            need: MissingRight::Site { tab },
            ..
        }) = wanted.get_clone_untracked()
            && surface.connection().tab() == Some(tab.0)
        {
            surface.permit(run.run, run.wait, Verdict::Granted);
        }
    });
}

fn settle_if_given(surface: Surface, wanted: PermissionRequest) {
    wasm_bindgen_futures::spawn_local(async move {
        let origins = match wanted.need {
            MissingRight::Site { tab } => grants::origin_of(tab.0).await.into_iter().collect(),
            need => origins_of(&need),
        };
        if let Some(run) = wanted.run.filter(|_| !origins.is_empty())
            && grants::has_all(&origins).await
        {
            surface.permit(run.run, run.wait, Verdict::Granted);
        }
    });
}

/// Returns the origins that Chrome has to grant, as far as the run names them.
fn origins_of(need: &MissingRight) -> Vec<String> {
    match need {
        MissingRight::Provider { origin, .. } | MissingRight::Search { origin, .. } => {
            vec![origin.clone()]
        }
        MissingRight::Pages { origins } => origins.clone(),
        MissingRight::Screenshot => vec![ALL_SITES.to_owned()],
        MissingRight::Site { .. }
        | MissingRight::Send(_)
        | MissingRight::Memory(_)
        | MissingRight::Outcome { .. } => Vec::new(),
    }
}

/// Returns the message keys of the card: its introduction, its button that allows, and its note.
fn message_keys(need: &MissingRight) -> [&'static str; 3] {
    match need {
        MissingRight::Site { .. } => ["permission_site", "allow_site", "permission_site_note"],
        MissingRight::Provider { .. } => [
            "permission_provider",
            "allow_named",
            "permission_provider_note",
        ],
        MissingRight::Search { .. } => {
            ["permission_search", "allow_named", "permission_search_note"]
        }
        MissingRight::Screenshot => [
            "permission_screenshot",
            "allow_all_sites",
            "permission_screenshot_note",
        ],
        MissingRight::Pages { origins } => {
            let several = hosts_of(origins).contains(", ");
            let allow = if several { "allow_sites" } else { "allow_site" };
            ["permission_pages", allow, "permission_pages_note"]
        }
        MissingRight::Memory(_) | MissingRight::Send(_) | MissingRight::Outcome { .. } => [
            "permission_memory",
            "allow_memory",
            "permission_memory_note",
        ],
    }
}

/// The card, in place of the composer.
pub(crate) fn card(wanted: &PermissionRequest) -> Tag {
    let surface = Surface::from_context();
    // The origin of the tab, if Chrome returns it. It is looked up before the click, because the
    // click's handler can't wait.
    let origin = create_signal(None);
    let stage = create_signal(AddressLookup::Unasked);
    if let MissingRight::Site { tab } = wanted.need {
        wasm_bindgen_futures::spawn_local(async move {
            let known = grants::origin_of(tab.0).await;
            if known.is_some() && origin.is_alive() {
                origin.set(known);
            }
        });
    }
    let heading = create_node_ref();
    take_focus(heading);
    let keys = surface.clone();
    let [why, allow, note] = message_keys(&wanted.need);
    let title = tag("h2", msg("permission_needed"))
        .id("permission-h")
        .attr("tabindex", "-1");
    let body = (
        title.node(heading),
        tag("p", msg(why)).id("permission-d"),
        facts::facts(wanted, origin),
        buttons(&surface, wanted, allow, origin, stage),
        status_meta(live_text(move || {
            msg(match stage.get() {
                AddressLookup::Unasked => note,
                AddressLookup::Named => "permission_named",
                AddressLookup::Nameless => "permission_nameless",
            })
        })),
    );
    let card = tag("section.ask", body)
        .role("dialog")
        .attr("aria-labelledby", "permission-h");
    let card = card.attr("aria-describedby", "permission-d");
    card.on("keydown", move |event| {
        crate::escape::stop_on_escape(&keys, &event);
    })
}

fn buttons(
    surface: &Surface,
    wanted: &PermissionRequest,
    allow: &str,
    origin: Signal<Option<String>>,
    stage: Signal<AddressLookup>,
) -> Tag {
    let names: &[&str] = match &wanted.need {
        MissingRight::Provider { name, .. } | MissingRight::Search { name, .. } => &[name],
        _ => &[],
    };
    let refuse = {
        let (surface, run) = (surface.clone(), wanted.run.clone());
        move || settle(&surface, run.as_ref(), Verdict::Refused)
    };
    let allow = msg_with(allow, names);
    let (surface, wanted) = (surface.clone(), wanted.clone());
    let ask = move || {
        let (surface, run) = (surface.clone(), wanted.run.clone());
        let answered = move |given| {
            if given {
                settle(&surface, run.as_ref(), Verdict::Granted);
            } else if run.is_some() {
                settle(&surface, run.as_ref(), Verdict::Refused);
            }
        };
        match (&wanted.need, origin.get_clone_untracked()) {
            // Chrome has no permission for this.
            (MissingRight::Memory(_), _) => answered(true),
            (MissingRight::Site { .. }, Some(known)) => grants::request_all(&[known], answered),
            (MissingRight::Site { tab }, None) => grants::request_origin_of(tab.0, move |known| {
                if !origin.is_alive() {
                    return;
                }
                let Some(known) = known else {
                    stage.set(AddressLookup::Nameless);
                    return;
                };
                origin.set(Some(known.clone()));
                stage.set(AddressLookup::Named);
                // Chrome may count the click on its first dialog as the click for the second.
                grants::request_all(&[known], move |given| {
                    if given {
                        answered(true);
                    }
                });
            }),
            (need, _) => grants::request_all(&origins_of(need), answered),
        }
    };
    let buttons = (
        button("", msg("not_now"), refuse),
        button("primary", allow, ask),
    );
    tag("div.row.wrap", buttons)
}

fn settle(surface: &Surface, run: Option<&WaitingRun>, verdict: Verdict) {
    match (run, &verdict) {
        (Some(held), _) => surface.permit(held.run.clone(), held.wait, verdict),
        (None, Verdict::Granted | Verdict::Approved { .. }) => surface.connection().retry(),
        (None, Verdict::Refused | Verdict::Rejected { .. }) => surface.dismissed.set(true),
    }
}

/// Returns the hosts of these origins, without duplicates.
pub(crate) fn hosts_of(origins: &[String]) -> String {
    let mut hosts: Vec<String> = Vec::new();
    for origin in origins {
        let host = host_of(origin);
        if !hosts.contains(&host) {
            hosts.push(host);
        }
    }
    hosts.join(", ")
}

/// The progress of looking up a site's address that Chrome hides at first.
#[derive(Clone, Copy, PartialEq)]
enum AddressLookup {
    Unasked,
    /// Chrome returned the address.
    Named,
    /// Chrome did not return the address.
    Nameless,
}

/// Focuses the card's heading, unless the user is reading the log or the drawer. The buttons don't
/// get the focus, so that an accidental Enter grants nothing.
fn take_focus(heading: NodeRef) {
    on_mount(move || {
        let reading = sycamore::web::document()
            .query_selector(".log:focus-within, .drawer:focus-within")
            .is_ok_and(|found| found.is_some());
        if !reading {
            focus(&heading);
        }
    });
}
