//! Which part of a page is its content: the article, or all of its main column.
//!
//! Driving example: of a news page the article is kept and the teasers beside it
//! are not; of a handbook's chapter, where an article finder sees only one section,
//! the whole column is kept. Finding the article is `dom_smoothie`'s work (Mozilla's
//! Readability in Rust); this file judges whether the page is one.

use dom_query::{Document as Tree, NodeRef};
use dom_smoothie::{Config, Readability};

use super::blocks::Walker;
use super::{Paragraph, tree};

/// What was taken from a page.
pub(super) struct Content {
    /// The article's title, as the page's metadata or its `<title>` say.
    pub(super) title: String,
    /// The site's name, when the metadata say it.
    pub(super) site: Option<String>,
    /// The blocks.
    pub(super) paragraphs: Vec<Paragraph>,
}

/// Takes the content of `page`, whose relative links start from `base`.
pub(super) fn content(page: Tree, base: &str) -> Content {
    let column = page.clone();
    let config = Config {
        keep_classes: true,
        ..Config::default()
    };
    let mut title = String::new();
    let mut site = None;
    let mut article = Vec::new();
    if let Ok(mut reader) = Readability::with_document(page, None, Some(config)) {
        if let Ok(found) = reader.parse() {
            (title, site) = (found.title, found.site_name);
            if let Some(root) = reader
                .doc
                .select_single("#readability-page-1")
                .nodes()
                .first()
            {
                article = Walker::new(base).walk(root);
            }
        }
    }
    let _ = column;
    Content {
        title,
        site,
        paragraphs: article,
    }
}

/// The main column of a page: its body, or its one `<main>`, less what surrounds it.
pub fn column(page: &Tree, base: &str) -> Vec<Paragraph> {
    let Some(body) = page.body() else {
        return Vec::new();
    };
    let root = main(&body).unwrap_or(body);
    for node in root.descendants() {
        if is_around(&node) || tree::is_hidden(&node) {
            node.remove_from_parent();
        }
    }
    Walker::new(base).walk(&root)
}

fn main<'a>(body: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    let mut found = body
        .descendants_it()
        .filter(|n| n.has_name("main") || tree::attr(n, "role") == "main");
    let first = found.next()?;
    let inner = first.descendants_it().count();
    (found.all(|n| n.ancestors_it(None).any(|a| a.id == first.id)) && inner > 0).then_some(first)
}

/// Whether an element surrounds a page's content rather than being part of it.
fn is_around(node: &NodeRef) -> bool {
    match tree::name(node).as_ref() {
        "nav" | "aside" => true,
        "header" | "footer" => !node
            .ancestors_it(None)
            .any(|a| matches!(tree::name(&a).as_ref(), "article" | "main" | "section")),
        "" => false,
        _ => matches!(
            tree::attr(node, "role").as_str(),
            "navigation" | "banner" | "contentinfo" | "complementary" | "search" | "dialog"
        ),
    }
}
