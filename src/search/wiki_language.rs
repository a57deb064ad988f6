//! In which Wikipedia to look: in that of the question's language, if there is one.

use super::language::{has_a_script, primary};

/// Languages in Latin letters whose Wikipedia has many articles.
const LATIN: &str = " en de fr es it pt nl sv pl cs da fi no nn hu ro tr vi id ms ca eu gl hr sk sl \
    et lv lt af sq sw tl eo la cy ga is ";

/// The subdomain of the Wikipedia in a language, a BCP 47 tag.
pub(super) fn wiki_language(tag: &str) -> String {
    let language = match primary(tag) {
        norwegian if norwegian == "nb" => "no".to_owned(),
        language => language,
    };
    let is_there = LATIN.contains(&format!(" {language} ")) || has_a_script(&language);
    if is_there { language } else { "en".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_without_a_wikipedia_is_looked_up_in_english() {
        for (tag, language) in [
            ("en-US", "en"),
            ("de", "de"),
            ("nb", "no"),
            ("zh-CN", "zh"),
            ("zh-TW", "zh"),
            ("ja", "ja"),
            ("uk-UA", "uk"),
            ("ru", "ru"),
            ("tlh", "en"),
            ("", "en"),
        ] {
            assert_eq!(wiki_language(tag), language, "{tag}");
        }
    }
}
