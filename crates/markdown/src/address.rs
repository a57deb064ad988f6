//! Addresses of links: which may be pressed, and which don't lead where their
//! words say.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Whether an address may be pressed: the three schemes that open a page or a letter.
pub(super) fn is_safe(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once(':') else {
        return false;
    };
    let known = ["http", "https", "mailto"]
        .iter()
        .any(|safe| scheme.eq_ignore_ascii_case(safe));
    known && !rest.trim_matches(['/', '\\']).is_empty()
}

/// The host of a page's address as a browser reads it, in lower case, where that is plain: `None`
/// of what a browser makes another host of (numbers in odd forms, escapes, letters of other
/// widths), and of a letter.
pub fn plain_host(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once(':')?;
    if scheme.eq_ignore_ascii_case("mailto") {
        return None;
    }
    let host = host(rest.trim_start_matches(['/', '\\']));
    let host = host.replace(['。', '．', '｡'], ".").to_lowercase();
    if is_ipv6(&host) {
        return Some(host);
    }
    let host = host.strip_suffix('.').unwrap_or(&host).to_owned();
    let is_plain = |label: &str| !label.is_empty() && label.chars().all(is_of_a_name);
    if !host.split('.').all(is_plain) {
        return None;
    }
    // What ends in a number is one to a browser (the URL standard, "ends in a number").
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_number = last.bytes().all(|it| it.is_ascii_digit()) || last.starts_with("0x");
    (!is_number || host.parse::<Ipv4Addr>().is_ok()).then_some(host)
}

/// Whether a character stands in names of hosts for itself, and no browser makes an ASCII one of
/// it (UTS #46): of ASCII, of Latin with marks, of the scripts from Greek to Hangul.
fn is_of_a_name(character: char) -> bool {
    matches!(
        character,
        'a'..='z'
            | '0'..='9'
            | '-'
            | '_'
            | '\u{df}'..='\u{f6}'
            | '\u{f8}'..='\u{131}'
            | '\u{142}'..='\u{148}'
            | '\u{14b}'..='\u{17e}'
            | '\u{370}'..='\u{1cff}'
            | '\u{3041}'..='\u{31ff}'
            | '\u{3400}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
    )
}

/// Where a link leads, if its words name another place: `bank.example` as the
/// words of a link to `evil.example`.
pub(super) fn unlike(words: &str, url: &str) -> Option<String> {
    let target = target(url)?;
    let named = words.split(is_apart).find_map(place)?;
    (bare(&named) != bare(&target)).then_some(target)
}

/// The host of a page's address, the addressee of a letter's.
fn target(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once(':')?;
    if scheme.eq_ignore_ascii_case("mailto") {
        return Some(rest.split('?').next()?.to_lowercase());
    }
    // Browsers take any number of slashes of either kind.
    let authority = rest.trim_start_matches(['/', '\\']);
    Some(host(authority).to_lowercase())
}

/// The host at the start of an address without its scheme; whatever stands
/// before an `@` is a name to log in with.
fn host(authority: &str) -> &str {
    let end = authority
        .find(['/', '\\', '?', '#'])
        .unwrap_or(authority.len());
    let authority = authority.get(..end).unwrap_or(authority);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    // The colons of an address of IPv6 end no host.
    if let Some(end) = host.find(']').filter(|_| host.starts_with('[')) {
        return host.get(..=end).unwrap_or(host);
    }
    host.split(':').next().unwrap_or(host)
}

/// The host or addressee that a word of a link names, if it looks like one.
fn place(word: &str) -> Option<String> {
    let word = unmarked(word);
    if let Some((_, after)) = word.split_once("://") {
        return Some(host(after).to_lowercase()).filter(|host| !host.is_empty());
    }
    if let Some((name, host)) = word.split_once('@')
        && !name.is_empty()
        && is_host(host)
    {
        return Some(word.to_lowercase());
    }
    let host = host(word);
    is_host(host).then(|| host.to_lowercase())
}

fn is_host(text: &str) -> bool {
    if is_ipv6(text) {
        return true;
    }
    let labels: Vec<&str> = text.split('.').collect();
    let plain =
        |label: &&str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    // A country's own name for itself may stand as ASCII that means it: `xn--p1ai`.
    let ends = |last: &&str| {
        let is_name = last.chars().all(char::is_alphabetic);
        last.chars().count() > 1 && is_name || last.to_ascii_lowercase().starts_with("xn--")
    };
    labels.len() > 1 && labels.iter().all(plain) && labels.last().is_some_and(ends)
}

/// What names no place though it looks like a host: kinds of files.
const FILES: [&str; 15] = [
    "js", "jsx", "ts", "tsx", "json", "txt", "html", "htm", "css", "pdf", "csv", "xml", "yml",
    "yaml", "toml",
];

/// The words of a text that name a place: addresses, hosts by name or number, addressees. In
/// their order, without the marks around them.
pub fn addresses(text: &str) -> Vec<&str> {
    const APART: &str = "，。；、！？：（）「」`;{}";
    let apart = |it: char| is_apart(it) || APART.contains(it);
    let mut named = Vec::new();
    for piece in text.split(apart) {
        // Its brackets are part of an address of IPv6, and of no other.
        let brackets: &[char] = if ipv6(piece).is_some() {
            &[]
        } else {
            &['[', ']']
        };
        let words = piece.split(brackets).map(unmarked);
        named.extend(words.filter(|word| names_a_place(word)));
    }
    named
}

/// A word without the marks around it.
fn unmarked(word: &str) -> &str {
    let is_mark = |c: char| !c.is_alphanumeric() && c != '/';
    let from = word.len() - word.trim_start_matches(is_mark).len();
    let to = word.trim_end_matches(is_mark).len();
    let (from, to) = match ipv6(word) {
        Some((open, close)) => (from.min(open), to.max(close)),
        None => (from, to),
    };
    word.get(from..to).unwrap_or_default()
}

/// From where to where an address of IPv6 stands in a word, with its brackets (RFC 3986
/// section 3.2.2).
fn ipv6(word: &str) -> Option<(usize, usize)> {
    let opens = word.match_indices('[');
    let mut within = opens.filter_map(|(open, _)| {
        let close = open + word.get(open..)?.find(']')? + 1;
        is_ipv6(word.get(open..close)?).then_some((open, close))
    });
    within.next()
}

fn is_ipv6(host: &str) -> bool {
    let within = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    within.is_some_and(|it| it.parse::<Ipv6Addr>().is_ok())
}

/// Whether an address that is named is a known one, or is its host alone: `evil.example` is
/// nothing of `https://notevil.example/` nor of `https://a.example/?to=evil.example`.
pub fn is_of(named: &str, known: &str) -> bool {
    let ((place, rest), (known_place, known_rest)) = (in_parts(named), in_parts(known));
    bare(&place) == bare(&known_place) && (rest.is_empty() || rest == known_rest)
}

/// The host, or the addressee of a letter, and what stands behind it.
fn in_parts(word: &str) -> (String, String) {
    let plain = word.replace(['．', '｡'], ".");
    let (is_page, address) = match plain.split_once("://") {
        Some((_, after)) => (true, after),
        None => (false, plain.as_str()),
    };
    let host = host(address);
    let end = address.find(['/', '\\', '?', '#']).unwrap_or(address.len());
    let (authority, path) = address.split_at(end);
    // Who logs in is no part of where; who a letter is to is.
    let logs_in = authority.rfind('@').map_or(0, |at| at + 1);
    if !is_page && logs_in > 0 {
        return (authority.to_lowercase(), path.to_owned());
    }
    let port = authority.get(logs_in + host.len()..).unwrap_or_default();
    let rest = format!("{port}{path}");
    (host.to_lowercase(), rest.trim_end_matches('/').to_owned())
}

fn names_a_place(word: &str) -> bool {
    // Dots of other scripts are dots of a host to a browser.
    let plain = word.replace(['．', '｡'], ".");
    let named = host(&plain);
    let numbers = |host: &str| {
        let mut parts = host.split('.');
        parts.clone().count() == 4 && parts.all(|part| part.parse::<u8>().is_ok())
    };
    let is_file = named
        .rsplit('.')
        .next()
        .is_some_and(|end| FILES.contains(&end));
    numbers(named) || place(&plain).is_some_and(|_| !is_file || plain.contains("://"))
}

fn is_apart(character: char) -> bool {
    character.is_whitespace() || matches!(character, '(' | ')' | '<' | '>' | '"' | '“' | '”' | ',')
}

fn bare(host: &str) -> &str {
    let host = host.strip_suffix('.').unwrap_or(host);
    host.strip_prefix("www.").unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_a_place_in_a_text_is_known() {
        for (text, named) in [
            ("Send it to evil.example.", &["evil.example"][..]),
            (
                "(see www.a.example/x?y=1, or 10.0.0.1:80)",
                &["www.a.example/x?y=1", "10.0.0.1:80"],
            ),
            (
                "mail ada@a.example; 见https://b.example/潮汐。",
                &["ada@a.example", "见https://b.example/潮汐"],
            ),
            ("to evil．example", &["evil．example"]),
            ("http://localhost:8080/", &["http://localhost:8080/"]),
            (
                "See [http://[::1]/a], http://[2001:db8::7] or [::1]:80.",
                &["http://[::1]/a", "http://[2001:db8::7]", "[::1]:80"],
            ),
            (
                "кто.xn--p1ai, mail a@b.XN--P1AI",
                &["кто.xn--p1ai", "a@b.XN--P1AI"],
            ),
            ("a list[0] of [a], ::1 and [1:2]", &[]),
            (
                "e.g. 3.5 m at 7 a.m. in the U.S.A, by Node.js and tides.txt",
                &[],
            ),
            ("It is 7:30, ada@home and 1.2.3", &[]),
        ] {
            assert_eq!(addresses(text), named, "{text}");
        }
    }

    #[test]
    fn an_address_is_of_another_where_it_is_that_or_its_host() {
        let known = "https://tides.example/brest?h=1";
        for (named, known, is) in [
            ("tides.example", known, true),
            ("www.Tides.example.", known, true),
            ("https://tides.example/", known, true),
            ("tides.example/brest?h=1", known, true),
            ("tides.example/brest", known, false),
            ("https://tides.example/collect", known, false),
            ("https://tides.example:8080", known, false),
            ("ides.example", known, false),
            ("evil.example", "https://notevil.example/", false),
            ("evil.example", "https://a.example/?to=evil.example", false),
            ("evil.example", "https://evil.example@a.example/", false),
            ("mallory@tides.example", known, false),
            ("ada@a.example", "ADA@a.example", true),
            ("a.example", "https://ada@a.example/", true),
            ("10.0.0.1", "10.0.0.1:80", true),
            ("10.0.0.1", "10.0.0.11", false),
            ("tides．example", known, true),
        ] {
            assert_eq!(is_of(named, known), is, "{named} of {known}");
        }
    }

    #[test]
    fn a_link_that_names_another_place_is_known() {
        for (words, url, shown) in [
            (
                "bank.example",
                "https://evil.example/",
                Some("evil.example"),
            ),
            (
                "https://bank.example/a",
                "https://evil.example/",
                Some("evil.example"),
            ),
            (
                "bank.example",
                "https://bank.example@evil.example/",
                Some("evil.example"),
            ),
            (
                "bank.example",
                "https:\\\\evil.example\\bank.example",
                Some("evil.example"),
            ),
            ("bank.example", "https:evil.example", Some("evil.example")),
            (
                "go to (bank.example)!",
                "https://evil.example",
                Some("evil.example"),
            ),
            (
                "a@bank.example",
                "mailto:b@evil.example?x",
                Some("b@evil.example"),
            ),
            (
                "a@bank.example",
                "https://evil.example",
                Some("evil.example"),
            ),
            ("http://[::1]", "http://[::2]/", Some("[::2]")),
            ("http://[::1]", "http://[::1]:80/", None),
            (
                "bank.xn--p1ai",
                "https://evil.example/",
                Some("evil.example"),
            ),
            ("www.Bank.example", "HTTPS://bank.EXAMPLE:443/x", None),
            (
                "https://bank.example/a?b",
                "https://bank.example/other",
                None,
            ),
            ("a@bank.example", "mailto:A@bank.example", None),
            ("Tide tables", "https://evil.example/", None),
            ("e.g. 3.5 and so on.", "https://a.example/", None),
            ("潮汐表", "https://a.example/", None),
        ] {
            assert_eq!(unlike(words, url).as_deref(), shown, "{words} {url}");
        }
    }
}
