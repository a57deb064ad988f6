//! The card "Permission needed". It says which permission is needed and why, and what *Not now*
//! does. Its main button asks Chrome.

mod facts;

use crate::browser::{self, host_of};
use crate::grants;
use crate::live::live_text;
use crate::parts::{button, status_meta, tag};
use crate::surface::{Surface, focus};
use crate::words::{msg, msg_with};
use gloss::agent::{Goal, MissingRight, Status, Verdict};
use gloss::app::surface::{Snapshot, TabContent};
use gloss::durable::RunId;
use gloss::host::{ALL_SITES, TabId};
use gloss::ui::turns::NO_ACCESS;
use sycamore::prelude::*;

#[derive(Clone, PartialEq)]
pub(crate) struct PermissionRequest {
    /// The run that waits for the permission; `None` if no run does.
    run: Option<WaitingRun>,
    /// The goal of that run.
    goal: Option<Goal>,
    /// The model that answers once the permission is granted.
    model: String,
    /// Never [`MissingRight::Outcome`], for which [`crate::unknown`] shows a note.
    need: MissingRight,
}

/// A waiting run, and the id of its wait.
#[derive(Clone, PartialEq)]
struct WaitingRun {
    run: RunId,
    wait: u64,
}

impl PermissionRequest {
    /// Returns true if a run waits for the permission.
    pub(crate) fn holds_a_run(&self) -> bool {
        self.run.is_some()
    }
}

/// The permission that is needed now, if any. In an empty conversation, it can be the permission
/// to read the page in the tab. The user can dismiss that request with *Not now*.
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
            MissingRight::Provider { origin, .. } | MissingRight::Search { origin, .. } => {
                vec![origin]
            }
            MissingRight::Pages { origins } => origins,
            MissingRight::Screenshot => vec![ALL_SITES.to_owned()],
            MissingRight::Image { .. } | MissingRight::Memory(_) | MissingRight::Outcome { .. } => {
                Vec::new()
            }
        };
        if let Some(run) = wanted.run.filter(|_| !origins.is_empty())
            && grants::has_all(&origins).await
        {
            surface.permit(run.run, run.wait, Verdict::Granted);
        }
    });
}

/// The card that replaces the composer.
pub(crate) fn card(wanted: &PermissionRequest) -> View {
    let surface = Surface::from_context();
    // The origin of the tab, if Chrome returns it. It is looked up before the click, because the
    // click's handler can't wait.
    let origin = create_signal(None);
    let stage = create_signal(AddressLookup::Unasked);
    match &wanted.need {
        MissingRight::Provider { origin: known, .. }
        | MissingRight::Search { origin: known, .. } => {
            origin.set(Some(known.clone()));
        }
        MissingRight::Screenshot => origin.set(Some(ALL_SITES.to_owned())),
        MissingRight::Pages { .. }
        | MissingRight::Image { .. }
        | MissingRight::Memory(_)
        | MissingRight::Outcome { .. } => {}
        MissingRight::Site { tab } => {
            let tab = tab.0;
            wasm_bindgen_futures::spawn_local(async move {
                let known = grants::origin_of(tab).await;
                if known.is_some() && origin.is_alive() {
                    origin.set(known);
                }
            });
        }
    }
    let heading = create_node_ref();
    take_focus(heading);
    let keys = surface.clone();
    let why = match wanted.need {
        MissingRight::Site { .. } => msg("permission_site"),
        MissingRight::Provider { .. } => msg("permission_provider"),
        MissingRight::Search { .. } => msg("permission_search"),
        MissingRight::Screenshot => msg("permission_screenshot"),
        MissingRight::Pages { .. } => msg("permission_pages"),
        MissingRight::Image { .. } => msg("permission_image"),
        MissingRight::Memory(_) => msg("permission_memory"),
        MissingRight::Outcome { .. } => String::new(),
    };
    let title = tag("h2", msg("permission_needed"))
        .id("permission-h")
        .attr("tabindex", "-1");
    let body = (
        title.node(heading),
        tag("p", why).id("permission-d"),
        facts::facts(wanted, origin),
        buttons(&surface, wanted, origin, stage),
        note(wanted, stage),
    );
    let card = tag("section.ask", body)
        .role("dialog")
        .attr("aria-labelledby", "permission-h");
    let card = card.attr("aria-describedby", "permission-d");
    card.on("keydown", move |event| {
        crate::app::stop_on_escape(&keys, &event);
    })
    .into()
}

fn buttons(
    surface: &Surface,
    wanted: &PermissionRequest,
    origin: Signal<Option<String>>,
    stage: Signal<AddressLookup>,
) -> View {
    let allow = match &wanted.need {
        MissingRight::Site { .. } => msg("allow_site"),
        MissingRight::Provider { name, .. } | MissingRight::Search { name, .. } => {
            msg_with("allow_named", &[name])
        }
        MissingRight::Screenshot => msg("allow_all_sites"),
        MissingRight::Pages { origins } => {
            let first = origins.first().map(|it| host_of(it)).unwrap_or_default();
            msg(if hosts_of(origins) == first {
                "allow_site"
            } else {
                "allow_sites"
            })
        }
        MissingRight::Image { .. } => msg("allow_image"),
        MissingRight::Memory(_) => msg("allow_memory"),
        MissingRight::Outcome { .. } => String::new(),
    };
    let refuse = {
        let (surface, run) = (surface.clone(), wanted.run.clone());
        move || settle(&surface, run.as_ref(), Verdict::Refused)
    };
    let (surface, wanted) = (surface.clone(), wanted.clone());
    let ask = move || {
        let (surface, run) = (surface.clone(), wanted.run.clone());
        match (origin.get_clone_untracked(), &wanted.need) {
            (_, MissingRight::Pages { origins }) => grants::request_all(origins, move |given| {
                let verdict = if given {
                    Verdict::Granted
                } else {
                    Verdict::Refused
                };
                settle(&surface, run.as_ref(), verdict);
            }),
            (_, MissingRight::Image { .. } | MissingRight::Memory(_)) => {
                settle(&surface, run.as_ref(), Verdict::Granted);
            }
            (Some(known), _) => grants::request(&known, move |given| {
                if given {
                    settle(&surface, run.as_ref(), Verdict::Granted);
                } else if run.is_some() {
                    settle(&surface, run.as_ref(), Verdict::Refused);
                }
            }),
            (None, MissingRight::Site { tab }) => grants::request_origin_of(tab.0, move |known| {
                if !origin.is_alive() {
                    return;
                }
                let Some(known) = known else {
                    stage.set(AddressLookup::Nameless);
                    return;
                };
                origin.set(Some(known.clone()));
                stage.set(AddressLookup::Named);
                // Chrome may count the click in its first dialog as the user's click for the
                // second dialog.
                grants::request(&known, move |given| {
                    if given {
                        settle(&surface, run.as_ref(), Verdict::Granted);
                    }
                });
            }),
            (
                None,
                MissingRight::Provider { .. }
                | MissingRight::Search { .. }
                | MissingRight::Screenshot
                | MissingRight::Outcome { .. },
            ) => {}
        }
    };
    let buttons = (
        button("", msg("not_now"), refuse),
        button("primary", allow, ask),
    );
    tag("div.row.wrap", buttons).into()
}

fn settle(surface: &Surface, run: Option<&WaitingRun>, verdict: Verdict) {
    match (run, verdict) {
        (Some(held), _) => surface.permit(held.run.clone(), held.wait, verdict),
        (None, Verdict::Granted) => surface.connection().retry(),
        (None, Verdict::Refused) => surface.dismissed.set(true),
    }
}

/// The hosts of these origins, without duplicates.
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

/// The line at the bottom of the card. At first it says how to revoke the permission, or what
/// happens without it. After a question to Chrome, it says what to do next.
fn note(wanted: &PermissionRequest, stage: Signal<AddressLookup>) -> View {
    let first = match &wanted.need {
        MissingRight::Provider { .. } => "permission_provider_note",
        MissingRight::Search { .. } => "permission_search_note",
        MissingRight::Site { .. } => "permission_site_note",
        MissingRight::Screenshot => "permission_screenshot_note",
        MissingRight::Pages { .. } => "permission_pages_note",
        MissingRight::Image { .. } => "permission_image_note",
        MissingRight::Memory(_) | MissingRight::Outcome { .. } => "permission_memory_note",
    };
    let key = move || match stage.get() {
        AddressLookup::Unasked => first,
        AddressLookup::Named => "permission_named",
        AddressLookup::Nameless => "permission_nameless",
    };
    status_meta(live_text(move || msg(key()))).into()
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
