//! A server whose model refuses all requests until a test opens it.

use futures::FutureExt;
use gloss::durable::{Fut, Sink};
use gloss::model::{
    AnswerOrigin, Fault, Model, ModelError, Reply, Request, Server, ServerKind, Usage,
};
use std::cell::Cell;
use std::future::ready;
use std::rc::Rc;

/// The server's origin.
pub(crate) const ORIGIN: &str = "https://api.acme.example";

/// The server, with the failure that it returns until it is open.
pub(crate) struct Shut {
    pub(crate) is_open: Rc<Cell<bool>>,
    /// The number of requests that the server received.
    pub(crate) asked: Rc<Cell<u32>>,
    pub(crate) fault: Fault,
    pub(crate) behind: Rc<dyn Model>,
}

impl Model for Shut {
    fn reply(&self, request: Request, sink: Sink) -> Fut<Result<Reply, ModelError>> {
        self.asked.set(self.asked.get() + 1);
        if self.is_open.get() {
            return self.behind.reply(request, sink);
        }
        let error = ModelError::Server {
            server: Box::new(Server {
                name: "Acme".to_owned(),
                origin: ORIGIN.to_owned(),
                model: "m".to_owned(),
                kind: ServerKind::Other,
            }),
            fault: self.fault.clone(),
            partial: String::new(),
            used: Usage::default(),
        };
        ready(Err(error)).boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        AnswerOrigin::Model
    }
}
