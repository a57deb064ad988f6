//! The actions that a run may take without asking the user: the addresses that tool calls may
//! fetch, and the models that tools may use (DETAILS §12).

use crate::budget::{Budget, Reserve};
use crate::citations::WebSources;
use crate::config::Goal;
use crate::run::{Run, Step};
use gloss_durable::Halt;
use gloss_model::{A_PICTURE, ModelChoice, ToolCall};
use gloss_page::Document;
use gloss_tools::{ModelRole, RoleModels, TextOrigin, Toolbox, TrustedAddresses};
use gloss_web::rag::A_SEARCH;

/// The state that decides when a run must ask the user.
pub(crate) struct Permissions {
    /// The origin of the text that the run has read. Text of others may contain instructions meant
    /// to mislead the model. A tool's error may contain a server's words, so it counts as text of
    /// others. The clock and the facts about the user don't.
    read: TextOrigin,
    /// True if the user did not allow a search to read the pages that it found. The run doesn't ask
    /// again.
    pub(crate) are_reads_refused: bool,
}

impl Permissions {
    /// Creates the permissions of a new run. Lessons and earlier turns count as text of others,
    /// because they may contain words of pages and servers.
    pub(crate) fn new(run: &Run) -> Self {
        let config = &run.config;
        let has_read = run.page.is_some()
            || !config.lessons.is_empty()
            || !config.history.is_empty()
            || !config.earlier.kept.is_empty();
        let mut permissions = Self {
            read: if has_read {
                TextOrigin::OfOthers
            } else {
                TextOrigin::Own
            },
            are_reads_refused: false,
        };
        permissions.hear(&config.goal);
        permissions
    }

    /// Records the origin of a request. A selected passage is a page's text, even if the page
    /// could not be read.
    pub(crate) fn hear(&mut self, goal: &Goal) {
        if matches!(goal, Goal::Explain { .. }) {
            self.read = TextOrigin::OfOthers;
        }
    }

    /// Records the origin of a tool result.
    pub(crate) fn take(&mut self, brings: TextOrigin) {
        if brings == TextOrigin::OfOthers {
            self.read = brings;
        }
    }

    /// Returns the addresses that may be fetched without asking the user. Returns `None` if any
    /// address may be fetched, because the run has read only the user's own text.
    pub(crate) fn vouched(
        &self,
        run: &Run,
        asked: &[String],
        document: Option<&Document>,
        sources: &WebSources,
    ) -> Option<TrustedAddresses> {
        if self.read == TextOrigin::Own {
            return None;
        }
        let earlier = run.config.history.iter();
        let earlier = earlier.filter_map(|it| it.goal.own_words());
        let words = asked.iter().map(String::as_str).chain(earlier);
        let words: Vec<String> = words.map(str::to_owned).collect();
        let links = document.map(Document::links).unwrap_or_default();
        let page = run.page.iter().map(|page| page.url.clone());
        let found = sources
            .found()
            .chain(sources.redirect_targets())
            .map(str::to_owned);
        Some(TrustedAddresses::new(
            &words,
            page.chain(links).chain(found),
        ))
    }
}

/// Returns the models that the user chose for tool calls.
pub(crate) fn helpers(run: &Run, answering: &ModelChoice) -> RoleModels {
    let services = &run.services;
    let (models, ledger) = (services.models.clone(), services.ledger.clone());
    RoleModels::new(models, ledger, &run.config.model_roles, answering)
}

/// Returns the models that these tool calls may use. Models that cost more than the budget allows
/// are left out.
pub(crate) async fn paid_helpers(
    step: &Step,
    run: &Run,
    answering: &ModelChoice,
    budget: &mut Budget,
    reserve: &Reserve,
    (toolbox, calls): (&Toolbox, impl Iterator<Item = &ToolCall>),
) -> Result<RoleModels, Halt> {
    let asked: Vec<ModelRole> = calls
        .filter_map(|call| toolbox.properties(call).model_role)
        .collect();
    let mut aid = helpers(run, answering);
    let expected = [
        (ModelRole::Vision, "act.vision", reserve.usage),
        (ModelRole::Image, "act.image", A_PICTURE),
        (ModelRole::Light, "act.light", A_SEARCH),
    ];
    for (part, place, expected) in expected {
        let price = aid.model_for(part).map(ModelChoice::price);
        // All these calls may run at the same time, so their expected usage is added up.
        let calls = asked.iter().filter(|it| **it == part).count() as u32;
        let expected = expected.times(calls);
        if let Some(price) = price.filter(|_| calls > 0)
            && !budget.may_pay(step, place, (expected, price)).await?
        {
            aid = aid.out_of_budget(part);
        }
    }
    Ok(aid)
}
