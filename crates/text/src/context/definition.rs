//! Recognises sentences that define a term, by their form.
//!
//! Example: "A mutex is a lock that one thread holds at a time." The forms are phrases next
//! to the term, one table per language, and the place of the sentence: below a heading or an entry
//! that is the term. There is no grammar. Phrases of one language hardly occur in another, so a
//! sentence is compared with the tables of all languages.

use super::mention::{Mention, Term};
use super::{Candidate, Lead};

/// The phrases of definitions in one language, in lower case. The numbers are certainties.
struct Forms {
    /// Words that may precede a term at the beginning of a sentence.
    articles: &'static [&'static str],
    /// Phrases that follow the term at the beginning of a clause: "X is a …".
    subject: &'static [(&'static str, f64)],
    /// Phrases before and after the term anywhere in a sentence: "called X", "X, which is a …".
    naming: &'static [(&'static str, &'static str, f64)],
}

#[rustfmt::skip]
const FORMS: [Forms; 6] = [
    // English
    Forms {
        articles: &["a", "an", "the", "each", "every", "any", "note", "so", "generally"],
        subject: &[
            (" refers to ", 0.8), (" is defined as ", 0.8), (" is short for ", 0.8), (" stands for ", 0.8),
            (" means ", 0.7), (" denotes ", 0.7), (" consists of ", 0.6), (" describes ", 0.6),
            (" is a ", 0.8), (" is an ", 0.8), (" is the ", 0.7), (" is one ", 0.7), (" is any ", 0.7),
            (" are a ", 0.7), (" are an ", 0.7), (" are the ", 0.6), (" are those", 0.7), (" was a ", 0.6),
            (" was an ", 0.6), (" was the ", 0.6), (" is the most ", 0.4), (" is essentially ", 0.7), (" is simply ", 0.7), (", also known as ", 0.6), (", also called ", 0.6),
            (", or ", 0.5), (", a ", 0.5), (", an ", 0.5),
            (" specifies ", 0.6), (" represents ", 0.6), (" are ", 0.4), (" is ", 0.4), (": ", 0.5),
            (" – ", 0.5), (" — ", 0.5), (" - ", 0.5),
        ],
        naming: &[
            ("called ", "", 0.7), ("known as ", "", 0.7), ("termed ", "", 0.7), ("so-called ", "", 0.6),
            ("referred to as ", "", 0.7), ("the term ", "", 0.6), (", or ", "", 0.5), ("constitutes ", "", 0.6),
            ("", ", which is ", 0.5), ("", ", which are ", 0.5), ("", ", which means ", 0.6),
            ("", ", which consists of ", 0.5),
        ],
        },
    // Chinese
    Forms {
        articles: &[],
        subject: &[
            ("是指", 0.8), ("指的是", 0.8), ("，是指", 0.8), ("是一", 0.8), ("，是一", 0.7), ("是由", 0.7),
            ("定义为", 0.8), ("的定义是", 0.8), ("的意思是", 0.8), ("意思是", 0.7), ("意为", 0.7), ("表示", 0.5),
            ("即", 0.6), ("，即", 0.6), ("又称", 0.6), ("，又称", 0.6), ("也称", 0.6), ("，也称", 0.6), ("也叫", 0.6),
            ("，也叫", 0.6), ("全称", 0.7), ("指", 0.6), ("是", 0.5), ("：", 0.5), ("——", 0.5),
        ],
        naming: &[
            ("所谓", "", 0.8), ("所谓的", "", 0.8), ("称为", "", 0.7), ("称作", "", 0.7), ("叫做", "", 0.7), ("叫作", "", 0.7), ("称之为", "", 0.7),
            ("名为", "", 0.6), ("又称", "", 0.6), ("简称", "", 0.6),
        ],
        },
    // German
    Forms {
        articles: &["der", "die", "das", "ein", "eine", "unter", "unter einer", "unter einem", "jede", "jeder", "jedes"],
        subject: &[
            (" ist ein", 0.8), (" ist der ", 0.7), (" ist die ", 0.7), (" ist das ", 0.7), (" sind die ", 0.6),
            (" bezeichnet ", 0.8), (" bedeutet ", 0.7), (" steht für ", 0.8), (" versteht man ", 0.8),
            (" wird definiert ", 0.8),
        ],
        naming: &[
            ("sogenannte ", "", 0.6), ("sogenannten ", "", 0.6), ("sogenannter ", "", 0.6), ("heißt ", "", 0.6), ("heißen ", "", 0.6),
            ("bezeichnet als ", "", 0.7), ("", " genannt", 0.6), ("", " nennt man ", 0.6),
        ],
        },
    // French
    Forms {
        articles: &["le", "la", "l", "les", "un", "une", "chaque"],
        subject: &[
            (" est un", 0.8), (" est le ", 0.7), (" est la ", 0.7), (" est l'", 0.7), (" est l’", 0.7),
            (" sont des ", 0.6), (" sont les ", 0.6), (" désigne ", 0.8), (" signifie ", 0.7), (" consiste ", 0.6),
        ],
        naming: &[
            ("appelé ", "", 0.7), ("appelée ", "", 0.7), ("appelés ", "", 0.7), ("appelées ", "", 0.7), ("on appelle ", "", 0.7),
            ("connu sous le nom de ", "", 0.7), ("connue sous le nom de ", "", 0.7),
        ],
        },
    // Spanish
    Forms {
        articles: &["el", "la", "los", "las", "un", "una", "cada"],
        subject: &[
            (" es un", 0.8), (" es el ", 0.7), (" es la ", 0.7), (" es lo ", 0.6), (" son los ", 0.6),
            (" son las ", 0.6), (" significa ", 0.7), (" se refiere a", 0.8), (" se define ", 0.8), (" consiste ", 0.6),
        ],
        naming: &[
            ("llamado ", "", 0.7), ("llamada ", "", 0.7), ("llamados ", "", 0.7), ("llamadas ", "", 0.7), ("se llama ", "", 0.7),
            ("conocido como ", "", 0.7), ("conocida como ", "", 0.7), ("denominado ", "", 0.7), ("denominada ", "", 0.7),
        ],
        },
    // Japanese
    Forms {
        articles: &[],
        subject: &[
            ("とは", 0.8), ("の略", 0.7),
        ],
        naming: &[("", "と呼ばれ", 0.7), ("", "と呼ぶ", 0.7), ("", "と呼び", 0.7), ("いわゆる", "", 0.6)],
        },
];

/// Words between the term and the phrase: "The size *of a value* is the …".
const JOINING: [&str; 9] = [
    " of ", " or ", ", or ", " for ", " in ", " von ", " de ", " ou ", " oder ",
];

/// The maximum number of joining words, in bytes.
const JOINED_BYTES: usize = 40;

/// The certainty of the first sentence below an entry of a list of definitions.
const ENTRY: f64 = 0.95;

/// The certainty of the first sentence below a heading, if the sentence begins with the term.
const HEADING: f64 = 0.75;

/// The certainty of a sentence in which the term is emphasised.
const MARKED: f64 = 0.5;

/// The share of the certainty that remains if a clause precedes the term.
const CLAUSE: f64 = 0.8;

/// Indefinite articles. "An X is bright" says something about every X, and "the X is bright" doesn't.
const INDEFINITE: [&str; 7] = ["a", "an", "ein", "eine", "un", "une", "una"];

/// The factor of the certainty if an indefinite article precedes the term.
const GENERAL: f64 = 1.25;

/// The additional certainty if the term is also emphasised or in quotation marks.
const ALSO_MARKED: f64 = 0.15;

/// Returns the certainty that the sentence defines `term`: above 0, at most 1. Returns `None` if the
/// sentence doesn't define `term`.
pub(super) fn strength(term: &Term<'_>, candidate: &Candidate<'_>) -> Option<f64> {
    let sentence = term.folded(candidate.text);
    let mentions = term.mentions(&sentence);
    if let Lead::Entry(head) = candidate.lead
        && let Some(fit) = term.fit(head)
    {
        return Some(fit * ENTRY);
    }
    let fit = match candidate.lead {
        Lead::Heading(head) => term.fit(head),
        Lead::None | Lead::Entry(_) => None,
    };
    let each = mentions.iter().filter_map(|mention| {
        let marked = mention.is_marked(candidate.markdown);
        let by_mark = marked.then_some(MARKED);
        let by_phrase = by_phrase(mention).map(|certainty| {
            let also = marked || mention.before.ends_with(QUOTES);
            certainty + if also { ALSO_MARKED } else { 0.0 }
        });
        let by_heading = fit.filter(|_| is_subject(mention.before));
        let by_heading = by_heading.map(|fit| fit * HEADING);
        by_phrase
            .into_iter()
            .chain(by_mark)
            .chain(by_heading)
            .max_by(f64::total_cmp)
    });
    each.max_by(f64::total_cmp)
        .map(|certainty| certainty.min(1.0))
}

const QUOTES: [char; 8] = ['“', '"', '‘', '\'', '「', '《', '`', '«'];

/// Matches "X is a Y" if X is the subject, "X, which is a Y", and "called X".
fn by_phrase(mention: &Mention<'_>) -> Option<f64> {
    let before = mention.before.to_lowercase();
    let introduced = before.trim_end_matches(QUOTES);
    let next = mention.after.strip_prefix(' ');
    let goes_on = next.is_some_and(|next| next.starts_with(|c: char| c.is_alphanumeric()));
    let articles = FORMS.iter().flat_map(|forms| forms.articles);
    let bare = articles
        .filter_map(|article| introduced.strip_suffix(' ')?.strip_suffix(article))
        .find(|rest| rest.ends_with(' '));
    let after = past_brackets(mention.after);
    let after = after.trim_start_matches(['”', '"', '’', '\'', '」', '》', '`', '»']);
    let place = if INDEFINITE.contains(&before.trim()) {
        Some(GENERAL)
    } else if is_subject(mention.before) {
        Some(1.0)
    } else {
        is_clause(mention.before).then_some(CLAUSE)
    };
    let by_name = FORMS
        .iter()
        .flat_map(|forms| forms.naming)
        .filter(|(lead, follow, _)| {
            let leads = introduced.ends_with(lead) || bare.is_some_and(|bare| bare.ends_with(lead));
            // In "unique constraints, which are …", "constraints" is not the whole name.
            let is_whole = !follow.starts_with(',') || bare.is_some() || place.is_some();
            leads && after.starts_with(follow) && is_whole
        })
        // In "called a coroutine function", "coroutine" is not the whole name.
        .map(|(_, follow, certainty)| {
            let is_part = follow.is_empty() && goes_on;
            certainty - if is_part { 0.2 } else { 0.0 }
        });
    let is_joined = JOINING.iter().any(|joining| after.starts_with(joining));
    let latest = if is_joined { JOINED_BYTES } else { 0 };
    // "X is the most …" is another form than "X is the …".
    let by_verb = FORMS
        .iter()
        .flat_map(|forms| forms.subject)
        .filter(|(phrase, _)| after.find(phrase).is_some_and(|at| at <= latest))
        .max_by_key(|(phrase, _)| phrase.len());
    let by_verb = by_verb
        .zip(place)
        .map(|((_, certainty), place)| certainty * place);
    by_name.chain(by_verb).max_by(f64::total_cmp)
}

/// Returns true if only an article precedes the term.
fn is_subject(before: &str) -> bool {
    let before = before
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    before.is_empty()
        || FORMS
            .iter()
            .any(|forms| forms.articles.contains(&before.as_str()))
}

/// Returns true if the term begins a main clause: "In Rust, a crate is …".
fn is_clause(before: &str) -> bool {
    let clause = before
        .trim_end()
        .trim_end_matches(QUOTES)
        .rsplit_once([',', '，', ':', '：']);
    clause.is_some_and(|(_, rest)| is_subject(rest))
}

/// Returns the text after a pair of brackets, round or full-width, at the beginning of `after`.
fn past_brackets(after: &str) -> &str {
    let inner = after.trim_start();
    let closed = [('(', ')'), ('（', '）')].iter().find_map(|(open, close)| {
        let (_, rest) = inner.strip_prefix(*open)?.split_once(*close)?;
        Some(rest)
    });
    closed.unwrap_or(after)
}
