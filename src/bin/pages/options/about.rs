//! What this is, and under which licence.

use super::browser::version;
use crate::words::{msg, msg_with};
use sycamore::prelude::*;

/// The section.
pub(crate) fn about() -> View {
    let (name, licence) = (msg("options_about"), msg("options_licence"));
    let (vectors, holidays) = (msg("options_vectors"), msg("options_holidays"));
    let what = msg_with("options_what_it_is", &[&version()]);
    view! {
        section(class="sect", id="about", aria-labelledby="about-h") {
            h2(id="about-h") { (name) }
            p(class="num") { (what) }
            p(style="margin-top:.75rem") { (licence) }
            p(style="margin-top:.75rem") { (vectors) }
            p(style="margin-top:.75rem") { (holidays) }
        }
    }
}
