//! The numbered list of sources below a model's answer.

use crate::browser::host_of;
use crate::prelude::*;
use crate::surface::Surface;
use gloss::agent::{Answer, AnswerOrigin, Citation};
use gloss::markdown::{write_target, write_text};
use gloss::page::without_place;
use gloss::ui::citation_marks::numbered;
use gloss::ui::figures::initial;
use gloss::web::{Assessment, PassageOrigin};

/// The list. It is empty if the answer consists of quotes from the page, or cites nothing.
pub(crate) fn sources(answer: &Answer) -> View {
    if answer.voice == AnswerOrigin::Page || answer.citations.is_empty() {
        return View::new();
    }
    let marks = numbered(answer);
    let rows: Vec<_> = if marks.is_empty() {
        // In a summary the margin shows the passages, so the list shows only the pages.
        let mut pages: Vec<&Citation> = Vec::new();
        for citation in &answer.citations {
            let page = without_place(&citation.url);
            if !pages.iter().any(|known| without_place(&known.url) == page) {
                pages.push(citation);
            }
        }
        pages.into_iter().map(page).collect()
    } else {
        let row = |(at, passage): (usize, &String)| {
            let citation = answer
                .citations
                .iter()
                .find(|known| known.passage == *passage);
            citation.map(|citation| passage_row(at + 1, citation))
        };
        marks.iter().enumerate().filter_map(row).collect()
    };
    let list = tag("ol", rows).class(if marks.is_empty() { "" } else { "graded" });
    tag("section.sources", (tag("h3.label", msg("sources")), list)).into()
}

fn page(citation: &Citation) -> Tag {
    let (title, sign) = source(citation);
    let here = match &citation.elsewhere {
        Some(_) => host_of(&citation.url),
        None => msg("this_page_source"),
    };
    let sign = tag("span.fav", sign).attr("aria-hidden", "true");
    let link = link(
        "a.grow.clip",
        without_place(&citation.url).to_owned(),
        title,
    );
    tag("li", (sign, link, tag("span.meta", here)))
}

/// Returns true if the page was not read, and only the search result's excerpt is known.
pub(crate) fn is_excerpt(citation: &Citation) -> bool {
    let standing = citation.found.as_ref().map(|found| found.standing);
    standing == Some(PassageOrigin::Excerpt)
}

/// Returns the site and the date of a source, and the reason why it was used.
fn of_a_search(citation: &Citation, found: &Assessment) -> String {
    let why = match found.standing {
        PassageOrigin::Read => msg_with("relevant_because", &[&found.relevant]),
        PassageOrigin::Excerpt => msg("excerpt_only"),
    };
    let site = Some(host_of(&citation.url));
    let parts = [site, found.date.clone(), Some(why)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join(" · ")
}

/// Returns the number of a citation, as in the text. A citation that is not verified has a "?".
pub(crate) fn number(number: usize, citation: Option<&Citation>) -> String {
    let mark = match citation {
        Some(citation) if !is_excerpt(citation) => "",
        Some(_) | None => "?",
    };
    format!("{number}{mark}")
}

fn place(citation: &Citation) -> String {
    let paragraph = citation.paragraph.to_string();
    match (&citation.elsewhere, &citation.found) {
        (Some(_), Some(found)) => of_a_search(citation, found),
        (Some(_), None) => format!("{} · ¶\u{a0}{paragraph}", host_of(&citation.url)),
        (None, _) => msg_with("this_page_paragraph", &[&paragraph]),
    }
}

/// Returns the sources as Markdown, for copying: number, title, site, date and passage.
pub(crate) fn listed(answer: &Answer, numbers: &[String]) -> String {
    let rows = numbers.iter().enumerate().filter_map(|(at, passage)| {
        let citation = answer.citations.iter().find(|it| it.passage == *passage)?;
        let (title, _) = source(citation);
        let number = number(at + 1, Some(citation));
        let (title, place) = (write_text(&title), write_text(&place(citation)));
        Some(format!(
            "- {number} [{title}]({}), {place}: “{}”",
            write_target(&citation.url),
            write_text(&citation.quote)
        ))
    });
    rows.collect::<Vec<_>>().join("\n")
}

fn passage_row(at: usize, citation: &Citation) -> Tag {
    let (title, _) = source(citation);
    let link = link("a.clip", citation.url.clone(), title);
    let quote = tag("q.clip", citation.quote.clone()).attr("dir", "auto");
    let words = tag("div.grow", (link, tag("p.meta", place(citation)), quote));
    tag("li", (tag("span.n", number(at, Some(citation))), words))
}

/// Returns the title of the cited page, and the initial of its host.
pub(crate) fn source(citation: &Citation) -> (String, String) {
    let page = without_place(&citation.url);
    let title = citation.elsewhere.clone().or_else(|| {
        Surface::from_context().shown.with_untracked(|shown| {
            let mut pages = shown
                .turns
                .iter()
                .rev()
                .filter_map(|turn| turn.page.as_ref());
            let known = pages.find(|read| without_place(&read.url) == page);
            known.map(|read| read.title.clone())
        })
    });
    let host = host_of(&citation.url);
    let sign = initial(&host);
    (
        title.filter(|title| !title.is_empty()).unwrap_or(host),
        sign,
    )
}
