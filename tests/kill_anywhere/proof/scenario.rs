//! A scenario: a world, a goal, a model, tools, and the user's actions.

use super::{Outside, UserAction};
use crate::stage::{self, TAB};
use futures::FutureExt;
use gloss::agent::Goal;
use gloss::durable::{Fut, Sink};
use gloss::host::Capture;
use gloss::host_sim::Sim;
use gloss::model::{AnswerOrigin, Model, ModelError, Reply, Request};
use gloss::tools::ToolDyn;
use std::rc::Rc;

/// A scenario that can be killed anywhere.
pub(crate) struct Scenario {
    /// The name of the scenario in `GLOSS_CASE`.
    pub(crate) name: &'static str,
    /// The goal of the first command.
    pub(crate) goal: Goal,
    /// Changes the world before the first life. A tab with [`page`] already exists.
    pub(crate) prepare: fn(&Sim),
    /// Creates the model. Its replies must depend only on the request and on the counts in
    /// [`Outside`].
    pub(crate) model: fn(&Rc<Outside>) -> Rc<dyn Model>,
    /// Creates the tools, in addition to those for pages.
    pub(crate) tools: fn(&Rc<Outside>) -> Vec<Rc<dyn ToolDyn>>,
    /// The user's actions.
    pub(crate) actions: Vec<UserAction>,
    /// The number of worlds that differ in ways that no record shows ([`Outside::variant`]). The
    /// result of a run in any of these worlds is valid if the run was not killed.
    pub(crate) variants: u32,
    /// The number of seeds of the simulator.
    pub(crate) seeds: u64,
    /// The minimum number of ticks at which the first life is killed, over all seeds. A scenario
    /// that ends too early would prove nothing.
    pub(crate) min_kills: u64,
}

impl Scenario {
    /// A scenario with a goal on [`page`]. It uses the on-device model, and only the tools for
    /// pages.
    pub(crate) fn new(name: &'static str, goal: Goal) -> Self {
        Self {
            name,
            goal,
            prepare: |_| (),
            model: |_| stage::embedded(),
            tools: |_| Vec::new(),
            actions: Vec::new(),
            variants: 1,
            seeds: 2,
            min_kills: 60,
        }
    }
}

/// A page that is short, because its length doesn't matter here.
pub(crate) fn page() -> Capture {
    stage::article(2)
}

/// The world at the beginning of every scenario.
pub(super) fn world(scenario: &Scenario, seed: u64) -> Sim {
    let sim = Sim::new(seed);
    sim.set_page(TAB, Ok(page()));
    (scenario.prepare)(&sim);
    sim
}

/// A model that replies as `script` says. Its replies take some time, and arrive word by word.
pub(crate) fn scripted(
    outside: &Rc<Outside>,
    script: fn(&Request, &Outside) -> Result<Reply, ModelError>,
) -> Rc<dyn Model> {
    Rc::new(Scripted {
        outside: outside.clone(),
        script,
    })
}

struct Scripted {
    outside: Rc<Outside>,
    script: fn(&Request, &Outside) -> Result<Reply, ModelError>,
}

impl Model for Scripted {
    fn reply(&self, request: Request, sink: Sink) -> Fut<Result<Reply, ModelError>> {
        let (outside, script) = (self.outside.clone(), self.script);
        async move {
            let sim = outside.sim.clone();
            let reply = sim.send(move || script(&request, &outside)).await?;
            for word in reply.text.split_inclusive(' ') {
                sink.text(word);
                sim.send(|| ()).await;
            }
            Ok(reply)
        }
        .boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        AnswerOrigin::Model
    }
}
