//! Finds the encoding of a text. As in browsers, the byte order mark counts first, then the content
//! type, then the XML or HTML declaration. Without these, the encoding is UTF-8 if the text is
//! valid UTF-8, otherwise windows-1252.

use gloss_host::Web;

/// The number of bytes in which HTML must declare its encoding (HTML standard).
const EARLY: usize = 1024;

/// Decodes a body, and removes null characters. `declared` is its content type.
pub(super) fn text(web: &dyn Web, declared: &str, bytes: &[u8]) -> String {
    let named = [by_mark(bytes), by_header(declared), by_head(bytes)];
    let known = named.into_iter().flatten();
    let mut decoded = known.filter_map(|name| web.decode(bytes, &name));
    let decoded = decoded.next().or_else(|| {
        let is_utf8 = std::str::from_utf8(bytes).is_ok();
        web.decode(bytes, if is_utf8 { "utf-8" } else { "windows-1252" })
    });
    let mut text = decoded.unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned());
    if text.contains('\0') {
        text.retain(|it| it != '\0');
    }
    text
}

fn by_mark(bytes: &[u8]) -> Option<String> {
    let marks: [(&[u8], &str); 3] = [
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe", "utf-16le"),
        (b"\xfe\xff", "utf-16be"),
    ];
    let found = marks.into_iter().find(|(mark, _)| bytes.starts_with(mark));
    found.map(|(_, name)| name.to_owned())
}

/// Returns the charset that a content type names.
pub(super) fn by_header(declared: &str) -> Option<String> {
    named(declared.split_once(';')?.1, "charset")
}

/// Returns the encoding that the beginning of a body declares: `<?xml version="1.0"
/// encoding="gbk"?>`, `<meta charset=gbk>`, or a content type in a `meta` tag.
fn by_head(bytes: &[u8]) -> Option<String> {
    let head = bytes.get(..EARLY).unwrap_or(bytes);
    let head: String = head.iter().map(|byte| char::from(*byte)).collect();
    let head = head.to_ascii_lowercase();
    let mut tags = head.split('<').filter_map(|tag| tag.split('>').next());
    tags.find_map(|tag| match tag.split([' ', '\n']).next()? {
        "?xml" => named(tag, "encoding"),
        "meta" => named(tag, "charset"),
        _ => None,
    })
}

fn named(text: &str, attribute: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let (_, rest) = lower.split_once(attribute)?;
    let rest = rest.trim_start().strip_prefix('=')?.trim_start();
    let rest = rest.trim_start_matches(['"', '\'']);
    let end =
        rest.find(|it: char| matches!(it, '"' | '\'' | ';' | '/' | '>') || it.is_whitespace());
    let name = rest.get(..end.unwrap_or(rest.len()))?;
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use gloss_host_sim::Sim;

    #[test]
    fn a_text_is_read_in_the_encoding_that_it_or_its_server_names() {
        let web = Sim::new(1).host().web;
        for (declared, bytes, expected) in [
            ("text/html; charset=gbk", &b"\xb3\xb1\xcf\xab"[..], "潮汐"),
            ("text/html; charset=\"GB2312\"", b"\xb3\xb1\xcf\xab", "潮汐"),
            (
                "text/html",
                b"<meta charset=shift_jis>\x92\xaa",
                "<meta charset=shift_jis>潮",
            ),
            (
                "text/html",
                b"<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=Shift_JIS'>\x92\xaa",
                "<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=Shift_JIS'>潮",
            ),
            ("text/plain", b"\xe6\xbd\xae", "潮"),
            ("text/plain; charset=iso-8859-1", b"caf\xe9", "café"),
            ("text/plain", b"caf\xe9", "café"),
            ("text/html; charset=gbk", b"\xef\xbb\xbf\xe6\xbd\xae", "潮"),
            (
                "text/html; charset=no-such",
                b"<meta charset=gbk>\xb3\xb1",
                "<meta charset=gbk>潮",
            ),
            (
                "application/rss+xml",
                b"<?xml version='1.0' encoding='GBK'?><rss>\xb3\xb1",
                "<?xml version='1.0' encoding='GBK'?><rss>潮",
            ),
            (
                "application/rss+xml; charset=shift_jis",
                b"<?xml encoding=\"gbk\"?>\x92\xaa",
                "<?xml encoding=\"gbk\"?>潮",
            ),
            ("text/plain; charset=utf-8", b"a\xffb", "a\u{fffd}b"),
            ("text/plain", b"a\0b", "ab"),
            ("text/plain; charset=utf-16", b"\x6e\x6f", "潮"),
            ("text/plain; charset=UTF-16BE", b"\x6f\x6e", "潮"),
            ("", b"", ""),
        ] {
            assert_eq!(text(&*web, declared, bytes), expected, "{declared}");
        }
        assert_eq!(text(&*web, "text/plain", b"\xff\xfe\x6e\x6f"), "潮");
        assert_eq!(text(&*web, "text/plain", b"\xfe\xff\x6f\x6e"), "潮");
    }
}
