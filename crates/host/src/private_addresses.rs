//! Private addresses: those of this machine and of the local network. This module recognises them,
//! and gives the browser patterns for them.
//!
//! Example: `web` checks `127.0.0.1` with [`is_private`] before it sends a request. The
//! browser gets patterns for the same addresses, so that it blocks redirects to them. Tests assert
//! that the function and the patterns agree.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Top-level names that no public site has. Some are from RFC 6761, RFC 6762 and RFC 8375, and
/// `.internal` is from ICANN. The others are names that routers use.
const NAMES: [&str; 9] = [
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "private",
    "lan",
    "home",
    "home.arpa",
];

/// Public names that resolve to private addresses by design. `nip.io` and `sslip.io` resolve to the
/// address in the name, as in `127.0.0.1.nip.io`. `localtest.me` and `lvh.me` resolve to this
/// machine, and `fritz.box` to the router in many homes. Public sites don't use them. Other names
/// of this kind can't be recognised.
const PUBLIC_ALIASES: [&str; 5] = ["nip.io", "sslip.io", "localtest.me", "lvh.me", "fritz.box"];

/// A pattern for the URLs of private IPv4 addresses in canonical form. It matches the addresses for
/// which [`is_private_v4`] returns true.
const V4: &str = concat!(
    r"^(https?|wss?)://((0|10|127|22[4-9]|2[3-5][0-9])\.[0-9]+|192\.168|172\.(1[6-9]|2[0-9]|3[01])|169\.254",
    r"|100\.(6[4-9]|[7-9][0-9]|1[01][0-9]|12[0-7])|192\.0\.[02]|198\.51\.100|198\.1[89]|203\.0\.113)",
    r"\.[0-9.]+[:/]",
);

/// A pattern for the URLs of private IPv6 addresses. It matches the addresses for which
/// [`is_private_v6`] returns true.
const V6: &str = r"^(https?|wss?)://\[([^23]|[23][0-9a-f]{0,2}[:\]]|2001:(0?:|2:0?:|1[0-9a-f]:|db8:)|2002:|3fff:[0-9a-f]{0,3}:)";

/// The possible beginnings of a redirect's target address.
const PRIVATE_HOST_PREFIXES: [&str; 3] = ["http://", "https://", "//"];

/// Patterns for private hosts, and for the text after the host; `*` matches any text.
const PRIVATE_HOSTS: [&str; 12] = [
    "127.*",
    "10.*.*.*",
    "0.0.0.0*",
    "0x*",
    "192.168.*",
    "169.254.*",
    "localhost",
    "localhost/*",
    "localhost:*",
    "[::*",
    "[fc*",
    "[fd*",
];

/// Returns true if a host is private. `host` must be in the form that the browser returns.
pub fn is_private(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse() {
        Ok(IpAddr::V4(address)) => is_private_v4(address),
        Ok(IpAddr::V6(address)) => is_private_v6(address),
        // A host in brackets that isn't a valid address counts as private too.
        Err(_) => host.starts_with('[') || is_private_name(host),
    }
}

/// Returns regular expressions for the URLs of private addresses, for the browser's request rules.
/// There are four, because Chrome limits the compiled size of each to 2 KB.
pub fn private_patterns() -> [String; 4] {
    let [names, outward] =
        [&NAMES[..], &PUBLIC_ALIASES[..]].map(|names| names.join("|").replace('.', r"\."));
    [
        V4.to_owned(),
        V6.to_owned(),
        // The second alternative matches names without a dot.
        format!(r"^(https?|wss?)://(([^/?#:]*\.)?({names})|[^/?#:.\[]+)\.?[:/]"),
        format!(r"^(https?|wss?)://([^/?#:]*\.)?({outward})\.?[:/]"),
    ]
}

/// Returns patterns for the header `Location` of redirects to a private address. `*` matches
/// slashes too, so a public address with `.local/` in its path also matches.
pub fn private_redirect_patterns() -> Vec<String> {
    let ends = |name: String| ["", "/*", ":*"].map(|end| format!("{name}{end}"));
    let within = NAMES.into_iter().chain(PUBLIC_ALIASES);
    let within = within.flat_map(|name| ends(format!("*.{name}")));
    let within = within.chain(
        PUBLIC_ALIASES
            .into_iter()
            .flat_map(|name| ends(name.to_owned())),
    );
    // The network 172.16.0.0/12.
    let shared = (16..=31).map(|second| format!("172.{second}.*"));
    let plainly = PRIVATE_HOSTS.map(str::to_owned).into_iter();
    let plainly = plainly.chain(shared).chain(within);
    let whole =
        plainly.flat_map(|rest| PRIVATE_HOST_PREFIXES.map(|begin| format!("{begin}{rest}")));
    whole.collect()
}

fn is_private_name(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let is_within = |name: &str| {
        let before = host.strip_suffix(name);
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    // A name without a dot is resolved in the local network.
    !host.contains('.') || NAMES.into_iter().chain(PUBLIC_ALIASES).any(is_within)
}

/// Returns true for the IPv4 addresses that are not globally reachable by IANA's special-purpose
/// registry, and for multicast addresses.
fn is_private_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    match (a, b, c) {
        // This network, private use, loopback; multicast, reserved, broadcast.
        (0 | 10 | 127 | 224..=255, ..)
        // Private use, link-local, shared by carriers.
        | (192, 168, _)
        | (172, 16..=31, _)
        | (169, 254, _)
        | (100, 64..=127, _)
        // Protocol assignments, documentation, benchmarks.
        | (192, 0, 0 | 2)
        | (198, 51, 100)
        | (198, 18..=19, _)
        | (203, 0, 113) => true,
        _ => false,
    }
}

/// Returns true for addresses outside `2000::/3`, the only range of public hosts. Within
/// `2000::/3`, returns true for Teredo, benchmarks, ORCHID, documentation and 6to4. An IPv6 form of
/// an IPv4 address counts as private too, because public sites don't use it.
fn is_private_v6(address: Ipv6Addr) -> bool {
    let [first, second, third, ..] = address.segments();
    !(0x2000..0x4000).contains(&first)
        || (first == 0x2001 && matches!((second, third), (0 | 0x10..=0x1f | 0xdb8, _) | (2, 0)))
        || first == 0x2002
        || (first == 0x3fff && second < 0x1000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gloss_host_sim::Sim;
    use regex::Regex;

    /// Returns a host in the browser's form, and a URL with that host.
    fn written(host: &str) -> (String, String) {
        let web = Sim::new(1).host().web;
        let address = web.address(&format!("https://{host}/x?y=z"));
        let address = address.unwrap_or_else(|| panic!("{host}"));
        (address.host, address.href)
    }

    #[test]
    fn what_the_browser_is_told_is_what_is_judged() {
        let patterns = private_patterns().map(|it| Regex::new(&it).unwrap());
        let mut hosts: Vec<String> = Vec::new();
        for a in 0..=255_u8 {
            for (b, c) in [
                (0, 0),
                (0, 2),
                (18, 1),
                (51, 100),
                (0, 113),
                (64, 9),
                (127, 0),
                (254, 1),
            ] {
                hosts.push(format!("{a}.{b}.{c}.1"));
            }
        }
        for b in 0..=255_u8 {
            for a in [100, 169, 172, 192, 198, 203] {
                hosts.push(format!("{a}.{b}.7.255"));
            }
        }
        let sixes = (0..=0xffff_u32)
            .step_by(13)
            .chain([0, 0x2000, 0x2001, 0x2002, 0x3fff, 0x4000]);
        for first in sixes {
            for rest in [
                ":",
                "0:1:2:3:4:5:6",
                "db8:0:1::",
                "808:808::",
                "fff::1",
                "1000::1",
                "2::1",
                "2:0:5::",
                "2:1::1",
                "2:0:0:1:2:3:4",
                "20::1",
                "1::1",
                "10::1",
                "1f:a::1",
                "1ff::1",
            ] {
                let rest = if rest == ":" {
                    "::1".to_owned()
                } else {
                    format!(":{rest}")
                };
                hosts.push(format!("[{first:x}{rest}]"));
            }
        }
        hosts.extend(["[::]", "[::1]", "[::ffff:8.8.8.8]", "[64:ff9b::1]"].map(str::to_owned));
        for name in NAMES.into_iter().chain(PUBLIC_ALIASES) {
            for host in [
                name.to_owned(),
                format!("{name}."),
                format!("a.{name}"),
                format!("{name}.example"),
                format!("not{name}.example"),
            ] {
                hosts.push(host);
            }
        }
        hosts.extend(
            [
                "router",
                "tides.example",
                "163.com",
                "10.example.com",
                "xn--r8jz45g.jp",
            ]
            .map(str::to_owned),
        );
        let mut private = 0;
        for host in &hosts {
            let (host, href) = written(host);
            let told = patterns.iter().any(|it| it.is_match(&href));
            assert_eq!(told, is_private(&host), "{href}");
            private += usize::from(told);
        }
        assert!(
            private > 1_000 && hosts.len() - private > 1_000,
            "{private}"
        );
    }

    /// Matches a value as Chrome's `declarativeNetRequest` does.
    fn matches(pattern: &str, value: &str) -> bool {
        let pattern = regex::escape(pattern)
            .replace(r"\*", ".*")
            .replace(r"\?", ".?");
        Regex::new(&format!("^{pattern}$")).unwrap().is_match(value)
    }

    #[test]
    fn a_redirect_that_plainly_leads_there_is_known_and_no_other() {
        let patterns = private_redirect_patterns();
        for (location, leads) in [
            ("http://127.0.0.1/x", true),
            ("https://10.1.2.3:8443/", true),
            ("//192.168.0.1", true),
            ("http://172.20.0.1/", true),
            ("http://0x7f.1/", true),
            ("http://localhost:11434/api", true),
            ("http://localhost", true),
            ("http://printer.local/", true),
            ("http://nas.lan:5000/", true),
            ("http://fritz.home.arpa", true),
            ("http://10.0.0.1.nip.io/", true),
            ("https://lvh.me:8443/", true),
            ("//fritz.box", true),
            ("https://a.example/lvh.me", false),
            ("https://notlvh.me/", false),
            ("http://[::1]/", true),
            ("http://[fd12::1]/", true),
            ("/there", false),
            ("/cdn//127.0.0.1.png", false),
            ("https://a.example/x//10.1.2.3", false),
            ("https://a.example/?next=http://localhost/", false),
            ("https://172.32.0.1/", false),
            ("https://a.example//0x12", false),
            ("https://localhost.example/", false),
            ("https://www.tides.example/local", false),
        ] {
            let found = patterns.iter().any(|pattern| matches(pattern, location));
            assert_eq!(found, leads, "{location}");
        }
    }
}
