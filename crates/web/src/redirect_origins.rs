//! The other origins to which a site is likely to redirect: over https, and with or without `www.`.
//!
//! Example: `http://tides.example` redirects to `https://www.tides.example`. The browser
//! hides the redirect from an extension that lacks permission for one of the two origins. Gloss
//! therefore asks for both at once. Deliberately absent: any other name of a site, and a pattern
//! for its subdomains (`*.tides.example`).

use gloss_host::Address;

/// Returns the likely origins with the same host as the address: its own origin and, if that is
/// http, the https origin.
pub(super) fn same_host_origins(address: &Address) -> Vec<String> {
    let upgraded = plain_host(address).filter(|_| address.scheme == "http");
    let upgraded = upgraded.map(|host| format!("https://{host}"));
    [address.origin.clone()]
        .into_iter()
        .chain(upgraded)
        .collect()
}

/// Returns the origins of the address with `www.` added to its host or removed from it; empty if
/// such a host is not likely.
pub(super) fn www_origins(address: &Address) -> Vec<String> {
    let Some(host) = plain_host(address).and_then(www_variant) else {
        return Vec::new();
    };
    let schemes: &[&str] = match address.scheme.as_str() {
        "http" => &["http", "https"],
        _ => &["https"],
    };
    let origins = schemes.iter().map(|scheme| format!("{scheme}://{host}"));
    origins.collect()
}

/// Returns the host of an address; `None` if its origin names a port.
fn plain_host(address: &Address) -> Option<&str> {
    let (_, host) = address.origin.split_once("://")?;
    (host == address.host).then_some(host)
}

/// Adds `www.` to a domain, or removes it.
fn www_variant(host: &str) -> Option<String> {
    let is_number = |label: &str| label.bytes().all(|it| it.is_ascii_digit());
    let labels: Vec<&str> = host.split('.').collect();
    match labels[..] {
        [.., last] if last.is_empty() || is_number(last) || host.starts_with('[') => None,
        ["www", _, _, ..] => host.strip_prefix("www.").map(str::to_owned),
        ["www", _] => None,
        [_, _] => Some(format!("www.{host}")),
        // In `tides.co.uk`, three labels are a site's own name. A subdomain such as
        // `docs.tides.example` gets no `www.`.
        [_, second, country] if second.len() <= 3 && country.len() == 2 => {
            Some(format!("www.{host}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gloss_host_sim::Sim;

    #[test]
    fn a_site_has_the_names_that_it_may_well_send_on_to_and_no_other() {
        let web = Sim::new(1).host().web;
        for (href, expected) in [
            (
                "https://a.example/x",
                "https://a.example https://www.a.example",
            ),
            (
                "https://www.a.example/x",
                "https://www.a.example https://a.example",
            ),
            (
                "http://a.example/",
                "http://a.example https://a.example http://www.a.example https://www.a.example",
            ),
            (
                "https://tides.co.uk/",
                "https://tides.co.uk https://www.tides.co.uk",
            ),
            ("https://www.gov.uk/", "https://www.gov.uk https://gov.uk"),
            ("https://docs.a.example/", "https://docs.a.example"),
            ("https://www.example/", "https://www.example"),
            ("https://a.example:8443/", "https://a.example:8443"),
            ("http://a.example:8080/", "http://a.example:8080"),
            ("http://8.8.8.8/", "http://8.8.8.8 https://8.8.8.8"),
            ("https://[2606:4700::1111]/", "https://[2606:4700::1111]"),
            ("https://a.example./", "https://a.example."),
        ] {
            let address = web.address(href).unwrap();
            let origins = [same_host_origins(&address), www_origins(&address)].concat();
            assert_eq!(origins.join(" "), expected, "{href}");
        }
    }
}
