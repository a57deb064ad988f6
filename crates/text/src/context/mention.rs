//! Finds the mentions of a term in a sentence.
//!
//! Example: "caches" is a mention of "cache", and "cachet" is not. Only a different case
//! and the English plural are allowed.

use super::super::Language;
use super::super::language::is_cjk;

/// A selected word or name.
#[derive(Debug)]
pub(super) struct Term<'a> {
    /// The text that the user selected.
    pub(super) text: &'a str,
    /// The singular and plural forms of the term, in lower case.
    forms: Vec<String>,
    pub(super) language: Language,
}

/// The text before and after a mention, in lower case.
#[derive(Debug)]
pub(super) struct Mention<'s> {
    pub(super) before: &'s str,
    pub(super) after: &'s str,
}

impl<'a> Term<'a> {
    pub(super) fn new(text: &'a str, language: Language) -> Self {
        let forms = match language {
            Language::English => forms(lowered(text)),
            Language::Chinese | Language::Other => vec![lowered(text)],
        };
        Self {
            text,
            forms,
            language,
        }
    }

    /// Returns true for two to eight characters that are mostly capitals: "WHO" and "IPv6", but not
    /// "k8s".
    pub(super) fn is_abbreviation(&self) -> bool {
        let letters = self.text.chars().filter(|c| c.is_alphanumeric()).count();
        let capitals = self.text.chars().filter(|c| c.is_uppercase()).count();
        (2..=8).contains(&letters) && capitals >= 2 && capitals * 2 > letters
    }

    pub(super) fn is_in(&self, sentence: &str) -> bool {
        !self.mentions(&lowered(sentence)).is_empty()
    }

    /// Returns the mentions of the term in a sentence; `lowered` is the result of [`lowered`].
    pub(super) fn mentions<'s>(&self, lowered: &'s str) -> Vec<Mention<'s>> {
        let at_each = |form| lowered.match_indices(form);
        self.forms
            .iter()
            .flat_map(|form| at_each(form.as_str()))
            .filter_map(|(at, form)| {
                let before = lowered.get(..at)?;
                let after = lowered.get(at + form.len()..)?;
                (is_edge(before.chars().next_back(), form.chars().next())
                    && is_edge(after.chars().next(), form.chars().next_back()))
                .then_some(Mention { before, after })
            })
            .collect()
    }
}

/// Converts a text to lower case, with single spaces.
pub(super) fn lowered(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Returns the possible singular and plural forms of an English word.
fn forms(word: String) -> Vec<String> {
    let hisses = |stem: &str| {
        ["x", "s", "z", "ch", "sh"]
            .iter()
            .any(|end| stem.ends_with(end))
    };
    let mut forms = vec![word];
    let singulars: Vec<String> = forms
        .iter()
        .filter(|word| word.chars().count() > 3 && !word.ends_with("ss"))
        .flat_map(|word| {
            let plain = word.strip_suffix('s').map(str::to_owned);
            let hissing = word.strip_suffix("es").filter(|stem| hisses(stem));
            let with_y = word.strip_suffix("ies").map(|stem| format!("{stem}y"));
            [plain, hissing.map(str::to_owned), with_y]
        })
        .flatten()
        .collect();
    forms.extend(singulars);
    let plurals: Vec<String> = forms
        .iter()
        .flat_map(|word| {
            let hissing = hisses(word).then(|| format!("{word}es"));
            let with_y = word.strip_suffix('y').map(|stem| format!("{stem}ies"));
            [Some(format!("{word}s")), hissing, with_y]
        })
        .flatten()
        .collect();
    forms.extend(plurals);
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// Returns true if a word may begin or end between `inner`, a character of the term, and `outer`,
/// the character next to the term.
fn is_edge(outer: Option<char>, inner: Option<char>) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_cjk(c) || c == '_');
    !(joins(outer) && joins(inner))
}
