//! The offscreen page: the one page without a window that Chrome allows an extension. It
//! does what a service worker can't: ask the browser's model where windows alone have it,
//! and look at pictures.
//!
//! Driving example: a screenshot is to be read; the worker's end ([`relay`]) makes the page
//! if it is not there and hands the picture over; the page's end ([`page`]) has the engine
//! loaded, reads, and lets the engine go ([`ocr`]). One port, asks of several kinds, each
//! with a number of its own.

mod ocr;
pub mod page;
pub mod relay;

use gloss_durable::Fut;
use gloss_host::{Look, Looked, Sight, SightError};

/// Pictures, looked at in that page.
pub(super) struct Eyes;

impl Sight for Eyes {
    fn look(&self, look: Look) -> Fut<Result<Looked, SightError>> {
        relay::look(look)
    }
}
