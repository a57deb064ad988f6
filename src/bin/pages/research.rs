//! The searches for an answer, and the search results that the answer does not cite.

use crate::browser::host_of;
use crate::prelude::*;
use gloss::agent::{Answer, Disclaimer, Research, UncitedPage};

/// The part above the answer: the searches, their failures, and a warning if the answer has no
/// source.
pub(crate) fn before(answer: &Answer) -> View {
    let Some(research) = &answer.research else {
        return View::new();
    };
    let missing = research.missing.iter().map(Vec::as_slice);
    let missing = missing.chain(std::iter::repeat(&[][..]));
    let searches = research.searched.iter().zip(missing);
    let searches: Vec<_> = searches.map(|(it, lacks)| searched(it, lacks)).collect();
    let failures = research
        .failures
        .iter()
        .map(|failure| caution(tag("span", phrase_text(failure)).attr("dir", "auto")));
    let disclaimer = research
        .disclaimer
        .map(|it| disclaimer(it, answer, research));
    fragment((searches, failures.collect::<Vec<_>>(), disclaimer))
}

fn caution(words: impl IntoView) -> Tag {
    tag("p.caution-text", (icon("alert"), words))
}

/// A line such as "Searched: a → b", and what the results don't cover.
fn searched(queries: &[String], missing: &[String]) -> Tag {
    let query = |(at, query): (usize, &String)| {
        let arrow = (at > 0).then(|| {
            let arrow = tag("span", "→").attr("aria-hidden", "true");
            fragment((arrow, tag("span.sr", msg("searched_then"))))
        });
        fragment((arrow, format!(" {query} ")))
    };
    let queries: Vec<_> = queries.iter().enumerate().map(query).collect();
    let missing = (!missing.is_empty()).then(|| {
        let words = msg_with("searched_missing", &[&missing.join("; ")]);
        View::from(format!(" · {words}"))
    });
    let words = tag("span", (msg("searched"), queries, missing));
    tag("p.searched.meta", (icon("search"), words))
}

fn disclaimer(disclaimer: Disclaimer, answer: &Answer, research: &Research) -> Tag {
    let found = research.not_relevant.len();
    let counts = matches!(disclaimer, Disclaimer::Alone | Disclaimer::Failed) && found > 0;
    let results = counts.then(|| {
        let words = msg_with("model_alone_results", &[&found.to_string()]);
        View::from(format!(" {words}"))
    });
    caution(tag(
        "span",
        (tag("b", warning(disclaimer, answer)), results),
    ))
}

/// Returns the warning of an answer without a source.
pub(crate) fn warning(disclaimer: Disclaimer, answer: &Answer) -> String {
    // The answer may still cite the user's own page.
    let is_alone = answer.citations.is_empty();
    match (disclaimer, is_alone) {
        (Disclaimer::Alone, true) => msg("model_alone"),
        (Disclaimer::Failed, true) => msg("model_alone_failed"),
        (Disclaimer::Alone, false) => msg("page_alone"),
        (Disclaimer::Failed, false) => msg("page_alone_failed"),
        (Disclaimer::Unchecked, _) => msg("model_unchecked"),
        (Disclaimer::Uncited, _) => msg("model_uncited"),
    }
}

/// The part below the sources: the irrelevant results (collapsed), and the unchecked ones.
pub(crate) fn after(answer: &Answer) -> View {
    let Some(research) = &answer.research else {
        return View::new();
    };
    let uncited = folded(&research.uncited, ["not_cited_one", "not_cited_many"]);
    let not_relevant = folded(
        &research.not_relevant,
        ["not_relevant_one", "not_relevant_many"],
    );
    fragment((uncited, not_relevant, unchecked(&research.unchecked)))
}

fn folded(left: &[UncitedPage], summaries: [&'static str; 2]) -> Option<View> {
    let rows = left.iter().map(|left| {
        let reason = match left.reason.trim() {
            "" => String::new(),
            reason => format!(" · {reason}"),
        };
        let reason = format!(" · {}{reason}", host_of(&left.url));
        let link = link("a", left.url.clone(), title(&left.title, &left.url));
        tag("li", (link, reason)).attr("dir", "auto")
    });
    let rows: Vec<_> = rows.collect();
    let summary = tag("summary", counted(summaries, rows.len() as u64));
    (!rows.is_empty()).then(|| tag("details.meta", (summary, tag("ul", rows))).into())
}

fn unchecked(left: &[UncitedPage]) -> Option<View> {
    let rows = left.iter().map(|left| {
        let link = link(
            "a.grow.clip",
            left.url.clone(),
            title(&left.title, &left.url),
        );
        tag("li", (link, tag("span.meta", host_of(&left.url))))
    });
    let rows: Vec<_> = rows.collect();
    let means = meta(msg("unchecked_means"));
    let label = tag("h3.label", msg("unchecked_sources"));
    (!left.is_empty()).then(|| tag("section.sources", (label, tag("ul", rows), means)).into())
}

/// Returns the title of a page. If the page has no title, returns its host.
pub(crate) fn title(title: &str, url: &str) -> String {
    if title.trim().is_empty() {
        host_of(url)
    } else {
        title.to_owned()
    }
}
