//! A reference to a passage: ¶ 14, as a note in the margin.
//!
//! It opens the page in a tab of its own: there Chrome honours the text
//! fragment of a link that was pressed; `tabs.update` on the tab itself was
//! measured and does not scroll.

use crate::blocks::Words;
use crate::words::{msg, msg_with};
use sycamore::prelude::*;

/// The reference. While the answer grows it is a number that leads nowhere yet,
/// of the same width; in a whole answer, one that names no passage says so.
pub(crate) fn cite(said: &Words, passage: &str) -> View {
    match (said.citation(passage), said.is_whole()) {
        (Some(citation), _) => {
            let number = citation.paragraph.to_string();
            let label = msg_with("passage_in_paragraph", &[&number]);
            let mark = format!("¶\u{a0}{number}");
            let (url, quote) = (citation.url.clone(), citation.quote.clone());
            view! {
                a(
                    class="ref",
                    href=url,
                    target="_blank",
                    rel="noopener",
                    title=quote,
                    aria-label=label,
                ) { (mark) }
            }
        }
        (None, false) => {
            let mark = format!("¶\u{a0}{}", paragraph_of(passage));
            view! { span(class="ref") { (mark) } }
        }
        (None, true) => {
            let mark = format!("¶\u{a0}{}?", paragraph_of(passage));
            let no_such_passage_tip = msg("no_such_passage");
            let no_such_passage_word = msg("no_such_passage");
            view! {
                span(class="cite unverified", title=no_such_passage_tip) {
                    (mark)
                    span(class="sr") { (no_such_passage_word) }
                }
            }
        }
    }
}

fn paragraph_of(passage: &str) -> String {
    let numbers = passage.trim_start_matches('p');
    numbers.split('.').next().unwrap_or(numbers).to_owned()
}
