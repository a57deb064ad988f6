//! Reads feeds: RSS, RDF Site Summary and Atom.
//!
//! Example: a newspaper's RSS gives the feed's title. Each item gives a heading that links
//! to the article, then the date and author, then the text without HTML.

mod plain;

use crate::builder::DocumentBuilder;
use crate::xml::{Element, Piece, Pieces};
use crate::{Block, Document, Fault, Kind};
use plain::plain;

/// Reads a feed.
///
/// # Errors
/// Returns [`Fault::Damaged`] if the bytes aren't XML or aren't a feed.
pub(crate) fn read(bytes: &[u8]) -> Result<Document, Fault> {
    let text = String::from_utf8_lossy(bytes);
    let mut pieces = Pieces::of(text.trim_start_matches('\u{feff}').trim_start().as_bytes());
    let mut reading = Reading::default();
    while let Some(piece) = pieces.next()? {
        reading.take(piece)?;
        if reading.growing.is_full() {
            reading.growing.cut();
            break;
        }
    }
    let title = plain(&reading.title).join(" ");
    Ok(reading.growing.document(&title, reading.language))
}

/// An entry whose end was not read yet.
#[derive(Default)]
struct Entry {
    title: String,
    link: String,
    date: String,
    author: String,
    summary: String,
    content: String,
}

/// The state of the reader within a feed.
#[derive(Default)]
struct Reading {
    growing: DocumentBuilder,
    title: String,
    language: String,
    entry: Option<Entry>,
    /// The names of the open elements, without the prefixes `atom:` and `rss:`.
    path: Vec<String>,
    /// The depth of the element whose markup is copied together with its text, such as XHTML in
    /// Atom. `None` outside of such an element.
    whole: Option<usize>,
}

impl Reading {
    fn take(&mut self, piece: Piece) -> Result<(), Fault> {
        match piece {
            Piece::Open(element) => self.opens(&element),
            Piece::Close(name) => {
                self.closes(&name);
                Ok(())
            }
            Piece::Text(text) => {
                self.hears(&text);
                Ok(())
            }
        }
    }

    fn opens(&mut self, element: &Element) -> Result<(), Fault> {
        let name = local(&element.name);
        if self.whole.is_some() {
            self.path.push(name.to_owned());
            self.grow(&format!("<{name}>"));
            return Ok(());
        }
        if self.path.is_empty() {
            if !["rss", "feed", "RDF"].contains(&name) {
                return Err(Fault::damaged("it is not a feed"));
            }
            element
                .attribute("lang")
                .unwrap_or_default()
                .clone_into(&mut self.language);
        }
        self.path.push(named(&element.name).to_owned());
        if matches!(name, "item" | "entry") {
            self.entry = Some(Entry::default());
        }
        if element.attribute("type") == Some("xhtml") {
            self.whole = Some(self.path.len());
        }
        if let (Some(entry), "link", Some(link)) =
            (&mut self.entry, name, element.attribute("href"))
        {
            let relation = element.attribute("rel").unwrap_or("alternate");
            if relation == "alternate" {
                link.clone_into(&mut entry.link);
            }
        }
        Ok(())
    }

    fn closes(&mut self, name: &str) {
        let name = local(name);
        if self.whole.is_some_and(|depth| self.path.len() > depth) {
            self.grow(&format!("</{name}>"));
            self.path.pop();
            return;
        }
        self.whole = None;
        self.path.pop();
        if matches!(name, "item" | "entry")
            && let Some(entry) = self.entry.take()
        {
            self.tell(entry);
        }
    }

    fn hears(&mut self, text: &str) {
        if self.whole.is_some() {
            self.grow(&text.replace('&', "&amp;").replace('<', "&lt;"));
        } else {
            self.grow(text);
        }
    }

    /// Adds text to the field of the innermost open element.
    fn grow(&mut self, text: &str) {
        let depth = self.whole.unwrap_or(self.path.len());
        let inside: Vec<&str> = self.path.iter().take(depth).map(String::as_str).collect();
        let place = match (&mut self.entry, inside.as_slice()) {
            (Some(entry), [.., "item" | "entry", last]) => match *last {
                "title" => &mut entry.title,
                "link" => &mut entry.link,
                "pubDate" | "dc:date" | "published" => &mut entry.date,
                "updated" if entry.date.is_empty() => &mut entry.date,
                "dc:creator" | "author" => &mut entry.author,
                "description" | "summary" => &mut entry.summary,
                "content" | "content:encoded" => &mut entry.content,
                _ => return,
            },
            (Some(entry), [.., "author", "name"]) => &mut entry.author,
            (None, ["rss" | "rdf:RDF", "channel", "title"] | ["feed", "title"]) => &mut self.title,
            (None, [_, "channel", "language"]) => &mut self.language,
            _ => return,
        };
        place.push_str(text);
    }

    fn tell(&mut self, entry: Entry) {
        let mut push = |kind, text: String, link| {
            self.growing.push(Block {
                kind,
                text,
                link,
                page: 0,
            });
        };
        let link = Some(entry.link.trim().to_owned()).filter(|link| !link.is_empty());
        let title = plain(&entry.title).join(" ");
        let heading = match &link {
            Some(link) if title.is_empty() => link.clone(),
            _ => title,
        };
        push(Kind::Heading(2), heading, link);
        let about = [entry.date.trim(), entry.author.trim()];
        let about: Vec<&str> = about.into_iter().filter(|it| !it.is_empty()).collect();
        push(Kind::Prose, about.join(", "), None);
        let said = [entry.content, entry.summary].map(|html| plain(&html));
        // The summary is left out if the entry has content.
        for text in said
            .into_iter()
            .find(|said| !said.is_empty())
            .unwrap_or_default()
        {
            push(Kind::Prose, text, None);
        }
    }
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// Removes the prefixes `atom:` and `rss:` from an element's name. Other prefixes are kept, because
/// `media:title` is not the title of the entry.
fn named(name: &str) -> &str {
    match name.split_once(':') {
        Some(("atom" | "rss", local)) => local,
        _ => name,
    }
}
