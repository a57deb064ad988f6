//! Every model there is, by the choice that names it.

use super::{BuiltInModel, Choice, Embedded, Hosted, Model, Models};
use crate::host::Host;
use crate::retrieval::Retrieval;
use std::rc::Rc;

/// The on-device model, the browser's, and the servers that profiles name.
pub struct Available {
    host: Host,
    retrieval: Rc<Retrieval>,
}

impl Available {
    /// What can be reached from this worker.
    pub fn new(host: Host, retrieval: Rc<Retrieval>) -> Self {
        Self { host, retrieval }
    }
}

impl Models for Available {
    fn of(&self, choice: &Choice) -> Rc<dyn Model> {
        match choice {
            Choice::Embedded => Rc::new(Embedded::new(self.retrieval.clone())),
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
