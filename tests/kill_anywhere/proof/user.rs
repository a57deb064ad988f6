//! The user, who looks at the panel and performs each due action once per life.

use super::Outside;
use crate::stage::{Life, PANEL};
use gloss::app::surface::{Command, Turn};
use gloss::durable::Fut;
use std::pin::pin;
use std::task::Poll;

/// An action that the user performs when the panel shows that it is due.
#[derive(Clone, Copy)]
pub(crate) struct UserAction {
    /// The command that is due now; `None` before it is due and after it was sent.
    pub(crate) says: fn(&[Turn], &Outside) -> Option<Command>,
    /// The times at which the user looks.
    pub(crate) looks: Looks,
}

/// The times at which a user looks at the panel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looks {
    /// At every change.
    Always,
    /// Only when the panel opens: what one life shows is noticed in a later one.
    OnOpening,
}

impl UserAction {
    /// Performed as soon as the panel shows that it is due.
    pub(crate) fn at_once(says: fn(&[Turn], &Outside) -> Option<Command>) -> Self {
        let looks = Looks::Always;
        Self { says, looks }
    }

    /// Performed the next time the panel opens.
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

/// Runs `work` while the user watches, until both are done. `patience` is the number of changes of
/// the panel before the user performs a due action.
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
