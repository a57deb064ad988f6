//! Reads XML as a series of tags and texts. The nesting depth is limited. Entity declarations are
//! ignored, so that no entity can expand without limit.

use crate::Fault;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::io::BufRead;

/// The greatest nesting depth that is accepted.
const DEEPEST: usize = 512;

/// An opening tag, a closing tag or a text. Element names keep their namespace prefix; attribute
/// names lose it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Open(Element),
    Close(String),
    Text(String),
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Element {
    /// The name with its prefix, such as `w:t`.
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
}

impl Element {
    fn of(tag: &BytesStart) -> Self {
        let read = tag.html_attributes().flatten().map(|attribute| {
            let name = attribute.key.local_name().as_ref().to_owned();
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            (
                name,
                value.map(std::borrow::Cow::into_owned).unwrap_or_default(),
            )
        });
        Self {
            name: tag.name().as_ref().to_owned(),
            attributes: read.collect(),
        }
    }

    /// Returns the value of the attribute with this name (without prefix).
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let mut all = self.attributes.iter();
        all.find(|(own, _)| own == name)
            .map(|(_, value)| value.as_str())
    }
}

/// Reads the tags and texts of an XML source.
pub(crate) struct Pieces<R> {
    reader: Reader<R>,
    buffer: Vec<u8>,
    depth: usize,
    has_root: bool,
    /// The name of an element without content (`<a/>`), whose closing tag is returned next.
    closing: Option<String>,
}

impl<R: BufRead> Pieces<R> {
    pub(crate) fn of(source: R) -> Self {
        let mut reader = Reader::from_reader(source);
        reader.config_mut().allow_dangling_amp = true;
        Self {
            reader,
            buffer: Vec::new(),
            depth: 0,
            has_root: false,
            closing: None,
        }
    }

    /// Returns the next tag or text; `None` at the end.
    ///
    /// # Errors
    /// [`Fault::Damaged`] if the source isn't XML or is truncated.
    pub(crate) fn next(&mut self) -> Result<Option<Piece>, Fault> {
        if let Some(name) = self.closing.take() {
            return Ok(Some(Piece::Close(name)));
        }
        loop {
            self.buffer.clear();
            let event = self.reader.read_event_into(&mut self.buffer);
            let event =
                event.map_err(|error| Fault::damaged(format!("its XML is broken: {error}")))?;
            return Ok(Some(match event {
                Event::Start(tag) => {
                    self.depth += 1;
                    self.has_root = true;
                    if self.depth > DEEPEST {
                        return Err(Fault::damaged("its XML is nested too deeply"));
                    }
                    Piece::Open(Element::of(&tag))
                }
                Event::Empty(tag) => {
                    self.has_root = true;
                    let element = Element::of(&tag);
                    self.closing = Some(element.name.clone());
                    Piece::Open(element)
                }
                Event::End(tag) => {
                    self.depth = self.depth.saturating_sub(1);
                    Piece::Close(tag.name().as_ref().to_owned())
                }
                Event::Text(text) => Piece::Text(text.xml10_content().into_owned()),
                Event::CData(text) => Piece::Text(text.xml10_content().into_owned()),
                Event::GeneralRef(reference) => {
                    let character = reference.resolve_char_ref().ok().flatten();
                    Piece::Text(match character {
                        Some(character) => character.to_string(),
                        None => entity(&reference.xml10_content()).to_owned(),
                    })
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => continue,
                Event::Eof if self.depth > 0 || !self.has_root => {
                    return Err(Fault::damaged("it is incomplete"));
                }
                Event::Eof => return Ok(None),
            }));
        }
    }
}

/// Returns the text of a named reference: `"amp"` -> `"&"`. Knows XML's five names and the most
/// common names of HTML; an unknown name gives an empty text.
pub(crate) fn entity(name: &str) -> &'static str {
    if let Some(known) = resolve_predefined_entity(name) {
        return known;
    }
    match name {
        "nbsp" => " ",
        "ndash" => "–",
        "mdash" => "—",
        "hellip" => "…",
        "lsquo" => "‘",
        "rsquo" => "’",
        "ldquo" => "“",
        "rdquo" => "”",
        "laquo" => "«",
        "raquo" => "»",
        "copy" => "©",
        "reg" => "®",
        "deg" => "°",
        "middot" => "·",
        "bull" => "•",
        "times" => "×",
        "euro" => "€",
        _ => "",
    }
}
