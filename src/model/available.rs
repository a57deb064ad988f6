//! Every model there is, by the choice that names it.

use super::{BuiltInModel, Choice, Hosted, Model, Models};
use crate::host::Host;
use std::rc::Rc;

/// The on-device model, the browser's, and the servers that profiles name.
pub struct Available {
    host: Host,
    embedded: Rc<dyn Model>,
}

impl Available {
    /// What can be reached from this worker; `embedded` is the on-device model.
    pub fn new(host: Host, embedded: Rc<dyn Model>) -> Self {
        Self { host, embedded }
    }
}

impl Models for Available {
    fn of(&self, choice: &Choice) -> Rc<dyn Model> {
        match choice {
            Choice::Embedded => self.embedded.clone(),
            Choice::Profile(profile) => Rc::new(Hosted {
                profile: Rc::new(profile.clone()),
                http: self.host.http.clone(),
                grants: self.host.grants.clone(),
                secrets: self.host.secrets.clone(),
                clock: self.host.clock.clone(),
            }),
            Choice::BuiltIn => Rc::new(BuiltInModel {
                built_in: self.host.built_in.clone(),
                clock: self.host.clock.clone(),
            }),
        }
    }
}
