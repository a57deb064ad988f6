//! What is killed: a world, a goal, who thinks, what can be done, and what the
//! person does meanwhile.

use super::{Deed, Outside};
use crate::stage::{self, TAB};
use futures::FutureExt;
use gloss::agent::Goal;
use gloss::durable::{Fut, Sink};
use gloss::host::Capture;
use gloss::host_sim::Sim;
use gloss::model::{Model, ModelError, Reply, Request, Voice};
use gloss::tools::ToolDyn;
use std::rc::Rc;

/// Something that can be killed anywhere.
pub(crate) struct Scenario {
    /// As it stands in `GLOSS_CASE`.
    pub(crate) name: &'static str,
    /// What the first command asks for.
    pub(crate) goal: Goal,
    /// The world before the first life; a tab with [`page`] is there already.
    pub(crate) lay: fn(&Sim),
    /// Who thinks. What it says must follow from the request, or from what
    /// [`Outside`] counted.
    pub(crate) model: fn(&Rc<Outside>) -> Rc<dyn Model>,
    /// What can be done besides reading the page.
    pub(crate) tools: fn(&Rc<Outside>) -> Vec<Rc<dyn ToolDyn>>,
    /// What the person does.
    pub(crate) deeds: Vec<Deed>,
    /// How many worlds there are that differ in what nobody can record
    /// ([`Outside::variant`]): an unkilled run of each is as right as the other.
    pub(crate) variants: u32,
    /// How many seeds are tried.
    pub(crate) seeds: u64,
    /// At how many points its first life is killed at least, all seeds together: one
    /// that ends too early proves nothing.
    pub(crate) least: u64,
}

impl Scenario {
    /// A goal on [`page`], answered on the device, with the page's tools alone.
    pub(crate) fn new(name: &'static str, goal: Goal) -> Self {
        Self {
            name,
            goal,
            lay: |_| (),
            model: |_| stage::embedded(),
            tools: |_| Vec::new(),
            deeds: Vec::new(),
            variants: 1,
            seeds: 2,
            least: 60,
        }
    }
}

/// A short page: what is proven does not depend on its length.
pub(crate) fn page() -> Capture {
    stage::article(2)
}

/// The world that every scenario begins with.
pub(super) fn world(scenario: &Scenario, seed: u64) -> Sim {
    let sim = Sim::new(seed);
    sim.set_page(TAB, Ok(page()));
    (scenario.lay)(&sim);
    sim
}

/// A model that says what `script` says, after a while and word by word.
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

    fn voice(&self) -> Voice {
        Voice::Model
    }
}
