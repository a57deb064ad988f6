//! Reads the page that a run is about. If a permission is missing, the user is asked for it.

use crate::config::{Goal, RunConfig};
use crate::events::{End, Event, Failure, MissingRight, PageRead, Verdict};
use crate::run::capture_page::CapturePage;
use crate::run::extract::{Extract, Extraction};
use crate::run::services::Services;
use crate::run::tell;
use gloss_durable::Ctx;
use gloss_host::{Capture, CaptureError, Selection};
use gloss_markdown::clean;
use gloss_model::AnswerOrigin;
use gloss_page::{Document, ReadError};
use gloss_tools::RunPage;
use std::cell::RefCell;
use std::rc::Rc;

/// The content of a tab.
pub(crate) struct TabContent {
    /// The tab, with Chrome's id and the language of its document. They are known even if the
    /// document has no text.
    pub(crate) place: RunPage,
    /// The page; `None` if no text could be read.
    pub(crate) page: Option<PageContent>,
}

/// A page that was read.
pub(crate) struct PageContent {
    pub(crate) page: PageRead,
    pub(crate) document: Rc<Document>,
    /// The user's selection on the page.
    pub(crate) selection: Option<Selection>,
}

/// Reads the tab's page. A question can be answered without a page. A model other than the
/// on-device model can continue its answer without a page. Every other goal needs the page's text.
pub(crate) async fn read(
    ctx: &Ctx,
    config: &RunConfig,
    services: &Services,
    voice: AnswerOrigin,
) -> Result<TabContent, End> {
    let without = |place: RunPage, failure: Failure| match (&config.goal, voice) {
        (Goal::Ask { .. }, _) | (Goal::GoOn, AnswerOrigin::Model) => {
            Ok(TabContent { place, page: None })
        }
        _ => Err(End::Failed(Box::new(failure))),
    };
    let mut place = RunPage {
        tab: Some(config.tab),
        ..RunPage::default()
    };
    let capture = match capture(ctx, config, services).await? {
        Ok(capture) => capture,
        Err(error) => {
            place.tab = place.tab.filter(|_| error != CaptureError::Gone);
            return without(place, Failure::of_capture(&error));
        }
    };
    place.document = Some(capture.document.clone());
    place.language.clone_from(&capture.language);
    let capture = Rc::new(capture);
    let document = match extract(ctx, &capture, services).await? {
        Ok(document) => document,
        Err(error) => return without(place, Failure::of_reading(&error)),
    };
    let selection = capture.selection.clone();
    let page = PageRead::of(&capture, &document);
    tell(ctx, "read", &Event::PageRead { page: page.clone() })?;
    let page = Some(PageContent {
        page,
        document,
        selection,
    });
    Ok(TabContent { place, page })
}

/// Extracts the main content. A failure is recorded too: a replay must continue as after the
/// failure, even if a later extraction would succeed.
async fn extract(
    ctx: &Ctx,
    capture: &Rc<Capture>,
    services: &Services,
) -> Result<Result<Rc<Document>, ReadError>, End> {
    let document: Rc<RefCell<Option<Rc<Document>>>> = Rc::default();
    let reading = Extraction {
        page_service: services.page_service.clone(),
        capture: Rc::clone(capture),
    };
    let extract = Extract {
        reading: reading.clone(),
        document: Rc::clone(&document),
    };
    if let Err(error) = ctx.step("extract", extract).await? {
        return Ok(Err(error));
    }
    if let Some(document) = document.take() {
        return Ok(Ok(document));
    }
    let again = reading.done().await;
    again.map(Ok).map_err(|error| End::from_read_error(&error))
}

/// Captures the tab's page. If Chrome requires the user's permission first, the run waits for the
/// user. After a refusal, the result is [`CaptureError::NoAccess`] (DETAILS §12).
async fn capture(
    ctx: &Ctx,
    config: &RunConfig,
    services: &Services,
) -> Result<Result<Capture, CaptureError>, End> {
    let tab = config.tab;
    let mut attempt = 1;
    loop {
        let read = CapturePage {
            tabs: services.tabs.clone(),
            tab,
        };
        let segment = match attempt {
            1 => "page".to_owned(),
            _ => format!("page.{attempt}"),
        };
        let captured = ctx.step(segment, read).await?;
        if captured != Err(CaptureError::NoAccess) {
            return Ok(captured);
        }
        let need = MissingRight::Site { tab };
        match ctx.signal(format_args!("site.{attempt}"), &need).await? {
            Verdict::Granted | Verdict::Approved { .. } => attempt += 1,
            Verdict::Refused | Verdict::Rejected { .. } => return Ok(captured),
        }
    }
}

impl PageRead {
    /// Describes a page from its capture and its main content.
    pub fn of(capture: &Capture, document: &Document) -> Self {
        let titled = !document.title.trim().is_empty();
        Self {
            title: clean(if titled {
                &document.title
            } else {
                &capture.title
            }),
            url: capture.url.clone(),
            document: capture.document.clone(),
            words: document.words(),
        }
    }
}
