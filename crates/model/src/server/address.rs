//! The addresses of a profile's server. They are parsed here without a URL library. The browser
//! later rejects invalid addresses that this parser accepts.

use super::dialect::Dialect;
use crate::{Api, Fault, Profile, Server, ServerKind};

const OLLAMA_PORT: &str = ":11434";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    /// The origin, as in `https://api.example`.
    pub(super) origin: String,
    /// The normalised base URL, to which the paths of endpoints are appended.
    base: String,
}

impl Address {
    /// Parses a base URL. Users often copy the URL of an endpoint; the path of the endpoint is then
    /// removed. A URL with a password or a query is an error: it may contain a secret, and
    /// addresses are recorded and shown.
    pub(super) fn of(base_url: &str, dialect: &dyn Dialect) -> Result<Self, Fault> {
        let base = base_url.trim();
        let bad = || Fault::BadAddress { url: shown(base) };
        if base.contains(['?', '@']) {
            return Err(bad());
        }
        let (scheme, rest) = base.split_once("://").ok_or_else(bad)?;
        let scheme = scheme.to_ascii_lowercase();
        let rest = rest.split('#').next().unwrap_or_default();
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let is_web = scheme == "http" || scheme == "https";
        if !is_web || host.is_empty() || rest.contains(char::is_whitespace) {
            return Err(bad());
        }
        let path = path.trim_end_matches('/');
        let mut endings = dialect.endings().iter();
        let path = endings
            .find_map(|ending| path.strip_suffix(ending))
            .unwrap_or(path);
        let origin = format!("{scheme}://{}", host.to_ascii_lowercase());
        Ok(Self {
            base: format!("{origin}{path}"),
            origin,
        })
    }

    /// Returns the address of the endpoint with this path, relative to the base URL.
    pub(super) fn at(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Returns true for `OpenAI`'s own host.
    pub(super) fn is_openai(&self) -> bool {
        self.origin == "https://api.openai.com"
    }
}

/// Returns a base URL for error messages. Parts that may contain a key are removed.
pub(super) fn shown(base_url: &str) -> String {
    let base = base_url.split(['?', '#']).next().unwrap_or_default();
    match (base.split_once("://"), base.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, place))) => format!("{scheme}://{place}"),
        (None, Some((_, place))) => place.to_owned(),
        (_, None) => base.to_owned(),
    }
}

/// Returns the server of a profile, as it is named in error messages.
pub(super) fn server(profile: &Profile, origin: &str) -> Server {
    let named = |text: &str| text.to_ascii_lowercase().contains("ollama");
    let is_ollama = profile.api == Api::Ollama
        || origin.ends_with(OLLAMA_PORT)
        || named(&profile.name)
        || named(origin);
    Server {
        name: profile.name.clone(),
        origin: origin.to_owned(),
        model: profile.model.clone(),
        kind: if is_ollama {
            ServerKind::Ollama
        } else {
            ServerKind::Other
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::chat_completions::ChatCompletions;

    fn of(base: &str) -> Result<Address, Fault> {
        Address::of(base, &ChatCompletions)
    }

    #[test]
    fn a_base_url_leads_to_the_endpoint() {
        let table = [
            (
                "https://api.openai.com/v1",
                "https://api.openai.com",
                "/v1/chat/completions",
            ),
            (
                " https://api.openai.com/v1/ ",
                "https://api.openai.com",
                "/v1/chat/completions",
            ),
            (
                "https://api.openai.com/v1/chat/completions",
                "https://api.openai.com",
                "/v1/chat/completions",
            ),
            (
                "HTTP://LocalHost:11434/v1",
                "http://localhost:11434",
                "/v1/chat/completions",
            ),
            (
                "http://[::1]:8080",
                "http://[::1]:8080",
                "/chat/completions",
            ),
            (
                "https://x.example/d/gpt#a",
                "https://x.example",
                "/d/gpt/chat/completions",
            ),
        ];
        for (base, origin, path) in table {
            let address = of(base).unwrap();
            assert_eq!(address.origin, origin, "{base}");
            assert_eq!(
                address.at("/chat/completions"),
                format!("{origin}{path}"),
                "{base}"
            );
        }
    }

    #[test]
    fn what_may_be_a_key_in_an_address_is_refused_and_not_told() {
        for (base, url) in [
            ("https://me:SECRET@x.example/v1", "https://x.example/v1"),
            ("https://x.example/v1?key=SECRET", "https://x.example/v1"),
            ("https://SECRET@x.example?a#SECRET", "https://x.example"),
            ("SECRET@x.example", "x.example"),
        ] {
            let url = url.to_owned();
            assert_eq!(of(base), Err(Fault::BadAddress { url }), "{base}");
        }
    }

    #[test]
    fn what_is_no_address_is_said_to_be_none() {
        for base in [
            "",
            "localhost:11434",
            "https://",
            "ftp://x.example",
            "http://a b",
            "file:///etc",
        ] {
            assert_eq!(
                of(base),
                Err(Fault::BadAddress {
                    url: base.to_owned()
                })
            );
        }
    }
}
