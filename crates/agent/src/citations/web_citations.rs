//! The web pages that a run read with tools, and the citations of their passages.
//!
//! Example: an answer contains `[[w1a1.p4]]`. A recorded result of `web_fetch` contains
//! the passage with that id. The reference becomes a citation with the page's title and a link to
//! the passage. Citations are built from recorded results, so no page is fetched again.

use crate::events::Citation;
use gloss_durable::json;
use gloss_durable::sorted::sort_by_key;
use gloss_markdown::{self as markdown, clean};
use gloss_model::PassageData;
use gloss_page::{Document, Kind, Paragraph, ReadError, link, link_to_page, without_place};
use gloss_reader::PageService;
use gloss_tools::{Output, PassageOrigin, SourceData, sources};
use gloss_web::rag::{Findings, UngradedResult};
use serde::Deserialize;
use serde_json::Value;
use std::rc::Rc;

/// The web pages with the passages that tool results contain, and the results of searches.
#[derive(Default)]
pub(crate) struct WebSources {
    pages: Vec<SourceData>,
    pub(crate) findings: Vec<Findings>,
    /// The addresses of pages that a tool result graded one by one; true for relevant pages.
    graded: Vec<(String, bool)>,
}

/// The part of a tool result that contains grades of single pages.
#[derive(Deserialize)]
struct PageGrades {
    graded: Vec<PageGrade>,
}

#[derive(Deserialize)]
struct PageGrade {
    url: String,
    relevant: bool,
}

/// Converts a search result that the user edited. No model graded the pages that the edited result
/// lists as relevant. They become unchecked pages, as if they had not been graded, and the answer
/// can't cite them. Returns null if the tool result is not a search result.
fn edited(result: &Value) -> Value {
    let Ok(mut found) = json::read::<Findings>(result) else {
        return Value::Null;
    };
    let pages = std::mem::take(&mut found.pages).into_iter();
    found.unchecked.extend(pages.map(|page| UngradedResult {
        title: page.title,
        url: page.url,
        snippet: String::new(),
    }));
    serde_json::to_value(found).unwrap_or_default()
}

impl WebSources {
    /// Adds the pages of a tool result. If the user edited the result, the pages are added as
    /// unchecked.
    pub(crate) fn take(&mut self, output: &Output) {
        if output.is_edited() {
            self.add(&edited(&output.data));
        } else {
            self.add(&output.data);
        }
    }

    /// Adds the pages of a result's JSON.
    pub(crate) fn add(&mut self, result: &Value) {
        let mut new = sources(result);
        for page in &mut new {
            // Passages are sorted by their position on the page. If the link to a passage needs the
            // text before the passage, the preceding passage contains that text.
            sort_by_key(&mut page.passages, |passage| place_of(&passage.id));
        }
        // After an update of Gloss, a repeated step uses the same ids again. The step's new pages
        // replace the old ones.
        self.pages
            .retain(|page| page.id.is_empty() || new.iter().all(|other| other.id != page.id));
        self.pages.extend(new);
        let findings = json::read::<Findings>(result).ok();
        self.findings
            .extend(findings.filter(|found| !found.searched.is_empty()));
        let graded = json::read::<PageGrades>(result).map(|it| it.graded);
        let graded = graded.into_iter().flatten();
        self.graded.extend(graded.map(|it| (it.url, it.relevant)));
    }

    /// Returns the addresses of the results that a search graded relevant. The run may fetch a few
    /// of them without asking the user (DETAILS §12).
    pub(crate) fn relevant(&self) -> impl Iterator<Item = &str> {
        let pages = self.findings.iter().flat_map(|found| &found.pages);
        pages.map(|page| page.asked.as_deref().unwrap_or(&page.url))
    }

    /// Returns the addresses of all pages that tools read or searches found.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = &str> {
        let read = self.pages.iter().map(|it| it.url.as_str());
        let found = self.findings.iter().flat_map(|found| {
            let judged = found.not_relevant.iter().map(|it| it.url.as_str());
            let others = found.unchecked.iter().map(|it| it.url.as_str());
            judged
                .chain(others)
                .chain(found.cards.iter().map(|it| it.url.as_str()))
        });
        read.chain(found)
    }

    /// Returns true if a page may be cited (Property 9). A page that a search found must have been
    /// graded relevant, even if another tool read the page.
    fn is_citable(&self, page: &SourceData) -> bool {
        if page.found.is_some() {
            return true;
        }
        let asked = page.asked.as_deref().unwrap_or(&page.url);
        let names = [normalised(&page.url), normalised(asked)];
        let is_it = |url: &str| names.contains(&normalised(url));
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

    /// Returns a citation for each id that names a passage of a stored page. Pages that may not be
    /// cited are skipped.
    ///
    /// # Errors
    /// If the page service failed.
    pub(crate) async fn cite(
        &self,
        page_service: &PageService,
        ids: &[String],
    ) -> Result<Vec<Citation>, ReadError> {
        let mut citations = Vec::new();
        for page in self.pages.iter().filter(|page| self.is_citable(page)) {
            let is_excerpt =
                (page.found.as_ref()).is_some_and(|found| found.standing == PassageOrigin::Excerpt);
            let named: Vec<PassageRef> = ids.iter().filter_map(|id| named(page, id)).collect();
            if named.is_empty() {
                continue;
            }
            let asked = named.iter().map(|named| named.asked.clone()).collect();
            let found = page_service
                .cite(&excerpt(page), asked, page.url.clone())
                .await?;
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
                        // The page may not contain the words of a search provider's excerpt. The
                        // link therefore leads to the page and not to a passage.
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

/// Removes the parts of an address that usually don't change the page: the scheme, `www.`, the
/// fragment and a trailing slash.
fn normalised(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    without_place(rest).trim_end_matches('/')
}

/// A passage that an answer refers to.
struct PassageRef<'a> {
    id: &'a str,
    passage: &'a PassageData,
    /// The number of the passage's paragraph on the page.
    paragraph: u32,
    /// The passage's key in the page's `directives`, which contain text fragments.
    known_by: &'a str,
    /// The passage's reference in the document that [`excerpt`] builds, such as `p3.1`.
    asked: String,
}

/// Finds the passage that an id names. The id may name a stored passage, a sentence of a stored
/// passage, or a paragraph of which only sentences are stored. In the last case, the first of
/// these sentences is returned.
fn named<'a>(page: &'a SourceData, id: &'a str) -> Option<PassageRef<'a>> {
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
    Some(PassageRef {
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

/// Returns the position of a passage on its page: the numbers of the paragraph and of the
/// sentence, which is 0 for a whole paragraph. `w1a1.p9.2` is at (9, 2).
fn place_of(id: &str) -> (u32, u32) {
    let own = id.split_once(".p").map_or(id, |(_, own)| own);
    let mut places = own
        .split('.')
        .map(|place| place.parse().unwrap_or_default());
    let mut next = || places.next().unwrap_or_default();
    (next(), next())
}

/// Builds a document from the stored passages of a page.
fn excerpt(page: &SourceData) -> Rc<Document> {
    let paragraphs = (1..).zip(&page.passages).map(|(number, passage)| {
        // A sentence is plain text; a paragraph contains Markdown.
        let is_sentence = passage.id.split('.').count() > 2;
        let text = if is_sentence {
            passage.text.clone()
        } else {
            let words = markdown::plain(&markdown::parse(&passage.text));
            // An ellipsis at the end shows that Gloss cut the text. It is not part of the page.
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
        paragraphs: paragraphs.collect(),
        ..Document::default()
    })
}

#[cfg(test)]
#[path = "web_citations_tests.rs"]
mod tests;
