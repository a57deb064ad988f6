//! Who answers at the moment, and who after them.

use super::desk::{Desk, Step};
use super::scale::Scale;
use super::{Brief, Event, Failure, Hands, Speaker};
use crate::durable::Halt;
use crate::model::{BUILT_IN_WINDOW, Choice, Facts, Model, Price, Room};
use std::rc::Rc;

/// The model at work.
#[derive(Clone)]
pub(super) struct Answering {
    pub(super) model: Rc<dyn Model>,
    pub(super) speaker: Speaker,
    /// The same, as it is chosen.
    pub(super) choice: Choice,
    /// What it costs, if that is known.
    pub(super) price: Option<Price>,
    /// How much it can be given.
    pub(super) room: Room,
}

impl Brief {
    /// How much its model can be given.
    pub(super) fn room(choice: &Choice) -> Room {
        Room::of(match choice {
            Choice::Embedded => None,
            Choice::BuiltIn => Some(BUILT_IN_WINDOW),
            Choice::Profile(profile) => Facts::of(profile).window,
        })
    }
}

impl Answering {
    /// The model that a choice names.
    pub(super) fn of(choice: &Choice, hands: &Hands) -> Self {
        Self {
            model: hands.models.of(choice),
            speaker: Speaker::of(choice),
            price: choice.price(),
            choice: choice.clone(),
            room: Brief::room(choice),
        }
    }
}

impl Desk {
    /// Who does what a smaller model can: the one that was named for it, else whoever answers.
    pub(super) fn light(&self) -> Answering {
        match &self.brief.aides.light {
            Some(choice) => Answering::of(choice, &self.hands),
            None => self.answering.clone(),
        }
    }

    /// The next model of the person's order that may still be paid.
    pub(super) async fn next_in_order(
        &mut self,
        step: &Step,
        segment: &str,
    ) -> Result<Option<Choice>, Halt> {
        while let Some(choice) = self.then.pop_front() {
            let price = Answering::of(&choice, &self.hands).price;
            let place = format!("{segment}.then.{}", self.then.len());
            if self.may_pay(step, &place, price, self.closing()).await? {
                return Ok(Some(choice));
            }
        }
        Ok(None)
    }

    /// From now on a call may hold so much.
    pub(super) fn make_do(&mut self, room: Room) {
        self.answering.room = room;
        self.toolbox = Rc::new(self.toolbox.in_room(room));
        self.offered_before.take();
    }

    /// What was said with so much `around` it was too long for a model whose window is what it
    /// says, if it does.
    pub(super) fn shrink(&mut self, around: u32, window: Option<u32>) {
        let sent = self.context.tokens().saturating_add(around);
        let room = self.answering.room.after_refusal(sent, window);
        self.make_do(room);
    }

    /// Another model takes over.
    pub(super) fn change_to(
        &mut self,
        step: &Step,
        segment: &str,
        choice: &Choice,
        failure: Option<Failure>,
    ) -> Result<(), Halt> {
        let next = Answering::of(choice, &self.hands);
        let to = next.speaker.clone();
        let room = next.room;
        let from = std::mem::replace(&mut self.answering, next).speaker;
        self.scale = Scale::default();
        self.make_do(room);
        let changed = Event::ModelChanged { from, to, failure };
        step.tell(&format!("{segment}.changed"), &changed)
    }
}
