//! The result of *Save* and of *Test connection*, for model servers and for search servers.

use super::prelude::*;
use super::site_permission::request_permission;
use crate::commands::commands;
use gloss::agent::Failure;

/// The result of a test, or of saving.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Report {
    /// The user has not pressed a button yet.
    None,
    /// The server answered, or the settings are saved.
    Works(String),
    /// The user declined Chrome's permission for this host.
    NotAllowed(String, Saved),
    /// The test or saving failed.
    Failed(Failure),
}

/// Says if the settings were saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Saved {
    Yes,
    No,
}

/// The state of a form with the buttons *Save* and *Test connection*.
#[derive(Clone)]
pub(super) struct ServerTest {
    pub(super) page: Page,
    pub(super) feedback: Signal<Feedback>,
    pub(super) report: Signal<Report>,
    /// True while the worker handles a request of this form.
    pub(super) busy: Signal<bool>,
}

impl ServerTest {
    pub(super) fn new(page: Page) -> Self {
        Self {
            page,
            feedback: create_signal(Feedback::None),
            report: create_signal(Report::None),
            busy: create_signal(false),
        }
    }

    /// Clears the results, because they are about another server.
    pub(super) fn clear(&self) {
        self.feedback.set(Feedback::None);
        self.report.set(Report::None);
    }

    /// Saves the form, even if the user declines Chrome's permission. Chrome is asked first,
    /// because it shows its dialog only while the click is handled.
    pub(super) fn save(
        &self,
        url: Option<&str>,
        ask: impl FnOnce() -> OptionsRequest + 'static,
        saved: impl FnOnce() + 'static,
    ) {
        let this = self.clone();
        request_permission(url, move |declined| {
            let page = this.page.clone();
            page.ask(ask(), move |outcome| {
                if outcome == Outcome::Saved {
                    saved();
                }
                this.feedback.set(Feedback::of(outcome.clone()));
                this.report.set(match (outcome, declined) {
                    (Outcome::Saved, Some(host)) => Report::NotAllowed(host, Saved::Yes),
                    (Outcome::Saved, None) => Report::Works(msg("options_saved")),
                    (Outcome::Failed { failure }, _) => Report::Failed(failure),
                    _ => Report::None,
                });
            });
        });
    }

    /// Sends a request to the server. `read` converts the outcome to a report. The outcome is
    /// ignored if the form shows another server by then.
    pub(super) fn test(
        &self,
        url: Option<&str>,
        ask: impl FnOnce() -> OptionsRequest + 'static,
        read: impl FnOnce(&Outcome) -> Option<Report> + 'static,
    ) {
        let this = self.clone();
        request_permission(url, move |declined| {
            if let Some(host) = declined {
                this.report.set(Report::NotAllowed(host, Saved::No));
                return;
            }
            this.busy.set(true);
            let page = this.page.clone();
            page.ask(ask(), move |outcome| {
                this.busy.set(false);
                if let Some(report) = read(&outcome) {
                    this.feedback.set(Feedback::of(outcome.clone()));
                    this.report.set(match outcome {
                        Outcome::Failed { failure } => Report::Failed(failure),
                        _ => report,
                    });
                }
            });
        });
    }

    /// *Test connection*, *Save*, and further buttons.
    pub(super) fn buttons(&self, tested: impl Fn() + 'static, more: impl IntoView) -> Tag {
        let busy = self.busy;
        let test = button("", msg("options_test"), tested);
        let test = test.attr("aria-busy", move || busy.get().then_some("true"));
        let save = submit("primary", msg("options_save"));
        unlabelled(tag("div.row.wrap", (test, save, more)))
    }

    /// The report, in a live region for screen readers. `more` is shown below a failure.
    pub(super) fn report(&self, more: impl Fn() -> View + 'static) -> Tag {
        let report = self.report;
        let shown = live(move || match report.get_clone() {
            Report::None => View::new(),
            Report::Works(words) => {
                let line = tag("p.ok-text.line-up", (icon("check"), tag("span", words)));
                (tag("span.cap", ()), line).into()
            }
            Report::NotAllowed(host, saved) => {
                let (title, remedy) = match saved {
                    Saved::Yes => (
                        msg_with("options_not_allowed_title", &[&host]),
                        msg("options_not_allowed_remedy"),
                    ),
                    Saved::No => (
                        msg_with("options_untested_title", &[&host]),
                        msg("options_untested_remedy"),
                    ),
                };
                failed("lock", title, remedy, View::new())
            }
            Report::Failed(failure) => {
                let is_key = matches!(failure.code.as_str(), "model_bad_key" | "search_bad_key");
                let sign = if is_key { "key" } else { "alert" };
                let below = (commands(&failure.commands), more()).into();
                failed(
                    sign,
                    phrase_text(&failure.title),
                    phrase_text(&failure.remedy),
                    below,
                )
            }
        });
        tag("div.field", shown).role("status")
    }
}

fn failed(sign: &'static str, title: String, remedy: String, below: View) -> View {
    let heading = tag("h4.danger-text", (icon(sign), title));
    let note = tag("div.note.danger", (heading, tag("p", remedy), below));
    (tag("span.cap", ()), note).into()
}
