//! The offscreen page: the one page without a window that Chrome allows an extension. It does what
//! a service worker can't: it uses the browser's model where only windows have it, and processes
//! screenshots.
//!
//! Driving example: a screenshot is to be read. The worker's end ([`relay`]) creates the page if
//! needed and sends it the screenshot. The page's end ([`page`]) loads the engine, reads the text,
//! and unloads the engine ([`ocr`]). All requests share one port, each with its own number.

mod ocr;
pub mod page;
pub mod relay;

use gloss_durable::Fut;
use gloss_host::{ScreenshotError, ScreenshotRequest, ScreenshotResult, Screenshots};

/// Screenshot processing in the offscreen page.
pub(super) struct OffscreenScreenshots;

impl Screenshots for OffscreenScreenshots {
    fn look(&self, look: ScreenshotRequest) -> Fut<Result<ScreenshotResult, ScreenshotError>> {
        relay::look(look)
    }
}
