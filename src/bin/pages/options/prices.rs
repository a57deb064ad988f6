//! A table of each profile's model, with its prices and context size. The user can change each
//! row.

use super::prelude::*;
use crate::browser::{focus_later, is_checked, value};
use gloss::app::preferences::{FieldName, Figure, Preferences, TypedFacts};
use gloss::model::facts::AS_OF;
use gloss::model::{ContextWindow, Facts, Profile};

/// The number of tokens of a page that a model receives if its context window is large enough.
const WHOLE_PAGE: u32 = 12_000;

/// The columns of numbers, with the message keys of the heading and of the field's name.
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

#[derive(Clone)]
struct Table {
    page: Page,
    /// The profile whose row the user is changing.
    changed: Signal<Option<String>>,
    feedback: Signal<Feedback>,
}

/// The table, and notes below it.
pub(super) fn prices() -> View {
    let page = Page::from_context();
    let set = page.preferences();
    let (changed, feedback) = (create_signal(None), create_signal(Feedback::None));
    let table = Table {
        page,
        changed,
        feedback,
    };
    let any = create_selector(move || set.with(|set| !set.profiles.is_empty()));
    live_if(any, move || whole(&table, set))
}

fn whole(table: &Table, set: ReadSignal<Preferences>) -> View {
    let (changed, result) = (table.changed, table.feedback);
    let table = table.clone();
    let rows = move || {
        let at = changed.get_clone();
        set.with(|set| {
            let rows = set.profiles.iter().map(|profile| Row {
                name: name_of(set, profile),
                is_changed: at.as_ref() == Some(&profile.id),
                profile: profile.clone(),
            });
            rows.collect::<Vec<Row>>()
        })
    };
    // A row is rebuilt whenever its content changes.
    let rows = keyed(
        rows,
        |row| format!("{row:?}"),
        move |row| {
            if row.is_changed {
                edited(&table, row)
            } else {
                shown(&table, &row)
            }
        },
    );
    let figures = COLUMNS.map(|(_, head, _)| head_cell("n", msg_of(head)));
    let (model, takes) = (
        head_cell("", msg("options_model")),
        head_cell("", msg("options_takes")),
    );
    let edit = head_cell("", tag("span.sr", msg("options_edit")));
    let heads = tag("tr", (model, Vec::from(figures), takes, edit)).into();
    let refused = live(move || {
        let at = |figure| result.with(|feedback| feedback.refusal_at(FieldName::Figure(figure)));
        Figure::ALL.into_iter().find_map(at).map(error_text)
    });
    let status = tag("p", (refused, feedback_line(result)))
        .role("status")
        .id("figures-d");
    let table = scroll_table(msg("options_price_table"), heads, rows);
    let note = tag("p.meta.num.gap-2", msg_with("options_prices_of", &[AS_OF]));
    let heading = tag("h3", msg("options_prices")).id("prices");
    let small = live(move || set.with(small_windows));
    fragment((heading, table.class("scroll-x prices"), status, small, note))
}

/// A row of the table, from which its view is made.
#[derive(Debug, Clone)]
struct Row {
    /// The name of the model. If several models have this name, the profile's name is added.
    name: String,
    profile: Profile,
    is_changed: bool,
}

fn name_of(set: &Preferences, profile: &Profile) -> String {
    let mut others = set.profiles.iter().filter(|other| other.id != profile.id);
    if others.any(|other| other.model == profile.model) {
        format!("{} ({})", profile.model, profile.name)
    } else {
        profile.model.clone()
    }
}

/// A line for each model whose context window is small.
fn small_windows(set: &Preferences) -> Vec<View> {
    let line = |profile: &Profile| {
        let window = Facts::of(profile).window?;
        let room = ContextWindow::of(Some(window));
        let key = match (room.is_small(), room.is_less()) {
            (true, _) => "options_window_small",
            (false, true) => "options_window_less",
            (false, false) => return None,
        };
        let page = grouped(room.page(WHOLE_PAGE).into());
        let words = [name_of(set, profile), grouped(window.into()), page];
        let words = msg_with(key, &words.each_ref().map(String::as_str));
        Some(tag("p.meta.num", words).into())
    };
    set.profiles.iter().filter_map(line).collect()
}

fn shown(table: &Table, row: &Row) -> Tag {
    let facts = Facts::of(&row.profile);
    let cells = COLUMNS.map(|(figure, ..)| {
        let text = match figure {
            Figure::Window => facts.window.map(|it| grouped(it.into())),
            Figure::Input | Figure::Cached | Figure::Output => Some(figure.text(&facts)),
        };
        let text = text.filter(|it| !it.is_empty());
        View::from(tag(
            "td.n.num",
            text.unwrap_or_else(|| msg("options_not_known")),
        ))
    });
    let takes = abilities(&TypedFacts::of(&row.profile)).into_iter();
    let takes: Vec<String> = takes
        .filter(|(_, can)| *can)
        .map(|(key, _)| msg_of(key))
        .collect();
    let yours = row.profile.facts.is_some();
    let yours = yours.then(|| (" ", tag_label("", msg("options_yours"))));
    let name = msg_with("options_price_edit", &[&row.name]);
    let (changed, feedback, id) = (table.changed, table.feedback, row.profile.id.clone());
    let edit = icon_button("tiny", "edit", name, move || {
        feedback.set(Feedback::None);
        changed.set(Some(id.clone()));
        focus_later(vec!["figure-0".to_owned()]);
    });
    let edit = tag("td.n", edit.tip(msg("options_edit")));
    let name = tag("td", (row.name.clone(), yours));
    tag(
        "tr",
        (
            name,
            Vec::from(cells),
            tag("td", takes.join(&msg("comma"))),
            edit,
        ),
    )
}

fn abilities(typed: &TypedFacts) -> [(&'static str, bool); 3] {
    [
        ("msg:options_takes_images", typed.images),
        ("msg:options_takes_tools", typed.tools),
        ("msg:options_takes_schema", typed.schema),
    ]
}

fn edited(table: &Table, row: Row) -> Tag {
    let typed = create_signal(TypedFacts::of(&row.profile));
    let result = table.feedback;
    let fields = COLUMNS
        .into_iter()
        .enumerate()
        .map(|(at, (figure, _, name))| {
            let is_wrong = move || {
                let refused = result.with(|it| it.refusal_at(FieldName::Figure(figure)).is_some());
                refused.then_some("true")
            };
            let shown = typed.with_untracked(|typed| typed.figures.get(at).cloned());
            let mode = match figure {
                Figure::Window => "numeric",
                Figure::Input | Figure::Cached | Figure::Output => "decimal",
            };
            let input = tag("input", ())
                .id(format!("figure-{at}"))
                .attr("autocomplete", "off");
            let input = input
                .name(msg_of_with(name, &[&row.name]))
                .attr("inputmode", mode);
            let input = input
                .attr("aria-invalid", is_wrong)
                .attr("aria-describedby", "figures-d");
            let input = input
                .attr("value", shown)
                .on("input", move |event: web_sys::Event| {
                    typed.update(|typed| {
                        if let Some(figure) = typed.figures.get_mut(at) {
                            *figure = value(&event);
                        }
                    });
                });
            tag("td.n", input)
        });
    let fields: Vec<_> = fields.collect();
    let sets: [fn(&mut TypedFacts, bool); 3] = [
        |typed, can| typed.images = can,
        |typed, can| typed.tools = can,
        |typed, can| typed.schema = can,
    ];
    let boxes = abilities(&typed.get_clone_untracked())
        .into_iter()
        .zip(sets);
    let boxes = boxes.map(|((key, can), set)| {
        let input = tag("input", ())
            .attr("type", "checkbox")
            .checked(move || can);
        let input = input.on("change", move |event: web_sys::Event| {
            typed.update(|typed| set(typed, is_checked(&event)));
        });
        tag("label.row", (input, tag("span", msg_of(key))))
    });
    let boxes = tag("td.boxes", boxes.collect::<Vec<_>>());
    let actions = tag("td.n", actions(table, &row, typed));
    let (keys, leaving, id) = (table.clone(), table.clone(), row.profile.id);
    let line = tag("tr.edit", (tag("td", row.name), fields, boxes, actions));
    let save = move || keys.put(&id, Some(typed.get_clone_untracked()));
    edit_keys(line, save, move || leaving.close())
}

/// The buttons that save, cancel, and restore the numbers that come with the extension.
fn actions(table: &Table, row: &Row, typed: Signal<TypedFacts>) -> View {
    let reset = row.profile.facts.is_some().then(|| {
        let (table, id) = (table.clone(), row.profile.id.clone());
        let name = msg_with("options_price_reset_named", &[&row.name]);
        let reset = icon_button("tiny", "again", name, move || table.put(&id, None));
        View::from(reset.tip(msg("options_price_reset")))
    });
    let (saving, closing, id) = (table.clone(), table.clone(), row.profile.id.clone());
    let save = icon_button(
        "tiny",
        "check",
        msg_with("options_price_save", &[&row.name]),
        move || {
            saving.put(&id, Some(typed.get_clone_untracked()));
        },
    );
    let cancel = icon_button("tiny", "close", msg("cancel"), move || closing.close());
    fragment((save.tip(msg("options_save")), reset, cancel))
}

impl Table {
    fn put(&self, id: &str, typed: Option<TypedFacts>) {
        let changed = self.changed;
        let change = Change::Facts(id.to_owned(), typed);
        self.page.ask_for(
            OptionsRequest::Change { change },
            self.feedback,
            move || {
                changed.set(None);
            },
        );
    }

    fn close(&self) {
        self.feedback.set(Feedback::None);
        self.changed.set(None);
    }
}
