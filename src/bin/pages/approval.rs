//! The sheet "Approve tool call". It shows the text that a call sends, the recipient, the reason, and
//! the author of each part.
//!
//! The user can edit each part; an edited part is the user's. Nothing is sent before a button is
//! pressed. The focus is on the heading, so that an accidental Enter approves nothing.

use crate::browser::{self, html_element};
use crate::prelude::*;
use crate::surface::{Surface, focus};
use gloss::agent::{AnsweredFrom, ApprovalScope, Verdict};
use gloss::durable::RunId;
use gloss::model::facts::money;
use gloss::tools::{Author, SendKind, SendRequest, SentPart, StandingApproval};
use std::rc::Rc;
use wasm_bindgen::JsValue;

/// A part of the request, with the text in its field.
struct Field {
    part: SentPart,
    text: Signal<String>,
}

impl Field {
    /// Returns the author of the text that is in the field now.
    fn author(&self) -> Author {
        if self.text.with(|text| *text == self.part.text) {
            self.part.by
        } else {
            Author::User
        }
    }
}

/// The sheet for the request of a waiting run.
pub(crate) fn sheet(request: &SendRequest, run: RunId, wait: u64) -> Tag {
    let fields: Rc<[Field]> = request
        .parts
        .iter()
        .map(|part| Field {
            part: part.clone(),
            text: create_signal(part.text.clone()),
        })
        .collect();
    let (heading, dialog) = (create_node_ref(), create_node_ref());
    open(dialog, heading);
    let decide: Rc<dyn Fn(Verdict)> = {
        let surface = Surface::from_context();
        Rc::new(move |verdict| surface.permit(run.clone(), wait, verdict))
    };
    let title = tag("h2", msg("approval_title"))
        .id("approval-h")
        .attr("tabindex", "-1")
        .node(heading);
    let body = (
        title,
        tag("p", msg("approval_why_asked")),
        facts(request, &fields),
        decisions(request, &fields, &decide),
    );
    let dialog = tag("dialog.sheet", body)
        .attr("aria-modal", "true")
        .attr("aria-labelledby", "approval-h")
        .node(dialog);
    // Chrome sends `cancel` for Escape: the call is rejected without a reason.
    dialog.on("cancel", move |event: web_sys::Event| {
        event.prevent_default();
        decide(rejected(String::new()));
    })
}

/// Opens the sheet over the page, which can't be used meanwhile.
fn open(dialog: NodeRef, heading: NodeRef) {
    on_mount(move || {
        if let Some(element) = html_element(dialog) {
            let show = js_sys::Reflect::get(&element, &JsValue::from_str("showModal"));
            if let Ok(show) = show.map(js_sys::Function::from) {
                // The call fails only for a dialog that is open already.
                let _ = show.call0(&element);
            }
        }
        focus(&heading);
    });
}

fn facts(request: &SendRequest, fields: &Rc<[Field]>) -> Tag {
    let [what, to] = match request.kind {
        SendKind::Search => ["approval_search", "approval_to_provider"],
        SendKind::Fetch => ["approval_fetch", "approval_to_site"],
        SendKind::Image { .. } => ["approval_image", "approval_to_image_model"],
    };
    let what = tag("dd", (msg(what), ", ", tag("code", request.tool.clone())));
    let to = tag("dd", (tag("b", request.to.clone()), ", ", msg(to)));
    let cost = match request.kind {
        SendKind::Image { cost: None } => Some(msg("permission_cost_unknown")),
        SendKind::Image { cost: Some(cost) } if cost > 0 => {
            Some(msg_with("permission_cost_about", &[&money(cost)]))
        }
        SendKind::Image { .. } | SendKind::Search | SendKind::Fetch => None,
    };
    let cost = cost.map(|words| fact(msg("permission_cost"), tag("dd", words)));
    let why = match request.reason.as_str() {
        "" => msg("approval_no_reason"),
        reason => reason.to_owned(),
    };
    let sent = {
        let fields = fields.clone();
        live(move || fields.iter().flat_map(marked).collect::<Vec<_>>())
    };
    let inputs: Vec<View> = fields
        .iter()
        .enumerate()
        .map(|(place, field)| input(request.kind, place, field))
        .collect();
    tag(
        "dl.asked",
        (
            fact(msg("permission_what"), what),
            fact(msg("permission_why"), tag("dd", why)),
            fact(msg("approval_to"), to),
            fact(msg("permission_sent"), tag("dd.whole", tag("code", sent))),
            cost,
            inputs,
        ),
    )
}

fn fact(name: String, value: Tag) -> View {
    fragment((tag("dt", name), value))
}

/// Returns a part of the sent text, marked by its author.
fn marked(field: &Field) -> [View; 2] {
    let text = field.text.get_clone();
    let text = match field.author() {
        Author::User => text.into(),
        Author::Page => tag("mark", text).into(),
        Author::Model => tag("u", text).into(),
    };
    [field.part.before.clone().into(), text]
}

/// Returns the field of a part. Its label is the part's name and author.
fn input(kind: SendKind, place: usize, field: &Field) -> View {
    let author = match field.part.by {
        Author::User => msg("approval_yours").into_view(),
        Author::Page => tag("mark", msg("approval_pages")).into(),
        Author::Model => tag("u", msg("approval_models")).into(),
    };
    let words = match part_name(&field.part.before) {
        Some(name) => fragment((name, " ", tag("span.meta", author))),
        None => author,
    };
    let id = format!("approval-{place}");
    let text = field.text;
    let element = match kind {
        SendKind::Image { .. } => "textarea.input",
        SendKind::Search | SendKind::Fetch if field.part.by == Author::Page => "input.quote",
        SendKind::Search | SendKind::Fetch => "input",
    };
    let input = tag(element, ())
        .id(id.clone())
        .attr("autocomplete", "off")
        .value(move || text.get_clone())
        .on("input", move |event: web_sys::Event| {
            text.set(browser::value(&event));
        });
    let label = tag("label", words).attr("for", id);
    fragment((tag("dt", label), tag("dd", input)))
}

/// Returns the name of a part after this text: a parameter of an address, or the address itself.
fn part_name(before: &str) -> Option<String> {
    let parameter = before.strip_prefix(['?', '&']);
    match parameter.and_then(|it| it.strip_suffix('=')) {
        Some(name) => Some(name.to_owned()),
        None => before.contains("://").then(|| msg("approval_address")),
    }
}

fn decisions(request: &SendRequest, fields: &Rc<[Field]>, decide: &Rc<dyn Fn(Verdict)>) -> View {
    let approve = |scope| {
        let (fields, decide) = (fields.clone(), decide.clone());
        move || {
            let parts = fields.iter().map(|it| it.text.get_clone_untracked());
            decide(Verdict::Approved {
                parts: parts.collect(),
                scope,
                from: answered_from(),
            });
        }
    };
    let (asks_why, reason) = (create_signal(false), create_signal(String::new()));
    let reason_field = create_node_ref();
    let reject = {
        let decide = decide.clone();
        move || {
            if asks_why.get_untracked() {
                decide(rejected(reason.get_clone_untracked()));
            } else {
                asks_why.set(true);
                browser::next_frame(move || focus(&reason_field));
            }
        }
    };
    let reject_now = {
        let reject = reject.clone();
        move |event: web_sys::KeyboardEvent| {
            if event.key() == "Enter" && !event.is_composing() {
                event.prevent_default();
                reject();
            }
        }
    };
    let input = tag("input", ())
        .id("approval-reason")
        .attr("autocomplete", "off")
        .attr("aria-describedby", "approval-reason-d")
        .node(reason_field)
        .value(move || reason.get_clone())
        .on("input", move |event: web_sys::Event| {
            reason.set(browser::value(&event));
        })
        .on("keydown", reject_now);
    let label = tag("label.label", msg("approval_reason")).attr("for", "approval-reason");
    let hint = tag("p.meta", msg("approval_reason_hint")).id("approval-reason-d");
    let reasons = tag("div", (label, input, hint))
        .id("approval-why")
        .flag("hidden", move || !asks_why.get());
    let reject = button("", msg("approval_reject"), reject)
        .attr("aria-expanded", move || {
            if asks_why.get() { "true" } else { "false" }.to_owned()
        })
        .attr("aria-controls", "approval-why");
    let once = button(
        "primary",
        msg("approval_once"),
        approve(ApprovalScope::Once),
    );
    let always = request.always.as_ref().map(|calls| {
        let (label, means) = match calls {
            StandingApproval::Searches { provider } => (
                msg_with("approval_always_searches", &[provider]),
                msg_with("approval_always_searches_means", &[provider]),
            ),
            StandingApproval::Fetches { host } => (
                msg("approval_always"),
                msg_with("approval_always_means", &[host]),
            ),
        };
        let always = button("", label, approve(ApprovalScope::Always));
        let means = tag("p.meta", means).id("approval-always-d");
        (always.attr("aria-describedby", "approval-always-d"), means)
    });
    let (always, means) = always.unzip();
    fragment((reasons, tag("div.row.wrap", (reject, once, always)), means))
}

fn rejected(reason: String) -> Verdict {
    Verdict::Rejected {
        reason,
        from: answered_from(),
    }
}

/// Returns the surface that this page is.
fn answered_from() -> AnsweredFrom {
    let root = sycamore::web::document().document_element();
    if root.is_some_and(|root| root.class_name() == "popup") {
        AnsweredFrom::Popup
    } else {
        AnsweredFrom::Panel
    }
}
