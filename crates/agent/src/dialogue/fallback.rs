//! The model that answers, and the ones that answer where it can't.

use crate::config::RunConfig;
use crate::dialogue::token_calibration::TokenCalibration;
use crate::events::{Event, Failure, Speaker};
use gloss_model::{Choice, Model, Models, Price, Room};
use std::collections::VecDeque;
use std::rc::Rc;

/// A model at work.
#[derive(Clone)]
pub(crate) struct AnsweringModel {
    pub(crate) model: Rc<dyn Model>,
    pub(crate) speaker: Speaker,
    /// The same, as it is chosen.
    pub(crate) choice: Choice,
    /// What it costs, if that is known.
    pub(crate) price: Option<Price>,
    /// How much it can be given.
    pub(crate) room: Room,
}

/// The model that answers, and the user's order of those that follow it.
pub(crate) struct ModelChain {
    models: Rc<dyn Models>,
    pub(crate) current: AnsweringModel,
    next: VecDeque<Choice>,
    /// How far token estimates are off for the current model.
    pub(crate) scale: TokenCalibration,
}

impl ModelChain {
    pub(crate) fn new(config: &RunConfig, models: Rc<dyn Models>) -> Self {
        Self {
            current: answering(&*models, &config.model),
            models,
            next: config.then.iter().cloned().collect(),
            scale: TokenCalibration::default(),
        }
    }

    /// The model that a choice names.
    pub(crate) fn of(&self, choice: &Choice) -> AnsweringModel {
        answering(&*self.models, choice)
    }

    /// The next of the user's order, which leaves it.
    pub(crate) fn pop(&mut self) -> Option<Choice> {
        self.next.pop_front()
    }

    /// How many are left of the user's order.
    pub(crate) fn left(&self) -> usize {
        self.next.len()
    }

    /// The next of the user's order that costs nothing; at last the one on the device.
    pub(crate) fn pop_without_cost(&mut self) -> Choice {
        loop {
            let choice = self.pop().unwrap_or_default();
            if choice.price() == Some(Price::NOTHING) {
                return choice;
            }
        }
    }

    /// Has another model take over.
    pub(crate) fn change_to(&mut self, choice: &Choice, failure: Option<Failure>) -> Event {
        let next = self.of(choice);
        let to = next.speaker.clone();
        let from = std::mem::replace(&mut self.current, next).speaker;
        self.scale = TokenCalibration::default();
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
