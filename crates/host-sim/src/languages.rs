//! The simulated language detection, which a test scripts.

use super::Sim;
use gloss_durable::Fut;
use gloss_host::Languages;

/// A script that returns the language of a text.
type Detect = Box<dyn FnMut(&str) -> Option<String>>;

/// The language of the interface, and the script for detection.
#[derive(Default)]
pub(super) struct Spoken {
    pub(super) interface: Option<String>,
    pub(super) detect: Option<Detect>,
}

impl Languages for Sim {
    fn interface(&self) -> String {
        let interface = self.spoken.borrow().interface.clone();
        interface.unwrap_or_else(|| "en".to_owned())
    }

    fn detect(&self, text: &str) -> Fut<Option<String>> {
        let (spoken, text) = (self.spoken.clone(), text.to_owned());
        let detect = move || (spoken.borrow_mut().detect.as_mut()?)(&text);
        self.queue.local(0, detect)
    }
}

impl Sim {
    /// Sets the language of the browser's interface, a BCP 47 tag. Without this call it is `en`.
    pub fn set_interface(&self, tag: &str) {
        self.spoken.borrow_mut().interface = Some(tag.to_owned());
    }

    /// Sets the script of language detection. Without a script no language is detected.
    pub fn detect(&self, script: impl FnMut(&str) -> Option<String> + 'static) {
        self.spoken.borrow_mut().detect = Some(Box::new(script));
    }
}
