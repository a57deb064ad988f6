//! The host and the site of an address.

/// Second-level names under which registries give domains to many owners, as in `bbc.co.uk`.
const SHARED: [&str; 10] = [
    "ac", "co", "com", "edu", "go", "gov", "ne", "net", "or", "org",
];

/// Returns the host of an address; the address itself if it has none.
pub fn host(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or(rest);
    host.rsplit('@').next().unwrap_or(host).to_lowercase()
}

/// Returns the site of an address: the part of its host that one owner has, as in `evil.example`
/// for `a.b.evil.example:8443`. The owner of a domain gains nothing by more hosts. Owners under a
/// rare second-level name, as in `a.gob.example`, share one site.
pub fn site(address: &str) -> String {
    let host = host(address);
    let name = host.split(':').next().unwrap_or(&host);
    let labels: Vec<&str> = name.trim_end_matches('.').rsplit('.').collect();
    let is_shared = labels.get(1).is_some_and(|label| SHARED.contains(label));
    let length = if is_shared { 3 } else { 2 };
    let own: Vec<&str> = labels.into_iter().take(length).rev().collect();
    own.join(".")
}

#[cfg(test)]
mod tests {
    use super::site;

    #[test]
    fn hosts_of_one_owner_are_one_site() {
        for (address, expected) in [
            ("https://a.b.evil.example/x", "evil.example"),
            ("https://u@EVIL.example.:8443/", "evil.example"),
            ("https://www.bbc.co.uk/news", "bbc.co.uk"),
            ("https://localhost/", "localhost"),
            ("no address", "no address"),
        ] {
            assert_eq!(site(address), expected, "{address}");
        }
    }
}
