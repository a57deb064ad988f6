//! Reads DOCX: the paragraphs of `word/document.xml`, with headings recognised by
//! `word/styles.xml`.
//! Example: a heading of a German report has the style `berschrift1`, and `styles.xml`
//! gives this style the name `heading 1`. Text that tracked changes mark as deleted is left out.
//! Footnotes, page headers and comments are in separate files, which are not read.

use crate::builder::DocumentBuilder;
use crate::xml::{Element, Piece, Pieces};
use crate::{Block, Document, Fault, Kind};
use std::collections::BTreeMap;
use std::io::{BufReader, Cursor, Read};
use zip::ZipArchive;
use zip::result::ZipError;

/// The maximum unpacked size of a file in the archive, in bytes. A limit is needed because a
/// megabyte of ZIP can unpack to a gigabyte.
const MOST_UNPACKED: u64 = 96 * 1024 * 1024;

/// The first bytes of Microsoft's older binary formats and of password-protected files.
const COMPOUND: &[u8] = &[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

type Archive = ZipArchive<Cursor<Vec<u8>>>;

/// Reads a DOCX.
///
/// # Errors
/// Returns a [`Fault`] if the file is not a readable DOCX.
pub(crate) fn read(bytes: Vec<u8>) -> Result<Document, Fault> {
    if bytes.starts_with(COMPOUND) {
        return Err(of_compound(&bytes));
    }
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| broken(&error))?;
    let styles = match part(&mut archive, "word/styles.xml")? {
        Some(part) => styles(part)?,
        None => BTreeMap::new(),
    };
    let (title, language) = match part(&mut archive, "docProps/core.xml")? {
        Some(part) => properties(part)?,
        None => Default::default(),
    };
    let body = part(&mut archive, "word/document.xml")?;
    let body = body.ok_or_else(|| Fault::damaged("it contains no word/document.xml"))?;
    let mut reading = Reading {
        styles,
        ..Reading::default()
    };
    let mut pieces = Pieces::of(body);
    while let Some(piece) = pieces.next()? {
        reading.take(piece);
        if reading.growing.is_full() {
            reading.growing.cut();
            break;
        }
    }
    let title = if title.is_empty() {
        reading.title
    } else {
        title
    };
    Ok(reading.growing.document(&title, language))
}

/// Returns the fault for a file in the older binary format: locked if the file contains an
/// encrypted document, otherwise damaged.
fn of_compound(bytes: &[u8]) -> Fault {
    let name: Vec<u8> = "EncryptedPackage"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    if bytes.windows(name.len()).any(|window| window == name) {
        Fault::Locked
    } else {
        Fault::damaged("it is of the older Word format, .doc; save it as .docx")
    }
}

fn broken(error: &ZipError) -> Fault {
    Fault::damaged(format!("it is not a complete archive: {error}"))
}

type Part<'a> = BufReader<Bounded<zip::read::ZipFile<'a, Cursor<Vec<u8>>>>>;

fn part<'a>(archive: &'a mut Archive, name: &str) -> Result<Option<Part<'a>>, Fault> {
    match archive.by_name(name) {
        Ok(file) => Ok(Some(BufReader::new(Bounded {
            file,
            left: MOST_UNPACKED,
        }))),
        Err(ZipError::FileNotFound) => Ok(None),
        Err(error) => Err(broken(&error)),
    }
}

/// A reader that fails after a maximum number of bytes.
struct Bounded<R> {
    file: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(into)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| {
            let most = MOST_UNPACKED / 1024 / 1024;
            std::io::Error::other(format!("it unpacks to more than {most} MB"))
        })?;
        Ok(read)
    }
}

/// Returns the heading level of each style, by style id. The style of the title has level 0.
fn styles(part: Part) -> Result<BTreeMap<String, u8>, Fault> {
    let mut pieces = Pieces::of(part);
    let (mut levels, mut bases) = (BTreeMap::new(), BTreeMap::new());
    let mut style = String::new();
    while let Some(piece) = pieces.next()? {
        let Piece::Open(element) = piece else {
            continue;
        };
        let value = element.attribute("val");
        match element.name.as_str() {
            "w:style" => element
                .attribute("styleId")
                .unwrap_or_default()
                .clone_into(&mut style),
            "w:name" => {
                let level = value.and_then(level_of_name);
                levels.extend(level.map(|level| (style.clone(), level)));
            }
            "w:outlineLvl" => {
                let level = value.and_then(outline_level);
                levels.extend(level.map(|level| (style.clone(), level)));
            }
            "w:basedOn" => {
                bases.extend(value.map(|base| (style.clone(), base.to_owned())));
            }
            _ => {}
        }
    }
    // A style may be based on another style, a few levels deep. The number of passes is fixed,
    // because styles may be based on each other in a circle.
    for _ in 0..4 {
        for (style, base) in &bases {
            if let Some(level) = levels.get(base).copied() {
                levels.entry(style.clone()).or_insert(level);
            }
        }
    }
    Ok(levels)
}

fn level_of_name(name: &str) -> Option<u8> {
    let name = name.to_lowercase();
    if name == "title" {
        return Some(0);
    }
    let level = name.strip_prefix("heading ")?.parse().ok()?;
    (1..=9).contains(&level).then_some(level)
}

/// Converts an outline level, which counts from 0, to a heading level. Outline level 9 is body
/// text, so the result is `None`.
fn outline_level(value: &str) -> Option<u8> {
    let level: u8 = value.parse().ok()?;
    (level < 9).then_some(level + 1)
}

/// Reads the title and the language from the document's properties.
fn properties(part: Part) -> Result<(String, String), Fault> {
    let mut pieces = Pieces::of(part);
    let (mut title, mut language, mut inside) = (String::new(), String::new(), String::new());
    while let Some(piece) = pieces.next()? {
        match piece {
            Piece::Open(element) => inside = element.name,
            Piece::Close(_) => inside.clear(),
            Piece::Text(text) => match inside.as_str() {
                "dc:title" => title.push_str(&text),
                "dc:language" => language.push_str(&text),
                _ => {}
            },
        }
    }
    Ok((title.trim().to_owned(), language.trim().to_owned()))
}

/// A paragraph whose end was not read yet.
#[derive(Default)]
struct Open {
    text: String,
    level: Option<u8>,
    is_item: bool,
}

/// The state of the reader within the document's body.
#[derive(Default)]
struct Reading {
    growing: DocumentBuilder,
    title: String,
    styles: BTreeMap<String, u8>,
    /// The paragraphs whose end was not read yet. There may be several, because a paragraph can
    /// contain a text box with paragraphs.
    open: Vec<Open>,
    /// The number of open tables. Tables nest; `table` is the text of the outermost one.
    tables: usize,
    table: String,
    is_text: bool,
    /// The number of open elements whose content is skipped.
    skipped: usize,
}

/// Elements whose content is skipped: fallbacks for older programs, deleted or moved text, and the
/// properties of form controls.
const LEFT_OUT: [&str; 4] = ["mc:Fallback", "w:del", "w:moveFrom", "w:sdtPr"];

impl Reading {
    fn take(&mut self, piece: Piece) {
        match piece {
            Piece::Open(element) if LEFT_OUT.contains(&element.name.as_str()) => self.skipped += 1,
            Piece::Close(name) if LEFT_OUT.contains(&name.as_str()) => {
                self.skipped = self.skipped.saturating_sub(1);
            }
            _ if self.skipped > 0 => {}
            Piece::Open(element) => self.opens(&element),
            Piece::Close(name) => self.closes(&name),
            Piece::Text(text) => {
                if let Some(open) = self.open.last_mut().filter(|_| self.is_text) {
                    open.text.push_str(&text);
                }
            }
        }
    }

    fn opens(&mut self, element: &Element) {
        let value = element.attribute("val");
        match (element.name.as_str(), self.open.last_mut()) {
            ("w:p", _) => self.open.push(Open::default()),
            ("w:t", _) => self.is_text = true,
            ("w:tbl", _) => self.tables += 1,
            ("w:tab" | "w:br" | "w:cr", Some(open)) => open.text.push(' '),
            ("w:noBreakHyphen", Some(open)) => open.text.push('-'),
            // A paragraph's own level takes precedence over the level of its style.
            ("w:outlineLvl", Some(open)) => open.level = value.and_then(outline_level),
            ("w:pStyle", Some(open)) => {
                open.level = value.and_then(|style| self.styles.get(style).copied());
            }
            ("w:numId", Some(open)) => open.is_item = value != Some("0"),
            _ => {}
        }
    }

    fn closes(&mut self, name: &str) {
        match name {
            "w:t" => self.is_text = false,
            "w:p" => {
                if let Some(open) = self.open.pop() {
                    self.tell(open);
                }
            }
            "w:tc" if self.tables == 1 => {
                let cell = self.table.trim_end_matches(' ').len();
                self.table.truncate(cell);
                self.table.push('\t');
            }
            "w:tr" if self.tables == 1 => {
                let row = self.table.trim_end_matches(['\t', ' ']).len();
                self.table.truncate(row);
                self.table.push('\n');
            }
            "w:tbl" => {
                self.tables = self.tables.saturating_sub(1);
                if self.tables == 0 {
                    let text = std::mem::take(&mut self.table);
                    self.push(Kind::Table, text);
                }
            }
            _ => {}
        }
    }

    fn tell(&mut self, open: Open) {
        if self.tables > 0 {
            self.table.push_str(&open.text.replace(['\t', '\n'], " "));
            self.table.push(' ');
            return;
        }
        let kind = match (open.level, open.is_item) {
            (Some(0), _) => {
                if self.title.is_empty() {
                    open.text.trim().clone_into(&mut self.title);
                }
                Kind::Heading(1)
            }
            (Some(level), _) => Kind::Heading(level.min(6)),
            (None, true) => Kind::Item,
            (None, false) => Kind::Prose,
        };
        self.push(kind, open.text);
    }

    fn push(&mut self, kind: Kind, text: String) {
        self.growing.push(Block {
            kind,
            text,
            link: None,
            page: 0,
        });
    }
}
