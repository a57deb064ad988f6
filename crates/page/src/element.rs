//! Classifies elements by name.
//!
//! Example: `<em>` emphasises its text, `<h2>` is a heading of level 2, and the content of
//! `<button>` is ignored. [`super::blocks`] writes the content of each kind.

use super::run::Mark;

/// The ways in which an element's content is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    /// The content is not read.
    Ignored,
    /// A line break.
    Break,
    /// An image, of which only the alternative text (`alt`) is read.
    Image,
    /// Text that is emphasised or struck out.
    Marked(Mark),
    /// Code within a line.
    InlineCode,
    /// A link.
    Link,
    /// A heading of level 1 to 6.
    Heading(u8),
    /// A caption of a figure or table.
    Caption,
    /// A term in a definition list.
    Term,
    /// A definition in a definition list.
    Definition,
    /// A quotation.
    Quote,
    /// A list.
    List(Order),
    /// A list item.
    Item,
    /// Preformatted text.
    Preformatted,
    /// A `<table>`. Some tables contain data, others only arrange the page's layout.
    Table,
    /// A horizontal rule, `<hr>`.
    Rule,
    /// Any other block.
    Block,
    /// Any other inline element.
    Inline,
}

/// The kind of marker before a list's items: a number, or any other sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Numbered,
    Any,
}

impl Element {
    /// Classifies an element by its name in lower case. The name of a node that isn't an element is
    /// "".
    pub(super) fn named(name: &str) -> Self {
        match name {
            "" | "script" | "style" | "noscript" | "template" | "svg" | "iframe" | "object"
            | "embed" | "audio" | "video" | "canvas" | "input" | "select" | "textarea"
            | "button" | "head" | "meta" | "link" | "datalist" | "rt" | "rp" | "annotation"
            | "annotation-xml" | "map" | "frameset" => Self::Ignored,
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
            | "summary" | "tbody" | "td" | "tfoot" | "th" | "thead" | "tr" => Self::Block,
            _ => Self::Inline,
        }
    }
}
