//! Converts the HTML fragments in feeds to plain text.

use crate::xml::entity;

/// Elements that begin a new paragraph at their start and at their end.
const BLOCKS: [&str; 26] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "br",
    "dd",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "tr",
    "ul",
];

/// The maximum length of a character reference's name, in bytes.
const MOST_NAME: usize = 10;

/// Elements whose content is not text.
const UNREAD: [&str; 3] = ["script", "style", "template"];

pub(super) fn plain(html: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    let mut rest = html;
    let mut unclosed = false;
    while let Some((text, tail)) = rest.split_once('<') {
        say(&mut paragraphs, text);
        if let Some(comment) = tail.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
            continue;
        }
        let is_tag =
            tail.starts_with(|it: char| it.is_ascii_alphabetic() || it == '/' || it == '!');
        // If one tag has no `>`, no later tag has one either, so the search is not repeated.
        let end = || tail.split_once('>').filter(|_| is_tag);
        let Some((tag, behind)) = (!unclosed).then(end).flatten() else {
            unclosed |= is_tag;
            say(&mut paragraphs, "<");
            rest = tail;
            continue;
        };
        rest = behind;
        let closes = tag.starts_with('/');
        let name = tag.trim_start_matches('/');
        let end = name
            .find(|it: char| !it.is_ascii_alphanumeric())
            .unwrap_or(name.len());
        let name = name.get(..end).unwrap_or_default().to_ascii_lowercase();
        if BLOCKS.contains(&name.as_str()) {
            paragraphs.push(String::new());
        } else if UNREAD.contains(&name.as_str()) && !closes {
            let end = format!("</{name}");
            let behind = rest
                .split_once(end.as_str())
                .map_or("", |(_, behind)| behind);
            rest = behind.split_once('>').map_or("", |(_, behind)| behind);
        }
    }
    say(&mut paragraphs, rest);
    let folded = paragraphs
        .iter()
        .map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "));
    folded.filter(|it| !it.is_empty()).collect()
}

/// Adds text to the last paragraph, and resolves character references such as `&amp;`.
fn say(paragraphs: &mut [String], text: &str) {
    let Some(paragraph) = paragraphs.last_mut() else {
        return;
    };
    let mut rest = text;
    while let Some((before, tail)) = rest.split_once('&') {
        paragraph.push_str(before);
        // The `;` must follow within the length of the longest name, so only that much text is
        // searched.
        let near = tail.get(..tail.floor_char_boundary(MOST_NAME + 1));
        let name = near.and_then(|near| Some(near.split_once(';')?.0));
        if let Some((name, meant)) = name.and_then(|name| Some((name, reference(name)?))) {
            paragraph.push_str(&meant);
            rest = tail.get(name.len() + 1..).unwrap_or_default();
        } else {
            paragraph.push('&');
            rest = tail;
        }
    }
    paragraph.push_str(rest);
}

fn reference(name: &str) -> Option<String> {
    let Some(number) = name.strip_prefix('#') else {
        let meant = entity(name);
        return (!meant.is_empty()).then(|| meant.to_owned());
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code).map(String::from)
}
