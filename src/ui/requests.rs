//! The requests of the options page, and what happens when its port is closed.
//!
//! Driving example: the worker dies with two requests unanswered. The page opens a port at once,
//! greets, and repeats both; repeating a request changes nothing. Without requests, the page opens
//! no port, so that it keeps no worker alive.

use crate::app::options::OptionsRequest;
use std::collections::BTreeMap;

/// The number of times that a closed port is opened again before the page shows that no worker
/// answers.
const LOSSES: u8 = 4;

/// The action after the port was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterClose {
    /// Opens a port at once.
    OpenAgain,
    /// Does nothing, because there are no requests.
    StayAway,
    /// Shows that no worker answers.
    Silence,
}

/// The requests without an answer, and the state of the port.
#[derive(Debug, Default)]
pub struct Requests {
    /// Incremented with each opened or closed port: messages of an old port are ignored.
    generation: u32,
    losses: u8,
    greeted: bool,
    last: u32,
    unanswered: BTreeMap<u32, OptionsRequest>,
}

impl Requests {
    /// Adds a request, and returns its number.
    pub fn add(&mut self, ask: OptionsRequest) -> u32 {
        self.last += 1;
        self.unanswered.insert(self.last, ask);
        self.last
    }

    /// Resets the losses, because the user tries again or requests something new.
    pub fn reset_losses(&mut self) {
        self.losses = 0;
    }

    /// Counts an opened port; returns its generation, and the requests to repeat on it.
    pub fn opened(&mut self) -> (u32, Vec<(u32, OptionsRequest)>) {
        self.generation += 1;
        self.greeted = false;
        let unanswered = self.unanswered.iter();
        (
            self.generation,
            unanswered.map(|(n, ask)| (*n, ask.clone())).collect(),
        )
    }

    /// Returns true if the port of this generation is still in use.
    pub fn is_current(&self, generation: u32) -> bool {
        self.generation == generation
    }

    /// Records an answer of the worker: to the greeting, or to the request with this number.
    pub fn answered(&mut self, n: Option<u32>) {
        self.losses = 0;
        self.greeted = true;
        if let Some(n) = n {
            self.unanswered.remove(&n);
        }
    }

    /// Counts a closed port; returns the action that follows.
    pub fn lost(&mut self) -> AfterClose {
        self.generation += 1;
        self.losses = self.losses.saturating_add(1);
        if self.greeted && self.unanswered.is_empty() {
            AfterClose::StayAway
        } else if self.losses <= LOSSES {
            AfterClose::OpenAgain
        } else {
            AfterClose::Silence
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_dying_worker_left_unanswered_is_repeated() {
        let mut requests = Requests::default();
        let (port, repeated) = requests.opened();
        assert!(repeated.is_empty());
        requests.answered(None);
        let first = requests.add(OptionsRequest::Usage);
        let second = requests.add(OptionsRequest::Learned);
        requests.answered(Some(first));
        assert_eq!(requests.lost(), AfterClose::OpenAgain);
        assert!(!requests.is_current(port), "the old port says no more");
        let (_, repeated) = requests.opened();
        assert_eq!(repeated, [(second, OptionsRequest::Learned)]);
    }

    #[test]
    fn a_page_with_nothing_to_ask_lets_the_worker_sleep() {
        let mut requests = Requests::default();
        requests.opened();
        requests.answered(None);
        assert_eq!(requests.lost(), AfterClose::StayAway);
    }

    #[test]
    fn a_worker_that_never_answers_is_shown_as_silent_until_the_person_tries_again() {
        let mut requests = Requests::default();
        let lost: Vec<AfterClose> = (0..5)
            .map(|_| {
                requests.opened();
                requests.lost()
            })
            .collect();
        assert_eq!(lost[..4], [AfterClose::OpenAgain; 4]);
        assert_eq!(lost[4], AfterClose::Silence);
        requests.reset_losses();
        requests.opened();
        assert_eq!(requests.lost(), AfterClose::OpenAgain);
    }
}
