//! What the run read elsewhere, by the ids that its passages go by.
//!
//! Driving example: an answer says `[[w1a1.p4]]`. The passage stands in a recorded result of
//! `web_fetch`, and becomes a citation with its page's title, which opens that page where the
//! passage stands. It follows from what was recorded: no page is asked for again.

use super::Citation;
use crate::json;
use crate::markdown::{self, clean};
use crate::model::PassageData;
use crate::page::{Document, Kind, Paragraph, ReadError, link, link_to_page, without_place};
use crate::rag::{Findings, Unchecked};
use crate::study::Study;
use crate::tools::{Output, SourceData, Standing, sources};
use serde::Deserialize;
use serde_json::Value;
use std::rc::Rc;

/// The pages that results gave passages of, and what searches found.
#[derive(Default)]
pub(super) struct Elsewhere {
    pages: Vec<SourceData>,
    pub(super) findings: Vec<Findings>,
    /// What was graded by itself: its address, and whether it is relevant.
    graded: Vec<(String, bool)>,
    /// The person let Gloss not read what a search found: they are not asked again.
    pub(super) is_refused: bool,
}

/// Results that were graded by themselves.
#[derive(Deserialize)]
struct ByThemselves {
    graded: Vec<Alone>,
}

#[derive(Deserialize)]
struct Alone {
    url: String,
    relevant: bool,
}

/// Whether a result has something that [`Elsewhere::hold`] takes.
pub(super) fn is_held(result: &Value) -> bool {
    let searched = |found: Findings| !found.searched.is_empty();
    !sources(result).is_empty()
        || json::read::<Findings>(result).is_ok_and(searched)
        || json::read::<ByThemselves>(result).is_ok()
}

/// What of a result is held that the person put in the place of a tool's: what it names as
/// relevant pages nobody graded or read, so none of it is cited.
pub(super) fn edited(result: &Value) -> Value {
    let Ok(mut found) = json::read::<Findings>(result) else {
        return Value::Null;
    };
    let pages = std::mem::take(&mut found.pages).into_iter();
    found.unchecked.extend(pages.map(|page| Unchecked {
        title: page.title,
        url: page.url,
        snippet: String::new(),
    }));
    serde_json::to_value(found).unwrap_or_default()
}

impl Elsewhere {
    /// Takes the pages of what a tool gave, or of what the person put in its place.
    pub(super) fn take(&mut self, output: &Output) {
        if output.is_edited() {
            self.hold(&edited(&output.data));
        } else {
            self.hold(&output.data);
        }
    }

    /// Takes the pages of a result.
    pub(super) fn hold(&mut self, result: &Value) {
        let mut new = sources(result);
        for page in &mut new {
            // As on the page: what stands before a passage tells it from the same words there.
            page.passages.sort_by_key(|passage| place_of(&passage.id));
        }
        // A step that a renewed run makes again gives its ids again, to what it read then.
        self.pages
            .retain(|page| page.id.is_empty() || new.iter().all(|other| other.id != page.id));
        self.pages.extend(new);
        let findings = json::read::<Findings>(result).ok();
        self.findings
            .extend(findings.filter(|found| !found.searched.is_empty()));
        let graded = json::read::<ByThemselves>(result).map(|it| it.graded);
        let graded = graded.into_iter().flatten();
        self.graded.extend(graded.map(|it| (it.url, it.relevant)));
    }

    /// Every address that a search found: they may be followed unasked (DETAILS §12).
    pub(super) fn found(&self) -> impl Iterator<Item = &str> {
        self.findings.iter().flat_map(Findings::addresses)
    }

    /// Whether a page may be cited (Property 9): one that a search found only if it was graded
    /// relevant, there or since, whoever read it.
    fn is_citable(&self, page: &SourceData) -> bool {
        if page.found.is_some() {
            return true;
        }
        let asked = page.asked.as_deref().unwrap_or(&page.url);
        let names = [known_as(&page.url), known_as(asked)];
        let is_it = |url: &str| names.contains(&known_as(url));
        let alone = self.graded.iter().rev().find(|(graded, _)| is_it(graded));
        if let Some((_, relevant)) = alone {
            return *relevant;
        }
        let relevant = |found: &Findings| found.pages.iter().any(|it| is_it(&it.url));
        let barred = |found: &Findings| {
            let judged = found.not_relevant.iter().any(|it| is_it(&it.url));
            judged || found.unchecked.iter().any(|it| is_it(&it.url))
        };
        self.findings.iter().any(relevant) || !self.findings.iter().any(barred)
    }

    /// The citations of those among these ids that name a passage from elsewhere.
    ///
    /// # Errors
    /// When what looks passages up failed.
    pub(super) async fn cite(
        &self,
        study: &Study,
        ids: &[String],
    ) -> Result<Vec<Citation>, ReadError> {
        let mut citations = Vec::new();
        for page in self.pages.iter().filter(|page| self.is_citable(page)) {
            let is_excerpt =
                (page.found.as_ref()).is_some_and(|found| found.standing == Standing::Excerpt);
            let named: Vec<Named> = ids.iter().filter_map(|id| named(page, id)).collect();
            if named.is_empty() {
                continue;
            }
            let asked = named.iter().map(|named| named.asked.clone()).collect();
            let found = study.cite(&excerpt(page), asked, page.url.clone()).await?;
            for cited in found {
                let Some(named) = named.iter().find(|named| named.asked == cited.id) else {
                    continue;
                };
                let printed = page.printed.get(&named.passage.id);
                citations.push(Citation {
                    passage: named.id.to_owned(),
                    paragraph: named.paragraph,
                    quote: clean(&cited.quote),
                    url: match printed.and_then(|page| usize::try_from(*page).ok()) {
                        Some(number) => link_to_page(&page.url, number),
                        // Whether an excerpt stands on the page nobody knows.
                        None if is_excerpt => page.url.clone(),
                        None => match page.directives.get(named.known_by) {
                            Some(directive) => link(&page.url, directive),
                            None => cited.url,
                        },
                    },
                    elsewhere: Some(clean(&page.title)),
                    found: page.found.clone(),
                });
            }
        }
        Ok(citations)
    }
}

/// What a page goes by, however its address is written: a site gives the same under http and
/// https, with `www.` and without, with a slash at its end and without.
fn known_as(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    without_place(rest).trim_end_matches('/')
}

/// A passage that an answer names.
struct Named<'a> {
    id: &'a str,
    passage: &'a PassageData,
    /// Its paragraph's number on the page.
    paragraph: u32,
    /// By which the page knew what is cited.
    known_by: &'a str,
    /// The reference within what is held of the page.
    asked: String,
}

/// What an id names of a page: the passage that goes by it, a sentence of one, or the first of
/// those sentences of a paragraph that were given.
fn named<'a>(page: &'a SourceData, id: &'a str) -> Option<Named<'a>> {
    let (source, own) = id.split_once(".p")?;
    let (paragraph, sentence) = own
        .split_once('.')
        .map_or((own, None), |(paragraph, place)| (paragraph, Some(place)));
    let whole = format!("{source}.p{paragraph}");
    let within = |passage: &&PassageData| {
        let rest = passage.id.strip_prefix(&whole);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let place = |wanted: &str| {
        page.passages
            .iter()
            .position(|passage| passage.id == wanted)
    };
    let (at, sentence) = match (place(id), sentence) {
        (Some(at), _) => (at, None),
        (None, Some(sentence)) => (place(&whole)?, Some(sentence)),
        (None, None) => (page.passages.iter().position(|it| within(&it))?, None),
    };
    let number = at + 1;
    let passage = page.passages.get(at)?;
    Some(Named {
        id,
        passage,
        paragraph: paragraph.parse().ok()?,
        known_by: match sentence {
            Some(_) => id,
            None => &passage.id,
        },
        asked: match sentence {
            Some(sentence) => format!("p{number}.{sentence}"),
            None => format!("p{number}"),
        },
    })
}

/// Where on its page a passage stands: its paragraph and, of a sentence, its place there.
fn place_of(id: &str) -> (u32, u32) {
    let own = id.split_once(".p").map_or(id, |(_, own)| own);
    let mut places = own
        .split('.')
        .map(|place| place.parse().unwrap_or_default());
    let mut next = || places.next().unwrap_or_default();
    (next(), next())
}

/// What is held of a page, as a page.
fn excerpt(page: &SourceData) -> Rc<Document> {
    let paragraphs = (1..).zip(&page.passages).map(|(number, passage)| {
        // A sentence stands as on the page; a paragraph, with its marks.
        let is_sentence = passage.id.split('.').count() > 2;
        let text = if is_sentence {
            passage.text.clone()
        } else {
            let words = markdown::plain(&markdown::parse(&passage.text));
            // Where it was cut.
            words.trim_end_matches('…').trim_end().to_owned()
        };
        Paragraph {
            number,
            kind: Kind::Prose,
            markdown: String::new(),
            text,
        }
    });
    Rc::new(Document {
        title: page.title.clone(),
        language: String::new(),
        paragraphs: paragraphs.collect(),
        pages: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Disclaimer;
    use crate::retrieval::Retrieval;
    use futures::FutureExt;
    use serde_json::json;

    fn cited(ids: &[&str]) -> Vec<Citation> {
        let mut elsewhere = Elsewhere::default();
        elsewhere.hold(&json!({ "pages": [
            {
                "url": "https://tides.example/brest?x=1",
                "title": "Brest",
                "passages": [
                    { "id": "w1a1.p4", "text": "The **spring** tide is 7.5 m high. The neap is not." },
                    { "id": "w1a1.p9.2", "text": "It is a_b_c." },
                ],
            },
            {
                "url": "https://tides.example/table.pdf",
                "title": "",
                "passages": [{ "id": "w1a2.p3", "text": "Dover, 6.8 m." }],
                "printedPages": { "w1a2.p3": 12 },
            },
        ] }));
        // A result without pages changes nothing.
        elsewhere.hold(&json!({ "passages": [] }));
        let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        let study = Study::here(Retrieval::with(None));
        let citations = elsewhere.cite(&study, &ids);
        citations.now_or_never().unwrap().unwrap()
    }

    #[test]
    fn a_passage_from_elsewhere_is_cited_with_its_page_and_where_it_stands() {
        let url = "https://tides.example/brest?x=1#:~:text=";
        for (id, paragraph, quote, link) in [
            (
                "w1a1.p4",
                4,
                "The spring tide is 7.5 m high. The neap is not.",
                "The%20spring%20tide%20is%207.5%20m%20high.%20The%20neap%20is%20not.",
            ),
            ("w1a1.p4.2", 4, "The neap is not.", "The%20neap%20is%20not."),
            ("w1a1.p9.2", 9, "It is a_b_c.", "It%20is%20a_b_c."),
            // Of that paragraph only a sentence was given.
            ("w1a1.p9", 9, "It is a_b_c.", "It%20is%20a_b_c."),
        ] {
            let [citation] = &cited(&[id])[..] else {
                panic!("{id}");
            };
            assert_eq!(citation.passage, id);
            assert_eq!(citation.paragraph, paragraph, "{id}");
            assert_eq!(citation.quote, quote, "{id}");
            assert_eq!(citation.url, format!("{url}{link}"), "{id}");
            assert_eq!(citation.elsewhere.as_deref(), Some("Brest"), "{id}");
        }
    }

    #[test]
    fn words_that_stand_on_the_page_twice_are_highlighted_where_they_were_given() {
        let mut elsewhere = Elsewhere::default();
        elsewhere.hold(&json!({ "pages": [{
            "url": "https://a.example/",
            "title": "Lamps",
            // The best first, wherever it stands.
            "passages": [
                { "id": "w1a1.p7", "text": "Lit at night. So are all." },
                { "id": "w1a1.p2", "text": "Lit at night." },
            ],
            "textDirectives": { "w1a1.p7.1": "text=Beta.-,Lit%20at%20night." },
        }] }));
        let study = Study::here(Retrieval::with(None));
        let ids = ["w1a1.p2", "w1a1.p7.1", "w1a1.p7.2"].map(str::to_owned);
        let cited = elsewhere.cite(&study, &ids).now_or_never().unwrap();
        let links = cited.unwrap().into_iter().map(|it| {
            let (_, link) = it.url.split_once(":~:text=").unwrap();
            (it.passage, link.to_owned())
        });
        let links: Vec<(String, String)> = links.collect();
        let expected = [
            ("w1a1.p2", "Lit%20at%20night."),
            ("w1a1.p7.1", "Beta.-,Lit%20at%20night."),
            ("w1a1.p7.2", "So%20are%20all."),
        ];
        assert_eq!(
            links,
            expected.map(|(id, link)| (id.to_owned(), link.to_owned()))
        );
    }

    #[test]
    fn a_result_that_the_person_edited_is_unchecked_and_cited_by_nothing() {
        let page = json!({
            "id": "s1a1",
            "url": "https://tides.example/brest",
            "title": "Brest",
            "passages": [{ "id": "s1a1.p4", "text": "It is 9 m high." }],
            "found": { "relevant": "so", "confidencePercent": 90, "standing": "read" },
        });
        let searched = json!({ "searched": ["tide Brest"], "pages": [page] }).to_string();
        let fetched = json!({ "pages": [page] }).to_string();
        for text in [&*searched, &*fetched, "9 m [[s1a1.p4]]"] {
            let edited = Output::edited(text, None);
            // As it comes back from where it is kept.
            let kept = serde_json::to_value(edited).unwrap();
            let mut elsewhere = Elsewhere::default();
            elsewhere.take(&json::read::<Output>(&kept).unwrap());
            let study = Study::here(Retrieval::with(None));
            let ids = ["s1a1.p4".to_owned()];
            let cited = elsewhere.cite(&study, &ids);
            assert_eq!(cited.now_or_never().unwrap().unwrap(), [], "{text}");
            let is_search = text == searched;
            assert_eq!(elsewhere.found().count(), usize::from(is_search), "{text}");
            let said = elsewhere.researched(&[]).and_then(|it| it.disclaimer);
            let expected = is_search.then_some(Disclaimer::Unchecked);
            assert_eq!(said, expected, "{text}");
        }
    }

    #[test]
    fn a_passage_of_a_printed_page_opens_that_page() {
        let citations = cited(&["w1a2.p3", "w1a1.p4"]);
        assert_eq!(citations.len(), 2);
        let printed = citations.iter().find(|it| it.passage == "w1a2.p3").unwrap();
        assert_eq!(printed.url, "https://tides.example/table.pdf#page=12");
        assert_eq!(printed.elsewhere.as_deref(), Some(""));
    }

    #[test]
    fn what_no_result_gave_is_not_cited() {
        let none = [
            "w1a1.p5",
            "w1a1.p4.7",
            "w9a1.p4",
            "p4",
            "w1a1.p",
            "w1a1.p44",
            "w1a2.p4",
        ];
        assert_eq!(cited(&none), []);
    }

    /// Feature: agent-architecture-upgrade, Property 9, over pages that a search found and
    /// `web_fetch` read then: by whatever address they were asked for, and wherever that led.
    #[test]
    fn what_was_not_graded_relevant_is_not_cited_by_another_address() {
        let read = |asked: &str, url: &str| {
            let mut elsewhere = Elsewhere::default();
            let found = |url: &str| json!({ "title": "Lamp", "url": url, "reason": "so" });
            elsewhere.hold(&json!({
                "searched": ["lamp"],
                "provider": "SearXNG",
                "pages": [{ "id": "s1a1", "url": "https://good.example/", "title": "Lamp" }],
                "notRelevant": [found("http://www.bad.example/lamp/")],
                "unchecked": [found("https://mute.example/lamp")],
                "advice": "",
            }));
            elsewhere.hold(&json!({ "pages": [{
                "id": "w2a1", "url": url, "asked": asked, "title": "Lamp",
                "passages": [{ "id": "w2a1.p4", "text": "The lamp was lit in 1823." }],
            }] }));
            let study = Study::here(Retrieval::with(None));
            let ids = ["w2a1.p4".to_owned()];
            let citations = elsewhere.cite(&study, &ids);
            citations.now_or_never().unwrap().unwrap().len()
        };
        for (asked, url, cited) in [
            ("https://good.example", "https://good.example/", 1),
            ("https://new.example/a", "https://new.example/a", 1),
            (
                "http://www.bad.example/lamp/",
                "http://www.bad.example/lamp/",
                0,
            ),
            ("https://bad.example/lamp", "https://bad.example/lamp", 0),
            (
                "https://bad.example/lamp#lit",
                "https://bad.example/lamp#lit",
                0,
            ),
            (
                "http://www.bad.example/lamp/",
                "https://elsewhere.example/x",
                0,
            ),
            ("https://short.example/b", "https://www.bad.example/lamp", 0),
            (
                "https://mute.example/lamp/",
                "https://mute.example/lamp/",
                0,
            ),
        ] {
            assert_eq!(read(asked, url), cited, "{asked} {url}");
        }
    }
}
