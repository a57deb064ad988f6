//! Reads a page's metadata, and measures its tables of contents.
//!
//! Example: `<meta property="og:type" content="article">` declares an article. A page that has
//! links to the previous and the next page, such as `<link rel="next">`, is a part of a book,
//! unless it also has metadata for social sites or search engines. [`super::extract`] uses these
//! declarations to choose the content.

use dom_query::{Document as Tree, Element, NodeRef};

use super::tree;

/// The kind of page that its metadata declare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PageMetadata {
    /// The metadata declare an article, in any vocabulary that news sites use.
    Article,
    /// A part of a book with links to the previous and next part, as in manuals.
    Part,
    /// The page has metadata for social sites or search engines, but they don't declare an article.
    Something,
    /// The page has none of these metadata. This is usual for manuals, lists, and old or small
    /// pages.
    Nothing,
}

/// Reads the metadata of `page`.
pub(super) fn read_metadata(page: &Tree) -> PageMetadata {
    let (mut shared, mut linked_data, mut steps) = (false, false, 0);
    for node in page.root().descendants_it() {
        let Some(element) = node.element_ref() else {
            continue;
        };
        match element.name.local.as_ref() {
            "meta" => {
                let key = [value(&element, "property"), value(&element, "name")].concat();
                let is_type = key == "og:type"
                    && value(&element, "content")
                        .to_ascii_lowercase()
                        .contains("article");
                if is_type || key.starts_with("article:") || key.starts_with("og:article:") {
                    return PageMetadata::Article;
                }
                shared |= key.starts_with("og:");
            }
            "script" if value(&element, "type") == "application/ld+json" => {
                if is_about_an_article(&node) {
                    return PageMetadata::Article;
                }
                linked_data = true;
            }
            "link" => match value(&element, "rel") {
                "up" | "home" | "contents" | "start" => steps += 2,
                "prev" | "previous" | "next" => steps += 1,
                _ => {}
            },
            _ => {
                let kind = value(&element, "itemtype");
                if kind.ends_with("Article") || kind.ends_with("BlogPosting") {
                    return PageMetadata::Article;
                }
            }
        }
    }
    match (shared || linked_data, steps) {
        (true, _) => PageMetadata::Something,
        (false, 2..) => PageMetadata::Part,
        (false, _) => PageMetadata::Nothing,
    }
}

fn is_about_an_article(script: &NodeRef) -> bool {
    let says = |text: &str| text.contains("Article\"") || text.contains("Posting\"");
    script
        .first_child()
        .and_then(|data| tree::with_text(&data, says))
        == Some(true)
}

/// Returns the length of the page's tables of contents, in characters.
pub(super) fn contents_chars(page: &Tree) -> usize {
    let root = page.root();
    let found = root.descendants_it().filter(is_contents);
    let outermost = found.filter(|n| !n.ancestors_it(None).any(|a| is_contents(&a)));
    outermost.map(|n| n.normalized_char_count()).sum()
}

fn is_contents(node: &NodeRef) -> bool {
    node.element_ref().is_some_and(|element| {
        element.attrs.iter().any(|a| match a.name.local.as_ref() {
            "class" => a.value.split_whitespace().any(|class| class == "toc"),
            "role" => &*a.value == "doc-toc",
            _ => false,
        })
    })
}

/// Returns the value of an attribute, or "" if the element has no such attribute.
fn value<'e>(element: &'e Element, name: &str) -> &'e str {
    element
        .attrs
        .iter()
        .find(|a| &*a.name.local == name)
        .map_or("", |a| &*a.value)
}
