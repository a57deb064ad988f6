//! The requests of the options page, and the reaction to a closed port.
//!
//! Driving example: the worker dies with two requests unanswered. The page opens a port at once,
//! sends a greeting, and repeats both requests. A repeated request has no further effect. If no
//! request is unanswered, the page opens no port, because an open port keeps the worker alive.

use crate::app::options::OptionsRequest;
use std::collections::BTreeMap;

/// The page opens a closed port this many times in a row. Then it shows that no worker answers.
const LOSSES: u8 = 4;

/// The page's reaction to a closed port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterClose {
    /// Opens a port again at once.
    OpenAgain,
    /// Does nothing, because no request is unanswered.
    StayAway,
    /// Shows that no worker answers.
    Silence,
}

/// The unanswered requests, and the state of the port.
#[derive(Debug, Default)]
pub struct Requests {
    /// Incremented when a port is opened or closed, so that messages of an older port can be
    /// ignored.
    generation: u32,
    losses: u8,
    greeted: bool,
    last: u32,
    unanswered: BTreeMap<u32, OptionsRequest>,
}

impl Requests {
    /// Adds a request, and returns the number that the worker's answer will have.
    pub fn add(&mut self, ask: OptionsRequest) -> u32 {
        self.last += 1;
        self.unanswered.insert(self.last, ask);
        self.last
    }

    /// Resets the count of closed ports, because the user tries again or requests something new.
    pub fn reset_losses(&mut self) {
        self.losses = 0;
    }

    /// Registers an opened port; returns its generation, and the requests to repeat on it.
    pub fn opened(&mut self) -> (u32, Vec<(u32, OptionsRequest)>) {
        self.generation += 1;
        self.greeted = false;
        let unanswered = self.unanswered.iter();
        (
            self.generation,
            unanswered.map(|(n, ask)| (*n, ask.clone())).collect(),
        )
    }

    /// Returns true if the port of this generation is still open.
    pub fn is_current(&self, generation: u32) -> bool {
        self.generation == generation
    }

    /// Registers an answer of the worker. `n` is the request's number; `None` is the answer to the
    /// greeting.
    pub fn answered(&mut self, n: Option<u32>) {
        self.losses = 0;
        self.greeted = true;
        if let Some(n) = n {
            self.unanswered.remove(&n);
        }
    }

    /// Registers a closed port, and returns the page's reaction.
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
