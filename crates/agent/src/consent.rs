//! The actions that a run may take without asking the user: the addresses that tool calls may
//! fetch, and the models that tools may use (DETAILS §12).

use crate::budget::{Budget, Reserve};
use crate::citations::WebSources;
use crate::config::Goal;
use crate::run::{Run, Step};
use gloss_durable::Halt;
use gloss_durable::sorted::SortedMap;
use gloss_model::provenance::{Origin, Provenance};
use gloss_model::{A_PICTURE, ModelChoice, ToolCall};
use gloss_page::Document;
use gloss_tools::{
    Decision, Destination, ModelRole, Policy, RoleModels, ToolOutcome, Toolbox, site,
};
use gloss_web::rag::A_SEARCH;

/// The state that decides when a run must ask the user.
pub(crate) struct Permissions {
    /// The origins of everything that the model has read. A tool's error may contain a server's
    /// words. The clock and Gloss's fixed texts are Gloss's own.
    read: Provenance,
    /// The number of pages of each site that calls have fetched since the run read untrusted text.
    fetched: SortedMap<String, usize>,
    /// True if the user did not allow a search to read the pages that it found. The run doesn't ask
    /// again.
    pub(crate) are_reads_refused: bool,
}

impl Permissions {
    /// Creates the permissions of a new run.
    pub(crate) fn new(run: &Run) -> Self {
        let mut read = run.config.provenance();
        if let Some(page) = &run.page {
            read = read.and(Origin::Page(page.url.clone()));
        }
        Self {
            read,
            fetched: SortedMap::new(),
            are_reads_refused: false,
        }
    }

    /// Records the origin of a request. A selected passage is a page's text, even if the page
    /// could not be read.
    pub(crate) fn hear(&mut self, goal: &Goal) {
        self.read.add(&goal.provenance());
    }

    /// Returns the origins of everything that the model has read.
    pub(crate) fn provenance(&self) -> &Provenance {
        &self.read
    }

    /// Records the origins of a text that the model reads.
    pub(crate) fn read(&mut self, provenance: &Provenance) {
        self.read.add(provenance);
    }

    /// Records the origins of a tool result, and the pages that the call fetched.
    pub(crate) fn take(&mut self, call: &ToolCall, outcome: &ToolOutcome) {
        if Destination::LinkAmongMany.decide(&self.read) != Decision::Goes {
            for address in outcome.fetched(call) {
                *self.fetched.or_default(site(&address)) += 1;
            }
        }
        self.read.add(&outcome.provenance(&call.name));
    }

    /// Returns the policy of a step. `fetching` contains the ids of the step's calls that may fetch.
    pub(crate) fn policy(
        &self,
        run: &Run,
        asked: &[String],
        document: Option<&Document>,
        sources: &WebSources,
        fetching: Vec<String>,
    ) -> Policy {
        let earlier = run.config.history.iter();
        let earlier = earlier.filter_map(|it| it.goal.own_words());
        let words = asked.iter().map(String::as_str).chain(earlier);
        let words: Vec<String> = words.map(str::to_owned).collect();
        let relevant = sources.relevant().map(str::to_owned);
        let policy = Policy::new(self.read.clone(), &words, document, relevant);
        policy.limited(self.fetched.clone(), fetching)
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
