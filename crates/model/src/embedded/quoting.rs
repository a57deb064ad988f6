//! Builds an answer that consists of quotes. Each quote is a Markdown block. Labels that Gloss
//! writes are shown between the blocks.

use super::super::{QuoteLabel, Reply};
use super::{answered, cited};
use crate::phrase::Phrase;
use gloss_page::{Kind, Paragraph, Sentence};

/// The quotes of an answer in order, with their labels.
#[derive(Default)]
pub(super) struct Quoting {
    blocks: Vec<String>,
    leads: Vec<QuoteLabel>,
}

impl Quoting {
    /// Adds a label before the next quote.
    pub(super) fn label(&mut self, says: Phrase) {
        self.leads.push(QuoteLabel {
            before: self.blocks.len(),
            says,
        });
    }

    pub(super) fn sentence(&mut self, sentence: &Sentence<'_>) {
        self.blocks.push(quoted(&cited(sentence)));
    }

    /// Adds a whole paragraph as a quote. In a paragraph of code, the citation comes after the code
    /// fence.
    pub(super) fn paragraph(&mut self, paragraph: &Paragraph) {
        let between = if paragraph.kind == Kind::Code {
            "\n\n"
        } else {
            " "
        };
        let mark = format!("[[p{}]]", paragraph.number);
        let block = format!("{}{between}{mark}", paragraph.markdown);
        self.blocks.push(quoted(&block));
    }

    pub(super) fn reply(self, confidence: f32) -> Reply {
        let mut reply = answered(self.blocks.join("\n\n"), confidence);
        reply.control.leads = self.leads;
        reply
    }
}

fn quoted(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
    lines.join("\n")
}
