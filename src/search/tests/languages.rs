//! In which language each provider is asked.

use super::*;

const SEARCHES: [&str; 9] = [
    "Größe der Gezeiten",
    "marée haute",
    "por qué suben las mareas",
    "潮汐的成因",
    "潮の満ち引き",
    "прилив",
    "조석 현상",
    "height of spring tide Brest",
    "Hilbre",
];

/// What of a request says a language: the parameter, or which Wikipedia it goes to.
fn said(engine: Engine, request: &HttpRequest) -> String {
    let named = ["search_lang=", "language=", "hl="];
    let pairs = request.url.split(['?', '&']);
    let mut said = pairs.filter(|pair| named.iter().any(|name| pair.starts_with(name)));
    match engine {
        Engine::Wikipedia => request.url.split('/').nth(2).unwrap().to_owned(),
        _ => said.next().unwrap_or("-").to_owned(),
    }
}

/// Every provider, every search, under both interfaces.
#[test]
fn a_search_is_in_the_language_of_its_words_whatever_the_interface() {
    let mut lines = Vec::new();
    for engine in Engine::ALL {
        lines.push(engine.name().to_owned());
        for text in SEARCHES {
            let sent = ["en", "zh-CN"].map(|tag| {
                let sim = says(200, empty(engine));
                let asked = Query {
                    language: tag.to_owned(),
                    ..query(text)
                };
                search(&sim, engine, asked).unwrap();
                said(engine, &sim.requests().remove(0))
            });
            lines.push(format!("  {text}: {}", sent.join(", ")));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn the_same_words_under_another_interface_are_not_sent_again() {
    let sim = says(200, empty(Engine::Brave));
    for tag in ["en", "zh-CN", "de"] {
        let asked = Query {
            language: tag.to_owned(),
            ..query("Größe der Gezeiten")
        };
        search(&sim, Engine::Brave, asked).unwrap();
    }
    assert_eq!(sim.requests().len(), 1);
}
