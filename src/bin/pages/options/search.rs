//! The search provider that the agent uses, and a test of that provider.

use super::connection_test::{Report, ServerTest};
use super::prelude::*;
use super::search_form::{Draft, fields};
use super::trusted_sites::trusted;
use gloss::app::preferences::Preferences;
use gloss::search::{KeyNeed, ProviderKind};

/// The state that the parts of the section share.
#[derive(Clone)]
pub(super) struct Form {
    pub(super) draft: Draft,
    /// The settings. They are stored here, because a signal can only be created inside a
    /// component.
    set: ReadSignal<Preferences>,
    pub(super) engine: ReadSignal<ProviderKind>,
    pub(super) test: ServerTest,
    /// The result of choosing a provider.
    choice: Signal<Feedback>,
}

/// Builds the section *Search*.
pub(crate) fn search() -> Tag {
    let page = Page::from_context();
    let set = page.preferences();
    let form = Form {
        draft: Draft::new(),
        set,
        engine: create_selector(move || set.with(|set| set.search.engine)),
        test: ServerTest::new(page),
        choice: create_signal(Feedback::None),
    };
    create_effect({
        let form = form.clone();
        move || {
            // Clear the results and the key when another provider is chosen.
            let engine = form.engine.get();
            form.test.clear();
            form.draft.key.set(String::new());
            form.fill(engine);
        }
    });
    let [submitted, testing, failed] = [(); 3].map(|()| form.clone());
    let buttons = form.test.buttons(move || testing.ask(), ());
    let report = form.test.report(move || failed.ways()).id("search-result");
    let parts = (provider(&form), fields(&form), buttons, report);
    let heading = group_heading(
        "search-provider-h",
        msg("options_search_which"),
        form.choice,
    );
    let parts = tag("form", parts)
        .flag("novalidate", true)
        .on_submit(move || submitted.save());
    let body = (
        tag("p", msg("options_search_lead")),
        heading,
        parts,
        trusted(),
    );
    section("search", msg("options_search"), body)
}

/// The choice of the search provider; it applies at once.
fn provider(form: &Form) -> Tag {
    let (form, engine) = (form.clone(), form.engine);
    let all = ProviderKind::ALL.into_iter().enumerate().map(|(at, it)| {
        let name = match it.key() {
            KeyNeed::None => msg_with("options_search_no_key", &[it.name()]),
            KeyNeed::Optional | KeyNeed::Required => it.name().to_owned(),
        };
        (at.to_string(), it, name)
    });
    let select = select_of(all, move || engine.get(), move |it| form.choose(it));
    let select = select.id("search-provider");
    field(
        "search-provider",
        msg("options_search_provider"),
        select,
        (),
    )
}

impl Form {
    fn fill(&self, engine: ProviderKind) {
        let server = self.set.with_untracked(|set| set.search.server(engine));
        self.draft.fill(&server);
    }

    fn choose(&self, engine: ProviderKind) {
        self.test
            .page
            .change(Change::SearchEngine(engine), self.choice);
    }

    /// Returns the address for which Chrome's permission is needed; `None` if the provider needs
    /// none.
    fn url(&self) -> Option<String> {
        let url = self.draft.base_url.get_clone_untracked().trim().to_owned();
        self.engine
            .get_untracked()
            .needs_host_permission()
            .then_some(url)
    }

    fn save(&self) {
        let (this, saved, engine) = (self.clone(), self.clone(), self.engine.get_untracked());
        let ask = move || OptionsRequest::SaveSearch {
            engine,
            server: this.draft.typed(),
            key: this.draft.typed_key(),
        };
        self.test.save(self.url().as_deref(), ask, move || {
            saved.draft.key.set(String::new());
            // Show the values as the worker has normalised them.
            saved.fill(engine);
        });
    }

    /// Sends one search with the typed settings, even if they are not saved.
    fn ask(&self) {
        let (this, now, engine) = (self.clone(), self.engine, self.engine.get_untracked());
        let ask = move || OptionsRequest::TestSearch {
            engine,
            server: this.draft.typed(),
            key: this.draft.typed_key(),
        };
        self.test.test(self.url().as_deref(), ask, move |outcome| {
            (now.get_untracked() == engine).then(|| match outcome {
                Outcome::Found { results, ms } => Report::Works(found(*results, *ms)),
                _ => Report::None,
            })
        });
    }

    /// Two buttons that help after a failure.
    fn ways(&self) -> View {
        let (testing, choosing) = (self.clone(), self.clone());
        let again = button("", msg("try_again"), move || testing.ask());
        let is_other = self.engine.get_untracked() != ProviderKind::default();
        let instead = is_other.then(|| {
            let choose = move || choosing.choose(ProviderKind::default());
            View::from(button("", msg("options_search_instead"), choose))
        });
        fragment((
            tag("div.row.wrap", (again, instead)),
            meta(msg("options_search_meanwhile")),
        ))
    }
}

/// Returns a text such as "10 results in 0.4 s".
fn found(results: u32, ms: u64) -> String {
    let count = counted(
        ["options_results_one", "options_results_many"],
        results.into(),
    );
    let seconds = format!("{}.{}", ms / 1_000, ms % 1_000 / 100);
    msg_with("options_search_works", &[&count, &seconds])
}
