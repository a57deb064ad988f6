//! In which language a search is: by its script, then by its letters and commonest words.
//!
//! Driving example: "Größe der Gezeiten" is asked for in German and 潮汐 in Chinese, whatever
//! the language of the interface; of "Hilbre 2026" nobody can tell, and that of whoever
//! asked holds: of their question, of what they asked before, else of the interface. Names that
//! stand in the question tell nothing of their own: "Côte d'Ivoire president" is asked for in
//! English where the question is English.
//!
//! A search is a few words, often names: statistics of whole texts (n-grams of a hundred
//! languages, some 200 KB) would weigh more than the rest of this layer and know little more.
//! Deliberately absent: languages that are rarely searched in, and certainty.

mod latin;

use std::collections::BTreeSet;

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
        "zh-CN",
        " zh ja ",
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

/// Letters of one language among those that share a script. The Chinese ones are of Taiwan and
/// Hong Kong, and Japanese writes them otherwise.
const OWN: [(&str, &str); 5] = [
    (
        "這們說麼嗎會學國體點樣與對應發當從讓關實價氣變灣區圖來",
        "zh-TW",
    ),
    ("їєґ", "uk"),
    ("ў", "be"),
    ("ђћџ", "sr"),
    ("پچژگ", "fa"),
];

/// A letter of these says as much as a syllable of others.
const WEIGHT: usize = 3;

/// So many letters of another script are more than a sign in a formula or a word under
/// discussion.
const A_WORD: usize = 2;

/// Beside a word of another script, so much tells the language of the others.
const A_SENTENCE: usize = 3;

/// How much of what somebody said is looked at, in characters.
const MOST_SAID: usize = 1_000;

/// What of a search's letters tells its language.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Telling {
    /// All.
    All,
    /// No letter by itself, as names have them: São, Müller.
    Pieces,
}

/// The language of a search, a BCP 47 tag, for whoever `said` this, the latest last, in an
/// interface of the language `tag`; empty where nothing tells it.
pub(super) fn language_for(text: &str, said: &[String], tag: &str) -> String {
    let said: Vec<String> = said
        .iter()
        .map(|words| words.chars().take(MOST_SAID).collect())
        .collect();
    let tells = |words: &&String| !language_of(words, "").is_empty();
    let Some(last) = said.iter().rev().find(tells) else {
        return language_of(text, tag);
    };
    let spoken = language_of(last, tag);
    told_by(&without_names(text, &said), &spoken, Telling::Pieces)
}

/// A search without the names that somebody said in another sentence.
fn without_names(text: &str, said: &[String]) -> String {
    let bare = |word: &str| -> String {
        let word = word.trim_matches(|it: char| !it.is_alphanumeric());
        word.replace('’', "'")
    };
    let words = said.iter().flat_map(|words| words.split_whitespace());
    let names = words
        .map(bare)
        .filter(|word| word.contains(char::is_uppercase));
    let names: BTreeSet<String> = names.map(|name| name.to_lowercase()).collect();
    let kept = text.split_whitespace();
    let kept = kept.filter(|word| !names.contains(&bare(word).to_lowercase()));
    kept.collect::<Vec<_>>().join(" ")
}

/// The language of words, a BCP 47 tag. `tag` is that of whoever says them, which holds where
/// they leave it open and it is written in their script; else it is empty.
pub fn language_of(text: &str, tag: &str) -> String {
    told_by(text, tag, Telling::All)
}

fn told_by(text: &str, tag: &str, telling: Telling) -> String {
    let latin = text.chars().filter(|it| is_latin(*it)).count();
    let mut most = (0, 0, None);
    for script in &SCRIPTS {
        let letters = text.chars().filter(|it| is_of(script, *it)).count();
        // Japanese is known by its own letters, however few.
        let weighs = if script.1 == "ja" && letters > 0 {
            usize::MAX
        } else {
            letters * WEIGHT
        };
        if weighs > most.0 {
            most = (weighs, letters, Some(script));
        }
    }
    let (weighs, letters, script) = most;
    let spoken = if weighs < latin {
        let fits = is_written_in_latin(tag).then(|| primary(tag));
        // 评测 after a long name in Latin letters is what tells.
        let pieces = if letters >= A_WORD { A_SENTENCE } else { 1 };
        latin::spoken(text, fits.as_deref().unwrap_or_default(), pieces, telling)
    } else {
        None
    };
    match (spoken, script) {
        // A tag may say more: en-GB, pt-BR.
        (Some(spoken), _) if primary(tag) == spoken => tag.to_owned(),
        (Some(spoken), _) => spoken.to_owned(),
        (None, Some(script)) if weighs >= latin || letters >= A_WORD => written(script, text, tag),
        (None, _) if latin == 0 || is_written_in_latin(tag) => tag.to_owned(),
        (None, _) => String::new(),
    }
}

/// The first part of a tag, as in `zh` of `zh-CN`.
pub(super) fn primary(tag: &str) -> String {
    let primary = tag.split(['-', '_']).next().unwrap_or_default();
    primary.to_ascii_lowercase()
}

/// Whether a script stands for this language, too.
pub(super) fn has_a_script(language: &str) -> bool {
    SCRIPTS.iter().any(|script| writes(script, language))
}

fn writes((_, language, others): &Script, named: &str) -> bool {
    *language == named || others.contains(&format!(" {named} "))
}

fn is_written_in_latin(tag: &str) -> bool {
    !tag.is_empty() && !has_a_script(&primary(tag))
}

/// The language of a text that is written in a script of its own.
fn written(script: &Script, text: &str, tag: &str) -> String {
    let (_, language, _) = script;
    let is_own = |(letters, of): &&(&str, &str)| {
        let is_here = *language == *of || writes(script, &primary(of));
        is_here && text.contains(|it| letters.contains(it))
    };
    let own = OWN.iter().find(is_own).map(|(_, of)| *of);
    // Chinese is one language; who reads it as on the mainland does not write it so here.
    let holds = |tag: &&str| match own {
        Some(own) => primary(tag) == primary(own) && !matches!(*tag, "zh-CN" | "zh"),
        None => writes(script, &primary(tag)),
    };
    let said = Some(tag).filter(holds);
    said.or(own).unwrap_or(language).to_owned()
}

fn is_of((ranges, ..): &Script, it: char) -> bool {
    ranges.iter().any(|(from, to)| (*from..=*to).contains(&it))
}

fn is_latin(it: char) -> bool {
    it.is_ascii_alphabetic()
        || matches!(it, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}') && it.is_alphabetic()
}

#[cfg(test)]
mod tests;
