//! Reads preformatted text: its lines, and the language that its classes declare.
//!
//! Example: `<pre><code class="language-rust">` becomes a fenced block with `rust`. A
//! `<pre>` need not contain code: a browser also shows a plain text file as one `<pre>`.
//! [`super::plain`] recognises plain text.

use dom_query::NodeRef;

use super::{markdown, run, tree};

/// Returns the text of a `<pre>` and its Markdown, a fenced code block; `None` if the text is
/// blank.
pub(super) fn read(pre: &NodeRef) -> Option<(String, String)> {
    let mut text = String::new();
    for node in pre.descendants_it() {
        let added = tree::with_text(&node, |part| {
            text.extend(part.chars().filter_map(|c| match c {
                '\n' | '\t' => Some(c),
                '\u{a0}' => Some(' '),
                c if run::is_invisible(c) => None,
                c => Some(c),
            }));
        });
        if added.is_none() && node.has_name("br") {
            text.push('\n');
        }
    }
    let text = text.trim_matches('\n').trim_end();
    if text.trim().is_empty() {
        return None;
    }
    Some((text.to_owned(), markdown::fence(text, &language(pre))))
}

/// Returns the programming language that a class or an attribute such as `data-lang` declares, or
/// "" if none does. It may be declared on the `<pre>`, on the `<code>` inside it, or on one of the
/// two elements around it.
fn language(pre: &NodeRef) -> String {
    let inner = pre.children_it(false).find(|n| n.has_name("code"));
    let outer = pre.ancestors_it(Some(2));
    inner
        .into_iter()
        .chain([*pre])
        .chain(outer)
        .find_map(|node| declared(&node))
        .unwrap_or_default()
}

fn declared(node: &NodeRef) -> Option<String> {
    let data = ["data-lang", "data-language"]
        .into_iter()
        .map(|name| tree::attr(node, name))
        .find(|v| !v.is_empty());
    let class = tree::attr(node, "class");
    let mut names = class.split_ascii_whitespace();
    let language = data.or_else(|| {
        names.find_map(|name| {
            [
                "language-",
                "lang-",
                "highlight-source-",
                "highlight-",
                "brush:",
            ]
            .into_iter()
            .find_map(|prefix| name.strip_prefix(prefix))
            .map(|found| {
                found
                    .split([',', ';'])
                    .next()
                    .unwrap_or_default()
                    .to_owned()
            })
        })
    })?;
    let plain = language.len() <= 20
        && language
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+#-_.".contains(c));
    let none = matches!(
        language.as_str(),
        "" | "none" | "default" | "notranslate" | "plaintext" | "text"
    );
    (plain && !none).then(|| language.to_ascii_lowercase())
}
