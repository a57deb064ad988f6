//! What an element is to the walk, told by its name.
//!
//! Driving example: `<em>` marks its words, `<h2>` is a heading of level 2, and of
//! `<button>` nothing is read. How each of them is written is [`super::blocks`]'s work.

use super::run::Mark;

/// How an element's content is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    /// Not at all.
    Unseen,
    /// It breaks the line.
    Break,
    /// Its `alt` is read.
    Image,
    /// Its words are set off.
    Marked(Mark),
    /// Its words are code.
    InlineCode,
    /// Its words lead elsewhere.
    Link,
    /// A heading of level 1 to 6.
    Heading(u8),
    /// Words below a figure or above a table.
    Caption,
    /// What a definition list defines.
    Term,
    /// A definition in such a list.
    Definition,
    /// Quoted blocks.
    Quote,
    /// Items.
    List(Order),
    /// An item.
    Item,
    /// Lines as they stand.
    Preformatted,
    /// Cells, or boxes that are laid out as such.
    Table,
    /// A line across the page.
    Rule,
    /// A block of any other kind.
    Box,
    /// A part of the words around it.
    Inline,
}

/// Whether a list's items have numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// They have.
    Numbered,
    /// They have not.
    Any,
}

impl Element {
    /// The element whose name, in small letters, is `name`; "" is none.
    pub(super) fn named(name: &str) -> Self {
        match name {
            "" | "script" | "style" | "noscript" | "template" | "svg" | "iframe" | "object"
            | "embed" | "audio" | "video" | "canvas" | "input" | "select" | "textarea"
            | "button" | "head" | "meta" | "link" | "datalist" | "rt" | "rp" | "annotation"
            | "annotation-xml" | "map" | "frameset" => Self::Unseen,
            "br" => Self::Break,
            "img" => Self::Image,
            "em" | "i" | "cite" | "dfn" | "var" => Self::Marked(Mark::Emphasis),
            "strong" | "b" => Self::Marked(Mark::Strong),
            "del" | "s" | "strike" => Self::Marked(Mark::Strike),
            "code" | "kbd" | "samp" | "tt" => Self::InlineCode,
            "a" => Self::Link,
            "h1" => Self::Heading(1),
            "h2" => Self::Heading(2),
            "h3" => Self::Heading(3),
            "h4" => Self::Heading(4),
            "h5" => Self::Heading(5),
            "h6" => Self::Heading(6),
            "figcaption" | "caption" => Self::Caption,
            "dt" => Self::Term,
            "dd" => Self::Definition,
            "blockquote" => Self::Quote,
            "ol" => Self::List(Order::Numbered),
            "ul" | "menu" | "dir" => Self::List(Order::Any),
            "li" => Self::Item,
            "pre" | "listing" | "xmp" | "plaintext" => Self::Preformatted,
            "table" => Self::Table,
            "hr" => Self::Rule,
            "address" | "article" | "aside" | "body" | "center" | "details" | "dialog" | "div"
            | "dl" | "fieldset" | "figure" | "footer" | "form" | "header" | "hgroup" | "html"
            | "legend" | "main" | "nav" | "optgroup" | "option" | "p" | "search" | "section"
            | "summary" | "tbody" | "td" | "tfoot" | "th" | "thead" | "tr" => Self::Box,
            _ => Self::Inline,
        }
    }
}
