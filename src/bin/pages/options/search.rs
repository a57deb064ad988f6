//! Where the agent looks when the page is not enough: which provider, and whether it answers.

use super::asking::with_leave;
use super::browser::value;
use super::connection_test::{Kept, fails, works};
use super::page::Page;
use super::search_form::{Draft, fields};
use super::told::{Told, heading};
use super::trusted::trusted;
use crate::commands::commands;
use crate::live::{handler, live};
use crate::words::{counted, msg, msg_with, said};
use gloss::agent::Failure;
use gloss::app::options::{Ask, Change, Outcome};
use gloss::app::preferences::Preferences;
use gloss::search::{Engine, KeyNeed};
use sycamore::prelude::*;

/// What the parts of the section share.
#[derive(Clone)]
pub(super) struct Form {
    pub(super) page: Page,
    pub(super) draft: Draft,
    /// What is set. Kept, because out of a component no signal can be made.
    set: ReadSignal<Preferences>,
    pub(super) engine: ReadSignal<Engine>,
    pub(super) told: Signal<Told>,
    result: Signal<Result>,
    /// The provider is being asked.
    busy: Signal<bool>,
    /// What became of the choice.
    chosen: Signal<Told>,
}

/// What came of *Save* and of *Test connection*.
#[derive(Debug, Clone, PartialEq)]
enum Result {
    /// Nothing yet.
    None,
    /// It is kept.
    Saved,
    /// Chrome was told not to let Gloss speak to this host.
    NotAllowed(String, Kept),
    /// So many results came in this time, in milliseconds.
    Found(u32, u64),
    /// It does not work.
    Failed(Failure),
}

/// The section.
pub(crate) fn search() -> View {
    let page = Page::here();
    let set = page.preferences();
    let form = Form {
        draft: Draft::new(),
        set,
        engine: create_selector(move || set.with(|set| set.search.engine)),
        page,
        told: create_signal(Told::Nothing),
        result: create_signal(Result::None),
        busy: create_signal(false),
        chosen: create_signal(Told::Nothing),
    };
    create_effect({
        let form = form.clone();
        move || {
            // Another provider: nothing of the last one is said of it.
            let engine = form.engine.get();
            form.told.set(Told::Nothing);
            form.result.set(Result::None);
            form.draft.key.set(String::new());
            form.fill(engine);
        }
    });
    let (name, lead) = (msg("options_search"), msg("options_search_lead"));
    let heading = heading(
        "search-provider-h",
        msg("options_search_which"),
        form.chosen,
    );
    let submit = form.clone();
    let parts: Vec<View> = vec![
        provider(&form),
        fields(&form),
        buttons(&form),
        results(&form),
    ];
    let trusted = trusted();
    view! {
        section(class="sect", id="search", aria-labelledby="search-h") {
            h2(id="search-h") { (name) }
            p { (lead) }
            (heading)
            form(novalidate=true, on:submit=handler(move |event: web_sys::SubmitEvent| {
                event.prevent_default();
                submit.save();
            })) {
                (parts)
            }
            (trusted)
        }
    }
}

/// Whom searches ask; applied at once.
fn provider(form: &Form) -> View {
    let (form, engine) = (form.clone(), form.engine);
    let label = msg("options_search_provider");
    let options: Vec<View> = Engine::ALL
        .into_iter()
        .enumerate()
        .map(|(at, own)| {
            let words = match own.key() {
                KeyNeed::None => msg_with("options_search_no_key", &[own.name()]),
                KeyNeed::Optional | KeyNeed::Required => own.name().to_owned(),
            };
            let is_set = move || engine.get() == own;
            view! { option(value=at.to_string(), prop:selected=is_set) { (words) } }
        })
        .collect();
    view! {
        div(class="field") {
            label(r#for="search-provider") { (label) }
            select(id="search-provider", on:change=handler(move |event: web_sys::Event| {
                let at = value(&event).parse().ok();
                if let Some(own) = at.and_then(|at: usize| Engine::ALL.get(at)) {
                    form.choose(*own);
                }
            })) { (options) }
        }
    }
}

impl Form {
    fn fill(&self, engine: Engine) {
        let server = self.set.with_untracked(|set| set.search.server(engine));
        self.draft.fill(&server);
    }

    fn choose(&self, engine: Engine) {
        self.page.change(Change::SearchEngine(engine), self.chosen);
    }

    /// Asks Chrome, where its leave is needed: call it in a click, before any await.
    fn with_leave(&self, then: impl FnOnce(Option<String>) + 'static) {
        if self.engine.get_untracked().wants_leave() {
            let url = self.draft.base_url.get_clone_untracked();
            with_leave(url.trim(), then);
        } else {
            then(None);
        }
    }

    /// Keeps it, whether or not Chrome's question was answered with yes.
    fn save(&self) {
        let this = self.clone();
        self.with_leave(move |refused| {
            let engine = this.engine.get_untracked();
            let ask = Ask::SaveSearch {
                engine,
                server: this.draft.typed(),
                key: this.draft.typed_key(),
            };
            let form = this.clone();
            this.page.ask(ask, move |outcome| {
                if outcome == Outcome::Saved {
                    form.draft.key.set(String::new());
                    // As it was tidied.
                    form.fill(engine);
                }
                form.told.set(Told::of(outcome.clone()));
                form.result.set(match (outcome, refused) {
                    (Outcome::Saved, Some(host)) => Result::NotAllowed(host, Kept::Yes),
                    (Outcome::Saved, None) => Result::Saved,
                    (Outcome::Failed { failure }, _) => Result::Failed(failure),
                    _ => Result::None,
                });
            });
        });
    }

    /// Searches once with it as it stands in the form, kept or not.
    fn test(&self) {
        let this = self.clone();
        self.with_leave(move |refused| {
            if let Some(host) = refused {
                this.result.set(Result::NotAllowed(host, Kept::No));
                return;
            }
            this.busy.set(true);
            let engine = this.engine.get_untracked();
            let ask = Ask::TestSearch {
                engine,
                server: this.draft.typed(),
                key: this.draft.typed_key(),
            };
            let form = this.clone();
            this.page.ask(ask, move |outcome| {
                form.busy.set(false);
                // Said of another provider meanwhile, it would be a lie.
                if form.engine.get_untracked() != engine {
                    return;
                }
                form.told.set(Told::of(outcome.clone()));
                form.result.set(match outcome {
                    Outcome::Found { results, ms } => Result::Found(results, ms),
                    Outcome::Failed { failure } => Result::Failed(failure),
                    _ => Result::None,
                });
            });
        });
    }
}

fn buttons(form: &Form) -> View {
    let (save, test) = (msg("options_save"), msg("options_test"));
    let (busy, testing) = (form.busy, form.clone());
    view! {
        div(class="field") {
            span(class="cap") {}
            div(class="row wrap") {
                button(
                    r#type="button",
                    class="btn",
                    aria-busy=move || busy.get().then_some("true"),
                    on:click=handler(move |_| testing.test()),
                ) { (test) }
                button(class="btn primary") { (save) }
            }
        }
    }
}

/// The result, in a live region.
fn results(form: &Form) -> View {
    let form = form.clone();
    let result = live(move || match form.result.get_clone() {
        Result::None => View::new(),
        Result::Saved => works(msg("options_saved")),
        Result::NotAllowed(host, kept) => {
            let (title, remedy) = match kept {
                Kept::Yes => ("options_not_allowed_title", "options_not_allowed_remedy"),
                Kept::No => ("options_untested_title", "options_untested_remedy"),
            };
            fails("lock", msg_with(title, &[&host]), msg(remedy), View::new())
        }
        Result::Found(results, ms) => works(found(results, ms)),
        Result::Failed(failure) => failed(&form, &failure),
    });
    view! {
        div(class="field", role="status", id="search-result") {
            (result)
        }
    }
}

/// "10 results in 0.4 s".
fn found(results: u32, ms: u64) -> String {
    let count = counted(
        ["options_results_one", "options_results_many"],
        results.into(),
    );
    let seconds = format!("{}.{}", ms / 1_000, ms % 1_000 / 100);
    msg_with("options_search_works", &[&count, &seconds])
}

/// Why not, what mends it, and two ways on.
fn failed(form: &Form, failure: &Failure) -> View {
    let shape = if failure.code == "search_bad_key" {
        "key"
    } else {
        "alert"
    };
    let mend = commands(&failure.commands);
    let (again, instead) = (msg("try_again"), msg("options_search_instead"));
    let meanwhile = msg("options_search_meanwhile");
    let testing = form.clone();
    let instead = (form.engine.get_untracked() != Engine::default()).then(|| {
        let form = form.clone();
        view! {
            button(r#type="button", class="btn", on:click=handler(move |_| form.choose(Engine::default()))) {
                (instead)
            }
        }
    });
    let beneath = view! {
        (mend)
        div(class="row wrap") {
            button(r#type="button", class="btn", on:click=handler(move |_| testing.test())) { (again) }
            (instead)
        }
        p(class="meta") { (meanwhile) }
    };
    fails(shape, said(&failure.title), said(&failure.remedy), beneath)
}
