//! The person, who looks at the panel and does what is to be done, once a life.

use super::Outside;
use crate::stage::{Life, PANEL};
use gloss::app::surface::{Command, Turn};
use gloss::durable::Fut;
use std::pin::pin;
use std::task::Poll;

/// Something that the person does when the panel shows that it is time for it.
#[derive(Clone, Copy)]
pub(crate) struct Deed {
    /// What is said now; nothing if it is not time yet, or done already.
    pub(crate) says: fn(&[Turn], &Outside) -> Option<Command>,
    /// When it is looked at.
    pub(crate) looks: Looks,
}

/// When a person looks at the panel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Looks {
    /// All the time.
    Always,
    /// When the panel opens: what came in one life is seen in a later one.
    OnOpening,
}

impl Deed {
    /// Done as soon as the panel shows it.
    pub(crate) fn at_once(says: fn(&[Turn], &Outside) -> Option<Command>) -> Self {
        let looks = Looks::Always;
        Self { says, looks }
    }

    /// Done when the panel is opened the next time.
    pub(crate) fn later(says: fn(&[Turn], &Outside) -> Option<Command>) -> Self {
        let looks = Looks::OnOpening;
        Self { says, looks }
    }
}

/// Whether nothing is left for the person to do.
pub(super) fn is_content(deeds: &[Deed], turns: &[Turn], outside: &Outside) -> bool {
    deeds
        .iter()
        .all(|deed| (deed.says)(turns, outside).is_none())
}

/// Does `work` while the person looks on, until both are done. `patience` is how
/// often the panel changes before the person, seeing that it is time, acts.
pub(super) async fn attend(
    life: &Life,
    deeds: &[Deed],
    outside: &Outside,
    patience: u32,
    work: impl Future<Output = ()>,
) {
    let mut work = pin!(work);
    let mut works = true;
    let mut said: Vec<Option<Fut<()>>> = Vec::new();
    let mut left: Vec<(Deed, u32)> = deeds.iter().map(|deed| (*deed, patience)).collect();
    let opened = |deed: &Deed| {
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
