//! Performs the requests of the options pages.

use super::super::preferences::{
    FieldName, Preferences, PreferencesStore, document, no_domains, tidied, unstored,
};
use super::super::surface::Reply;
use super::super::{Send, SurfaceId};
use super::connection_test::test_profile;
use super::damaged::{damaged, export_of};
use super::rejection::Rejection;
use super::search::test_search;
use super::{Change, OptionsAnswer, OptionsRequest, Outcome, State, facts, keys};
use gloss_agent::{Failure, LessonStore};
use gloss_durable::StoreError;
use gloss_durable::sorted::SortedMap;
use gloss_host::{Host, KeyStorage};
use gloss_markdown::visible_json;
use gloss_memory::Memory;
use gloss_model::phrase::phrase;
use gloss_model::prompts::{Overrides, check, is_default};
use gloss_tools::ToolSetting;
use gloss_web::search;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

pub(crate) struct OptionsService {
    pub(super) host: Host,
    pub(super) kept: Rc<PreferencesStore>,
    memory: Rc<Memory>,
    pub(super) episodes: Rc<LessonStore>,
    tools: Rc<[ToolSetting]>,
    search: Rc<search::SearchService>,
    pub(super) pages: RefCell<SortedMap<SurfaceId, Send>>,
    warnings: RefCell<Vec<Failure>>,
    counted_since_ms: Cell<u64>,
    /// The state that was last sent to the pages; `None` until a page has connected.
    pub(super) told: RefCell<Option<State>>,
    /// The number of requests in progress. The pages get the state each time that a request ends.
    pub(super) wishes: Cell<u32>,
}

impl OptionsService {
    pub(crate) fn new(
        host: Host,
        kept: Rc<PreferencesStore>,
        memory: Rc<Memory>,
        episodes: Rc<LessonStore>,
        tools: Rc<[ToolSetting]>,
        search: Rc<search::SearchService>,
    ) -> Self {
        let since = host.clock.now_ms();
        Self {
            host,
            kept,
            memory,
            episodes,
            tools,
            search,
            pages: RefCell::default(),
            warnings: RefCell::default(),
            counted_since_ms: Cell::new(since),
            told: RefCell::default(),
            wishes: Cell::default(),
        }
    }

    pub(crate) fn connect(&self, page: SurfaceId, send: Send) {
        self.pages.borrow_mut().insert(page, send);
    }

    pub(crate) fn disconnect(&self, page: SurfaceId) {
        self.pages.borrow_mut().remove(&page);
    }

    /// Returns true if the surface is an options page. Only options pages may send an
    /// [`OptionsRequest`].
    pub(crate) fn has(&self, surface: SurfaceId) -> bool {
        self.pages.borrow().contains_key(&surface)
    }

    pub(crate) fn warn(&self, failure: Failure) {
        self.warnings.borrow_mut().push(failure);
    }

    pub(crate) fn refuse(&self, page: SurfaceId, failure: Failure) {
        let message = None;
        self.tell(page, &Reply::Refused { failure, message });
    }

    /// Sends the state to a page that has just connected.
    pub(crate) async fn greet(&self, page: SurfaceId) {
        let state = self.state().await;
        let answered = None;
        self.tell(page, &Reply::Options { state, answered });
    }

    /// Performs a request, sends the answer to its page, and sends the state to all options pages.
    pub(crate) async fn answer(&self, page: SurfaceId, n: u32, ask: OptionsRequest) {
        self.wishes.set(self.wishes.get() + 1);
        let outcome = self.outcome(ask).await;
        self.wishes.set(self.wishes.get().saturating_sub(1));
        self.close(page, n, outcome).await;
    }

    /// Adds a site to the closed sites for another surface.
    pub(crate) async fn close_site(&self, site: String) -> Outcome {
        let change = Change::CloseSite(site);
        self.outcome(OptionsRequest::Change { change }).await
    }

    /// Sends a request's outcome to its page, and the state to all options pages.
    pub(crate) async fn close(&self, page: SurfaceId, n: u32, outcome: Outcome) {
        let state = self.state().await;
        let mut answered = Some(OptionsAnswer { n, outcome });
        let pages: Vec<SurfaceId> = self.pages.borrow().keys().copied().collect();
        for id in pages {
            let answered = if id == page { answered.take() } else { None };
            let state = state.clone();
            self.tell(id, &Reply::Options { state, answered });
        }
    }

    /// Erases the keys, then all of local storage, which contains the settings.
    pub(crate) async fn erase(&self) -> Outcome {
        let keys = self.host.secrets.clear().await;
        let settings = self.kept.erase().await;
        match keys.and(settings) {
            Ok(()) => {
                self.warnings.borrow_mut().clear();
                // The time must change even if two erasures happen within one millisecond. The
                // pages compare it.
                let since = self.counted_since_ms.get() + 1;
                self.counted_since_ms
                    .set(since.max(self.host.clock.now_ms()));
                Outcome::Erased
            }
            Err(error) => failed(&error),
        }
    }

    pub(super) fn tell(&self, page: SurfaceId, reply: &Reply) {
        let send = self.pages.borrow().get(&page).cloned();
        if let Some(send) = send {
            send(reply);
        }
    }

    async fn state(&self) -> State {
        let mut state = State {
            preferences: self.kept.now(),
            tools: self.tools.to_vec(),
            facts: Vec::new(),
            with_key: Vec::new(),
            keeping: KeyStorage::default(),
            locked: false,
            warnings: self.warnings.borrow().clone(),
            counted_since_ms: self.counted_since_ms.get(),
            learned: 0,
        };
        keys::describe(&self.host.secrets, &mut state).await;
        // The facts are read last, so that they can't change before the state is sent.
        state.facts = facts::shown(&self.memory).await;
        state.learned = self.episodes.changes();
        self.told.replace(Some(state.clone()));
        state
    }

    async fn outcome(&self, ask: OptionsRequest) -> Outcome {
        let done = match ask {
            OptionsRequest::Change { change } => self.change(change).await,
            OptionsRequest::SaveProfile { profile, key } => self.save(tidied(profile), &key).await,
            OptionsRequest::RemoveProfile { id } => {
                let mut next = self.kept.now();
                next.remove_profile(&id);
                self.set(next).await
            }
            OptionsRequest::KeepKeys {
                keeping,
                passphrase,
            } => keys::keep(&self.host.secrets, keeping, &passphrase).await,
            OptionsRequest::Unlock { passphrase } => {
                keys::unlock(&self.host.secrets, &passphrase).await
            }
            OptionsRequest::Lock => self.host.secrets.lock().await.map_err(Rejection::from),
            OptionsRequest::ForgetKeys => self
                .host
                .secrets
                .forget_all()
                .await
                .map_err(Rejection::from),
            OptionsRequest::Import { text } => self.import(&text).await,
            OptionsRequest::Reset => self.set(self.kept.now().reset()).await,
            OptionsRequest::SaveSearch {
                engine,
                server,
                key,
            } => self.save_search(engine, &server, &key).await,
            OptionsRequest::TestSearch {
                engine,
                server,
                key,
            } => return test_search(&self.host, &self.search, engine, &server, &key).await,
            OptionsRequest::Test { profile, key } => {
                return test_profile(&self.host, tidied(profile), &key).await;
            }
            OptionsRequest::Export => {
                let text = visible_json(&document::write(&self.kept.now()));
                return Outcome::Exported { text };
            }
            OptionsRequest::WriteFact { fact } => match facts::write(&self.memory, &fact).await {
                Ok(went) if went.is_empty() => Ok(()),
                Ok(went) => return Outcome::Wrote { went },
                Err(not) => Err(not),
            },
            OptionsRequest::PinFact { id, pinned } => facts::pin(&self.memory, &id, pinned).await,
            OptionsRequest::ForgetFact { id } => facts::forget(&self.memory, &id).await,
            OptionsRequest::BringBackFacts { written, facts } => {
                facts::bring_back(&self.memory, written.as_ref(), &facts).await
            }
            OptionsRequest::ImportFacts { act, text } => {
                match facts::read_in(&self.memory, &text, &act).await {
                    Ok(taken) => return taken,
                    Err(not) => Err(not),
                }
            }
            OptionsRequest::FindFacts { typed } => {
                let found = facts::with_words(&self.memory, &typed).await;
                return found.unwrap_or_else(|error| failed(&error));
            }
            OptionsRequest::ExportFacts => {
                let text = facts::as_text(&self.memory).await;
                return text.unwrap_or_else(|error| failed(&error));
            }
            OptionsRequest::Learned => {
                let all = self.episodes.all().await;
                let learned = |reflections| Outcome::Learned { reflections };
                return all.map_or_else(|error| failed(&error), learned);
            }
            OptionsRequest::ForgetLearned { ids } => {
                self.episodes.erase(&ids).await.map_err(Rejection::from)
            }
            OptionsRequest::BringBackLearned { reflections } => {
                let back = self.episodes.bring_back(reflections);
                back.await.map_err(Rejection::from)
            }
            OptionsRequest::Damaged => {
                let runs = damaged(&self.host, &self.memory).await;
                return runs.map_or_else(|error| failed(&error), |runs| Outcome::Damaged { runs });
            }
            OptionsRequest::ExportDamaged { run } => {
                let text = export_of(&self.host, &self.memory, &run).await;
                let exported = |text: String| Outcome::Exported {
                    text: visible_json(&text),
                };
                return text.map_or_else(|error| failed(&error), exported);
            }
            // [`crate::App`] performs these two requests, because it owns the runs.
            OptionsRequest::Erase | OptionsRequest::Usage => return Outcome::Saved,
        };
        match done {
            Ok(()) => Outcome::Saved,
            Err(Rejection::Refused(problems)) => Outcome::Refused { problems },
            Err(Rejection::Stored(error)) => failed(&error),
        }
    }

    async fn change(&self, change: Change) -> Result<(), Rejection> {
        let mut next = self.kept.now();
        match change {
            Change::Style(style) => next.style = style,
            Change::Cycle(cycle) => next.cycle = cycle,
            Change::ShowThinking(shown) => next.show_thinking = shown,
            Change::KeepHistory(kept) => next.keep_history = kept,
            Change::OnToolFailure(choice) => next.on_tool_failure = choice,
            Change::Tool(name, switch) => switch.turn(&mut next.tools_off, name),
            Change::Group(group, switch) => switch.turn(&mut next.groups_off, group),
            Change::Answers(answers) => next.answers = answers,
            Change::Role(role, id) => next.roles.set(role, id),
            Change::Then(order) => next.then = order,
            Change::Facts(id, typed) => {
                let own = next.profiles.iter_mut().find(|profile| profile.id == id);
                match (own, typed) {
                    (Some(profile), Some(typed)) => {
                        typed.set(profile).map_err(Rejection::Refused)?;
                    }
                    (Some(profile), None) => profile.facts = None,
                    (None, _) => {}
                }
            }
            Change::Prompt(name, language, text) => {
                let text = text.map(|text| text.trim_end().to_owned());
                let own = text
                    .as_deref()
                    .filter(|text| !is_default(name, language, text));
                if let Some(Err(error)) = own.map(|text| check(name, language, text)) {
                    return Err(Rejection::at(FieldName::Prompt, error.words()));
                }
                let own = own.map(str::to_owned);
                next.prompts.set(name, language, own);
            }
            Change::Revoke(calls) => next.approvals.retain(|given| given.calls != calls),
            Change::CloseSite(typed) => {
                let site = self.host.closed_sites.site(&typed).ok_or_else(|| {
                    let words = phrase("options_never_refused").with(typed.trim());
                    Rejection::at(FieldName::ClosedSite, words)
                })?;
                let now_ms = self.host.clock.now_ms();
                next.closed_sites.or_insert_with(site, || now_ms);
            }
            Change::OpenSite(site) => drop(next.closed_sites.remove(&site)),
            Change::ResetPrompts => next.prompts = Overrides::default(),
            Change::SearchEngine(engine) => next.search.engine = engine,
            Change::SearchDomains(category, typed) => {
                let set = next.search.domains.set(category, &typed);
                set.map_err(|wrong| Rejection::Refused(vec![no_domains(category, &wrong)]))?;
            }
            Change::Limit(limit, typed) => match limit.read(&typed) {
                Ok(value) => limit.set(&mut next, value),
                Err(problem) => return Err(Rejection::Refused(vec![problem])),
            },
        }
        next.remove_dangling_names();
        self.set(next).await
    }

    async fn import(&self, text: &str) -> Result<(), Rejection> {
        let imported = document::read(text);
        let imported = imported.map_err(|none| Rejection::at(FieldName::File, none.words()))?;
        self.set(self.kept.now().with(imported)).await
    }

    /// Stores preferences. A key is stored for one origin and can't be used for another one. If a
    /// server is removed or its origin changes, the server's key is therefore removed first.
    pub(super) async fn set(&self, mut next: Preferences) -> Result<(), Rejection> {
        next.keep_approvals_of(&self.kept.now());
        let lost = self.kept.now().keys_lost(&next);
        if lost.is_empty() {
            return Ok(self.kept.set(next).await?);
        }
        for id in &lost {
            self.host.secrets.forget(id).await?;
        }
        Ok(self.kept.set(next).await?)
    }
}

fn failed(error: &StoreError) -> Outcome {
    Outcome::Failed {
        failure: unstored(error),
    }
}
