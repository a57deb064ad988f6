//! Actions of the user while a run is active, or before a run can begin.

use super::talking::parallel_tools;
use crate::proof::{Scenario, UserAction, page};
use crate::stage::{TAB, run_id, start};
use gloss::agent::{Bound, Goal, Status, Verdict};
use gloss::app::surface::{Command, Notice};
use gloss::durable::RunId;
use gloss::host::CaptureError;

/// A page that needs the user's permission, which the user grants in a later life.
pub(crate) fn permission() -> Scenario {
    Scenario {
        prepare: |sim| sim.set_page(TAB, Err(CaptureError::NoAccess)),
        actions: vec![UserAction::later(|turns, outside| {
            let wait = turns.last()?.wait.as_ref()?.id;
            outside.sim.set_page(TAB, Ok(page()));
            let (run, verdict) = (run_id(), Verdict::Granted);
            Some(Command::Permit { run, wait, verdict })
        })],
        seeds: 10,
        ..Scenario::new("permission", Goal::Summarize)
    }
}

/// A run that the user stops in its second step, and continues.
pub(crate) fn stop_and_continue() -> Scenario {
    Scenario {
        actions: vec![
            UserAction::at_once(|turns, _| {
                let turn = turns.last()?;
                let was = |seam: &Notice| matches!(seam, Notice::Stopped { .. });
                let due = turn.step >= 2 && turn.is_open() && !turn.notices.iter().any(was);
                due.then(|| Command::Stop { run: run_id() })
            }),
            UserAction::at_once(|turns, _| {
                let stopped = turns.last()?.status == Status::Terminated(Bound::Stopped);
                stopped.then(|| Command::Continue { run: run_id() })
            }),
        ],
        seeds: 9,
        ..Scenario {
            name: "stop_and_continue",
            ..parallel_tools()
        }
    }
}

/// A run that the user pauses in its second step, and resumes when the panel opens again.
pub(crate) fn pause_and_resume() -> Scenario {
    Scenario {
        actions: vec![
            UserAction::at_once(|turns, _| {
                let turn = turns.last()?;
                let was = |seam: &Notice| matches!(seam, Notice::Paused { .. });
                let due = turn.step >= 2 && turn.is_open() && !turn.notices.iter().any(was);
                due.then(|| Command::Pause { run: run_id() })
            }),
            UserAction::later(|turns, _| {
                let paused = turns.last()?.status == Status::Paused;
                paused.then(|| Command::Continue { run: run_id() })
            }),
        ],
        seeds: 8,
        ..Scenario {
            name: "pause_and_resume",
            ..parallel_tools()
        }
    }
}

/// A second question while the first one is being answered.
pub(crate) fn follow_up() -> Scenario {
    Scenario {
        actions: vec![UserAction::at_once(|turns, _| {
            let id = RunId("second".to_owned());
            let known = turns
                .iter()
                .any(|turn| turn.run == id || turn.messages.iter().any(|m| m.message == id));
            let due = turns.last()?.step >= 1 && !known;
            let question = "And why do neaps come?".to_owned();
            due.then(|| start("second", Goal::Ask { question }))
        })],
        seeds: 9,
        ..Scenario {
            name: "follow_up",
            ..parallel_tools()
        }
    }
}
