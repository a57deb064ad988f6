//! The model that answers, and its fallbacks.

use crate::config::RunConfig;
use crate::dialogue::token_calibration::TokenCalibration;
use crate::events::{Event, Failure, ModelIdentity};
use gloss_model::{ContextWindow, Model, ModelChoice, Models, Price};
use std::collections::VecDeque;
use std::rc::Rc;

/// A model, with its price and context window.
#[derive(Clone)]
pub(crate) struct AnsweringModel {
    pub(crate) model: Rc<dyn Model>,
    pub(crate) speaker: ModelIdentity,
    /// The user's choice that names the model.
    pub(crate) choice: ModelChoice,
    pub(crate) price: Option<Price>,
    pub(crate) room: ContextWindow,
}

/// The model that answers, and the user's fallback models in order.
pub(crate) struct ModelChain {
    models: Rc<dyn Models>,
    pub(crate) current: AnsweringModel,
    next: VecDeque<ModelChoice>,
    /// The correction of token estimates for the current model.
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

    /// Returns the model that a choice names.
    pub(crate) fn of(&self, choice: &ModelChoice) -> AnsweringModel {
        answering(&*self.models, choice)
    }

    /// Removes and returns the next fallback model.
    pub(crate) fn pop(&mut self) -> Option<ModelChoice> {
        self.next.pop_front()
    }

    /// Returns the number of fallback models left.
    pub(crate) fn left(&self) -> usize {
        self.next.len()
    }

    /// Returns the next fallback model that is free, and removes it and the models before it.
    /// Returns the on-device model if no fallback model is free.
    pub(crate) fn pop_without_cost(&mut self) -> ModelChoice {
        loop {
            let choice = self.pop().unwrap_or_default();
            if choice.price() == Some(Price::NOTHING) {
                return choice;
            }
        }
    }

    /// Switches to another model, and returns the event that reports the switch.
    pub(crate) fn change_to(&mut self, choice: &ModelChoice, failure: Option<Failure>) -> Event {
        let next = self.of(choice);
        let to = next.speaker.clone();
        let from = std::mem::replace(&mut self.current, next).speaker;
        self.scale = TokenCalibration::default();
        Event::ModelChanged { from, to, failure }
    }
}

fn answering(models: &dyn Models, choice: &ModelChoice) -> AnsweringModel {
    AnsweringModel {
        model: models.of(choice),
        speaker: ModelIdentity::of(choice),
        price: choice.price(),
        choice: choice.clone(),
        room: choice.room(),
    }
}
