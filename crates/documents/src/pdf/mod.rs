//! Reads PDF: an interpreter draws each page onto a device that only collects glyphs, and glyphs
//! are joined into text.
//!
//! Example: the glyphs of a manual's page arrive in drawing order, which is the reading
//! order in nearly all files. [`lines`] joins glyphs into lines. [`paragraphs`] joins lines into
//! paragraphs and headings, and removes running headers and footers.

mod glyphs;
mod lines;
mod paragraphs;

use crate::builder::DocumentBuilder;
use crate::{Document, Fault, MOST_PAGES};
use hayro_interpret::kurbo::{Affine, Rect};
use hayro_interpret::{Context, InterpreterCache, InterpreterSettings, interpret};
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use lines::Line;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The maximum size of a page's drawing commands, in bytes. A page with more is a drawing without
/// much text, and is skipped.
const MOST_DRAWN: usize = 24 * 1024 * 1024;

/// The text of a page.
struct Page {
    lines: Vec<Line>,
    /// The page's height, in points.
    height: f64,
}

/// Reads a PDF.
///
/// # Errors
/// Returns [`Fault::Locked`] if a password is needed, or [`Fault::Damaged`].
pub(crate) fn read(bytes: Vec<u8>) -> Result<Document, Fault> {
    let pdf = Pdf::new(bytes).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => Fault::Locked,
        LoadPdfError::Decryption(_) => Fault::damaged("its encryption is not supported"),
        LoadPdfError::Invalid => Fault::damaged("it is not a complete PDF"),
    })?;
    let cache = InterpreterCache::new();
    let pages = pdf.pages();
    let mut growing = DocumentBuilder::default();
    let (mut read, mut bytes): (Vec<Page>, usize) = (Vec::new(), 0);
    for page in pages.iter().take(MOST_PAGES) {
        let transform = page.initial_transform(true);
        let (width, height) = page.render_dimensions();
        let mut device = glyphs::GlyphCollector::default();
        let mut context = Context::new(
            Affine::new(transform.as_coeffs()),
            Rect::new(0.0, 0.0, width.into(), height.into()),
            &cache,
            pdf.xref(),
            InterpreterSettings::default(),
        );
        if page
            .page_stream()
            .is_some_and(|drawn| drawn.len() > MOST_DRAWN)
        {
            growing.cut();
        } else {
            let drawing = AssertUnwindSafe(|| {
                interpret(
                    page.typed_operations(),
                    page.resources(),
                    &mut context,
                    &mut device,
                );
            });
            if catch_unwind(drawing).is_err() {
                return Err(Fault::damaged("a page of it draws without end"));
            }
        }
        let lines = lines::of(device.heard);
        bytes += lines.iter().map(|line| line.text.len()).sum::<usize>();
        read.push(Page {
            lines,
            height: height.into(),
        });
        if bytes > crate::MOST_TEXT_BYTES {
            break;
        }
    }
    if read.len() < pages.len() {
        growing.cut();
    }
    let title = pdf
        .metadata()
        .title
        .as_deref()
        .map(text)
        .unwrap_or_default();
    paragraphs::tell(&read, &mut growing);
    Ok(growing.document(&title, String::new()))
}

/// Decodes a text string of a PDF. UTF-16 begins with a byte order mark. A text without this mark
/// is UTF-8 if it is valid UTF-8. If not, it is read as Latin-1, which `PDFDocEncoding` nearly
/// equals.
fn text(bytes: &[u8]) -> String {
    match bytes {
        [0xfe, 0xff, rest @ ..] => {
            let units = rest.chunks_exact(2).map(|pair| match pair {
                [high, low] => u16::from_be_bytes([*high, *low]),
                _ => 0,
            });
            char::decode_utf16(units).filter_map(Result::ok).collect()
        }
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        bytes => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().copied().map(char::from).collect(),
        },
    }
}
