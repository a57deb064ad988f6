//! Finds the mentions of a term in a sentence.
//!
//! Example: "caches" is a mention of "cache", and "cachet" is not. Only a different case
//! and the English plural are allowed.

use super::super::language::{is_cjk, length};

/// The maximum length of a paragraph in which emphasis is searched for, in bytes. The search reads the
/// paragraph once for each mention.
const LONGEST_MARKED: usize = 20_000;

/// A selected word or name.
#[derive(Debug)]
pub(super) struct Term<'a> {
    /// The text that the user selected.
    pub(super) text: &'a str,
    /// The singular and plural forms of the term, in lower case unless it is an abbreviation.
    forms: Vec<String>,
}

/// The text before and after a mention, in lower case.
#[derive(Debug)]
pub(super) struct Mention<'s> {
    pub(super) before: &'s str,
    pub(super) term: &'s str,
    pub(super) after: &'s str,
}

impl Mention<'_> {
    /// Returns true if the mention is emphasised in its paragraph, or in curly quotation marks.
    pub(super) fn is_marked(&self, markdown: &str) -> bool {
        // The word before tells the mention from others in the paragraph.
        let word = self
            .before
            .trim_end()
            .rsplit(' ')
            .next()
            .unwrap_or_default();
        let space = if self.before.ends_with(' ') { " " } else { "" };
        let marked = lowered(&format!("{word}{space}*{}*", self.term));
        let in_emphasis = || lowered(&markdown.replace("**", "*")).contains(&marked);
        self.before.ends_with(['“', '„', '«', '「', '《'])
            || markdown.len() <= LONGEST_MARKED && markdown.contains('*') && in_emphasis()
    }
}

impl<'a> Term<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut term = Self {
            text,
            forms: Vec::new(),
        };
        term.forms = forms(term.folded(text));
        term
    }

    /// Returns a text in lower case, with single spaces. The case is kept if the term is an
    /// abbreviation: "who" is not a mention of "WHO".
    pub(super) fn folded(&self, text: &str) -> String {
        if self.is_abbreviation() {
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        } else {
            lowered(text)
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
        !self.mentions(&self.folded(sentence)).is_empty()
    }

    /// Returns 1 if `head`, a heading or an entry of a list, is the term, and less if `head` is the
    /// term and a few other words. Returns `None` for another or a narrower term.
    pub(super) fn fit(&self, head: &str) -> Option<f64> {
        let head = self.folded(head);
        let bare = head.trim_start_matches(|c: char| !c.is_alphabetic() && c != '_');
        let bare = bare.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_');
        if self.forms.iter().any(|form| form == bare) {
            return Some(1.0);
        }
        let is_named = |mention: &Mention<'_>| {
            let last = mention
                .before
                .trim_end()
                .rsplit(' ')
                .next()
                .unwrap_or_default();
            let is_whole = ["", "a", "an", "the", "is", "and", "or"].contains(&last);
            (is_whole || last.ends_with(['.', ',', '/', '&'])) && !mention.after.starts_with('.')
        };
        let is_short = length(bare) <= length(self.text) + 3.0;
        (is_short && self.mentions(bare).iter().any(is_named)).then_some(0.75)
    }

    /// Returns the mentions of the term in a sentence; `folded` is the result of
    /// [`Term::folded`].
    pub(super) fn mentions<'s>(&self, folded: &'s str) -> Vec<Mention<'s>> {
        let at_each = |form| folded.match_indices(form);
        self.forms
            .iter()
            .flat_map(|form| at_each(form.as_str()))
            .filter_map(|(at, form)| {
                let before = folded.get(..at)?;
                let term = folded.get(at..at + form.len())?;
                let after = folded.get(at + form.len()..)?;
                (is_edge(before.chars().next_back(), form.chars().next())
                    && is_edge(after.chars().next(), form.chars().next_back()))
                .then_some(Mention {
                    before,
                    term,
                    after,
                })
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
