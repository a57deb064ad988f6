//! Models that help a tool.
//!
//! Driving example: a screenshot has to be read, and the user chose a vision model. The tool asks
//! that model within its own effect, the usage ledger is charged as for any model call, and the
//! tool's outcome contains the usage ([`RoleCall`]). The run's configuration and the answering model
//! decide which models help; the loop leaves out those that the budgets can't pay.

use super::{
    A_PICTURE, AnswerOrigin, Facts, GeneratedImage, Micros, ModelChoice, ModelError, ModelRoles,
    Models, Price, Reply, Request, Usage, UsageLedger, prompt, usage_of,
};
use gloss_durable::{Fut, Sink};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;

/// A role that a model plays for a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelRole {
    /// Describes images.
    Vision,
    /// Makes images.
    Image,
    /// Grades search results and rewrites queries.
    Light,
}

/// One model call that a tool made: the model, its usage and its cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleCall {
    /// The model's name.
    pub model: String,
    /// The tokens used; for an abandoned call, an estimate of the prompt.
    pub usage: Usage,
    /// The cost in millionths of a dollar; `None` if the price is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Micros>,
}

impl RoleCall {
    fn of(choice: &ModelChoice, usage: Usage) -> Self {
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
pub struct RoleModels {
    services: Option<(Rc<dyn Models>, Rc<UsageLedger>)>,
    /// The model of each role that has one.
    choices: Vec<(ModelRole, ModelChoice)>,
    asked: Rc<RefCell<Vec<RoleCall>>>,
    /// Roles whose model costs more than the budgets have left.
    unpaid: Vec<ModelRole>,
}

impl RoleModels {
    /// The models of a run: for each role the model chosen for it, otherwise `answering` if it is
    /// capable of that role.
    pub fn new(
        models: Rc<dyn Models>,
        ledger: Rc<UsageLedger>,
        model_roles: &ModelRoles,
        answering: &ModelChoice,
    ) -> Self {
        // A model that the user chose for a role is used without a check.
        let part = |named: &Option<ModelChoice>, can: fn(&ModelChoice) -> bool| {
            let who = named.as_ref().or(Some(answering).filter(|it| can(it)));
            who.cloned()
        };
        let image = part(&model_roles.image, is_image_model);
        let light = model_roles.light.as_ref().unwrap_or(answering);
        // The on-device model only quotes; it can't judge.
        let speaks = models.of(light).voice() == AnswerOrigin::Model;
        let choices = [
            (ModelRole::Vision, part(&model_roles.vision, accepts_images)),
            // The name says "image", but the server has no supported image API.
            (
                ModelRole::Image,
                image.filter(|it| models.image_model(it).is_some()),
            ),
            (ModelRole::Light, Some(light).filter(|_| speaks).cloned()),
        ];
        let choices = choices.into_iter();
        Self {
            choices: choices
                .filter_map(|(role, choice)| Some((role, choice?)))
                .collect(),
            services: Some((models, ledger)),
            ..Self::default()
        }
    }

    /// The model of a role, if there is one.
    pub fn model_for(&self, part: ModelRole) -> Option<&ModelChoice> {
        let mut choices = self.choices.iter();
        choices.find(|(role, _)| *role == part).map(|(_, it)| it)
    }

    /// The same models without the one for this role.
    #[must_use]
    pub fn without(&self, part: ModelRole) -> Self {
        let mut aid = self.for_one_call();
        aid.choices.retain(|(role, _)| *role != part);
        aid
    }

    /// The same models without the one for this role, because the budgets can't pay it.
    #[must_use]
    pub fn out_of_budget(&self, part: ModelRole) -> Self {
        let mut aid = self.without(part);
        aid.unpaid.push(part);
        aid
    }

    /// Returns true if the budgets can't pay the model of this role.
    pub fn is_unpaid(&self, part: ModelRole) -> bool {
        self.unpaid.contains(&part)
    }

    /// The same models for one tool call, with a separate count of model calls.
    #[must_use]
    pub fn for_one_call(&self) -> Self {
        Self {
            asked: Rc::default(),
            ..self.clone()
        }
    }

    /// The model calls so far.
    pub fn calls_so_far(&self) -> Vec<RoleCall> {
        self.asked.borrow().clone()
    }

    /// Asks the model of a role, charges the usage ledger and counts the call. `prompt_tokens`
    /// estimates the prompt. `None` if no model has the role.
    pub async fn ask(
        &self,
        part: ModelRole,
        request: Request,
        prompt_tokens: u32,
    ) -> Option<Result<Reply, ModelError>> {
        let (models, ledger) = self.services.as_ref()?;
        let choice = self.model_for(part)?;
        let reply = models.of(choice).reply(request, Sink::nowhere());
        let sent = prompt(prompt_tokens);
        Some(self.paid(ledger, choice, sent, reply, usage_of).await)
    }

    /// Has an image made, charged and counted like [`ask`](Self::ask). An abandoned image is
    /// charged too, since it may have been made. `None` if no model makes images.
    pub async fn paint(&self, description: String) -> Option<Result<GeneratedImage, ModelError>> {
        let (models, ledger) = self.services.as_ref()?;
        let choice = self.model_for(ModelRole::Image)?;
        let image_model = models.image_model(choice)?;
        let painted = image_model.paint(description);
        let used = |painted: &Result<GeneratedImage, ModelError>| match painted {
            Ok(painted) => painted.usage,
            Err(error) => error.used(),
        };
        let painted = self.paid(ledger, choice, A_PICTURE, painted, used).await;
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
    pub fn charge_for_prompt(&self, part: ModelRole, prompt_tokens: u32) -> Option<RoleCall> {
        self.model_for(part)
            .map(|choice| RoleCall::of(choice, prompt(prompt_tokens)))
    }

    /// The charge for requesting an image; `None` if no model makes images.
    pub fn charge_for_image(&self) -> Option<RoleCall> {
        let choice = self.model_for(ModelRole::Image)?;
        Some(RoleCall::of(choice, A_PICTURE))
    }

    async fn paid<T>(
        &self,
        ledger: &UsageLedger,
        choice: &ModelChoice,
        sent: Usage,
        reply: Fut<T>,
        used: impl Fn(&T) -> Usage,
    ) -> T {
        let price = choice.price();
        let role_calls = |usage| RoleCall::of(choice, usage);
        let place = {
            let mut asked = self.asked.borrow_mut();
            // This estimate remains if the call is abandoned.
            asked.push(role_calls(sent));
            asked.len() - 1
        };
        let reply = ledger.pay_for(sent, price, reply, &used).await;
        if let Some(counted) = self.asked.borrow_mut().get_mut(place) {
            *counted = role_calls(used(&reply));
        }
        reply
    }
}

/// Returns true if a model is known to accept images.
fn accepts_images(choice: &ModelChoice) -> bool {
    match choice {
        ModelChoice::Profile(profile) => Facts::of(profile).images,
        // The browser's model reports this only when it is asked.
        ModelChoice::Embedded | ModelChoice::BuiltIn => false,
    }
}

/// Returns true if a model's name says that it makes images.
fn is_image_model(choice: &ModelChoice) -> bool {
    match choice {
        ModelChoice::Profile(profile) => profile.model.to_ascii_lowercase().contains("-image"),
        ModelChoice::Embedded | ModelChoice::BuiltIn => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_whom_the_budgets_cannot_pay_are_known() {
        let aid = RoleModels::default().out_of_budget(ModelRole::Vision);
        assert!(!aid.is_unpaid(ModelRole::Image));
        let aid = aid.out_of_budget(ModelRole::Image).for_one_call();
        assert!(aid.is_unpaid(ModelRole::Vision) && aid.is_unpaid(ModelRole::Image));
    }
}
