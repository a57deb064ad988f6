//! The simulated module that reads pages. It can be immediate, slow or failing.

use super::Sim;
use futures::FutureExt;
use gloss_durable::Fut;
use std::future::ready;

/// The behaviour of the module. All simulated workers share it.
#[derive(Default)]
pub(super) struct Reading {
    /// The minimum duration of an extraction, in ticks. With 0, an extraction is done at once.
    pub(super) delay_ticks: u64,
    /// The number of the extraction, counted from 0 over all lives, at which the module fails.
    pub(super) fails_at: Option<u64>,
    begun: u64,
}

impl Sim {
    /// Waits for the duration of an extraction. Resolves to `false` if the module must fail.
    pub fn reading(&self) -> Fut<bool> {
        let (delay_ticks, works) = {
            let mut reading = self.reading.borrow_mut();
            let number = reading.begun;
            reading.begun += 1;
            (reading.delay_ticks, reading.fails_at != Some(number))
        };
        if delay_ticks == 0 {
            return ready(works).boxed_local();
        }
        self.queue.local(delay_ticks, move || works)
    }
}
