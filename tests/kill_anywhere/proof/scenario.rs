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
    /// Its name in `GLOSS_CASE`.
    pub(crate) name: &'static str,
    /// The goal of the first command.
    pub(crate) goal: Goal,
    /// The world before the first life; a tab with [`page`] is there already.
    pub(crate) prepare: fn(&Sim),
    /// The model. Its replies must depend only on the request and on what [`Outside`] counted.
    pub(crate) model: fn(&Rc<Outside>) -> Rc<dyn Model>,
    /// The tools besides those of the page.
    pub(crate) tools: fn(&Rc<Outside>) -> Vec<Rc<dyn ToolDyn>>,
    /// The user's actions.
    pub(crate) actions: Vec<UserAction>,
    /// The number of worlds with differences that no record can show ([`Outside::variant`]): an
    /// unkilled run of any of them is a valid result.
    pub(crate) variants: u32,
    /// The number of seeds.
    pub(crate) seeds: u64,
    /// The minimum number of points at which its first life is killed, over all seeds. A run that
    /// ends too early proves nothing.
    pub(crate) min_kills: u64,
}

impl Scenario {
    /// A goal on [`page`], answered on the device, with the page's tools only.
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

/// A short page, because the proof does not depend on its length.
pub(crate) fn page() -> Capture {
    stage::article(2)
}

/// The world with which every scenario begins.
pub(super) fn world(scenario: &Scenario, seed: u64) -> Sim {
    let sim = Sim::new(seed);
    sim.set_page(TAB, Ok(page()));
    (scenario.prepare)(&sim);
    sim
}

/// A model with the replies of `script`, which arrive after a while and word by word.
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
