//! In which Wikipedia to look: by the script of the question, then by its language.
//!
//! Driving example: 潮汐 is looked up in the Chinese one, whatever the interface's language; a
//! question in Latin letters in that of its language, if there is a Wikipedia in it.

/// A script's letters, the language of most that is written in it, and the others that are.
type Script = (&'static [(char, char)], &'static str, &'static str);

const SCRIPTS: [Script; 14] = [
    (&[('\u{3040}', '\u{30ff}')], "ja", ""),
    (
        &[('\u{1100}', '\u{11ff}'), ('\u{ac00}', '\u{d7af}')],
        "ko",
        "",
    ),
    (
        &[('\u{3400}', '\u{9fff}'), ('\u{20000}', '\u{3134f}')],
        "zh",
        " ja ",
    ),
    (
        &[('\u{400}', '\u{52f}')],
        "ru",
        " uk bg sr mk be kk ky mn tg ",
    ),
    (&[('\u{600}', '\u{6ff}')], "ar", " fa ur ps ckb ug "),
    (&[('\u{590}', '\u{5ff}')], "he", " yi "),
    (&[('\u{370}', '\u{3ff}')], "el", ""),
    (&[('\u{e00}', '\u{e7f}')], "th", ""),
    (&[('\u{900}', '\u{97f}')], "hi", " mr ne sa "),
    (&[('\u{980}', '\u{9ff}')], "bn", " as "),
    (&[('\u{b80}', '\u{bff}')], "ta", ""),
    (&[('\u{c00}', '\u{c7f}')], "te", ""),
    (&[('\u{10a0}', '\u{10ff}')], "ka", ""),
    (&[('\u{530}', '\u{58f}')], "hy", ""),
];
/// Languages in Latin letters whose Wikipedia has many articles.
const LATIN: &str = " en de fr es it pt nl sv pl cs da fi no nb nn hu ro tr vi id ms ca eu gl hr sk sl \
    et lv lt af sq sw tl eo la cy ga is ";
/// A letter of these says as much as a syllable of others.
const WEIGHT: usize = 3;

/// The subdomain of the Wikipedia that a question is for; `tag` is its language, a BCP 47 tag.
pub(super) fn wiki_language(question: &str, tag: &str) -> String {
    let tag = tag.split(['-', '_']).next().unwrap_or_default();
    let tag = tag.to_ascii_lowercase();
    let tag = if tag == "nb" { "no" } else { &tag };
    let named = format!(" {tag} ");
    let latin = question.chars().filter(char::is_ascii_alphabetic).count();
    let mut most = (latin, None);
    for script in &SCRIPTS {
        let within = |it: char| {
            script
                .0
                .iter()
                .any(|(from, to)| (*from..=*to).contains(&it))
        };
        let letters = question.chars().filter(|it| within(*it)).count();
        // Japanese is known by its own letters, however few.
        let weighs = if script.1 == "ja" && letters > 0 {
            usize::MAX
        } else {
            letters * WEIGHT
        };
        if weighs > most.0 {
            most = (weighs, Some(script));
        }
    }
    let found = match most.1 {
        Some((_, _, others)) if others.contains(&named) => tag,
        Some((_, language, _)) => language,
        None if LATIN.contains(&named) => tag,
        None => "en",
    };
    found.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_decides_then_the_language() {
        for (question, tag, language) in [
            ("tides", "en-US", "en"),
            ("tides", "zh-CN", "en"),
            ("Gezeiten der Nordsee", "de", "de"),
            ("fjord", "nb", "no"),
            ("潮汐的成因", "en", "zh"),
            ("Rust 的所有权机制", "en", "zh"),
            ("東京 地震", "ja", "ja"),
            ("地震のしくみ", "en", "ja"),
            ("조석 현상", "", "ko"),
            ("прилив", "", "ru"),
            ("приплив", "uk-UA", "uk"),
            ("المد والجزر", "", "ar"),
            ("جزر و مد", "fa", "fa"),
            ("β-carotene in food", "en", "en"),
            ("42", "", "en"),
            ("", "tlh", "en"),
        ] {
            assert_eq!(wiki_language(question, tag), language, "{question}");
        }
    }
}
