//! The lives of one case, and the data that each left on disk.

use super::outside::Outside;
use super::scenario::{Scenario, world};
use super::trajectory::reported;
use super::user::{is_done, run_with_user};
use crate::stage::{Life, NEVER, PANEL, Surface, recorded, start};
use futures::future::join;
use gloss::app::surface::Turn;
use gloss::durable::StoredBatch;
use gloss::page_service::PageService;
use gloss::retrieval::words_only;
use gloss::tools;
use std::cell::RefCell;
use std::rc::Rc;

/// A case fails after this number of lives, because a run that is no longer killed must end.
const MOST_LIVES: u32 = 12;

pub(super) struct Lived {
    /// The batches on disk at the end of the life.
    pub(super) left: Vec<StoredBatch>,
    /// The number of updates that the panel had received by the end of the life.
    pub(super) told: usize,
    pub(super) ticks: u64,
    pub(super) killed: bool,
}

pub(super) struct Lives {
    pub(super) outside: Rc<Outside>,
    pub(super) panel: Rc<RefCell<Surface>>,
    pub(super) lives: Vec<Lived>,
}

impl Lives {
    /// Runs lives until no work is left. `kills` are the ticks at which the first lives are
    /// killed.
    pub(super) fn of(scenario: &Scenario, seed: u64, kills: &[u64], world_of: World) -> Self {
        let sim = world(scenario, seed);
        let outside = Outside::new(&sim, world_of.variant);
        let panel = Rc::new(RefCell::new(Surface::default()));
        let mut lives: Vec<Lived> = Vec::new();
        let mut kills = kills.iter().copied();
        let mut kill_at = kills.next();
        let mut unkilled = 0;
        while unkilled < MOST_LIVES {
            let epoch = lives.len() as u32;
            outside.life.set(epoch);
            let page_service = PageService::in_process(words_only());
            let toolbox = tools::all(&sim.host(), &page_service);
            let toolbox = toolbox.iter().cloned().chain((scenario.tools)(&outside));
            let services = outside.services((scenario.model)(&outside), toolbox, page_service);
            let life = Life::with_services(&sim, u64::from(epoch), services, panel.clone());
            let patience = if epoch == 0 { world_of.patience } else { 0 };
            let begins = start("run", scenario.goal.clone());
            let survived = life.live(kill_at.unwrap_or(NEVER), async {
                let work = async {
                    join(life.app.resume(), life.say(PANEL, &begins)).await;
                };
                run_with_user(&life, &scenario.actions, &outside, patience, work).await;
            });
            outside.fetched();
            let told = panel.borrow().updates.len();
            lives.push(Lived {
                left: recorded(&sim),
                told,
                ticks: sim.ticks(),
                killed: !survived,
            });
            if !survived {
                kill_at = kills.next();
                continue;
            }
            unkilled += 1;
            kill_at = kill_at.map(|kill_at| kill_at.saturating_sub(sim.ticks()));
            let this = Self {
                outside: outside.clone(),
                panel: panel.clone(),
                lives: Vec::new(),
            };
            if this.is_settled(scenario) {
                return Self { lives, ..this };
            }
        }
        panic!("it never came to its end: {:?}", panel.borrow().turns());
    }

    fn is_settled(&self, scenario: &Scenario) -> bool {
        let panel = self.panel.borrow();
        let turns = turns(&panel);
        if reported(turns) {
            return true;
        }
        let over = !turns.is_empty() && !turns.iter().any(Turn::is_open);
        over && is_done(&scenario.actions, turns, &self.outside)
    }

    /// The number of lives that were killed.
    pub(super) fn kills(&self) -> usize {
        self.lives.iter().filter(|life| life.killed).count()
    }

    /// The batches on disk at the start of the life with this number.
    pub(super) fn found(&self, number: usize) -> &[StoredBatch] {
        let before = number.checked_sub(1);
        let before = before.and_then(|before| self.lives.get(before));
        before.map_or(&[], |life| &life.left)
    }

    /// The batches on disk at the end of the last life.
    pub(super) fn stored(&self) -> &[StoredBatch] {
        self.lives.last().map_or(&[], |life| &life.left)
    }
}

pub(super) fn turns(panel: &Surface) -> &[Turn] {
    panel.snapshot.as_ref().map_or(&[], |shown| &shown.turns)
}

/// The world of a case. Several worlds can be equally valid.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct World {
    pub(super) variant: u32,
    /// The number of times that the panel changes before the user acts.
    pub(super) patience: u32,
}
