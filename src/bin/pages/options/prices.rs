//! What is known of each profile's model: a table, of which a row can be changed.

use super::browser::{is_checked, value};
use super::page::Page;
use super::small_windows::small_windows;
use super::told::{Told, told};
use crate::icon::icon;
use crate::keyed::keyed;
use crate::live::{handler, live};
use crate::words::{grouped, msg, msg_of, msg_of_with, msg_with};
use gloss::app::options::{Ask, Change, Outcome};
use gloss::app::preferences::{FieldName, Figure, Preferences, TypedFacts};
use gloss::model::facts::AS_OF;
use gloss::model::{Facts, Profile};
use sycamore::prelude::*;

/// The columns of figures: the key of the heading, and of a field's name.
const COLUMNS: [(Figure, &str, &str); 4] = [
    (
        Figure::Window,
        "msg:options_window",
        "msg:options_window_of",
    ),
    (
        Figure::Input,
        "msg:options_price_in",
        "msg:options_price_in_of",
    ),
    (
        Figure::Cached,
        "msg:options_price_cached",
        "msg:options_price_cached_of",
    ),
    (
        Figure::Output,
        "msg:options_price_out",
        "msg:options_price_out_of",
    ),
];

/// What the rows share.
#[derive(Clone)]
struct Table {
    page: Page,
    /// The profile whose row is being changed.
    changed: Signal<Option<String>>,
    told: Signal<Told>,
}

/// The table, and what holds for it.
pub(super) fn prices() -> View {
    let page = Page::here();
    let set = page.preferences();
    let table = Table {
        page,
        changed: create_signal(None),
        told: create_signal(Told::Nothing),
    };
    let any = create_selector(move || set.with(|set| !set.profiles.is_empty()));
    live(move || {
        if any.get() {
            whole(&table, set)
        } else {
            View::new()
        }
    })
}

fn whole(table: &Table, set: ReadSignal<Preferences>) -> View {
    let rows = {
        let table = table.clone();
        let changed = table.changed;
        keyed(
            move || {
                let at = changed.get_clone();
                set.with(|set| {
                    let rows = set.profiles.iter().map(|profile| Row {
                        name: name_of(set, profile),
                        is_changed: at.as_ref() == Some(&profile.id),
                        profile: profile.clone(),
                    });
                    rows.collect::<Vec<Row>>()
                })
            },
            |row| format!("{row:?}"),
            move |row| {
                if row.is_changed {
                    changing(&table, row)
                } else {
                    standing(&table, row)
                }
            },
        )
    };
    let heads: Vec<View> = COLUMNS
        .into_iter()
        .map(|(_, head, _)| {
            let head = msg_of(head);
            view! { th(scope="col", class="n") { (head) } }
        })
        .collect();
    let [name, region, model, takes, edit] = [
        msg("options_prices"),
        msg("options_price_table"),
        msg("options_model"),
        msg("options_takes"),
        msg("options_edit"),
    ];
    let note = msg_with("options_prices_of", &[AS_OF]);
    let small = live(move || set.with(small_windows));
    let refused = refused(table.told);
    let told = told(table.told);
    view! {
        h3(id="prices") { (name) }
        div(class="scroll-x", tabindex="0", role="region", aria-label=region) {
            table(style="min-width:40rem") {
                thead { tr {
                    th(scope="col") { (model) }
                    (heads)
                    th(scope="col") { (takes) }
                    th(scope="col") { span(class="sr") { (edit) } }
                } }
                tbody { (rows) }
            }
        }
        p(role="status", id="figures-d") { (refused) (told) }
        (small)
        p(class="meta num", style="margin-top:.5rem") { (note) }
    }
}

/// A row to be; one that says something else is another.
#[derive(Debug, Clone)]
struct Row {
    /// The model's name, with the profile's where others have the same.
    name: String,
    profile: Profile,
    is_changed: bool,
}

pub(super) fn name_of(set: &Preferences, profile: &Profile) -> String {
    let mut others = set.profiles.iter().filter(|other| other.id != profile.id);
    if others.any(|other| other.model == profile.model) {
        format!("{} ({})", profile.model, profile.name)
    } else {
        profile.model.clone()
    }
}

fn standing(table: &Table, row: Row) -> View {
    let facts = Facts::of(&row.profile);
    let typed = TypedFacts::of(&row.profile);
    let cells: Vec<View> = COLUMNS
        .into_iter()
        .map(|(figure, ..)| {
            let text = match figure {
                Figure::Window => facts.window.map(|it| grouped(it.into())),
                Figure::Input | Figure::Cached | Figure::Output => Some(figure.text(&facts)),
            };
            let text = text.filter(|it| !it.is_empty());
            let text = text.unwrap_or_else(|| msg("options_not_known"));
            view! { td(class="n num") { (text) } }
        })
        .collect();
    let takes: Vec<String> = abilities(&typed)
        .into_iter()
        .filter(|(_, can)| *can)
        .map(|(key, _)| msg_of(key))
        .collect();
    let takes = takes.join(&msg("comma"));
    let yours = row.profile.facts.is_some().then(|| {
        let yours = msg("options_yours");
        view! { " " span(class="tag") { (yours) } }
    });
    let (edit_name, tip) = (
        msg_with("options_price_edit", &[&row.name]),
        msg("options_edit"),
    );
    let sign = icon("edit");
    let (changed, told) = (table.changed, table.told);
    let id = row.profile.id;
    let name = row.name;
    view! {
        tr {
            td { (name) (yours) }
            (cells)
            td { (takes) }
            td(class="n") {
                button(
                    r#type="button",
                    class="icon-btn tiny",
                    aria-label=edit_name,
                    title=tip,
                    on:click=handler(move |_| {
                        told.set(Told::Nothing);
                        changed.set(Some(id.clone()));
                        focus("figure-0");
                    }),
                ) { (sign) }
            }
        }
    }
}

fn abilities(typed: &TypedFacts) -> [(&'static str, bool); 3] {
    [
        ("msg:options_takes_images", typed.images),
        ("msg:options_takes_tools", typed.tools),
        ("msg:options_takes_schema", typed.schema),
    ]
}

fn changing(table: &Table, row: Row) -> View {
    let typed = create_signal(TypedFacts::of(&row.profile));
    let told = table.told;
    let fields: Vec<View> = COLUMNS
        .into_iter()
        .enumerate()
        .map(|(at, (figure, _, name))| {
            let name = msg_of_with(name, &[&row.name]);
            let is_wrong = create_selector(move || {
                told.with(|told| told.at(FieldName::Figure(figure)).is_some())
            });
            let shown = typed.with_untracked(|typed| typed.figures.get(at).cloned());
            let shown = shown.unwrap_or_default();
            let id = format!("figure-{at}");
            let mode = match figure {
                Figure::Window => "numeric",
                Figure::Input | Figure::Cached | Figure::Output => "decimal",
            };
            view! {
                td(class="n") {
                    input(
                        id=id,
                        aria-label=name,
                        inputmode=mode,
                        autocomplete="off",
                        aria-invalid=move || is_wrong.get().then_some("true"),
                        aria-describedby="figures-d",
                        prop:value=shown,
                        on:input=handler(move |event: web_sys::Event| {
                            typed.update(|typed| {
                                if let Some(figure) = typed.figures.get_mut(at) {
                                    *figure = value(&event);
                                }
                            });
                        }),
                    )
                }
            }
        })
        .collect();
    let sets: [fn(&mut TypedFacts, bool); 3] = [
        |typed, can| typed.images = can,
        |typed, can| typed.tools = can,
        |typed, can| typed.schema = can,
    ];
    let boxes: Vec<View> = abilities(&typed.get_clone_untracked())
        .into_iter()
        .zip(sets)
        .map(|((key, can), set)| {
            let words = msg_of(key);
            view! {
                label(class="row") {
                    input(
                        r#type="checkbox",
                        style="width:auto;min-height:0",
                        prop:checked=can,
                        on:change=handler(move |event: web_sys::Event| {
                            typed.update(|typed| set(typed, is_checked(&event)));
                        }),
                    )
                    span { (words) }
                }
            }
        })
        .collect();
    let ways = ways(table, &row, typed);
    let (keys, id, name) = (table.clone(), row.profile.id, row.name);
    view! {
        tr(class="edit", on:keydown=handler(move |event: web_sys::KeyboardEvent| {
            match event.key().as_str() {
                "Enter" if !on_button(&event) => {
                    event.prevent_default();
                    keys.put(&id, Some(typed.get_clone_untracked()));
                }
                "Escape" => {
                    event.prevent_default();
                    keys.close();
                }
                _ => {}
            }
        })) {
            td { (name) }
            (fields)
            td(style="white-space:nowrap") { (boxes) }
            td(class="n") { (ways) }
        }
    }
}

/// Save, cancel, and back to what the package says.
fn ways(table: &Table, row: &Row, typed: Signal<TypedFacts>) -> View {
    let [save_tip, cancel, cancel_tip, reset_tip] = [
        msg("options_save"),
        msg("cancel"),
        msg("cancel"),
        msg("options_price_reset"),
    ];
    let save_name = msg_with("options_price_save", &[&row.name]);
    let reset = row.profile.facts.is_some().then(|| {
        let (table, id) = (table.clone(), row.profile.id.clone());
        let name = msg_with("options_price_reset_named", &[&row.name]);
        let sign = icon("again");
        view! {
            button(
                r#type="button",
                class="icon-btn tiny",
                aria-label=name,
                title=reset_tip,
                on:click=handler(move |_| table.put(&id, None)),
            ) { (sign) }
        }
    });
    let (saving, closing) = (table.clone(), table.clone());
    let id = row.profile.id.clone();
    let (check, close) = (icon("check"), icon("close"));
    view! {
        button(
            r#type="button",
            class="icon-btn tiny",
            aria-label=save_name,
            title=save_tip,
            on:click=handler(move |_| saving.put(&id, Some(typed.get_clone_untracked()))),
        ) { (check) }
        (reset)
        button(
            r#type="button",
            class="icon-btn tiny",
            aria-label=cancel,
            title=cancel_tip,
            on:click=handler(move |_| closing.close()),
        ) { (close) }
    }
}

impl Table {
    fn put(&self, id: &str, typed: Option<TypedFacts>) {
        let (changed, told) = (self.changed, self.told);
        let change = Change::Facts(id.to_owned(), typed);
        self.page.ask(Ask::Change { change }, move |outcome| {
            let is_done = outcome == Outcome::Saved;
            told.set(Told::of(outcome));
            if is_done {
                changed.set(None);
            }
        });
    }

    fn close(&self) {
        self.told.set(Told::Nothing);
        self.changed.set(None);
    }
}

/// Why the figures may not stand.
fn refused(told: Signal<Told>) -> View {
    live(move || {
        let words = Figure::ALL
            .into_iter()
            .find_map(|figure| told.with(|told| told.at(FieldName::Figure(figure))));
        words.map(|words| {
            let sign = icon("alert");
            view! { span(class="danger-text") { (sign) (words) } }
        })
    })
}

/// Enter on a button presses it.
fn on_button(event: &web_sys::KeyboardEvent) -> bool {
    use wasm_bindgen::JsCast;
    let target = event
        .target()
        .and_then(|it| it.dyn_into::<web_sys::Element>().ok());
    target.is_some_and(|it| it.tag_name() == "BUTTON")
}

fn focus(id: &'static str) {
    use wasm_bindgen::JsCast;
    let element = sycamore::web::document().get_element_by_id(id);
    if let Some(field) = element.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
        // Fails for no element that is there.
        let _ = field.focus();
    }
}
