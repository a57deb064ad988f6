//! The order in which fallback models are tried. The user can change it.

use super::controls::row as with_actions;
use super::prelude::*;
use crate::browser::focus_id;
use crate::built_in::BuiltIn;
use gloss::app::preferences::Preferences;
use gloss::app::surface::ModelOption;
use gloss::model::BUILT_IN;
use gloss::ui::order::{Move, add, moved};

/// The state that all parts of this group share.
#[derive(Clone)]
struct Order {
    page: Page,
    set: ReadSignal<Preferences>,
    feedback: Signal<Feedback>,
    /// The new position of the model that was moved last, as a text for screen readers.
    announced: Signal<String>,
}

/// The group: the order as one line, and its rows while the user changes it.
pub(super) fn order() -> Tag {
    let page = Page::from_context();
    let order = Order {
        set: page.preferences(),
        page,
        feedback: create_signal(Feedback::None),
        announced: create_signal(String::new()),
    };
    let changing = create_signal(false);
    let (set, announced) = (order.set, order.announced);
    let words = live_text(move || {
        if changing.get() {
            msg("options_order_done")
        } else {
            msg("options_reorder")
        }
    });
    let toggle = button("quiet tiny", words, move || {
        changing.set(!changing.get_untracked());
    });
    let toggle = toggle.attr("aria-expanded", move || bool_text(changing.get()));
    let line = live_text(move || set.with(line));
    let line = tag(
        "p.line-up",
        (line, " ", toggle, feedback_line(order.feedback)),
    );
    let rows = live_if(changing, move || {
        let list = tag("ol.rows", rows(&order)).name(msg("options_then"));
        fragment((list, spare(&order)))
    });
    let status = tag("p.sr", live_text(move || announced.get_clone())).role("status");
    let inside = tag("div", (line, rows, status));
    tag("div.field", (tag("span.cap", msg("options_then")), inside))
}

/// "1. Ollama at home, 2. OpenAI": the answering model, then its fallbacks.
fn line(set: &Preferences) -> String {
    let main = set.answers.clone().unwrap_or_default();
    let rest = set.then.iter().filter(|id| **id != main);
    let ids: Vec<&String> = std::iter::once(&main).chain(rest).collect();
    if ids.len() == 1 {
        return msg("options_then_nobody");
    }
    let named = (1..).zip(ids).map(|(place, id): (usize, &String)| {
        let name = match set.profile(id) {
            Some(profile) => profile.name.clone(),
            None if id == BUILT_IN => msg("built_in"),
            None => msg("on_device"),
        };
        format!("{place}. {name}")
    });
    named.collect::<Vec<String>>().join(&msg("comma"))
}

fn rows(order: &Order) -> View {
    let order = order.clone();
    live(move || {
        let set = order.set.get_clone();
        let offers = set.offers();
        let offer = |id: &String| offers.iter().find(|offer| offer.id == *id);
        let in_order: Vec<&ModelOption> = set.then.iter().filter_map(offer).collect();
        let count = in_order.len();
        let rows = in_order.into_iter().enumerate();
        rows.map(|(at, offer)| row(&order, offer, at, count))
            .collect::<Vec<_>>()
    })
}

fn row(order: &Order, offer: &ModelOption, at: usize, count: usize) -> Tag {
    let name = name_of(offer);
    let action = |way: Move, words, named: &str, is_off: bool| {
        let (order, id, name) = (order.clone(), offer.id.clone(), name.clone());
        let named = msg_with(named, &[&name]);
        let button = button("tiny", words, move || order.shift(&id, &name, way));
        button
            .id(id_of(way, &offer.id))
            .name(named)
            .disabled(is_off)
    };
    let up = action(Move::Up, msg("options_up"), "options_up_named", at == 0);
    let down = action(
        Move::Down,
        msg("options_down"),
        "options_down_named",
        at + 1 == count,
    );
    let out = action(
        Move::Out,
        msg("options_leave_out"),
        "options_leave_out_named",
        false,
    );
    with_actions(name, (up, down, out))
}

/// The models that are not in the order.
fn spare(order: &Order) -> View {
    let (order, built_in) = (order.clone(), BuiltIn::from_context());
    live(move || {
        let set = order.set.get_clone();
        let offers = built_in.shown(set.offers(), "").into_iter();
        let buttons = offers
            .filter(|offer| !set.then.contains(&offer.id))
            .map(|offer| {
                let (order, words) = (
                    order.clone(),
                    msg_with("options_add_named", &[&name_of(&offer)]),
                );
                let add = move || {
                    let then = order
                        .set
                        .with_untracked(|set| add(set.then.clone(), &offer.id));
                    order.put(then, None);
                };
                button("tiny", words, add)
            });
        tag("div.row.wrap.gap-1", buttons.collect::<Vec<_>>())
    })
}

impl Order {
    fn shift(&self, id: &str, name: &str, way: Move) {
        let then = self.set.with_untracked(|set| set.then.clone());
        let Some((then, to)) = moved(then, id, way) else {
            return;
        };
        self.announced.set(match to {
            None => msg_with("options_left_out", &[name]),
            Some(to) => {
                let (place, count) = ((to + 1).to_string(), then.len().to_string());
                msg_with("options_moved", &[name, &place, &count])
            }
        });
        self.put(then, to.map(|_| (id.to_owned(), way)));
    }

    /// Saves the order. The moved row is a new DOM node, so the pressed button gets the focus
    /// again. If the row is now the first or the last, its other button gets the focus.
    fn put(&self, then: Vec<String>, pressed: Option<(String, Move)>) {
        let change = Change::Then(then);
        self.page.ask_for(
            OptionsRequest::Change { change },
            self.feedback,
            move || {
                if let Some((id, way)) = pressed {
                    let other = if way == Move::Up {
                        Move::Down
                    } else {
                        Move::Up
                    };
                    let _ = focus_id(&id_of(way, &id)) || focus_id(&id_of(other, &id));
                }
            },
        );
    }
}

fn id_of(way: Move, id: &str) -> String {
    let way = match way {
        Move::Up => "up",
        Move::Down => "down",
        Move::Out => "out",
    };
    format!("{way}-{id}")
}

/// Returns the name of a model in a list of them.
pub(super) fn name_of(offer: &ModelOption) -> String {
    match offer.id.as_str() {
        "" => msg("on_device"),
        BUILT_IN => msg("built_in"),
        _ => format!("{} · {}", offer.provider, offer.model),
    }
}
