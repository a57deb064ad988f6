//! The language that a search asks its provider for.
//!
//! Driving example: "Was ist Ebbe, und wie entsteht sie an der Nordsee?" is searched in German
//! whatever the language of the interface. Chrome trusts its detection from some 50 bytes of
//! text on; a shorter text is taken for the interface's language, unless its letters are
//! Chinese or its words English.

use gloss_host::Languages;
use gloss_text::Language;

/// The language of what the user said and of the query together, a BCP 47 tag.
pub async fn language_of(text: &str, languages: &dyn Languages) -> String {
    let interface = languages.interface();
    let detected = languages.detect(text).await;
    let detected = detected.unwrap_or_else(|| match Language::of(&interface, text) {
        Language::English => "en".to_owned(),
        Language::Chinese => "zh".to_owned(),
        Language::Other => interface.clone(),
    });
    // The interface's tag says more: en-GB, zh-TW.
    if primary(&detected) == primary(&interface) {
        interface
    } else {
        detected
    }
}

/// The first part of a tag, as in `zh` of `zh-CN`.
pub(super) fn primary(tag: &str) -> String {
    let primary = tag.split(['-', '_']).next().unwrap_or_default();
    primary.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gloss_host_sim::Sim;

    #[test]
    fn a_detected_language_counts_then_chinese_letters_and_english_words_then_the_interface() {
        for (interface, text, detected, expected) in [
            ("en", "Wann ist Hochwasser?", Some("de"), "de"),
            ("en-GB", "When is high water?", Some("en"), "en-GB"),
            ("zh-TW", "潮汐是什麼", Some("zh"), "zh-TW"),
            ("en", "潮汐的成因", None, "zh"),
            ("zh-TW", "潮汐的成因", None, "zh-TW"),
            ("zh-CN", "What is a spring tide?", None, "en"),
            ("zh-CN", "Hilbre", None, "zh-CN"),
            ("de", "Was ist Ebbe?", None, "de"),
            ("en", "Was ist Ebbe?", None, "en"),
            ("en", "", None, "en"),
        ] {
            let sim = Sim::new(7);
            sim.set_interface(interface);
            sim.detect(move |_| detected.map(str::to_owned));
            let languages = sim.host().languages;
            let told = async move { language_of(text, &*languages).await };
            let told = sim.life(u64::MAX, told);
            assert_eq!(told.as_deref(), Some(expected), "{text} ({interface})");
        }
    }
}
