//! The model that answers, and the ones that answer where it can't.

use super::scale::Scale;
use super::{Brief, Event, Failure, Speaker};
use crate::model::{Choice, Model, Models, Price, Room};
use std::collections::VecDeque;
use std::rc::Rc;

/// A model at work.
#[derive(Clone)]
pub(super) struct AnsweringModel {
    pub(super) model: Rc<dyn Model>,
    pub(super) speaker: Speaker,
    /// The same, as it is chosen.
    pub(super) choice: Choice,
    /// What it costs, if that is known.
    pub(super) price: Option<Price>,
    /// How much it can be given.
    pub(super) room: Room,
}

/// The model that answers, and the user's order of those that follow it.
pub(super) struct ModelChain {
    models: Rc<dyn Models>,
    pub(super) current: AnsweringModel,
    next: VecDeque<Choice>,
    /// How far token estimates are off for the current model.
    pub(super) scale: Scale,
}

impl ModelChain {
    pub(super) fn new(config: &Brief, models: Rc<dyn Models>) -> Self {
        Self {
            current: answering(&*models, &config.model),
            models,
            next: config.then.iter().cloned().collect(),
            scale: Scale::default(),
        }
    }

    /// The model that a choice names.
    pub(super) fn of(&self, choice: &Choice) -> AnsweringModel {
        answering(&*self.models, choice)
    }

    /// The next of the user's order, which leaves it.
    pub(super) fn pop(&mut self) -> Option<Choice> {
        self.next.pop_front()
    }

    /// How many are left of the user's order.
    pub(super) fn left(&self) -> usize {
        self.next.len()
    }

    /// The next of the user's order that costs nothing; at last the one on the device.
    pub(super) fn pop_without_cost(&mut self) -> Choice {
        loop {
            let choice = self.pop().unwrap_or_default();
            if choice.price() == Some(Price::NOTHING) {
                return choice;
            }
        }
    }

    /// Has another model take over.
    pub(super) fn change_to(&mut self, choice: &Choice, failure: Option<Failure>) -> Event {
        let next = self.of(choice);
        let to = next.speaker.clone();
        let from = std::mem::replace(&mut self.current, next).speaker;
        self.scale = Scale::default();
        Event::ModelChanged { from, to, failure }
    }
}

fn answering(models: &dyn Models, choice: &Choice) -> AnsweringModel {
    AnsweringModel {
        model: models.of(choice),
        speaker: Speaker::of(choice),
        price: choice.price(),
        choice: choice.clone(),
        room: choice.room(),
    }
}
