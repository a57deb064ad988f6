//! Models that help a tool.
//!
//! Driving example: a screenshot is to be read and the person chose a model that looks at
//! images: the tool asks it within its own effect, the purse is charged as for any call,
//! and what it came to stands in the call's outcome ([`Aided`]). Who helps follows from the
//! run's configuration and from who answers; the loop leaves out whom it can't pay.

use super::{
    A_PICTURE, Aides, Choice, Facts, Micros, ModelError, Models, Painted, Price, Purse, Reply,
    Request, Usage, Voice, prompt, used,
};
use gloss_durable::{Fut, Sink};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;

/// A part that a model plays for a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Looks at images.
    Vision,
    /// Makes images.
    Image,
    /// Grades, rewrites.
    Light,
}

/// What a call asked of a model, and what that came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aided {
    /// The model's name.
    pub model: String,
    /// What it used, or by estimate what it had been sent when the call was given up.
    pub usage: Usage,
    /// What that cost, in millionths of a dollar; `None` where the price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Micros>,
}

impl Aided {
    fn of(choice: &Choice, usage: Usage) -> Self {
        Self {
            model: choice.model().to_owned(),
            usage,
            cost: match choice.price() {
                // Nothing costs nothing, whatever the price.
                _ if usage.is_none() => Some(0),
                price => price.map(|price| price.of(usage)),
            },
        }
    }
}

/// The models that a call may ask.
#[derive(Clone, Default)]
pub struct Aid {
    helpers: Option<Rc<Helpers>>,
    asked: Rc<RefCell<Vec<Aided>>>,
    /// Who would play these costs more than the budgets have left.
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
    /// Those of a run: who was named for a part, else `answering`, if it can.
    pub fn new(
        models: Rc<dyn Models>,
        purse: Rc<Purse>,
        aides: &Aides,
        answering: &Choice,
    ) -> Self {
        // Whoever was named for a part is taken at the person's word.
        let part = |named: &Option<Choice>, can: fn(&Choice) -> bool| {
            let who = named.as_ref().or(Some(answering).filter(|it| can(it)));
            who.cloned()
        };
        let image = part(&aides.image, paints);
        let light = aides.light.as_ref().unwrap_or(answering);
        // The page's own voice can judge nothing.
        let speaks = models.of(light).voice() == Voice::Model;
        let helpers = Helpers {
            purse,
            light: Some(light).filter(|_| speaks).cloned(),
            vision: part(&aides.vision, sees),
            // A name says nothing of a server that makes none in a form known here.
            image: image.filter(|it| models.painter(it).is_some()),
            models,
        };
        Self {
            helpers: Some(Rc::new(helpers)),
            ..Self::default()
        }
    }

    /// Who plays a part, if anybody does.
    pub fn playing(&self, part: Part) -> Option<&Choice> {
        let helpers = self.helpers.as_ref()?;
        match part {
            Part::Vision => helpers.vision.as_ref(),
            Part::Image => helpers.image.as_ref(),
            Part::Light => helpers.light.as_ref(),
        }
    }

    /// The same, but that nobody plays this part.
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

    /// The same, but that nobody plays this part, as the budgets can't pay who would.
    #[must_use]
    pub fn out_of_budget(&self, part: Part) -> Self {
        let mut aid = self.without(part);
        aid.unpaid.push(part);
        aid
    }

    /// Whether the budgets can't pay who would play this part.
    pub fn is_unpaid(&self, part: Part) -> bool {
        self.unpaid.contains(&part)
    }

    /// The same for one call, whose questions are counted by themselves.
    #[must_use]
    pub fn of_a_call(&self) -> Self {
        Self {
            helpers: self.helpers.clone(),
            asked: Rc::default(),
            unpaid: self.unpaid.clone(),
        }
    }

    /// What was asked so far came to.
    pub fn came_to(&self) -> Vec<Aided> {
        self.asked.borrow().clone()
    }

    /// Asks who plays a part, which is charged to the purse and counted; `prompt_tokens` is
    /// what it is expected to read. `None` if nobody plays it.
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

    /// Has an image made, which is charged and counted too; one that is given up was made all
    /// the same, as far as anybody knows. `None` if nobody makes any.
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
        // One that nobody counted was not made for nothing.
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

    /// What asking who plays a part is charged as it is sent; `None` if nobody plays it.
    pub fn sends(&self, part: Part, prompt_tokens: u32) -> Option<Aided> {
        self.playing(part)
            .map(|choice| Aided::of(choice, prompt(prompt_tokens)))
    }

    /// What having an image made is charged as it is asked for; `None` if nobody makes any.
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
            // What stands if this is given up on the way.
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

/// Whether a model is known to look at images.
fn sees(choice: &Choice) -> bool {
    match choice {
        Choice::Profile(profile) => Facts::of(profile).images,
        // What the browser's takes is known only once it is asked.
        Choice::Embedded | Choice::BuiltIn => false,
    }
}

/// Whether a model makes images, by its name.
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
