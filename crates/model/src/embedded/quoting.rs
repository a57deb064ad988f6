//! Builds an answer that consists of quotes. Each quote is a Markdown block. Labels that Gloss
//! writes are shown between the blocks.

use super::super::{QuoteLabel, Reply};
use super::answered;
use crate::phrase::Phrase;
use gloss_markdown::escape;
use gloss_page::Sentence;

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

    /// Adds a heading of the page, given as Markdown.
    pub(super) fn heading(&mut self, markdown: &str) {
        self.blocks.push(format!("#### {markdown}"));
    }

    pub(super) fn sentence(&mut self, sentence: &Sentence<'_>) {
        self.quote(&escape(sentence.text), &sentence.id());
    }

    /// Adds a quote, given as Markdown, with its citation.
    pub(super) fn quote(&mut self, markdown: &str, id: &str) {
        let block = format!("{markdown} [[{id}]]");
        let lines: Vec<String> = block.lines().map(|line| format!("> {line}")).collect();
        self.blocks.push(lines.join("\n"));
    }

    pub(super) fn reply(self) -> Reply {
        let mut reply = answered(self.blocks.join("\n\n"));
        reply.control.leads = self.leads;
        reply
    }
}
