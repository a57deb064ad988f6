//! Collects the blocks of a document, up to a maximum number of blocks and of bytes.

use crate::{Block, Document, MOST_TEXT_BYTES};

/// The maximum number of blocks of a document. Further blocks are left out.
const MOST_BLOCKS: usize = 100_000;

/// The blocks read so far.
#[derive(Default)]
pub(crate) struct DocumentBuilder {
    blocks: Vec<Block>,
    bytes: usize,
    is_cut: bool,
}

impl DocumentBuilder {
    /// Adds a block, unless the block is blank or the document is full.
    pub(crate) fn push(&mut self, block: Block) {
        let block = Block {
            text: folded(&block.text),
            ..block
        };
        if block.text.is_empty() {
            return;
        }
        self.bytes += block.text.len();
        if self.is_full() {
            self.is_cut = true;
        } else {
            self.blocks.push(block);
        }
    }

    /// Records that a part of the document was left out.
    pub(crate) fn cut(&mut self) {
        self.is_cut = true;
    }

    pub(crate) fn is_full(&self) -> bool {
        self.bytes > MOST_TEXT_BYTES || self.blocks.len() >= MOST_BLOCKS
    }

    /// Returns the finished document. If `title` is empty, the first heading becomes the title.
    pub(crate) fn document(self, title: &str, language: String) -> Document {
        let mut title = folded(title).replace(['\n', '\t'], " ");
        if title.is_empty() {
            let is_heading = |it: &&Block| matches!(it.kind, crate::Kind::Heading(_));
            let first = self.blocks.iter().take(20).find(is_heading);
            title = first.map(|it| it.text.clone()).unwrap_or_default();
        }
        Document {
            title,
            language,
            blocks: self.blocks,
            is_cut: self.is_cut,
        }
    }
}

/// Collapses white space within each line and removes invisible characters. The tabs between cells
/// are kept.
fn folded(text: &str) -> String {
    let shown: String = text.chars().filter(|it| !is_hidden(*it)).collect();
    let cell = |cell: &str| cell.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = |line: &str| line.split('\t').map(cell).collect::<Vec<_>>().join("\t");
    let lines: Vec<String> = shown.lines().map(line).collect();
    lines.join("\n").trim().to_owned()
}

/// Returns true for invisible characters. They are removed because they could mislead a reader or a
/// model.
fn is_hidden(character: char) -> bool {
    (character.is_control() && !character.is_whitespace())
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffd}'
            | '\u{e000}'..='\u{f8ff}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns true for characters that are written without spaces between words, such as Chinese ones.
pub(crate) fn is_dense(character: char) -> bool {
    matches!(character,
        '\u{2e80}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3ffff}')
}
