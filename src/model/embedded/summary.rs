//! Gist and key points: the page's own sentences.

use super::super::Reply;
use super::{answered, cited, ourselves};
use crate::markdown::escape;
use crate::page::{Document, Kind};
use crate::text::summary::{Candidate, Role, summarise};

/// A summary as Markdown: the gist, then a numbered list of points.
pub(super) fn of(page: &Document) -> Reply {
    let language = page.written_in();
    let sentences = page.sentences(language);
    let candidates: Vec<Candidate<'_>> = sentences
        .iter()
        .map(|sentence| Candidate {
            text: sentence.text,
            paragraph: sentence.paragraph.number,
            role: role_of(sentence.paragraph.kind),
        })
        .collect();
    let summary = summarise(&page.title, &candidates, language);
    let mut lines = Vec::new();
    if let Some(gist) = summary.gist.and_then(|index| sentences.get(index)) {
        lines.push(escape(gist.text));
        lines.push(String::new());
    }
    let points = summary.points.iter().filter_map(|i| sentences.get(*i));
    lines.extend(
        points
            .enumerate()
            .map(|(index, point)| format!("{}. {}", index + 1, cited(point))),
    );
    if lines.is_empty() {
        return ourselves::nothing();
    }
    answered(lines.join("\n"), 0.9)
}

fn role_of(kind: Kind) -> Role {
    match kind {
        Kind::Prose => Role::Prose,
        Kind::Item | Kind::Definition | Kind::Table => Role::Item,
        Kind::Heading(_) | Kind::Quote | Kind::Caption | Kind::Code => Role::Aside,
    }
}
