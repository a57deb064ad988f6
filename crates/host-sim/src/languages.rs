//! Language detection, as a test scripts it.

use super::Sim;
use super::queue::{Kind, NotBefore, Queue};
use gloss_durable::Fut;
use gloss_host::Languages;
use std::cell::RefCell;
use std::rc::Rc;

/// What is detected in a text.
type Detect = Box<dyn FnMut(&str) -> Option<String>>;

/// The interface's language, and what is detected in a text.
#[derive(Default)]
pub(super) struct Spoken {
    pub(super) interface: Option<String>,
    pub(super) detect: Option<Detect>,
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

impl Sim {
    /// The language of the browser's interface from now on, a BCP 47 tag; `en` unless set.
    pub fn set_interface(&self, tag: &str) {
        self.spoken.borrow_mut().interface = Some(tag.to_owned());
    }

    /// What is detected in each text from now on. Without a script no text's language is certain.
    pub fn detect(&self, script: impl FnMut(&str) -> Option<String> + 'static) {
        self.spoken.borrow_mut().detect = Some(Box::new(script));
    }
}
