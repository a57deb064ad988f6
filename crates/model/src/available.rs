//! All models, found by the [`Choice`] that names them.

use super::server::makes_images;
use super::{BuiltInModel, Choice, Hosted, Model, Models, Painter, Profile};
use gloss_host::Host;
use std::rc::Rc;

/// The on-device model, the browser's model, and the servers of the profiles.
pub struct Available {
    host: Host,
    embedded: Rc<dyn Model>,
}

impl Available {
    /// The models that this worker can reach; `embedded` is the on-device model.
    pub fn new(host: Host, embedded: Rc<dyn Model>) -> Self {
        Self { host, embedded }
    }

    fn hosted(&self, profile: &Profile) -> Hosted {
        Hosted {
            profile: Rc::new(profile.clone()),
            http: self.host.http.clone(),
            web: self.host.web.clone(),
            grants: self.host.grants.clone(),
            secrets: self.host.secrets.clone(),
            clock: self.host.clock.clone(),
        }
    }
}

impl Models for Available {
    fn of(&self, choice: &Choice) -> Rc<dyn Model> {
        match choice {
            Choice::Embedded => self.embedded.clone(),
            Choice::Profile(profile) => Rc::new(self.hosted(profile)),
            Choice::BuiltIn => Rc::new(BuiltInModel {
                built_in: self.host.built_in.clone(),
                clock: self.host.clock.clone(),
            }),
        }
    }

    fn painter(&self, choice: &Choice) -> Option<Rc<dyn Painter>> {
        match choice {
            Choice::Profile(profile) if makes_images(profile.api) => {
                Some(Rc::new(self.hosted(profile)))
            }
            Choice::Profile(_) | Choice::Embedded | Choice::BuiltIn => None,
        }
    }
}
