//! The version, and the licences.

use super::browser::version;
use super::prelude::*;

/// Builds the section *About*.
pub(crate) fn about() -> Tag {
    let licences = [
        msg("options_licence"),
        msg("options_vectors"),
        msg("options_holidays"),
    ];
    let licences = licences.map(|words| tag("p.gap-3", words));
    let version = tag("p.num", msg_with("options_what_it_is", &[&version()]));
    section(
        "about",
        msg("options_about"),
        (version, Vec::from(licences)),
    )
}
