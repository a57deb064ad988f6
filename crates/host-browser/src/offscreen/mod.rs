//! The offscreen page. Chrome allows an extension one page without a window. The page can do two
//! things that a service worker can't: use the browser's model if only windows have the API, and
//! process screenshots.
//!
//! Example: the text in a screenshot must be recognised. The worker ([`relay`]) creates the
//! page if needed and sends the screenshot to the page. The page ([`page`]) loads the recognition
//! engine, recognises the text, and unloads the engine ([`ocr`]). All requests share one port, and
//! each request has a number.

mod ocr;
pub mod page;
pub mod relay;

use gloss_durable::Fut;
use gloss_host::{ScreenshotError, ScreenshotRequest, ScreenshotResult, Screenshots};

pub(super) struct OffscreenScreenshots;

impl Screenshots for OffscreenScreenshots {
    fn look(&self, look: ScreenshotRequest) -> Fut<Result<ScreenshotResult, ScreenshotError>> {
        relay::look(look)
    }
}
