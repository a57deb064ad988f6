//! The parts of a text that a call sends, with the author of each part.
//!
//! Example: the model searches for "Hilbre Island secondary port tide table". The user wrote
//! the first two words, the page contains the next two, and the rest is the model's.

use super::written::terms;
use super::{Author, Policy, RunContext, SentPart};
use gloss_markdown::clean;
use gloss_page::Document;

/// Finds the authors of words and addresses.
pub(super) struct Authors<'a> {
    policy: &'a Policy,
    page: Option<&'a Document>,
    /// The words of the page in lower case, each between spaces.
    page_words: String,
}

impl<'a> Authors<'a> {
    pub(super) fn of(run: &'a RunContext) -> Self {
        let page = run.page.as_deref();
        let texts = page.into_iter().flat_map(|page| {
            let paragraphs = page.paragraphs.iter().map(|it| it.text.as_str());
            [page.title.as_str(), page.other_words.as_str()]
                .into_iter()
                .chain(paragraphs)
        });
        let mut page_words = " ".to_owned();
        for term in texts.flat_map(|text| terms(text).collect::<Vec<_>>()) {
            page_words.push_str(&term);
            page_words.push(' ');
        }
        Self {
            policy: &run.policy,
            page,
            page_words,
        }
    }

    /// Returns the author of a text: the first of user and page whose text contains all its words.
    fn of_text(&self, text: &str) -> Author {
        if terms(text).all(|term| self.policy.knows(&term)) {
            return Author::User;
        }
        let on_page = |term: String| {
            let is_word = term.is_ascii();
            self.page_words.contains(&format!(" {term} "))
                || !is_word && self.page_words.contains(&term)
        };
        if terms(text).all(on_page) {
            Author::Page
        } else {
            Author::Model
        }
    }

    /// Returns a text as one part, after `before`.
    pub(super) fn text(&self, before: &str, text: String) -> SentPart {
        SentPart {
            before: before.to_owned(),
            by: self.of_text(&text),
            text,
        }
    }

    /// Splits a query. Neighbouring words of the same author are one part.
    pub(super) fn query(&self, query: &str) -> Vec<SentPart> {
        let mut parts: Vec<SentPart> = Vec::new();
        // Exactly the parts are sent, so they have no hidden characters.
        for word in clean(query).split_whitespace() {
            let by = self.of_text(word);
            match parts.last_mut().filter(|last| last.by == by) {
                Some(last) => {
                    last.text.push(' ');
                    last.text.push_str(word);
                }
                None => parts.push(SentPart {
                    before: if parts.is_empty() { "" } else { " " }.to_owned(),
                    text: word.to_owned(),
                    by,
                }),
            }
        }
        parts
    }

    /// Splits addresses into their paths and the values of their queries. The host is not a part,
    /// so it can't be edited.
    pub(super) fn addresses(&self, addresses: &[String]) -> Vec<SentPart> {
        let mut parts = Vec::new();
        for (number, address) in addresses.iter().map(|it| clean(it)).enumerate() {
            let address = address.as_str();
            let line = if number == 0 { "" } else { "\n" };
            let by = if self.policy.wrote(address) {
                Author::User
            } else if self.is_link(address) {
                Author::Page
            } else {
                Author::Model
            };
            let (site, rest) = split_site(address);
            let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
            parts.push(SentPart {
                before: format!("{line}{site}"),
                text: path.to_owned(),
                by,
            });
            for (place, pair) in query.split('&').filter(|it| !it.is_empty()).enumerate() {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                let mark = if place == 0 { '?' } else { '&' };
                let value_by = match by {
                    Author::User | Author::Page => by,
                    Author::Model => self.of_text(value),
                };
                parts.push(SentPart {
                    before: format!("{mark}{name}="),
                    text: value.to_owned(),
                    by: value_by,
                });
            }
        }
        parts
    }

    fn is_link(&self, address: &str) -> bool {
        let links = self.page.map(Document::links).unwrap_or_default();
        links.iter().any(|(_, url)| url == address)
    }
}

/// Splits an address after its host.
fn split_site(address: &str) -> (&str, &str) {
    let begins = address.find("://").map_or(0, |at| at + 3);
    let end = address
        .get(begins..)
        .and_then(|rest| rest.find(['/', '?', '#']))
        .map_or(address.len(), |at| begins + at);
    address.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gloss_model::ContextWindow;
    use gloss_model::provenance::{Origin, Provenance};
    use gloss_page::{Kind, Paragraph};
    use std::rc::Rc;

    fn run() -> RunContext {
        let page = Document {
            paragraphs: vec![Paragraph {
                number: 1,
                kind: Kind::Prose,
                markdown: "Hoylake is a [port](https://p.example/port?datum=chart).".to_owned(),
                text: "Hoylake is a secondary port. 潮汐表".to_owned(),
            }],
            ..Document::default()
        };
        let said = ["When is high water at Hilbre Island, 28 November? 退潮".to_owned()];
        let read = Provenance::of(Origin::Page(String::new()));
        let mut run = RunContext::new(Some(Rc::new(page)), ContextWindow::of(None));
        run.policy = Rc::new(Policy::new(read, &said, None, []));
        run
    }

    #[test]
    fn each_part_of_a_query_has_its_author() {
        use Author::{Model, Page, User};
        let run = run();
        let parts = Authors::of(&run).query("Hilbre Island secondary port tide table 潮汐");
        let told: Vec<_> = parts.iter().map(|it| (it.text.as_str(), it.by)).collect();
        let expected = [
            ("Hilbre Island", User),
            ("secondary port", Page),
            ("tide table", Model),
            ("潮汐", Page),
        ];
        assert_eq!(told, expected);
        let whole: String = parts
            .iter()
            .flat_map(|it| [&*it.before, &*it.text])
            .collect();
        assert_eq!(whole, "Hilbre Island secondary port tide table 潮汐");
    }

    #[test]
    fn each_part_of_an_address_has_its_author_and_no_part_is_a_host() {
        use Author::{Model, Page, User};
        let run = run();
        let addresses = [
            "https://p.example/port?datum=chart".to_owned(),
            "https://t.example/v1?port=hilbre&datum=port&x=secret".to_owned(),
            "https://t.example".to_owned(),
        ];
        let parts = Authors::of(&run).addresses(&addresses);
        let told: Vec<_> = parts
            .iter()
            .map(|it| (&*it.before, &*it.text, it.by))
            .collect();
        let expected = [
            ("https://p.example", "/port", Page),
            ("?datum=", "chart", Page),
            ("\nhttps://t.example", "/v1", Model),
            ("?port=", "hilbre", User),
            ("&datum=", "port", Page),
            ("&x=", "secret", Model),
            ("\nhttps://t.example", "", Model),
        ];
        assert_eq!(told, expected);
        let whole: String = parts
            .iter()
            .flat_map(|it| [&*it.before, &*it.text])
            .collect();
        assert_eq!(whole, addresses.join("\n"));
    }
}
