//! Judges the addresses of links, and finds addresses in a text.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Returns the target of a link that is safe to click; `None` for others. Only http, https and
/// mailto are safe, because they open a page or an email. The email's text and all other headers
/// are removed, because the user would not see them before the email is written.
pub(super) fn safe_target(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once(':')?;
    let is = |safe: &str| scheme.eq_ignore_ascii_case(safe);
    let rest = match rest.find(['?', '#']).filter(|_| is("mailto")) {
        Some(end) => rest.get(..end)?,
        None => rest,
    };
    let is_empty = rest.trim_matches(['/', '\\']).is_empty();
    let is_known = is("http") || is("https") || is("mailto");
    (is_known && !is_empty).then(|| format!("{scheme}:{rest}"))
}

/// Returns the host of a page's address as a browser reads it, in lower case. `None` for email
/// addresses, and for hosts that a browser would change: numbers in unusual forms, escapes and
/// full-width letters.
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
    // A browser reads a host that ends in a number as an IPv4 address (URL standard, "ends in a
    // number").
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_number = last.bytes().all(|it| it.is_ascii_digit()) || last.starts_with("0x");
    (!is_number || host.parse::<Ipv4Addr>().is_ok()).then_some(host)
}

/// Returns true if browsers keep this character in a host name unchanged, without mapping it to
/// ASCII (UTS #46). Such characters are ASCII, Latin letters with marks, and letters of the scripts
/// from Greek to Hangul.
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

/// Returns the host at the start of an address without its scheme. The part before an `@` is a user
/// name.
fn host(authority: &str) -> &str {
    let end = authority
        .find(['/', '\\', '?', '#'])
        .unwrap_or(authority.len());
    let authority = authority.get(..end).unwrap_or(authority);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    // The colons in an IPv6 address are a part of the host.
    if let Some(end) = host.find(']').filter(|_| host.starts_with('[')) {
        return host.get(..=end).unwrap_or(host);
    }
    host.split(':').next().unwrap_or(host)
}

/// Returns the host or the email address that a word contains; `None` for other words.
fn host_in(word: &str) -> Option<String> {
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
    // A top-level domain may be written in Punycode, as in `xn--p1ai`.
    let ends = |last: &&str| {
        let is_name = last.chars().all(char::is_alphabetic);
        last.chars().count() > 1 && is_name || last.to_ascii_lowercase().starts_with("xn--")
    };
    labels.len() > 1 && labels.iter().all(plain) && labels.last().is_some_and(ends)
}

/// File extensions. They look like top-level domains, but are not.
const FILES: [&str; 15] = [
    "js", "jsx", "ts", "tsx", "json", "txt", "html", "htm", "css", "pdf", "csv", "xml", "yml",
    "yaml", "toml",
];

/// Returns the words of a text that are addresses: URLs, hosts, IP addresses and email addresses,
/// in order and without the punctuation around them.
pub fn addresses(text: &str) -> Vec<&str> {
    const APART: &str = "，。；、！？：（）「」`;{}";
    let apart = |it: char| is_apart(it) || APART.contains(it);
    let mut named = Vec::new();
    for piece in text.split(apart) {
        // Brackets belong to an address only if it is an IPv6 address.
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

/// Returns a word without the punctuation around it.
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

/// Returns the range of an IPv6 address in a word, including its brackets (RFC 3986 section 3.2.2).
fn ipv6(word: &str) -> Option<(usize, usize)> {
    // An address contains no further bracket, so only the last `[` before each `]` can open one.
    let mut from = 0;
    word.match_indices(']').find_map(|(at, _)| {
        let (start, close) = (std::mem::replace(&mut from, at + 1), at + 1);
        let open = start + word.get(start..at)?.rfind('[')?;
        is_ipv6(word.get(open..close)?).then_some((open, close))
    })
}

fn is_ipv6(host: &str) -> bool {
    let within = host.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    within.is_some_and(|it| it.parse::<Ipv6Addr>().is_ok())
}

/// Returns true if `named` is the address `known`, or only its host. `evil.example` matches neither
/// `https://notevil.example/` nor `https://a.example/?to=evil.example`.
pub fn matches_address(named: &str, known: &str) -> bool {
    let ((place, rest), (known_place, known_rest)) = (split_address(named), split_address(known));
    without_www(&place) == without_www(&known_place) && (rest.is_empty() || rest == known_rest)
}

/// Splits an address into its host or email address, and the rest.
fn split_address(word: &str) -> (String, String) {
    let plain = word.replace(['．', '｡'], ".");
    let (is_page, address) = match plain.split_once("://") {
        Some((_, after)) => (true, after),
        None => (false, plain.as_str()),
    };
    let host = host(address);
    let end = address.find(['/', '\\', '?', '#']).unwrap_or(address.len());
    let (authority, path) = address.split_at(end);
    // In a URL, the part before the `@` is a user name, which is ignored. In an email address, it
    // is the recipient.
    let logs_in = authority.rfind('@').map_or(0, |at| at + 1);
    if !is_page && logs_in > 0 {
        return (authority.to_lowercase(), path.to_owned());
    }
    let port = authority.get(logs_in + host.len()..).unwrap_or_default();
    let rest = format!("{port}{path}");
    (host.to_lowercase(), rest.trim_end_matches('/').to_owned())
}

fn names_a_place(word: &str) -> bool {
    // Browsers treat the full stops of other scripts as dots in a host.
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
    numbers(named) || host_in(&plain).is_some_and(|_| !is_file || plain.contains("://"))
}

fn is_apart(character: char) -> bool {
    character.is_whitespace() || matches!(character, '(' | ')' | '<' | '>' | '"' | '“' | '”' | ',')
}

fn without_www(host: &str) -> &str {
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
            assert_eq!(matches_address(named, known), is, "{named} of {known}");
        }
    }
}
