//! Which links of an answer may be pressed (DETAILS §12).
//!
//! Driving example: a page has the model write "see [the status](http://192.168.0.1/reboot)". To
//! a private host nothing leads but what the person reads there already; any other such link is
//! its words. Citations are no links of an answer: they lead to pages that were read.

use gloss_host::is_private;
use gloss_markdown::{Block, plain_host, with_links};

/// An answer about the page at this address, with the links alone that may be pressed.
pub(crate) fn pressable(blocks: Vec<Block>, page: &str) -> Vec<Block> {
    with_links(blocks, &|url| may_be_pressed(url, page))
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
