//! Every model there is, by the choice that names it.

use super::{Choice, Embedded, Model, Models, OpenAiCompatible};
use crate::host::Host;
use std::rc::Rc;

/// The on-device model, and the servers that profiles name.
pub struct Available {
    host: Host,
}

impl Available {
    /// What can be reached from this worker.
    pub fn new(host: Host) -> Self {
        Self { host }
    }
}

impl Models for Available {
    fn of(&self, choice: &Choice) -> Rc<dyn Model> {
        match choice {
            Choice::Embedded => Rc::new(Embedded),
            Choice::Profile(profile) => Rc::new(OpenAiCompatible {
                profile: Rc::new(profile.clone()),
                http: self.host.http.clone(),
                grants: self.host.grants.clone(),
                secrets: self.host.secrets.clone(),
                clock: self.host.clock.clone(),
            }),
        }
    }
}
