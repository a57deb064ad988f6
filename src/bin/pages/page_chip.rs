//! The page in the surface's tab, shown in the bar.

use crate::browser::host_of;
use crate::prelude::*;
use crate::surface::Surface;
use gloss::app::surface::TabContent;
use gloss::ui::figures::initial;
use gloss::ui::turns::NO_ACCESS;

/// The page's title and host; a lock if the page can't be read.
pub(crate) fn page_chip() -> Tag {
    let beside = Surface::from_context().beside();
    let page = live(move || match beside.get_clone() {
        TabContent::Page { page } => {
            let host = host_of(&page.url);
            named(initial(&host).into(), page.title, host)
        }
        TabContent::Unreadable { title, failure } if failure.code == NO_ACCESS => {
            let title = if title.is_empty() {
                msg("this_page")
            } else {
                title
            };
            named(icon("lock"), title, msg("not_allowed_yet"))
        }
        TabContent::Unreadable { title, failure } => {
            named(icon("lock"), title, phrase_text(&failure.title))
        }
        TabContent::Looking => named(View::new(), msg("phase_reading"), String::new()),
        TabContent::Nothing => named(icon("lock"), msg("no_page"), String::new()),
    });
    tag("div.page-chip", page)
}

fn named(sign: View, title: String, under: String) -> View {
    let sign = tag("span.fav", sign).attr("aria-hidden", "true");
    let words = (tag("b.clip", title.clone()), tag("span.meta", under));
    fragment((sign, tag("span.grow", words).tip(title)))
}
