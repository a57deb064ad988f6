//! The registry of all models. A [`ModelChoice`] selects one of them.

use super::server::makes_images;
use super::{BuiltInModel, ImageModel, Model, ModelChoice, Models, Profile, ServerModel};
use gloss_host::Host;
use std::rc::Rc;

/// The on-device model, the browser's model, and the servers of the profiles.
pub struct ModelRegistry {
    host: Host,
    embedded: Rc<dyn Model>,
}

impl ModelRegistry {
    /// Makes the registry of the models that this worker can use. `embedded` is the on-device
    /// model.
    pub fn new(host: Host, embedded: Rc<dyn Model>) -> Self {
        Self { host, embedded }
    }

    fn hosted(&self, profile: &Profile) -> ServerModel {
        ServerModel {
            profile: Rc::new(profile.clone()),
            http: self.host.http.clone(),
            web: self.host.web.clone(),
            grants: self.host.grants.clone(),
            secrets: self.host.secrets.clone(),
            clock: self.host.clock.clone(),
        }
    }
}

impl Models for ModelRegistry {
    fn of(&self, choice: &ModelChoice) -> Rc<dyn Model> {
        match choice {
            ModelChoice::Embedded => self.embedded.clone(),
            ModelChoice::Profile(profile) => Rc::new(self.hosted(profile)),
            ModelChoice::BuiltIn => Rc::new(BuiltInModel {
                built_in: self.host.built_in.clone(),
                clock: self.host.clock.clone(),
            }),
        }
    }

    fn image_model(&self, choice: &ModelChoice) -> Option<Rc<dyn ImageModel>> {
        match choice {
            ModelChoice::Profile(profile) if makes_images(profile.api) => {
                Some(Rc::new(self.hosted(profile)))
            }
            ModelChoice::Profile(_) | ModelChoice::Embedded | ModelChoice::BuiltIn => None,
        }
    }
}
