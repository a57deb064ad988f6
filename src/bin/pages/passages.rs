//! The passages of the page that are nearest to a question, which the on-device model quotes. The
//! first three are shown at once, each below its heading and with a reference in the margin.

use crate::blocks::{blocks, inlines};
use crate::points::{margin, without_cites};
use crate::prelude::*;
use crate::text_context::TextContext;
use gloss::agent::Answer;
use gloss::markdown::Block;
use gloss::phrase::Phrase;

/// The number of passages that are shown before *More* is opened.
const SHOWN: usize = 3;

pub(crate) fn passages(words: &TextContext, answer: &Answer) -> View {
    let (mut above, mut label, mut points): (Vec<View>, Vec<View>, Vec<View>) = Default::default();
    for (at, block) in answer.blocks.iter().enumerate() {
        for lead in answer.leads.iter().filter(|lead| lead.before == at) {
            let text = phrase_text(&lead.says);
            match lead.says.key.as_str() {
                "lead_closest" => above.push(tag("h2", text).into()),
                "lead_absent" => above.push(absent(&lead.says)),
                _ => label.push((" ", tag("span.tag", text)).into()),
            }
        }
        match block {
            Block::Heading { inlines: said, .. } => label.push(inlines(words, said)),
            Block::Quote { blocks: quoted } => {
                points.push(point(words, std::mem::take(&mut label), quoted));
            }
            other => points.push(blocks(words, std::slice::from_ref(other))),
        }
    }
    let rest = points.split_off(SHOWN.min(points.len()));
    let more = msg_with("more_passages", &[&rest.len().to_string()]);
    let more = (!rest.is_empty()).then(|| {
        let list = tag("ol.points.rest", rest);
        tag("details", (tag("summary", more), list))
    });
    fragment((above, tag("ol.points", points), more))
}

/// A word of the question that the page doesn't contain. The line opens to the way to check that.
fn absent(says: &Phrase) -> View {
    let args: Vec<&str> = says.args.iter().map(String::as_str).collect();
    let searched = tag("p.meta", msg_with("absent_searched", &args));
    tag("details", (tag("summary", phrase_text(says)), searched)).into()
}

fn point(words: &TextContext, label: Vec<View>, quoted: &[Block]) -> View {
    let mut passages = Vec::new();
    let mut body = Vec::new();
    for block in quoted {
        match block {
            Block::Paragraph { inlines } => {
                let inlines = without_cites(inlines, &mut passages);
                body.extend((!inlines.is_empty()).then_some(Block::Paragraph { inlines }));
            }
            other => body.push(other.clone()),
        }
    }
    let label = (!label.is_empty()).then(|| tag("p.label", label).attr("dir", "auto"));
    let text = tag("div", (label, tag("div.quote", blocks(words, &body))));
    tag("li", (text, margin(words, &passages))).into()
}
