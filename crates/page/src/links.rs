//! Makes link addresses absolute, and rejects the schemes that a reader must not follow.
//!
//! Example: on `https://a.example/x/y`, the link `../z?q=1` becomes
//! `https://a.example/z?q=1`, and `javascript:alert(1)` becomes `None`. The rules are those of RFC
//! 3986 section 5.2, applied leniently. Hosts are not checked, because this crate opens no
//! connection.

use std::fmt::Write as _;

/// Resolves `href` on the page `base`. Returns `None` if the scheme isn't allowed, or if the link
/// leads to a position on the same page.
pub(super) fn resolve(base: &str, href: &str) -> Option<String> {
    // Browsers remove these characters before they read the scheme. `java\tscript:` is therefore a
    // `javascript:` link.
    let href: String = href
        .chars()
        .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
        .collect();
    let href = href.trim_matches(|c: char| c <= ' ' || c.is_whitespace());
    if href.is_empty() || href.starts_with('#') {
        return None;
    }
    let absolute = match scheme(href) {
        Some(_) => href.to_owned(),
        None => join(base, href)?,
    };
    let allowed = matches!(
        scheme(&absolute)?.to_ascii_lowercase().as_str(),
        "http" | "https" | "mailto"
    );
    allowed.then(|| encode(&absolute))
}

/// Returns the address against which the page's relative links are resolved. `declared` is the
/// address in the page's `<base>` element.
pub(super) fn base(page: &str, declared: Option<&str>) -> String {
    declared
        .and_then(|href| resolve(page, href))
        .unwrap_or_else(|| page.to_owned())
}

fn scheme(url: &str) -> Option<&str> {
    let (scheme, _) = url.split_once(':')?;
    let valid = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    valid.then_some(scheme)
}

fn join(base: &str, href: &str) -> Option<String> {
    let (base_scheme, rest) = base.split_once("://")?;
    if href.starts_with("//") {
        return Some(format!("{base_scheme}:{href}"));
    }
    let split = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, tail) = rest.split_at_checked(split)?;
    let path_end = tail.find(['?', '#']).unwrap_or(tail.len());
    let path = tail.get(..path_end)?;
    let joined = if href.starts_with('?') {
        format!("{path}{href}")
    } else if href.starts_with('/') {
        without_dots(href)
    } else {
        let folder = path
            .rfind('/')
            .and_then(|slash| path.get(..=slash))
            .unwrap_or("/");
        without_dots(&format!("{folder}{href}"))
    };
    Some(format!("{base_scheme}://{host}{joined}"))
}

fn without_dots(reference: &str) -> String {
    let end = reference.find(['?', '#']).unwrap_or(reference.len());
    let (path, query) = reference.split_at_checked(end).unwrap_or((reference, ""));
    let mut parts: Vec<&str> = Vec::new();
    let mut names = path.split('/').skip(1).peekable();
    while let Some(name) = names.next() {
        let last = names.peek().is_none();
        match name {
            "." | ".." => {
                if name == ".." {
                    parts.pop();
                }
                if last {
                    parts.push("");
                }
            }
            _ => parts.push(name),
        }
    }
    format!("/{}{query}", parts.join("/"))
}

/// Percent-encodes invisible characters, and characters that would end a Markdown link.
fn encode(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for c in url.chars() {
        if matches!(
            c,
            '(' | ')' | '<' | '>' | '\\' | '`' | '|' | '"' | '*' | '[' | ']'
        ) || c.is_whitespace()
            || super::run::is_invisible(c)
        {
            let mut utf8 = [0; 4];
            for byte in c.encode_utf8(&mut utf8).bytes() {
                // Writing to a string cannot fail.
                let _ = write!(out, "%{byte:02X}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hrefs_resolve_as_in_a_browser_or_are_no_links() {
        let page = "https://a.example/x/y?p#f";
        for (href, expected) in [
            ("z", Some("https://a.example/x/z")),
            ("../z?q=1", Some("https://a.example/z?q=1")),
            ("../../../z", Some("https://a.example/z")),
            ("./", Some("https://a.example/x/")),
            ("..", Some("https://a.example/")),
            ("/r", Some("https://a.example/r")),
            ("//b.example/c", Some("https://b.example/c")),
            ("?q", Some("https://a.example/x/y?q")),
            ("#f", None),
            ("", None),
            (
                "HTTP://b.example/a b(c)",
                Some("HTTP://b.example/a%20b%28c%29"),
            ),
            ("mailto:a@b.example", Some("mailto:a@b.example")),
            ("javascript:alert(1)", None),
            (" java\tscript:alert(1)", None),
            ("\u{1}javascript:alert(1)", None),
            ("data:text/html,x", None),
            ("file:///etc/passwd", None),
            ("vbscript:x", None),
        ] {
            assert_eq!(resolve(page, href).as_deref(), expected, "{href}");
        }
        assert_eq!(resolve("about:blank", "z"), None);
        assert_eq!(
            resolve("https://a.example", "z").as_deref(),
            Some("https://a.example/z")
        );
    }
}
