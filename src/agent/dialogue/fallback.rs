//! The model that answers, and the ones that answer where it can't.

use crate::agent::config::RunConfig;
use crate::agent::dialogue::token_calibration::TokenCalibration;
use crate::agent::events::{Event, Failure, Speaker};
use crate::model::{Choice, Model, Models, Price, Room};
use std::collections::VecDeque;
use std::rc::Rc;

/// A model at work.
#[derive(Clone)]
pub(in crate::agent) struct AnsweringModel {
    pub(in crate::agent) model: Rc<dyn Model>,
    pub(in crate::agent) speaker: Speaker,
    /// The same, as it is chosen.
    pub(in crate::agent) choice: Choice,
    /// What it costs, if that is known.
    pub(in crate::agent) price: Option<Price>,
    /// How much it can be given.
    pub(in crate::agent) room: Room,
}

/// The model that answers, and the user's order of those that follow it.
pub(in crate::agent) struct ModelChain {
    models: Rc<dyn Models>,
    pub(in crate::agent) current: AnsweringModel,
    next: VecDeque<Choice>,
    /// How far token estimates are off for the current model.
    pub(in crate::agent) scale: TokenCalibration,
}

impl ModelChain {
    pub(in crate::agent) fn new(config: &RunConfig, models: Rc<dyn Models>) -> Self {
        Self {
            current: answering(&*models, &config.model),
            models,
            next: config.then.iter().cloned().collect(),
            scale: TokenCalibration::default(),
        }
    }

    /// The model that a choice names.
    pub(in crate::agent) fn of(&self, choice: &Choice) -> AnsweringModel {
        answering(&*self.models, choice)
    }

    /// The next of the user's order, which leaves it.
    pub(in crate::agent) fn pop(&mut self) -> Option<Choice> {
        self.next.pop_front()
    }

    /// How many are left of the user's order.
    pub(in crate::agent) fn left(&self) -> usize {
        self.next.len()
    }

    /// The next of the user's order that costs nothing; at last the one on the device.
    pub(in crate::agent) fn pop_without_cost(&mut self) -> Choice {
        loop {
            let choice = self.pop().unwrap_or_default();
            if choice.price() == Some(Price::NOTHING) {
                return choice;
            }
        }
    }

    /// Has another model take over.
    pub(in crate::agent) fn change_to(
        &mut self,
        choice: &Choice,
        failure: Option<Failure>,
    ) -> Event {
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
