//! Which part of a page is its content: the article, or all of its main column.
//!
//! Driving example: of a news page the article is kept and the teasers beside it
//! are not; of a handbook's chapter, where an article finder sees only one section,
//! the whole column is kept. Finding the article is `dom_smoothie`'s work (Mozilla's
//! Readability in Rust); this file judges whether the page is one, by how much prose
//! the article leaves out and how full of links the page is.

use dom_query::{Document as Tree, NodeRef};
use dom_smoothie::{Config, Readability};

use super::blocks::{Walked, Walker};
use super::{Paragraph, tree};

/// What was taken from a page.
pub(super) struct Content {
    /// What the page's metadata or its `<title>` call it.
    pub(super) title: String,
    /// The site's name, when the metadata say it.
    pub(super) site: Option<String>,
    /// The blocks; empty when the page holds no text.
    pub(super) paragraphs: Vec<Paragraph>,
}

/// Takes the content of `page`, whose relative links start from `base`.
pub(super) fn content(page: Tree, base: &str) -> Content {
    let declared = declared(&page);
    // Finding the article rewrites the tree, so the column is read from a copy.
    let mut column = column(&page.clone(), base);
    let contents_bytes = tables_of_contents(&page);
    let config = Config {
        keep_classes: true,
        ..Config::default()
    };
    let Ok(mut reader) = Readability::with_document(page, None, Some(config)) else {
        return Content {
            title: String::new(),
            site: None,
            paragraphs: column.paragraphs,
        };
    };
    let (mut title, mut site, mut article) = (
        reader.get_article_title().to_string(),
        None,
        Walked::default(),
    );
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
    article.drop_heading(&title);
    column.drop_heading(&title);
    let whole =
        article.paragraphs.is_empty() || is_no_article(&article, &column, contents_bytes, declared);
    Content {
        title,
        site,
        paragraphs: if whole {
            column.paragraphs
        } else {
            article.paragraphs
        },
    }
}

/// How much text the page's tables of contents hold, in characters.
fn tables_of_contents(page: &Tree) -> usize {
    let is_contents = |n: &NodeRef| n.has_class("toc") || tree::attr(n, "role") == "doc-toc";
    let root = page.root();
    let found = root
        .descendants_it()
        .filter(|n| n.is_element() && is_contents(n));
    let outermost = found.filter(|n| !n.ancestors_it(None).any(|a| is_contents(&a)));
    outermost.map(|n| n.normalized_char_count()).sum()
}

/// What a page says of itself to other sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Declared {
    /// That it is an article, in any of the vocabularies of the press.
    Article,
    /// That it is a part of a book, by links to the parts around it, as manuals have them.
    Part,
    /// Something else.
    Something,
    /// Nothing: manuals, lists, most old and small pages.
    Nothing,
}

fn declared(page: &Tree) -> Declared {
    let (mut shared, mut linked_data, mut steps) = (false, false, 0);
    for node in page.root().descendants_it().filter(NodeRef::is_element) {
        match tree::name(&node).as_ref() {
            "meta" => {
                let key = format!(
                    "{}{}",
                    tree::attr(&node, "property"),
                    tree::attr(&node, "name")
                );
                let is_type = key == "og:type"
                    && tree::attr(&node, "content")
                        .to_ascii_lowercase()
                        .contains("article");
                if is_type || key.starts_with("article:") || key.starts_with("og:article:") {
                    return Declared::Article;
                }
                shared |= key.starts_with("og:");
            }
            "script" if tree::attr(&node, "type") == "application/ld+json" => {
                let data = node.first_child();
                let says = |kind: &str| {
                    data.as_ref()
                        .and_then(|data| tree::with_text(data, |text| text.contains(kind)))
                        == Some(true)
                };
                if says("Article\"") || says("Posting\"") {
                    return Declared::Article;
                }
                linked_data = true;
            }
            "link" => match tree::attr(&node, "rel").as_str() {
                "up" | "home" | "contents" | "start" => steps += 2,
                "prev" | "previous" | "next" => steps += 1,
                _ => {}
            },
            _ => {
                if node
                    .attr("itemtype")
                    .is_some_and(|kind| kind.ends_with("Article") || kind.ends_with("BlogPosting"))
                {
                    return Declared::Article;
                }
            }
        }
    }
    match (shared || linked_data, steps) {
        (true, _) => Declared::Something,
        (false, 2..) => Declared::Part,
        (false, _) => Declared::Nothing,
    }
}

/// Whether the article misses what a reader came for. The bounds are fitted on
/// Mozilla's pages, none of which may be called "no article", and on the chapters of
/// three manuals, which all must be: both stand in the tests.
fn is_no_article(article: &Walked, column: &Walked, contents: usize, declared: Declared) -> bool {
    let share = |part: usize, whole: usize| {
        if whole == 0 {
            0.0
        } else {
            part as f64 / whole as f64
        }
    };
    // A manual's table of contents is all links, and yet what one came for.
    let links = share(
        column.linked_bytes().saturating_sub(contents),
        column.bytes(),
    );
    let kept = share(article.bytes(), column.bytes());
    let lost_prose = 1.0 - share(article.prose_bytes(), column.prose_bytes() + contents);
    match declared {
        Declared::Article => false,
        Declared::Part => true,
        // Documentation and forums; a page of teasers has more links.
        Declared::Something => links <= 0.15 && lost_prose > 0.35,
        Declared::Nothing => {
            // The more links, the likelier are teasers: the more prose must be lost.
            let bearable = match links {
                ..0.15 => 0.04,
                0.15..0.28 => 0.12,
                _ => 0.4,
            };
            let is_listing = links >= 0.6 && kept < 0.5;
            let is_plain = links < 0.05 && kept < 0.96;
            is_plain || is_listing || lost_prose > bearable
        }
    }
}

/// The main column of a page: its body, or its one `<main>`, less what surrounds it.
/// It takes those surroundings out of the tree.
fn column(page: &Tree, base: &str) -> Walked {
    let Some(body) = page.body() else {
        return Walked::default();
    };
    let root = main(&body).unwrap_or(body);
    let mut surroundings = Vec::new();
    let mut next = root.first_child();
    while let Some(node) = next {
        next = after(&node, &root);
        if node.is_element() && (tree::is_hidden(&node) || is_around(&node)) {
            next = after_subtree(&node, &root);
            surroundings.push(node);
        }
    }
    let around: usize = surroundings
        .iter()
        .map(NodeRef::normalized_char_count)
        .sum();
    // A page that is all menu is read as such.
    if around < root.normalized_char_count() {
        for node in surroundings {
            node.remove_from_parent();
        }
    }
    Walker::new(base).walk(&root)
}

fn after<'a>(node: &NodeRef<'a>, root: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    node.first_child().or_else(|| after_subtree(node, root))
}

fn after_subtree<'a>(node: &NodeRef<'a>, root: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    let mut at = *node;
    while at.id != root.id {
        if let Some(next) = at.next_sibling() {
            return Some(next);
        }
        at = at.parent()?;
    }
    None
}

/// The page's only `<main>`, when it holds most of the page's text.
fn main<'a>(body: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    let mut found = body
        .descendants_it()
        .filter(|n| n.has_name("main") || tree::attr(n, "role") == "main");
    let first = found.next()?;
    let alone = found.all(|n| n.ancestors_it(None).any(|a| a.id == first.id));
    let substantial = first.normalized_char_count() * 4 >= body.normalized_char_count();
    (alone && substantial).then_some(first)
}

/// Whether an element surrounds a page's content rather than being part of it.
fn is_around(node: &NodeRef) -> bool {
    match tree::name(node).as_ref() {
        "nav" | "aside" => return true,
        "header" | "footer" => {
            return !node
                .ancestors_it(None)
                .any(|a| matches!(tree::name(&a).as_ref(), "article" | "main" | "section"));
        }
        _ => {}
    }
    node.element_ref().is_some_and(|element| {
        element
            .attrs
            .iter()
            .any(|attr| match attr.name.local.as_ref() {
                "role" => matches!(
                    &*attr.value,
                    "navigation" | "banner" | "contentinfo" | "complementary" | "search" | "dialog"
                ),
                "class" => attr.value.split_ascii_whitespace().any(|class| {
                    matches!(
                        class,
                        "navheader"
                            | "navfooter"
                            | "docnav"
                            | "breadcrumb"
                            | "breadcrumbs"
                            | "pagination"
                            | "skip-link"
                    )
                }),
                _ => false,
            })
    })
}
