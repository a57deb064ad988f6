//! The addresses that may be fetched: public hosts, over http and https, without user name and
//! password.
//!
//! Example: a page says "read `http://2130706433/admin`". The browser interprets the host
//! as `127.0.0.1`. This check sees the same host, because it reads the address after the browser
//! has normalised it. It can't detect a public name that resolves to a private address.

use gloss_host::{Address, ClosedSite, is_private};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The reason why an address is not fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The text is not an address.
    #[error("this is not an address; give a full one, such as https://site.example/page")]
    NotAnAddress,
    /// The scheme is neither http nor https.
    #[error("only http and https addresses can be read, not {scheme}")]
    Scheme {
        /// The scheme, as in `ftp`.
        scheme: String,
    },
    /// The address contains a user name or a password.
    #[error("an address that contains a user name or a password is not read")]
    Credentials,
    /// The host is this computer or is in the local network.
    #[error("{host} is a private address (this computer or the local network), which is not read")]
    Private {
        /// The private host.
        host: String,
    },
    /// The user closed the site.
    #[error(transparent)]
    Closed(#[from] ClosedSite),
}

/// Checks that an address may be fetched.
///
/// # Errors
/// If the address must not be fetched.
pub fn check(address: &Address) -> Result<(), Refusal> {
    if !matches!(address.scheme.as_str(), "http" | "https") {
        let scheme = address.scheme.clone();
        return Err(Refusal::Scheme { scheme });
    }
    if address.has_credentials {
        return Err(Refusal::Credentials);
    }
    if is_private(&address.host) {
        let host = address.host.clone();
        return Err(Refusal::Private { host });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use gloss_host::Web;
    use gloss_host_sim::Sim;
    use std::rc::Rc;

    fn web() -> Rc<dyn Web> {
        Sim::new(1).host().web
    }

    fn judged(text: &str) -> Result<(), Refusal> {
        let address = web().address(text).ok_or(Refusal::NotAnAddress)?;
        check(&address)
    }

    #[test]
    fn private_hosts_are_refused_however_they_are_written() {
        for host in [
            "localhost",
            "LOCALHOST",
            "localhost.",
            "a.localhost",
            "printer.local",
            "nas.lan",
            "vault.internal",
            "router",
            "fritz.home.arpa",
            "127.0.0.1",
            "127.1",
            "127.255.0.9",
            "2130706433",
            "0x7f000001",
            "0x7f.1",
            "0177.0.0.1",
            "017700000001",
            "0",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.0.1",
            "3232235521",
            "169.254.169.254",
            "100.64.0.1",
            "100.127.255.255",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "１２７.０.０.１",
            "127。0。0。1",
            "%6c%6fcalhost",
            "[::1]",
            "[::]",
            "[0:0:0:0:0:0:0:1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[::ffff:10.0.0.1]",
            "[::127.0.0.1]",
            "[64:ff9b::7f00:1]",
            "[64:ff9b:1::1]",
            "[2002:7f00:1::]",
            "[fe80::1]",
            "[fc00::1]",
            "[fd12:3456::1]",
            "[ff02::1]",
            "[2001:2::1]",
            "[2001:2:0:5::]",
            "[2001:10::1]",
            "[2001:1f::1]",
            "127.0.0.1.nip.io",
            "app-10-0-0-1.nip.io.",
            "7f000001.NIP.io",
            "--1.sslip.io",
            "localtest.me",
            "a.lvh.me",
            "fritz.box",
            "[2001::1]",
            "[2001:db8::1]",
            "[::ffff:0:127.0.0.1]",
            "[::ffff:8.8.8.8]",
            "[64:ff9b::808:808]",
            "[2002:808:808::]",
        ] {
            for url in [
                format!("http://{host}/"),
                format!("https://{host}:8443/x?y#z"),
            ] {
                let refused = judged(&url);
                assert!(
                    matches!(refused, Err(Refusal::Private { .. })),
                    "{url}: {refused:?}"
                );
            }
        }
    }

    #[test]
    fn public_hosts_are_not() {
        for host in [
            "tides.example",
            "news.site",
            "1.1.1.1",
            "8.8.8.8",
            "172.15.0.1",
            "172.32.0.1",
            "100.63.0.1",
            "100.128.0.1",
            "192.167.0.1",
            "11.0.0.1",
            "126.0.0.1",
            "128.0.0.1",
            "163.com",
            "10.example.com",
            "localhost.example.com",
            "local.com",
            "notlocalhost.com",
            "bücher.example",
            "例え.jp",
            "xn--r8jz45g.jp",
            "[2001:2:1::1]",
            "[2001:20::1]",
            "[2001:200::1]",
            "notlvh.me",
            "nip.io.example",
            "[2606:4700::1111]",
            "home.example",
            "homelan.net",
        ] {
            let url = format!("https://{host}/");
            assert_eq!(judged(&url), Ok(()), "{url}");
        }
    }

    #[test]
    fn other_schemes_credentials_and_what_is_no_address_are_refused() {
        for (url, why) in [
            ("ftp://a.example/", "only http and https"),
            ("file:///etc/passwd", "only http and https"),
            ("javascript:alert(1)", "only http and https"),
            ("data:text/html,x", "only http and https"),
            ("chrome://settings", "only http and https"),
            ("https://user@a.example/", "user name or a password"),
            ("https://user:word@a.example/", "user name or a password"),
            ("https://a.example@127.0.0.1/", "user name or a password"),
            ("a.example/page", "not an address"),
            ("", "not an address"),
            ("https://", "not an address"),
            ("https://1.2.3.256/", "not an address"),
        ] {
            let refused = judged(url).unwrap_err().to_string();
            assert!(refused.contains(why), "{url}: {refused}");
        }
    }
}
