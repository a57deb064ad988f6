//! Searches as people type them, by what their language is found to be.

use super::{language_for, language_of};

#[test]
fn the_words_decide_whatever_the_language_of_the_interface() {
    let mut wrong = Vec::new();
    for (language, searches) in [
        (
            "de",
            "Größe der Gezeiten|Gezeiten Nordsee Ursache|Größe Gezeiten|wann ist Hochwasser in Hamburg|\
             Wie hoch ist der Eiffelturm?|Geschichte der Schrift|Ursachen Klimawandel Übersicht|\
             Krankenversicherung Selbständige|Wetter für morgen München",
        ),
        (
            "fr",
            "marée haute|marée haute Saint-Malo|pourquoi le ciel est bleu|l’eau de mer|\
             hauteur de la tour Eiffel|révolution française causes|meilleur fromage d'Auvergne",
        ),
        (
            "es",
            "¿Qué es la marea?|altura de la Torre Eiffel en metros|mareas vivas definición|\
             por qué el cielo es azul|historia de España resumen",
        ),
        (
            "pt",
            "o que são as marés|altura da Torre Eiffel em metros|história do Brasil resumo|previsão São Paulo",
        ),
        (
            "it",
            "altezza della torre Eiffel|perché il cielo è blu|maree della laguna di Venezia|storia dell'arte italiana",
        ),
        (
            "nl",
            "hoe hoog is de Eiffeltoren|getijden van de Noordzee|waarom is de lucht blauw|het weer in Utrecht",
        ),
        (
            "sv",
            "hur hög är Eiffeltornet|vad är tidvatten|väder i Göteborg",
        ),
        (
            "da",
            "hvad er tidevand|hvor højt er Eiffeltårnet|hvornår er det højvande",
        ),
        (
            "nb",
            "hva er tidevann|hvor høyt er Eiffeltårnet|når er det høyvann på kysten",
        ),
        (
            "fi",
            "kuinka korkea Eiffel-torni on metreissä|mikä on vuorovesi|sää Helsingissä",
        ),
        (
            "pl",
            "dlaczego niebo jest niebieskie|wysokość wieży Eiffla|co to są pływy",
        ),
        ("cs", "proč je nebe modré|výška Eiffelovy věže|co je příliv"),
        (
            "tr",
            "gökyüzü neden mavi|gelgit nedir|Eiffel Kulesi yüksekliği",
        ),
        ("hu", "miért kék az ég|mi az árapály"),
        ("ro", "ce este mareea|de ce este cerul albastru"),
        ("vi", "thủy triều là gì|chiều cao tháp Eiffel"),
        (
            "zh-CN",
            "潮汐|潮汐的成因|Rust 的所有权机制|iPhone 17 Pro Max 评测|东京 地震",
        ),
        ("zh-TW", "潮汐是什麼|臺灣 地震 應對"),
        ("ja", "地震のしくみ|Rust の所有権|潮の満ち引き"),
        ("ko", "조석 현상|서울 날씨"),
        ("ru", "прилив|почему небо голубое"),
        ("uk", "чому небо блакитне і який її колір"),
        ("ar", "المد والجزر"),
        ("fa", "جزر و مد چیست"),
        ("el", "παλίρροια"),
        ("he", "גאות ושפל"),
        ("th", "น้ำขึ้นน้ำลง"),
        ("hi", "ज्वार भाटा"),
    ] {
        for search in searches.split('|') {
            for tag in ["en", "zh-CN"] {
                let found = language_of(search, tag);
                if found != language {
                    wrong.push(format!("{search} ({tag}): {found} and not {language}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn english_stays_english_with_names_of_elsewhere_in_it() {
    for search in [
        "height of spring tide Brest",
        "what’s a neap tide",
        "El Niño forecast",
        "São Paulo weather",
        "Rio de Janeiro weather today",
        "café opening hours Berlin",
        "Müller family history",
        "how to die in games",
        "what does 道 mean in Chinese philosophy",
        "what is the meaning of 你好",
        "β-carotene in food",
        "the Schrödinger equation",
        "Vincent van Gogh paintings",
        "Leonardo da Vinci inventions list",
    ] {
        for tag in ["en", "zh-CN"] {
            assert_eq!(language_of(search, tag), "en", "{search} ({tag})");
        }
    }
}

#[test]
fn what_the_words_leave_open_is_the_searchers_own_language_if_it_fits() {
    for (search, tag, language) in [
        ("Hilbre", "en-US", "en-US"),
        ("Hilbre", "de", "de"),
        ("Hilbre", "zh-CN", ""),
        ("Hilbre", "", ""),
        ("fjord", "nb", "nb"),
        ("Gezeiten der Nordsee", "de-AT", "de-AT"),
        ("Charles de Gaulle", "en", "en"),
        ("東京 地震", "ja", "ja"),
        ("приплив", "uk-UA", "uk-UA"),
        ("جزر و مد", "fa", "fa"),
        ("潮汐", "zh-HK", "zh-HK"),
        ("潮汐是什麼", "zh-HK", "zh-HK"),
        ("42", "zh-CN", "zh-CN"),
        ("42", "", ""),
        ("", "tlh", "tlh"),
    ] {
        assert_eq!(language_of(search, tag), language, "{search} ({tag})");
    }
}

#[test]
fn what_the_words_leave_open_or_tell_by_little_is_in_the_language_of_who_asked() {
    let tide = "Wann ist am 28. November in Cuxhaven Hochwasser?";
    let ivory = "Who is the president of Côte d’Ivoire right now?";
    for (search, said, language) in [
        ("Hochwasser Cuxhaven 28. November", vec![tide], "de"),
        ("Cuxhaven 28. November", vec![tide], "de"),
        // Who goes on in words that tell nothing goes on in that language.
        ("Cuxhaven 29. November", vec![tide, "29. November"], "de"),
        (
            "Hilbre",
            vec![tide, "What is the height of the tide at Hilbre?"],
            "en-GB",
        ),
        ("Côte d'Ivoire president", vec![ivory], "en-GB"),
        (
            "Peña Nieto",
            vec!["who was the president after him?"],
            "en-GB",
        ),
        (
            "Côte d'Ivoire",
            vec!["Qui est le président de la Côte d'Ivoire ?"],
            "fr",
        ),
        // What is more than names is in its own language, whoever asks.
        (
            "marée haute Saint-Malo",
            vec!["When is high water at Saint-Malo?"],
            "fr",
        ),
        (
            "Größe der Gezeiten",
            vec!["How do Germans call the \"Größe der Gezeiten\"?"],
            "de",
        ),
        ("潮汐的成因", vec![tide], "zh-CN"),
        ("Hilbre", vec!["希尔布雷岛的潮汐"], ""),
        ("东京 地震", vec!["東京の地震はいつですか"], "ja"),
        ("what does 道 mean", vec!["道"], "en"),
        // Nothing was said, or nothing that tells.
        ("Hilbre", vec![], "en-GB"),
        ("Größe Gezeiten", vec!["Hilbre 2026"], "de"),
        ("tide tables", vec!["What time is it?"], "en-GB"),
    ] {
        let all: Vec<String> = said.iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(
            language_for(search, &all, "en-GB"),
            language,
            "{search} {said:?}"
        );
    }
}
