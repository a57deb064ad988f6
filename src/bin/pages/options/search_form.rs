//! What a search provider wants to know: where it is, its key, how often it may be asked.

use super::page::Page;
use super::profile_form::{beneath, refusal};
use super::search::Form;
use crate::browser::host_of;
use crate::live::{live, live_text};
use crate::words::{msg, msg_with};
use gloss::app::options::TypedKey;
use gloss::app::preferences::{FieldName, TypedServer};
use gloss::host::Keeping;
use gloss::search::{Engine, KeyNeed, MOST_A_DAY, MOST_A_MINUTE, Server};
use sycamore::prelude::*;

/// Its fields, as they are typed; they wait for *Save*.
#[derive(Clone, Copy)]
pub(super) struct Draft {
    pub(super) base_url: Signal<String>,
    pub(super) key: Signal<String>,
    id: Signal<String>,
    per_minute: Signal<String>,
    per_day: Signal<String>,
}

impl Draft {
    pub(super) fn new() -> Self {
        let [base_url, key, id, per_minute, per_day] =
            [(); 5].map(|()| create_signal(String::new()));
        Self {
            base_url,
            key,
            id,
            per_minute,
            per_day,
        }
    }

    /// What is set, in place of what was typed; but for the key, which nobody tells.
    pub(super) fn fill(&self, server: &Server) {
        let TypedServer {
            base_url,
            id,
            limits: [per_minute, per_day],
        } = TypedServer::of(server);
        self.base_url.set(base_url);
        self.id.set(id);
        self.per_minute.set(per_minute);
        self.per_day.set(per_day);
    }

    pub(super) fn typed(&self) -> TypedServer {
        TypedServer {
            base_url: self.base_url.get_clone_untracked(),
            id: self.id.get_clone_untracked(),
            limits: [self.per_minute, self.per_day].map(|limit| limit.get_clone_untracked()),
        }
    }

    pub(super) fn typed_key(&self) -> TypedKey {
        TypedKey(self.key.get_clone_untracked())
    }
}

struct Field {
    id: &'static str,
    label: String,
    name: FieldName,
    value: Signal<String>,
    /// The most that may be typed, where it is a number.
    most: Option<u32>,
    about: View,
    placeholder: Box<dyn Fn() -> String>,
    is_secret: bool,
}

/// All of them, as the provider wants them.
pub(super) fn fields(form: &Form) -> View {
    let (draft, engine) = (form.draft, form.engine);
    let plain = |id, label, name, value| Field {
        id,
        label,
        name,
        value,
        most: None,
        about: View::new(),
        placeholder: Box::new(String::new),
        is_secret: false,
    };
    let url = Field {
        about: live_text(move || match engine.get() {
            Engine::Wikipedia => msg("options_search_follows"),
            Engine::Searxng => msg("options_search_own"),
            Engine::Google => msg("options_search_ends"),
            Engine::Brave | Engine::Tavily => String::new(),
        }),
        placeholder: Box::new(move || match engine.get() {
            Engine::Searxng => "http://localhost:8080".to_owned(),
            other => other.base_url().to_owned(),
        }),
        ..plain(
            "search-url",
            msg("options_search_url"),
            FieldName::SearchUrl,
            draft.base_url,
        )
    };
    let key = Field {
        about: about_key(form),
        placeholder: placeholder(form),
        is_secret: true,
        ..plain(
            "search-key",
            msg("options_search_key"),
            FieldName::SearchKey,
            draft.key,
        )
    };
    let minute = Field {
        most: Some(MOST_A_MINUTE),
        ..plain(
            "search-minute",
            msg("options_search_minute"),
            FieldName::SearchMinute,
            draft.per_minute,
        )
    };
    let day = Field {
        most: Some(MOST_A_DAY),
        about: live_text(move || msg("options_search_limits")),
        ..plain(
            "search-day",
            msg("options_search_day"),
            FieldName::SearchDay,
            draft.per_day,
        )
    };
    let [url, key, minute, day] = [url, key, minute, day].map(|own| field(form, own));
    let whole = form.clone();
    let id = live(move || {
        if !engine.get().wants_id() {
            return View::new();
        }
        let about = msg("options_search_id_about");
        let own = Field {
            about: view! { (about) },
            ..plain(
                "search-id",
                msg("options_search_id"),
                FieldName::SearchId,
                draft.id,
            )
        };
        untrack(|| field(&whole, own))
    });
    view! { (url) (key) (id) (minute) (day) }
}

fn field(form: &Form, own: Field) -> View {
    let (told, name) = (form.told, own.name);
    let wrong = create_selector(move || told.with(|told| told.at(name)));
    let invalid = move || wrong.with(Option::is_some).then_some("true");
    let (about, refused) = (format!("{}-d", own.id), format!("{}-wrong", own.id));
    let described = format!("{about} {refused}");
    let refusal = refusal(wrong);
    let most = own.most.map(|most| most.to_string());
    let kind = if most.is_some() { "number" } else { "text" };
    let class = if own.is_secret { "secret" } else { "" };
    let least = most.is_some().then_some("1");
    view! {
        div(class="field") {
            label(r#for=own.id) { (own.label) }
            input(
                id=own.id,
                r#type=kind,
                class=class,
                min=least,
                max=most,
                autocomplete="off",
                "spellcheck"="false",
                placeholder=own.placeholder,
                aria-invalid=invalid,
                aria-describedby=described,
                bind:value=own.value,
            )
            p(class="meta", id=about) { (own.about) }
            p(class=beneath(wrong), id=refused, role="status") { (refusal) }
        }
    }
}

fn placeholder(form: &Form) -> Box<dyn Fn() -> String> {
    let (engine, state) = (form.engine, form.page.state);
    Box::new(move || {
        let engine = engine.get();
        let name = engine.key_name();
        let is_kept = state.with(|state| {
            let with_key = state.as_ref().map(|state| &state.with_key);
            with_key.is_some_and(|all| all.iter().any(|own| own == name))
        });
        match engine.key() {
            _ if is_kept => msg("options_key_kept"),
            KeyNeed::None => msg_with("options_key_spare", &[engine.name()]),
            KeyNeed::Optional => msg("options_key_optional"),
            KeyNeed::Required => String::new(),
        }
    })
}

/// Where the key is kept, and where one is made.
fn about_key(form: &Form) -> View {
    let engine = form.engine;
    let state = Page::here().state;
    let keeping = create_selector(move || {
        let keeping = |state: &Option<_>| state.as_ref().map(keeping_of);
        state.with(keeping).unwrap_or_default()
    });
    live(move || {
        let engine = engine.get();
        if engine.key() == KeyNeed::None {
            return View::new();
        }
        let means = match keeping.get() {
            Keeping::Session => msg("options_key_means_session"),
            Keeping::Device => msg("options_key_means"),
            Keeping::Sealed => msg("options_key_means_sealed"),
        };
        let made = engine.keys_page().map(|page| {
            let words = msg_with("options_key_made_at", &[&host_of(page)]);
            view! { a(href=page, target="_blank", rel="noreferrer") { (words) } }
        });
        view! { (means) " " (made) }
    })
}

fn keeping_of(state: &gloss::app::options::State) -> Keeping {
    state.keeping
}
