//! Builds and parses the addresses of requests, without a URL library.

/// Appends a query to an address.
pub(super) fn with_query(address: &str, pairs: &[(&str, &str)]) -> String {
    let mut out = address.to_owned();
    for (at, (name, value)) in pairs.iter().enumerate() {
        out.push(if at == 0 { '?' } else { '&' });
        out.push_str(name);
        out.push('=');
        encode(value, &mut out);
    }
    out
}

/// Percent-encodes all characters except unreserved ones (RFC 3986 §2.3).
fn encode(text: &str, out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or_default();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            out.push(char::from(digit(byte >> 4)));
            out.push(char::from(digit(byte & 15)));
        }
    }
}

/// Returns the origin of a base URL, as in `https://api.example`, and the base URL without a slash
/// at its end. `None` if the URL contains a password or a query.
pub(super) fn base(url: &str) -> Option<(String, String)> {
    let url = url.trim();
    let (scheme, rest) = url.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let odd = |letter: char| letter.is_whitespace() || "?#@\\".contains(letter);
    if !matches!(scheme.as_str(), "http" | "https") || host.is_empty() || rest.contains(odd) {
        return None;
    }
    let origin = format!("{scheme}://{}", host.to_ascii_lowercase());
    let base = format!("{origin}{}", path.trim_end_matches('/'));
    Some((origin, base))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays_one_value() {
        assert_eq!(
            with_query("https://a.example/s", &[("q", "a&b=c #1 潮?"), ("n", "5")]),
            "https://a.example/s?q=a%26b%3Dc%20%231%20%E6%BD%AE%3F&n=5"
        );
        assert_eq!(with_query("https://a.example", &[]), "https://a.example");
    }

    #[test]
    fn a_base_is_an_address_without_secrets() {
        let of = |url: &str| base(url).map(|(origin, base)| format!("{origin} {base}"));
        for (url, expected) in [
            (
                "http://LocalHost:8080/",
                Some("http://localhost:8080 http://localhost:8080"),
            ),
            (
                " https://a.example/x/ ",
                Some("https://a.example https://a.example/x"),
            ),
            ("https://me:word@a.example", None),
            ("https://a.example?key=1", None),
            ("https://a.example/#x", None),
            ("ftp://a.example", None),
            ("a.example", None),
            ("https://", None),
            ("", None),
        ] {
            assert_eq!(of(url).as_deref(), expected, "{url}");
        }
    }
}
