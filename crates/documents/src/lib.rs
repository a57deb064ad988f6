#![doc = include_str!("../README.md")]

#[cfg(feature = "read")]
mod builder;
mod document;
#[cfg(feature = "read")]
mod docx;
#[cfg(feature = "read")]
mod feed;
#[cfg(feature = "read")]
mod pdf;
#[cfg(feature = "read")]
mod xml;

pub use document::{Block, Document, DocumentKind, Fault, Kind};

/// The maximum size of a file, in bytes. A larger file is not read.
pub const MOST_BYTES: usize = 50 * 1024 * 1024;

/// The maximum length of a document's text, in bytes. If there is more, [`Document::is_cut`] is
/// set.
pub const MOST_TEXT_BYTES: usize = 8 * 1024 * 1024;

/// The maximum number of pages of a PDF. If a PDF has more, [`Document::is_cut`] is set.
pub const MOST_PAGES: usize = 2_000;

/// Reads a document of the given kind.
///
/// # Errors
/// Returns a [`Fault`] if the document is too large, locked or damaged, or has no text.
#[cfg(feature = "read")]
pub fn read(bytes: Vec<u8>, kind: DocumentKind) -> Result<Document, Fault> {
    if bytes.len() > MOST_BYTES {
        return Err(Fault::TooLarge {
            most_megabytes: (MOST_BYTES / 1024 / 1024) as u32,
        });
    }
    let document = match kind {
        DocumentKind::Pdf => pdf::read(bytes),
        DocumentKind::Docx => docx::read(bytes),
        DocumentKind::Feed => feed::read(&bytes),
    }?;
    if document.blocks.is_empty() {
        return Err(Fault::Empty);
    }
    Ok(document)
}
