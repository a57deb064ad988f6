//! The version, and the licences.

use super::browser::version;
use super::controls::section;
use crate::parts::tag;
use crate::words::{msg, msg_with};
use sycamore::prelude::*;

pub(crate) fn about() -> View {
    let licences = [
        msg("options_licence"),
        msg("options_vectors"),
        msg("options_holidays"),
    ];
    let licences = licences.map(|words| View::from(tag("p.gap-3", words)));
    let version = tag("p.num", msg_with("options_what_it_is", &[&version()]));
    section(
        "about",
        msg("options_about"),
        (version, Vec::from(licences)),
    )
}
