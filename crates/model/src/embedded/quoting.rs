//! Quotes as an answer: each a block of its own, with our labels between them.

use super::super::{Lead, Reply};
use super::{answered, cited};
use crate::phrase::Phrase;
use gloss_page::{Kind, Paragraph, Sentence};

/// Quotes in their order.
#[derive(Default)]
pub(super) struct Quoting {
    blocks: Vec<String>,
    leads: Vec<Lead>,
}

impl Quoting {
    /// Labels what is quoted next.
    pub(super) fn label(&mut self, says: Phrase) {
        self.leads.push(Lead {
            before: self.blocks.len(),
            says,
        });
    }

    /// Quotes a sentence.
    pub(super) fn sentence(&mut self, sentence: &Sentence<'_>) {
        self.blocks.push(quoted(&cited(sentence)));
    }

    /// Quotes a paragraph as it stands: code in its frame.
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

    /// The answer.
    pub(super) fn reply(self, confidence: f32) -> Reply {
        let mut reply = answered(self.blocks.join("\n\n"), confidence);
        reply.control.leads = self.leads;
        reply
    }
}

/// As a Markdown quotation, every line of it.
fn quoted(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
    lines.join("\n")
}
