//! Models that help a tool.
//!
//! Driving example: a screenshot has to be read, and the user chose a vision model. The tool asks
//! that model within its own effect, the usage ledger is charged as for any model call, and the
//! tool's outcome contains the usage ([`Aided`]). The run's configuration and the answering model
//! decide which models help; the loop leaves out those that the budgets can't pay.

use super::{
    A_PICTURE, Aides, Choice, Facts, Micros, ModelError, Models, Painted, Price, Purse, Reply,
    Request, Usage, Voice, prompt, used,
};
use gloss_durable::{Fut, Sink};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;

/// A role that a model plays for a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Describes images.
    Vision,
    /// Makes images.
    Image,
    /// Grades search results and rewrites queries.
    Light,
}

/// One model call that a tool made: the model, its usage and its cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aided {
    /// The model's name.
    pub model: String,
    /// The tokens used; for an abandoned call, an estimate of the prompt.
    pub usage: Usage,
    /// The cost in millionths of a dollar; `None` if the price is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Micros>,
}

impl Aided {
    fn of(choice: &Choice, usage: Usage) -> Self {
        Self {
            model: choice.model().to_owned(),
            usage,
            cost: match choice.price() {
                // No tokens cost nothing, even at an unknown price.
                _ if usage.is_none() => Some(0),
                price => price.map(|price| price.of(usage)),
            },
        }
    }
}

/// The models that a tool may call.
#[derive(Clone, Default)]
pub struct Aid {
    helpers: Option<Rc<Helpers>>,
    asked: Rc<RefCell<Vec<Aided>>>,
    /// Roles whose model costs more than the budgets have left.
    unpaid: Vec<Part>,
}

struct Helpers {
    models: Rc<dyn Models>,
    purse: Rc<Purse>,
    vision: Option<Choice>,
    image: Option<Choice>,
    light: Option<Choice>,
}

impl Aid {
    /// The models of a run: for each role the model chosen for it, otherwise `answering` if it is
    /// capable of that role.
    pub fn new(
        models: Rc<dyn Models>,
        purse: Rc<Purse>,
        aides: &Aides,
        answering: &Choice,
    ) -> Self {
        // A model that the user chose for a role is used without a check.
        let part = |named: &Option<Choice>, can: fn(&Choice) -> bool| {
            let who = named.as_ref().or(Some(answering).filter(|it| can(it)));
            who.cloned()
        };
        let image = part(&aides.image, paints);
        let light = aides.light.as_ref().unwrap_or(answering);
        // The on-device model only quotes; it can't judge.
        let speaks = models.of(light).voice() == Voice::Model;
        let helpers = Helpers {
            purse,
            light: Some(light).filter(|_| speaks).cloned(),
            vision: part(&aides.vision, sees),
            // The name says "image", but the server has no supported image API.
            image: image.filter(|it| models.painter(it).is_some()),
            models,
        };
        Self {
            helpers: Some(Rc::new(helpers)),
            ..Self::default()
        }
    }

    /// The model of a role, if there is one.
    pub fn playing(&self, part: Part) -> Option<&Choice> {
        let helpers = self.helpers.as_ref()?;
        match part {
            Part::Vision => helpers.vision.as_ref(),
            Part::Image => helpers.image.as_ref(),
            Part::Light => helpers.light.as_ref(),
        }
    }

    /// The same models without the one for this role.
    #[must_use]
    pub fn without(&self, part: Part) -> Self {
        let kept = |of: Part, who: &Option<Choice>| who.clone().filter(|_| of != part);
        let helpers = self.helpers.as_ref().map(|helpers| {
            Rc::new(Helpers {
                models: helpers.models.clone(),
                purse: helpers.purse.clone(),
                vision: kept(Part::Vision, &helpers.vision),
                image: kept(Part::Image, &helpers.image),
                light: kept(Part::Light, &helpers.light),
            })
        });
        Self {
            helpers,
            asked: Rc::default(),
            unpaid: self.unpaid.clone(),
        }
    }

    /// The same models without the one for this role, because the budgets can't pay it.
    #[must_use]
    pub fn out_of_budget(&self, part: Part) -> Self {
        let mut aid = self.without(part);
        aid.unpaid.push(part);
        aid
    }

    /// Returns true if the budgets can't pay the model of this role.
    pub fn is_unpaid(&self, part: Part) -> bool {
        self.unpaid.contains(&part)
    }

    /// The same models for one tool call, with a separate count of model calls.
    #[must_use]
    pub fn of_a_call(&self) -> Self {
        Self {
            helpers: self.helpers.clone(),
            asked: Rc::default(),
            unpaid: self.unpaid.clone(),
        }
    }

    /// The model calls so far.
    pub fn came_to(&self) -> Vec<Aided> {
        self.asked.borrow().clone()
    }

    /// Asks the model of a role, charges the usage ledger and counts the call. `prompt_tokens`
    /// estimates the prompt. `None` if no model has the role.
    pub async fn ask(
        &self,
        part: Part,
        request: Request,
        prompt_tokens: u32,
    ) -> Option<Result<Reply, ModelError>> {
        let helpers = self.helpers.as_ref()?;
        let choice = self.playing(part)?;
        let reply = helpers.models.of(choice).reply(request, Sink::nowhere());
        let sent = prompt(prompt_tokens);
        Some(self.paid(helpers, choice, sent, reply, used).await)
    }

    /// Has an image made, charged and counted like [`ask`](Self::ask). An abandoned image is
    /// charged too, since it may have been made. `None` if no model makes images.
    pub async fn paint(&self, description: String) -> Option<Result<Painted, ModelError>> {
        let helpers = self.helpers.as_ref()?;
        let choice = self.playing(Part::Image)?;
        let painter = helpers.models.painter(choice)?;
        let painted = painter.paint(description);
        let used = |painted: &Result<Painted, ModelError>| match painted {
            Ok(painted) => painted.usage,
            Err(error) => error.used(),
        };
        let painted = self.paid(helpers, choice, A_PICTURE, painted, used).await;
        // An image without a token count still cost something: the cost is unknown.
        if painted
            .as_ref()
            .is_ok_and(|it| it.usage == Usage::default())
            && choice.price() != Some(Price::NOTHING)
            && let Some(counted) = self.asked.borrow_mut().last_mut()
        {
            counted.cost = None;
        }
        Some(painted)
    }

    /// The charge for sending a prompt to the model of a role; `None` if no model has the role.
    pub fn sends(&self, part: Part, prompt_tokens: u32) -> Option<Aided> {
        self.playing(part)
            .map(|choice| Aided::of(choice, prompt(prompt_tokens)))
    }

    /// The charge for requesting an image; `None` if no model makes images.
    pub fn sends_for_image(&self) -> Option<Aided> {
        let choice = self.playing(Part::Image)?;
        Some(Aided::of(choice, A_PICTURE))
    }

    async fn paid<T>(
        &self,
        helpers: &Helpers,
        choice: &Choice,
        sent: Usage,
        reply: Fut<T>,
        used: impl Fn(&T) -> Usage,
    ) -> T {
        let price = choice.price();
        let aided = |usage| Aided::of(choice, usage);
        let place = {
            let mut asked = self.asked.borrow_mut();
            // This estimate remains if the call is abandoned.
            asked.push(aided(sent));
            asked.len() - 1
        };
        let reply = helpers.purse.pay_for(sent, price, reply, &used).await;
        if let Some(counted) = self.asked.borrow_mut().get_mut(place) {
            *counted = aided(used(&reply));
        }
        reply
    }
}

/// Returns true if a model is known to accept images.
fn sees(choice: &Choice) -> bool {
    match choice {
        Choice::Profile(profile) => Facts::of(profile).images,
        // The browser's model reports this only when it is asked.
        Choice::Embedded | Choice::BuiltIn => false,
    }
}

/// Returns true if a model's name says that it makes images.
fn paints(choice: &Choice) -> bool {
    match choice {
        Choice::Profile(profile) => profile.model.to_ascii_lowercase().contains("-image"),
        Choice::Embedded | Choice::BuiltIn => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_whom_the_budgets_cannot_pay_are_known() {
        let aid = Aid::default().out_of_budget(Part::Vision);
        assert!(!aid.is_unpaid(Part::Image));
        let aid = aid.out_of_budget(Part::Image).of_a_call();
        assert!(aid.is_unpaid(Part::Vision) && aid.is_unpaid(Part::Image));
    }
}
