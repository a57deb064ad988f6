//! Tests of the form in which the search language is sent to each provider.

use super::*;

const TAGS: [&str; 9] = [
    "en-GB", "de", "zh", "zh-CN", "zh-TW", "ja", "nb", "pt-BR", "",
];

/// The part of a request that names a language: a parameter, or the host of a Wikipedia.
fn named(engine: ProviderKind, request: &HttpRequest) -> String {
    let names = ["search_lang=", "language=", "hl="];
    let mut pairs = request.url.split(['?', '&']);
    let named = pairs.find(|pair| names.iter().any(|name| pair.starts_with(name)));
    match engine {
        ProviderKind::Wikipedia => request.url.split('/').nth(2).unwrap().to_owned(),
        _ => named.unwrap_or("-").to_owned(),
    }
}

#[test]
fn each_provider_is_told_the_language_in_its_own_way() {
    let mut lines = Vec::new();
    for engine in ProviderKind::ALL {
        lines.push(engine.name().to_owned());
        for tag in TAGS {
            let sim = says(200, empty(engine));
            let asked = Query {
                language: tag.to_owned(),
                ..query("Hilbre")
            };
            search(&sim, engine, asked).unwrap();
            let named = named(engine, &sim.requests().remove(0));
            lines.push(format!("  {tag}: {named}"));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}
