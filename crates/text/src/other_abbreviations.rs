//! Decides whether a full stop ends a sentence, for all languages of [`super::Language::Other`].
//!
//! Example: "am 12. Juni, z. B. bei Prof. Meier, Str. 5" is one sentence. One list is used for
//! German, French, Spanish, Portuguese, Italian, Dutch and Russian, because few abbreviations of
//! one of these languages are words of another.

/// Abbreviations after which the sentence continues, sorted.
#[rustfmt::skip]
const ABBREVIATIONS: &[&str] = &[
    "abs", "abt", "allg", "art", "av", "bd", "betr", "bspw", "bzgl", "bzw", "ca", "cap", "cf",
    "dipl", "dott", "dr", "dra", "env", "evtl", "fa", "fam", "fig", "geb", "gegr", "ggf", "hr",
    "hrn", "hrsg", "ing", "inkl", "insb", "jh", "kap", "kath", "lic", "med", "mevr", "mio",
    "mlle", "mme", "mrd", "mt", "nr", "núm", "pag", "phil", "pp", "prof", "pág", "págs", "resp",
    "sig", "sog", "sr", "sra", "srta", "st", "ste", "str", "tab", "tel", "ud", "uds", "urspr",
    "vgl", "vol", "vs", "zzgl", "акад", "г", "гг", "д", "доц", "им", "кв", "н", "обл", "пгт",
    "пер", "проф", "р", "рис", "руб", "см", "ср", "ст", "стр", "т", "табл", "тел", "тыс", "ул",
];

/// German nouns that may follow an ordinal number such as "12.", sorted. Before any other noun, the
/// full stop ends the sentence.
#[rustfmt::skip]
const COUNTED: &[&str] = &[
    "april", "auflage", "august", "dezember", "februar", "jahrhundert", "jahrhunderts", "januar",
    "juli", "juni", "kapitel", "klasse", "lebensjahr", "mai", "mal", "märz", "november",
    "oktober", "platz", "september", "stock", "weltkrieg",
];

/// Returns true if the full stop between `word` and `follower` doesn't end the sentence.
pub(super) fn continues_sentence(word: &str, follower: &str) -> bool {
    let follower = follower.to_lowercase();
    let is_number = !word.is_empty() && word.len() <= 2 && word.chars().all(|c| c.is_ascii_digit());
    is_number && COUNTED.binary_search(&follower.as_str()).is_ok()
        || ABBREVIATIONS
            .binary_search(&word.to_lowercase().as_str())
            .is_ok()
}

#[cfg(test)]
mod tests {
    use super::{ABBREVIATIONS, COUNTED, continues_sentence};

    #[test]
    fn the_lists_are_sorted_and_without_doubles() {
        for list in [ABBREVIATIONS, COUNTED] {
            assert!(list.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }

    #[test]
    fn an_abbreviation_or_an_ordinal_binds_and_a_word_does_not() {
        for (word, follower, goes_on) in [
            ("bzw", "Wasser", true),
            ("12", "Juni", true),
            ("12", "Das", false),
            ("проф", "Семенов", true),
            ("Sra", "Rescia", true),
            ("Haus", "Wir", false),
        ] {
            assert_eq!(
                continues_sentence(word, follower),
                goes_on,
                "{word}. {follower}"
            );
        }
    }
}
