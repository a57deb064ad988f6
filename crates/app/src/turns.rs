//! Turns of a conversation: begins them, queues messages for an active turn, and runs turns until
//! they end.
//!
//! Example: the user asks a question while a run is active. The question goes to the inbox
//! of that run. If the run ends without reading it, the question becomes a new turn.

use super::App;
use super::runs::EarlierContext;
use super::surface::{ConversationSettings, MOST_QUEUED};
use gloss_agent::{
    Failure, FollowUp, Goal, KnownFacts, Lesson, RunConfig, Settings, failure, window,
};
use gloss_durable::RunId;
use gloss_host::TabId;
use gloss_model::Language;
use gloss_tools::{Group, disabled_tools};

/// The maximum length of a message or a selection, in characters. A model with a large context
/// window accepts about 100,000 characters.
const MOST_CHARACTERS: usize = 100_000;

/// A request to begin a turn.
pub(super) struct TurnRequest {
    pub(super) run: RunId,
    pub(super) goal: Goal,
    pub(super) tab: TabId,
    pub(super) language: String,
    /// The settings for the turn; `None` uses those of the conversation's last message.
    pub(super) tuning: Option<ConversationSettings>,
    pub(super) replaces: Option<RunId>,
}

impl App {
    /// Begins a turn. If the conversation has an open turn, the message goes to the inbox of that
    /// turn instead.
    pub(super) async fn start(&self, start: TurnRequest) -> Result<(), Failure> {
        let (known, lessons) = (self.known(), self.lessons(&start.goal));
        if self.runs.has_begun(&start.run) {
            return Ok(());
        }
        let length = start.goal.words().chars().count();
        if length > MOST_CHARACTERS {
            return Err(Failure::of_too_long(length, MOST_CHARACTERS));
        }
        if let Some(shown) = self.hub.current(start.tab) {
            // The conversation may be on disk and not loaded.
            self.runs.load_conversation(&shown).await;
        }
        let conversation = self
            .hub
            .conversation_for(&start.run, &start.goal, start.tab);
        if let Some(open) = self.runs.open_turn(&conversation) {
            if start.replaces.is_some() {
                return Err(failure("run_busy"));
            }
            if self.runs.unread(&open) >= MOST_QUEUED {
                return Err(failure("queue_full"));
            }
            let run = start.run.clone();
            let message = self.follow_up_of(start, &conversation);
            self.runs.deliver(&open, &run.0, &message).await?;
            self.drive_to_end(open).await;
            return Ok(());
        }
        let last = self.runs.last_turn(&conversation);
        let (run, replaces) = (start.run.clone(), start.replaces.clone());
        let again = replaces.filter(|old| {
            let old = self.runs.config(old);
            old.is_some_and(|old| old.goal == start.goal)
        });
        self.hub.expect(start.tab, &conversation, self.now_ms());
        let config = RunConfig {
            lessons,
            ..self.config(start, conversation, known)
        };
        self.runs.begin(&run, &config);
        self.runs.keep_places().await;
        if let Some(old) = again {
            self.runs.redeliver(&old, &run);
        }
        if let Some(last) = last {
            self.runs.pass_on(&last, &run).await;
        }
        self.runs.drive(&run).await;
        if let Some(failure) = self.runs.take_refused_start(&run) {
            // The surface that sent the message gets its text back.
            return Err(failure);
        }
        self.drive_to_end(run).await;
        Ok(())
    }

    /// Returns the goal of a message, and the configuration for the run that answers the message.
    fn follow_up_of(&self, start: TurnRequest, conversation: &RunId) -> FollowUp {
        let tuning = start
            .tuning
            .unwrap_or_else(|| self.hub.tuning(conversation));
        let set = self.kept.now();
        FollowUp {
            tools_off: tuning.tools_off,
            barred: disabled_tools(&self.tools, &set.groups_off),
            goal: start.goal,
            tab: start.tab,
            language: start.language,
            model: set.choice(&tuning.model),
            mode: tuning.mode,
            settings: Settings {
                max_steps: tuning.max_steps,
                ..set.settings()
            },
        }
    }

    /// Returns the lessons of earlier runs that relate to a question.
    fn lessons(&self, goal: &Goal) -> Vec<Lesson> {
        match goal {
            Goal::Ask { question } if self.learns() => self.episodes.relevant(question),
            Goal::Ask { .. } | Goal::Summarize | Goal::Explain { .. } | Goal::GoOn => Vec::new(),
        }
    }

    /// Returns true if new runs get lessons and store their own. Lessons describe what the user
    /// did, so runs do neither if history or memory is off.
    fn learns(&self) -> bool {
        let set = self.kept.now();
        set.keep_history && !set.groups_off.contains(&Group::Memory)
    }

    fn config(&self, start: TurnRequest, conversation: RunId, known: KnownFacts) -> RunConfig {
        let replaces = start.replaces.clone();
        let message = self.follow_up_of(start, &conversation);
        self.config_of(message, conversation, known, replaces)
    }

    fn config_of(
        &self,
        message: FollowUp,
        conversation: RunId,
        known: KnownFacts,
        replaces: Option<RunId>,
    ) -> RunConfig {
        let EarlierContext { history, earlier } =
            self.runs.before(&conversation, replaces.as_ref());
        let set = self.kept.now();
        RunConfig {
            history: window(history, &message.goal, &message.model),
            goal: message.goal,
            conversation,
            tab: message.tab,
            settings: message.settings,
            prompts: set.prompts.of(Language::of_tag(&message.language)),
            language: message.language,
            then: set.fallback(&message.model),
            model_roles: set.model_roles(),
            model: message.model,
            mode: message.mode,
            tools_off: message.tools_off,
            barred: message.barred,
            search: set.search.of_a_run(),
            known,
            replaces,
            earlier,
            lessons: Vec::new(),
            learns: self.learns(),
            forked: None,
        }
    }

    /// Drives (executes) a run until it ends or waits. Then drives a turn for each message that the
    /// run did not read. At the end drives the runs that waited because too many other runs were
    /// being driven.
    pub(super) async fn drive_to_end(&self, run: RunId) {
        let mut next = Some(run);
        while let Some(run) = next {
            self.runs.drive(&run).await;
            self.runs.show_refused_start(&run);
            if self.runs.continue_if_requested(&run).await {
                next = Some(run);
                continue;
            }
            let follow_up = self.follow_up(&run).await;
            self.runs.resume_elapsed().await;
            next = follow_up.or_else(|| self.runs.waiting());
        }
    }

    /// Begins a turn for the first message that an ended run did not read. Returns the new run, or
    /// `None` if there is no such message.
    async fn follow_up(&self, run: &RunId) -> Option<RunId> {
        let known = self.known();
        let (next, message) = self.runs.left_unread(run)?;
        let conversation = self.runs.config(run)?.conversation;
        let config = self.config_of(message, conversation, known, None);
        self.runs.begin(&next, &config);
        self.runs.pass_on(run, &next).await;
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preferences::{Preferences, document};
    use gloss_host::Capture;
    use gloss_host_sim::Sim;
    use gloss_reader::PageService;
    use gloss_reader::retrieval::words_only;

    const LEARNED: &str = r#"{"v": 1, "reflections": [
        {"id": "a/1/act/0", "tool": "web_fetch", "kind": "refused", "arguments": "{}",
         "error": "403", "analysis": "It turns robots away.", "fix": {"words": "Ask another."}}]}"#;

    #[test]
    fn with_memory_or_history_off_no_question_is_told_what_was_learned_and_no_run_learns() {
        let memory_off = Preferences {
            groups_off: [Group::Memory].into(),
            ..Preferences::default()
        };
        let history_off = Preferences {
            keep_history: false,
            ..Preferences::default()
        };
        for (set, told) in [
            (Preferences::default(), 1),
            (memory_off, 0),
            (history_off, 0),
        ] {
            let sim = Sim::new(1);
            sim.set_shelved("reflections", LEARNED);
            sim.set_shelved("preferences", &document::write(&set));
            let app = App::new(sim.host(), PageService::in_process(words_only()), 1);
            let goal = Goal::Ask {
                question: "Why does it turn robots away?".to_owned(),
            };
            let lessons = sim.life(u64::MAX, async {
                app.load(None).await;
                app.episodes.load().await;
                (app.lessons(&goal).len(), app.learns())
            });
            assert_eq!(lessons, Some((told, told == 1)), "{set:?}");
        }
    }

    #[test]
    fn what_a_model_reads_of_earlier_turns_does_not_depend_on_what_is_shown() {
        let tab = TabId(7);
        let sim = Sim::new(1);
        let tides = "Spring tides are higher than neap tides, as sun and moon pull together then. ";
        sim.set_page(
            tab,
            Ok(Capture {
                document: "1".to_owned(),
                url: "https://a.example/tides".to_owned(),
                title: "Tides".to_owned(),
                language: "en".to_owned(),
                html: format!(
                    "<html lang=en><main><p>{}</p></main></html>",
                    tides.repeat(5)
                ),
                selection: None,
                pdf: None,
            }),
        );
        let app = App::new(sim.host(), PageService::in_process(words_only()), 1);
        let start = |run: &str, goal| TurnRequest {
            run: RunId(run.to_owned()),
            goal,
            tab,
            language: "en".to_owned(),
            tuning: None,
            replaces: None,
        };
        let asks = |question: &str| Goal::Ask {
            question: question.to_owned(),
        };
        let first = RunId("first".to_owned());
        let second = RunId("second".to_owned());
        let told = sim.life(u64::MAX, async {
            app.load(None).await;
            let asked = asks("Why are spring tides higher?");
            app.start(start("first", asked.clone())).await.unwrap();
            // Unload the first turn, so that its history must be read from the journal.
            app.hub.unload(&first);
            app.start(start("second", asks("And the neaps?")))
                .await
                .unwrap();
            let config = app.runs.config(&second).unwrap();
            assert_eq!(config.conversation, first);
            assert_eq!(config.history[0].goal, asked);
            config.history
        });
        let told = told.unwrap();
        assert_eq!(told.len(), 1);
        assert!(
            told[0].answer.contains("pull together"),
            "{}",
            told[0].answer
        );
    }
}
