//! The description that a page's publisher wrote, as its metadata contain it.
//!
//! Example: a feature begins with an anecdote, but its `og:description` says in one sentence
//! what it is about. Other descriptions are about the whole site, or are only the first words of the
//! text. Those are no summary of the page.

use std::collections::BTreeSet;

use gloss_text::{sentences, terms};

use super::Document;
use super::word_count::words;

/// The minimum number of words of a description that summarises a page.
const FEWEST_WORDS: usize = 8;

/// The share of a description's terms that the text must contain, in percent.
const SHARED_PERCENT: usize = 60;

/// The length of the text's beginning, of which a description may not be a copy, in letters.
const BEGINNING: usize = 1_500;

/// The length of the sample that tells a copy from a description, in letters.
const SAMPLE: usize = 40;

impl Document {
    /// Returns the publisher's description without a last sentence that was cut or repeats an earlier
    /// one. Returns `None` if the page has none, or if it doesn't summarise the page: if it is short,
    /// or cut, or little more than the title, or the beginning of the text, or about something else.
    pub fn own_description(&self) -> Option<&str> {
        let language = self.text_language();
        let whole = self.description.trim();
        let sentences = sentences(whole, language);
        let (last, earlier) = sentences.split_last()?;
        let before = whole.strip_suffix(last).unwrap_or_default().trim_end();
        let ends = [".", "!", "?", "。", "！", "？", "\"", "”"];
        let is_broken = last.ends_with("..") || last.ends_with('…');
        let is_cut = is_broken || !ends.iter().any(|end| last.ends_with(end));
        let is_spare = is_cut && words(before) >= FEWEST_WORDS || earlier.contains(last);
        let own = if is_spare || is_broken { before } else { whole };
        let texts = self.paragraphs.iter().map(|it| it.text.as_str());
        let terms_of = |text| terms(text, language);
        let text: BTreeSet<String> = texts.clone().flat_map(terms_of).collect();
        let said: BTreeSet<String> = terms_of(own).into_iter().collect();
        let shared = said.intersection(&text).count() * 100 >= said.len() * SHARED_PERCENT;
        let title: BTreeSet<String> = terms_of(&self.title).into_iter().collect();
        let is_new = said.difference(&title).count() * 3 >= said.len();
        let is_summary = words(own) >= FEWEST_WORDS && shared && is_new;
        (is_summary && !is_copied(own, texts)).then_some(own)
    }
}

/// Returns true if the middle of a description occurs at the beginning of `texts`. The first words
/// may be a title, and the last words are often cut.
fn is_copied<'a>(description: &str, texts: impl Iterator<Item = &'a str>) -> bool {
    let letters = |text: &str| -> Vec<char> {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let beginning: String = texts.flat_map(letters).take(BEGINNING).collect();
    let own = letters(description);
    let length = SAMPLE.min(own.len() / 2);
    let sample: String = own
        .iter()
        .skip((own.len() - length) / 2)
        .take(length)
        .collect();
    beginning.contains(&sample)
}

#[cfg(test)]
mod tests {
    use crate::read;

    fn own(description: &str) -> Option<String> {
        let html = format!(
            "<title>Tides</title><meta name=description content='{description}'><body><article>\
             <p>My grandfather never looked at the sea. He looked at a table on the wall.</p>\
             <p>A table of tides is made from a year of readings. They are split into the rhythms \
             of the Moon and the Sun, and the sum is run forward.</p></article>"
        );
        let page = read(&html, "https://a.example/").unwrap();
        page.own_description().map(str::to_owned)
    }

    #[test]
    fn a_description_summarises_the_page_if_it_is_about_the_page_and_no_copy() {
        let good = "How a table of tides is made from the rhythms of the Moon and the Sun.";
        assert_eq!(own(good).as_deref(), Some(good));
        assert_eq!(
            own(&format!("{good} The sum of the")).as_deref(),
            Some(good)
        );
        for bad in [
            "",
            "A table of tides.",
            "How a table of tides is made from a year of readings and the sum of…",
            "Tides, tides and again tides, all the tides.",
            "News and offers for people who love boats, coasts, islands and good food.",
            "My grandfather never looked at the sea. He looked at a table on the...",
            "Tides | My grandfather never looked at the sea. He looked at a table on the wall.",
        ] {
            assert_eq!(own(bad), None, "{bad}");
        }
    }
}
