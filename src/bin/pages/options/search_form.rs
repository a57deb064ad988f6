//! The fields of a search provider: its address, its API key, and the maximum number of searches.

use super::key_field::{KeyField, KeyOwner, Need, key_field};
use super::prelude::*;
use super::search::Form;
use gloss::app::options::TypedKey;
use gloss::app::preferences::{FieldName, TypedServer};
use gloss::search::{KeyNeed, MOST_A_DAY, MOST_A_MINUTE, ProviderKind, Server};

/// The text that the user has typed into the fields. It is stored when the user presses *Save*.
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

    /// Replaces the typed text by the stored settings. The key field stays empty, because the
    /// worker sends no keys to pages.
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

pub(super) fn fields(form: &Form) -> View {
    let (draft, engine, feedback) = (form.draft, form.engine, form.test.feedback);
    let url_means = live_text(move || match engine.get() {
        ProviderKind::Wikipedia => msg("options_search_follows"),
        ProviderKind::Searxng => msg("options_search_own"),
        ProviderKind::Google => msg("options_search_ends"),
        ProviderKind::Brave | ProviderKind::Tavily => String::new(),
    });
    let example = move || match engine.get() {
        ProviderKind::Searxng => "http://localhost:8080".to_owned(),
        other => other.base_url().to_owned(),
    };
    let url = text_field(
        "search-url",
        msg("options_search_url"),
        refusal_at(feedback, FieldName::SearchUrl),
        about("search-url", url_means).into(),
        move |input| input.attr("placeholder", example).bind(draft.base_url),
    );
    let limit = |id, label, name, value: Signal<String>, most: u32, means: String| {
        let refused = refusal_at(feedback, name);
        text_field(id, label, refused, about(id, means).into(), move |input| {
            let input = input
                .attr("type", "number")
                .attr("min", "1")
                .attr("max", most.to_string());
            input.bind(value)
        })
    };
    let minute = limit(
        "search-minute",
        msg("options_search_minute"),
        FieldName::SearchMinute,
        draft.per_minute,
        MOST_A_MINUTE,
        String::new(),
    );
    let day = limit(
        "search-day",
        msg("options_search_day"),
        FieldName::SearchDay,
        draft.per_day,
        MOST_A_DAY,
        msg("options_search_limits"),
    );
    let id_refused = refusal_at(feedback, FieldName::SearchId);
    let id = live_if(
        move || engine.get().wants_id(),
        move || {
            let means = about("search-id", msg("options_search_id_about")).into();
            text_field(
                "search-id",
                msg("options_search_id"),
                id_refused,
                means,
                move |input| input.bind(draft.id),
            )
        },
    );
    fragment((url, key(form), id, minute, day))
}

fn key(form: &Form) -> Tag {
    let engine = form.engine;
    let owner = create_selector(move || {
        let engine = engine.get();
        KeyOwner {
            key: engine.key_name().to_owned(),
            name: Some(engine.name()),
            need: match engine.key() {
                KeyNeed::None => Need::Never,
                KeyNeed::Optional => Need::Maybe,
                KeyNeed::Required => Need::Always,
            },
            made_at: engine.keys_page(),
        }
    });
    key_field(KeyField {
        id: "search-key",
        label: msg("options_search_key"),
        value: form.draft.key,
        refused: refusal_at(form.test.feedback, FieldName::SearchKey),
        owner,
    })
}
