//! Language detection, as a test scripts it.

use super::queue::{Kind, NotBefore, Queue};
use crate::host::{Fut, Languages};
use std::cell::RefCell;
use std::rc::Rc;

/// The interface's language, and what is detected in a text.
#[derive(Default)]
pub(super) struct Spoken {
    pub(super) interface: Option<String>,
    pub(super) detect: Option<Box<dyn FnMut(&str) -> Option<String>>>,
}

pub(super) struct SimLanguages {
    pub(super) queue: Rc<Queue>,
    pub(super) spoken: Rc<RefCell<Spoken>>,
}

impl Languages for SimLanguages {
    fn interface(&self) -> String {
        let interface = self.spoken.borrow().interface.clone();
        interface.unwrap_or_else(|| "en".to_owned())
    }

    fn detect(&self, text: &str) -> Fut<Option<String>> {
        let (spoken, text) = (self.spoken.clone(), text.to_owned());
        let detect = move || (spoken.borrow_mut().detect.as_mut()?)(&text);
        self.queue.issue(Kind::Local, NotBefore::default(), detect)
    }
}
