//! The language in which a provider is asked to search.
//!
//! Example: "Was ist Ebbe, und wie entsteht sie an der Nordsee?" is searched in German,
//! whatever the language of the interface. Chrome is sure of a detected language only for texts of
//! about 50 bytes or more. For a shorter text, the language of the interface is used, unless the
//! text is in another script or its words are English.

use gloss_host::Languages;
use gloss_text::Language;
use std::ops::RangeInclusive;

/// The scripts that identify languages. If a script has several languages, the interface's language
/// is used if it is listed, otherwise the first. Chinese is also recognised by its words
/// ([`Language::of`]).
const SCRIPTS: [(RangeInclusive<char>, &[&str]); 11] = [
    ('\u{3040}'..='\u{30ff}', &["ja"]),
    ('\u{ac00}'..='\u{d7af}', &["ko"]),
    (
        '\u{0400}'..='\u{04ff}',
        &["ru", "uk", "bg", "sr", "mk", "be", "kk"],
    ),
    ('\u{0370}'..='\u{03ff}', &["el"]),
    ('\u{0590}'..='\u{05ff}', &["he", "iw"]),
    ('\u{0600}'..='\u{06ff}', &["ar", "fa", "ur"]),
    ('\u{0900}'..='\u{097f}', &["hi", "mr", "ne"]),
    ('\u{0980}'..='\u{09ff}', &["bn"]),
    ('\u{0b80}'..='\u{0bff}', &["ta"]),
    ('\u{0c00}'..='\u{0c7f}', &["te"]),
    ('\u{0e00}'..='\u{0e7f}', &["th"]),
];

/// Detects the language of a text, which consists of the user's messages and the query. Returns a
/// BCP 47 tag.
pub async fn language_of(text: &str, languages: &dyn Languages) -> String {
    let interface = languages.interface();
    let detected = languages.detect(text).await;
    let detected = detected.or_else(|| by_script(text, &primary(&interface)));
    let detected = detected.unwrap_or_else(|| match Language::of(&interface, text) {
        Language::English => "en".to_owned(),
        Language::Chinese => "zh".to_owned(),
        Language::Other => interface.clone(),
    });
    // The tag of the interface's language is more precise, as in en-GB or zh-TW.
    if primary(&detected) == primary(&interface) {
        interface
    } else {
        detected
    }
}

/// Returns the language of the script to which at least a third of the letters belong. A third is
/// enough, because the rest of a Japanese text is often Chinese characters.
fn by_script(text: &str, interface: &str) -> Option<String> {
    let letters = text.chars().filter(|it| it.is_alphabetic()).count();
    let (_, languages) = SCRIPTS.iter().find(|(script, _)| {
        let own = text.chars().filter(|it| script.contains(it)).count();
        own > 0 && own * 3 >= letters
    })?;
    let own = languages.iter().find(|it| **it == interface);
    own.or(languages.first()).map(|it| (*it).to_owned())
}

/// Returns the first part of a language tag: `zh-CN` -> `zh`.
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
            ("en", "潮の満ち引き", None, "ja"),
            ("en", "조수란?", None, "ko"),
            ("en", "Что такое прилив?", None, "ru"),
            ("uk", "Що таке приплив?", None, "uk"),
            ("fr", "ما هو المد؟", None, "ar"),
            ("en", "מהי גאות?", None, "he"),
            ("en", "น้ำขึ้นคืออะไร", None, "th"),
            ("en", "ज्वार क्या है?", None, "hi"),
            ("en", "What is the value of π here?", None, "en"),
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
