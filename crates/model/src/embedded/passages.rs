//! Answers a question with the passages of the page that are nearest to it.
//!
//! Example: for "When is high tide in Boston?", eight passages are quoted under "Closest passages
//! in this page", with the words of the question in bold. The answer never says that a passage
//! answers the question. But if "Boston" isn't on the page, the answer says so, because a reader
//! can check that.

use super::super::Reply;
use super::{Quoting, says};
use crate::phrase::phrase;
use gloss_markdown::escape;
use gloss_page::{Document, Kind, Passage};
use gloss_text::Language;
use gloss_text::passages::shared_words;

pub(super) fn of(page: &Document, question: &str, passages: &[Passage<'_>]) -> Reply {
    if passages.is_empty() {
        return says("extractive_no_text");
    }
    let language = page.text_language();
    let mut quoting = Quoting::default();
    quoting.label(phrase("lead_closest"));
    for word in page.absent_words(question) {
        quoting.label(phrase("lead_absent").with(&word));
    }
    for passage in passages {
        if !passage.heading.is_empty() {
            quoting.heading(&marked(passage.heading, question, language));
        }
        if let Some(label) = label(passage) {
            quoting.label(phrase(label));
        }
        quoting.quote(&body(passage, question, language), &passage.id);
    }
    quoting.reply()
}

/// Returns the message key of a label for a passage outside the running text, recognised by its form:
/// the table of names and values above the first heading, and a note with an arrow to its place in
/// the text.
fn label(passage: &Passage<'_>) -> Option<&'static str> {
    let text = passage.paragraph.text.trim_end_matches('\u{fe0e}');
    let has_pairs = || text.lines().all(|row| row.matches('\t').count() <= 1);
    match passage.paragraph.kind {
        Kind::Caption => Some("label_caption"),
        Kind::Table if passage.heading.is_empty() && has_pairs() => Some("label_infobox"),
        _ if text.starts_with('^') || text.ends_with('↩') => Some("label_footnote"),
        _ => None,
    }
}

/// Returns a passage as Markdown. The cells of a table row are separated by ": " or " · ".
fn body(passage: &Passage<'_>, question: &str, language: Language) -> String {
    let lines = passage.text.lines();
    match passage.paragraph.kind {
        // In Markdown, indented lines are code.
        Kind::Code => {
            let code: Vec<String> = lines.map(|line| format!("    {line}")).collect();
            code.join("\n") + "\n"
        }
        Kind::Table => {
            let row = |row: &str| {
                let gap = if row.matches('\t').count() == 1 {
                    ": "
                } else {
                    " · "
                };
                marked(&row.replace('\t', gap), question, language)
            };
            lines.map(row).collect::<Vec<_>>().join("\\\n")
        }
        _ => marked(passage.text, question, language),
    }
}

/// Returns the text as Markdown, with the words of the question in bold.
fn marked(text: &str, question: &str, language: Language) -> String {
    let mut out = String::new();
    let mut from = 0;
    for place in shared_words(text, question, language) {
        out += &escape(text.get(from..place.start).unwrap_or_default());
        let word = escape(text.get(place.clone()).unwrap_or_default());
        out.extend(["**", &word, "**"]);
        from = place.end;
    }
    out + &escape(text.get(from..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<title>Tides</title><nav>Weather</nav><main><h1>Tides</h1>\
        <h2>The table</h2><p>The high tide is read off. It is *exact*.</p>\
        <figure><figcaption>The machine gave the high tide.</figcaption></figure>\
        <table><tr><th>Port<th>Height<tr><td>Brest<td>7 m</table>\
        <pre>set --fast\nset --slow</pre></main>";

    #[test]
    fn infoboxes_and_footnotes_are_labelled() {
        let html = "<title>Brest</title><main><table><tr><th>Mayor<td>Ann Port<tr><th>Tide<td>7 m\
            </table><p>Brest is a port with a tide of seven metres.</p><h2>Notes</h2>\
            <ol><li>The tide of Brest was measured in 1711. ↩</li></ol></main>";
        let page = gloss_page::read(html, "https://a.example/").unwrap();
        let found = page.search("tide of Brest").passages(None, 8);
        let labels: Vec<_> = found.iter().filter_map(label).collect();
        assert!(labels.contains(&"label_infobox"), "{labels:?}");
        assert!(labels.contains(&"label_footnote"), "{labels:?}");
    }

    fn asked(question: &str) -> (String, Vec<(usize, String, Vec<String>)>) {
        let page = gloss_page::read(PAGE, "https://a.example/").unwrap();
        let found = page.search(question).passages(None, 8);
        let reply = of(&page, question, &found);
        let leads = reply.control.leads.into_iter();
        let leads = leads.map(|lead| (lead.before, lead.says.key, lead.says.args));
        (reply.text, leads.collect())
    }

    #[test]
    fn passages_stand_below_their_headings_with_the_words_of_the_question_marked() {
        let (text, leads) = asked("When is high tide in Boston?");
        assert_eq!(
            text,
            "#### The table\n\n> The **high tide** is read off. It is \\*exact\\*. [[p2]]\n\n\
             #### The table\n\n> The machine gave the **high tide**. [[p3]]\n\n\
             #### The table\n\n> Port: Height\\\n> Brest: 7 m [[p4]]\n\n\
             #### The table\n\n>     set --fast\n>     set --slow\n>  [[p5]]"
        );
        let lead = |before, key: &str, args: &[&str]| {
            let args = args.iter().map(|it| (*it).to_owned()).collect();
            (before, key.to_owned(), args)
        };
        assert_eq!(
            leads,
            [
                lead(0, "lead_closest", &[]),
                lead(0, "lead_absent", &["Boston"]),
                lead(3, "label_caption", &[]),
            ]
        );
    }

    #[test]
    fn words_of_the_whole_page_are_not_absent_and_a_page_without_text_says_so() {
        let (_, leads) = asked("What is the Weather in Brest?");
        assert_eq!(leads.len(), 2, "{leads:?}");
        let nothing = of(&Document::default(), "Why?", &[]);
        assert_eq!(nothing.control.leads[0].says.key, "extractive_no_text");
    }
}
