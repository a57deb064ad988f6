//! The user, who looks at the panel and performs each action once per life when it is due.

use super::Outside;
use crate::stage::{Life, PANEL};
use gloss::app::surface::{Command, Turn};
use gloss::durable::Fut;
use std::pin::pin;
use std::task::Poll;

/// An action that the user performs when it is due.
#[derive(Clone, Copy)]
pub(crate) struct UserAction {
    /// Returns the command to send now. `None` before the action is due, and after the command has
    /// had its effect.
    pub(crate) says: fn(&[Turn], &Outside) -> Option<Command>,
    /// The moments at which the user looks at the panel.
    pub(crate) looks: Looks,
}

/// The moments at which the user looks at the panel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looks {
    /// At every change of the panel.
    Always,
    /// Only when the panel opens. The user reacts in a later life to what an earlier life showed.
    OnOpening,
}

impl UserAction {
    /// An action that the user performs as soon as it is due.
    pub(crate) fn at_once(says: fn(&[Turn], &Outside) -> Option<Command>) -> Self {
        let looks = Looks::Always;
        Self { says, looks }
    }

    /// An action that the user performs only when the panel opens again.
    pub(crate) fn later(says: fn(&[Turn], &Outside) -> Option<Command>) -> Self {
        let looks = Looks::OnOpening;
        Self { says, looks }
    }
}

/// Returns true if no action is due.
pub(super) fn is_done(deeds: &[UserAction], turns: &[Turn], outside: &Outside) -> bool {
    deeds
        .iter()
        .all(|deed| (deed.says)(turns, outside).is_none())
}

/// Runs `work` until it and the user are done. `patience` is the number of times that the panel
/// changes before the user performs a due action.
pub(super) async fn run_with_user(
    life: &Life,
    deeds: &[UserAction],
    outside: &Outside,
    patience: u32,
    work: impl Future<Output = ()>,
) {
    let mut work = pin!(work);
    let mut works = true;
    let mut said: Vec<Option<Fut<()>>> = Vec::new();
    let mut left: Vec<(UserAction, u32)> = deeds.iter().map(|deed| (*deed, patience)).collect();
    let opened = |deed: &UserAction| {
        let panel = life.panel.borrow();
        let turns = panel
            .snapshot
            .as_ref()
            .map_or(&[][..], |shown| &shown.turns);
        (deed.says)(turns, outside)
    };
    left.retain(|(deed, _)| match deed.looks {
        Looks::Always => true,
        Looks::OnOpening => {
            said.extend(opened(deed).map(|command| Some(life.say(PANEL, &command))));
            false
        }
    });
    std::future::poll_fn(|cx| {
        loop {
            life.panel.borrow_mut().watcher = Some(cx.waker().clone());
            if works && work.as_mut().poll(cx).is_ready() {
                works = false;
            }
            for saying in &mut said {
                if saying
                    .as_mut()
                    .is_some_and(|said| said.as_mut().poll(cx).is_ready())
                {
                    *saying = None;
                }
            }
            let before = said.len();
            left.retain_mut(|(deed, patience)| match opened(deed) {
                None => true,
                Some(_) if *patience > 0 => {
                    *patience -= 1;
                    true
                }
                Some(command) => {
                    said.push(Some(life.say(PANEL, &command)));
                    false
                }
            });
            if said.len() == before {
                break;
            }
        }
        if works || said.iter().any(Option::is_some) {
            Poll::Pending
        } else {
            Poll::Ready(())
        }
    })
    .await;
}
