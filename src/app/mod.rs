//! Commands in, events out.

use crate::agent::Goal;
use crate::host::{Host, RunId, TabId};
use std::cell::Cell;
use std::rc::Rc;
use surface::{Command, Reply};

pub mod surface;

/// A connected surface, as the worker numbers them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SurfaceId(pub u32);

/// Takes what the worker says to one surface.
pub type Send = Rc<dyn Fn(&Reply)>;

/// The whole core in one life of the worker. It never spawns: each method that
/// returns a future is a root for its caller to run.
pub struct App {
    host: Host,
    epoch: u64,
    ready_ms: Cell<f64>,
}

impl App {
    /// A core that has not looked at its journals yet. `epoch` names this life.
    pub fn new(host: Host, epoch: u64) -> Rc<Self> {
        Rc::new(Self {
            host,
            epoch,
            ready_ms: Cell::new(0.0),
        })
    }

    /// Loads what earlier lives recorded and drives unfinished runs to their
    /// ends. `panicked` are the words of the panic that ended the last life.
    pub async fn start(self: Rc<Self>, _panicked: Option<String>) {}

    /// The worker answers from now on, `ready_ms` after its birth.
    pub fn ready(&self, ready_ms: f64) {
        self.ready_ms.set(ready_ms);
    }

    /// A surface connected; it will say [`Command::Hello`].
    pub fn connect(&self, _surface: SurfaceId, _send: Send) {}

    /// A surface went away.
    pub fn disconnect(&self, _surface: SurfaceId) {}

    /// Does what a surface asks; resolves when that is done (a run: at its end).
    pub async fn command(self: Rc<Self>, _surface: SurfaceId, _command: Command) {}

    /// Starts a run from outside a surface: a context menu, a keyboard command.
    pub async fn begin(self: Rc<Self>, _run: RunId, _goal: Goal, _tab: TabId, _language: String) {}
}
