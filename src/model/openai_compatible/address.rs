//! Where a profile's server is, without a URL library: the browser judges the rest.

use crate::model::{Fault, Profile, Server, ServerKind};

const ENDPOINT: &str = "/chat/completions";
/// Ollama's own port.
const OLLAMA_PORT: &str = ":11434";

/// A server's addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    /// As in `https://api.example`.
    pub(super) origin: String,
    /// Where completions are asked for.
    pub(super) endpoint: String,
}

impl Address {
    /// The addresses that a base URL means. One that goes on to the endpoint, as
    /// people copy it, means the same.
    pub(super) fn of(base_url: &str) -> Result<Self, Fault> {
        let base = base_url.trim();
        let bad = || Fault::BadAddress {
            url: base.to_owned(),
        };
        let (scheme, rest) = base.split_once("://").ok_or_else(bad)?;
        let scheme = scheme.to_ascii_lowercase();
        let rest = rest.split('#').next().unwrap_or_default();
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, format!("?{query}")),
            None => (rest, String::new()),
        };
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        // A name and a password before the host: fetch refuses them.
        let host = host.rsplit('@').next().unwrap_or_default();
        let is_web = scheme == "http" || scheme == "https";
        if !is_web || host.is_empty() || rest.contains(char::is_whitespace) {
            return Err(bad());
        }
        let path = path.trim_end_matches('/');
        let path = path.strip_suffix(ENDPOINT).unwrap_or(path);
        let origin = format!("{scheme}://{}", host.to_ascii_lowercase());
        Ok(Self {
            endpoint: format!("{origin}{path}{ENDPOINT}{query}"),
            origin,
        })
    }

    /// Where the models are listed.
    pub(super) fn models(&self) -> String {
        self.endpoint.replacen(ENDPOINT, "/models", 1)
    }

    /// Whether this is `OpenAI`'s own host.
    pub(super) fn is_openai(&self) -> bool {
        self.origin == "https://api.openai.com"
    }
}

/// Whom a profile speaks to, for words about it.
pub(super) fn server(profile: &Profile, origin: &str) -> Server {
    let named = |text: &str| text.to_ascii_lowercase().contains("ollama");
    let is_ollama = origin.ends_with(OLLAMA_PORT) || named(&profile.name) || named(origin);
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
                "https://x.example/d/gpt?api-version=1#a",
                "https://x.example",
                "/d/gpt/chat/completions?api-version=1",
            ),
            (
                "https://me:pass@x.example/v1",
                "https://x.example",
                "/v1/chat/completions",
            ),
        ];
        for (base, origin, path) in table {
            let address = Address::of(base).unwrap();
            assert_eq!(address.origin, origin, "{base}");
            assert_eq!(address.endpoint, format!("{origin}{path}"), "{base}");
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
                Address::of(base),
                Err(Fault::BadAddress {
                    url: base.to_owned()
                })
            );
        }
    }
}
