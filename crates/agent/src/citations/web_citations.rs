//! What the run read elsewhere, by the ids that its passages go by.
//!
//! Driving example: an answer says `[[w1a1.p4]]`. The passage stands in a recorded result of
//! `web_fetch`, and becomes a citation with its page's title, which opens that page where the
//! passage stands. It follows from what was recorded: no page is asked for again.

use crate::events::Citation;
use gloss_durable::json;
use gloss_durable::sorted::sort_by_key;
use gloss_markdown::{self as markdown, clean};
use gloss_model::PassageData;
use gloss_page::{Document, Kind, Paragraph, ReadError, link, link_to_page, without_place};
use gloss_reader::Study;
use gloss_tools::{Output, SourceData, Standing, sources};
use gloss_web::rag::{Findings, Unchecked};
use serde::Deserialize;
use serde_json::Value;
use std::rc::Rc;

/// The pages that results gave passages of, and what searches found.
#[derive(Default)]
pub(crate) struct WebSources {
    pages: Vec<SourceData>,
    pub(crate) findings: Vec<Findings>,
    /// What was graded by itself: its address, and whether it is relevant.
    graded: Vec<(String, bool)>,
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

/// What of a result is held that the person put in the place of a tool's: what it names as
/// relevant pages nobody graded or read, so none of it is cited.
fn edited(result: &Value) -> Value {
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

impl WebSources {
    /// Takes the pages of what a tool gave, or of what the person put in its place.
    pub(crate) fn take(&mut self, output: &Output) {
        if output.is_edited() {
            self.hold(&edited(&output.data));
        } else {
            self.hold(&output.data);
        }
    }

    /// Takes the pages of a result.
    pub(crate) fn hold(&mut self, result: &Value) {
        let mut new = sources(result);
        for page in &mut new {
            // As on the page: what stands before a passage tells it from the same words there.
            sort_by_key(&mut page.passages, |passage| place_of(&passage.id));
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
    pub(crate) fn found(&self) -> impl Iterator<Item = &str> {
        self.findings.iter().flat_map(Findings::addresses)
    }

    /// Where pages that were read were sent on to: an end is as vouched for as its address.
    pub(crate) fn ends(&self) -> impl Iterator<Item = &str> {
        let sent_on = self.pages.iter().filter(|page| page.asked.is_some());
        sent_on.map(|page| page.url.as_str())
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
    pub(crate) async fn cite(
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
#[path = "web_citations_tests.rs"]
mod tests;
