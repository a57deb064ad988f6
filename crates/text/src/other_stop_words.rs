//! Stop words of German, French and Spanish, sorted for binary search.
//!
//! Example: in "Wann ist die Flut?", only "Flut" says what is asked. One list is used for all
//! three, because few stop words of one language are other words in another.

#[rustfmt::skip]
const STOP: &[&str] = &[
    "a", "aber", "ai", "al", "algo", "alle", "als", "also", "am", "an", "ante", "antes", "aquí",
    "así", "au", "auch", "auf", "aunque", "aus", "aussi", "autre", "aux", "avait", "avec", "avoir",
    "bei", "bis", "c'est", "cada", "ce", "ces", "cet", "cette", "combien", "comme", "comment",
    "como", "con", "contra", "cual", "cuando", "cuál", "cuáles", "cuándo", "cuánta", "cuántas",
    "cuánto", "cuántos", "cómo", "d'un", "d'une", "da", "damit", "dann", "dans", "das", "dass",
    "de", "del", "dem", "den", "denn", "depuis", "der", "des", "desde", "deux", "die", "dies",
    "diese", "diesem", "diesen", "dieser", "dieses", "doch", "donc", "donde", "dont", "dort", "du",
    "durante", "durch", "dónde", "e", "ein", "eine", "einem", "einen", "einer", "eines", "el",
    "ella", "ellas", "elle", "elles", "ellos", "en", "entre", "er", "era", "es", "esa", "ese",
    "eso", "est", "esta", "estaba", "estar", "este", "esto", "estos", "está", "están", "et",
    "etwa", "eu", "fait", "font", "fue", "fueron", "für", "gibt", "ha", "haben", "había", "hace",
    "hacia", "han", "hasta", "hat", "hatte", "hay", "ich", "ihr", "ihre", "ihrem", "ihren", "il",
    "ils", "im", "in", "ins", "ist", "ja", "je", "jede", "jeder", "kann", "kein", "keine", "la",
    "las", "le", "les", "leur", "leurs", "lo", "lors", "los", "lui", "mais", "man", "me", "mehr",
    "mit", "muss", "muy", "más", "même", "n'est", "nach", "ne", "ni", "nicht", "no", "noch", "nos",
    "nous", "nur", "o", "ob", "oder", "ohne", "on", "ont", "ou", "où", "par", "para", "pas",
    "pero", "peu", "peut", "plus", "por", "porque", "pour", "pourquoi", "puede", "qu'il", "qu'un",
    "qu'une", "quand", "que", "quel", "quelle", "quelles", "quels", "qui", "quien", "quién",
    "quiénes", "quoi", "qué", "sa", "sans", "se", "sea", "sehr", "sein", "seine", "seinem",
    "seinen", "seiner", "selon", "ser", "ses", "si", "sich", "sie", "sin", "sind", "so", "sobre",
    "soll", "son", "sont", "sous", "su", "sur", "sus", "sí", "también", "tan", "tanto", "tiene",
    "todo", "todos", "tous", "tout", "toute", "tras", "très", "um", "un", "una", "und", "une",
    "uno", "unos", "uns", "unter", "vers", "viele", "vom", "von", "vor", "vous", "wann", "war",
    "waren", "warum", "was", "weil", "welche", "welchem", "welchen", "welcher", "welches", "wenn",
    "wer", "werden", "wie", "wieder", "wir", "wird", "wo", "wurde", "wurden", "y", "ya", "zu",
    "zum", "zur", "zwischen", "à", "ça", "était", "été", "être", "über",
];

/// Returns true for a lower-case word that says nothing about the topic.
pub(super) fn is_stop_word(word: &str) -> bool {
    STOP.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_list_is_sorted_and_without_doubles() {
        assert!(super::STOP.is_sorted_by(|one, other| one < other));
    }
}
