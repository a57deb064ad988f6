//! The models that tools call for particular roles.
//!
//! Example: a tool has to read a screenshot, and the user chose a vision model. The tool
//! calls that model within the tool's own effect. The usage ledger is charged as for any model
//! call, and the tool's outcome contains the usage ([`RoleCall`]). The models for the roles are
//! chosen from the run's configuration and the answering model. The agent loop removes models that
//! cost more than the budgets allow.

use super::{
    A_PICTURE, AnswerOrigin, Facts, GeneratedImage, Micros, ModelChoice, ModelError, ModelRoles,
    Models, Price, Reply, Request, Usage, UsageLedger, prompt, usage_of,
};
use gloss_durable::{Fut, Sink};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;

/// A role for which a tool calls a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelRole {
    /// The model describes images.
    Vision,
    /// The model makes images.
    Image,
    /// The model grades search results and rewrites queries.
    Light,
}

/// One model call that a tool made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoleCall {
    /// The model's name.
    pub model: String,
    /// The tokens that the call used. If the call was abandoned, the estimated tokens of its
    /// prompt.
    pub usage: Usage,
    /// The cost in millionths of a dollar; `None` if the price is unknown.
    pub cost: Option<Micros>,
}

impl RoleCall {
    fn of(choice: &ModelChoice, usage: Usage) -> Self {
        Self {
            model: choice.model().to_owned(),
            usage,
            cost: match choice.price() {
                // A call without tokens costs nothing, even if the price is unknown.
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
    /// The model of each role. A role without a model is missing from the list.
    choices: Vec<(ModelRole, ModelChoice)>,
    asked: Rc<RefCell<Vec<RoleCall>>>,
    /// Roles whose model was removed because it costs more than the budgets allow.
    unpaid: Vec<ModelRole>,
}

impl RoleModels {
    /// Makes the models of a run. Each role gets the model that the user chose for the role. If the
    /// user chose none, the role gets the answering model if that model is able to fill the role.
    pub fn new(
        models: Rc<dyn Models>,
        ledger: Rc<UsageLedger>,
        model_roles: &ModelRoles,
        answering: &ModelChoice,
    ) -> Self {
        // A model that the user chose for a role is used without a check of its abilities.
        let part = |named: &Option<ModelChoice>, can: fn(&ModelChoice) -> bool| {
            let who = named.as_ref().or(Some(answering).filter(|it| can(it)));
            who.cloned()
        };
        let image = part(&model_roles.image, is_image_model);
        let light = model_roles.light.as_ref().unwrap_or(answering);
        // The on-device model can only quote, so it can't grade results or rewrite queries.
        let speaks = models.of(light).voice() == AnswerOrigin::Model;
        let choices = [
            (ModelRole::Vision, part(&model_roles.vision, accepts_images)),
            // A model with "image" in its name is not used if its server has no supported image
            // API.
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

    /// Returns the model of a role. `None` if the role has no model.
    pub fn model_for(&self, part: ModelRole) -> Option<&ModelChoice> {
        let mut choices = self.choices.iter();
        choices.find(|(role, _)| *role == part).map(|(_, it)| it)
    }

    /// Returns a copy in which this role has no model.
    #[must_use]
    pub fn without(&self, part: ModelRole) -> Self {
        let mut aid = self.for_one_call();
        aid.choices.retain(|(role, _)| *role != part);
        aid
    }

    /// Returns a copy in which this role has no model, because its model costs more than the
    /// budgets allow.
    #[must_use]
    pub fn out_of_budget(&self, part: ModelRole) -> Self {
        let mut aid = self.without(part);
        aid.unpaid.push(part);
        aid
    }

    /// Returns true if the role's model was removed because it costs more than the budgets allow.
    pub fn is_unpaid(&self, part: ModelRole) -> bool {
        self.unpaid.contains(&part)
    }

    /// Returns a copy for one tool call, with an empty list of model calls.
    #[must_use]
    pub fn for_one_call(&self) -> Self {
        Self {
            asked: Rc::default(),
            ..self.clone()
        }
    }

    /// Returns the model calls that this copy has made so far.
    pub fn calls_so_far(&self) -> Vec<RoleCall> {
        self.asked.borrow().clone()
    }

    /// Asks the model of a role, charges the usage ledger and records the call. `prompt_tokens` is
    /// the estimated length of the prompt in tokens. Returns `None` if the role has no model.
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

    /// Makes an image, charges the usage ledger and records the call. An abandoned call is charged
    /// like a finished one, because the provider may have made the image. Returns `None` if no
    /// model makes images.
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
        // The provider reported no tokens for an image that it charged, so the cost of the image is
        // unknown.
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

    /// Returns the charge for sending a prompt to the model of a role. `None` if the role has no
    /// model.
    pub fn charge_for_prompt(&self, part: ModelRole, prompt_tokens: u32) -> Option<RoleCall> {
        self.model_for(part)
            .map(|choice| RoleCall::of(choice, prompt(prompt_tokens)))
    }

    /// Returns the charge for requesting an image. `None` if no model makes images.
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
            // If the call is abandoned, the list keeps this estimate.
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
        // The browser's model reports its support for images only when a session is created. At
        // this point it is unknown.
        ModelChoice::Embedded | ModelChoice::BuiltIn => false,
    }
}

/// Returns true if the name of a model shows that it makes images.
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
