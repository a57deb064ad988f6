//! Splits a question into the units that an answer should contain.
//!
//! Driving example: "When did Fresnel build the lighthouse?" asks for a time, and has the units
//! `fresnel` (a name), `build` and `lighthous` (the stem of "lighthouse").
//! In Chinese, each character of the question is a unit. A text contains the unit if the text
//! contains the character next to the same neighbour as in the question. Grammar is ignored:
//! subject and object are not distinguished.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::super::embedding::{Embeddings, Vector};
use super::super::language::is_cjk;
use super::super::terms::Rules;
use super::super::{Language, terms};
use super::answer_kind::AnswerKind;
use super::question_words::QuestionWords;
use super::words::{base, is_generic, is_generic_pair};

/// The maximum number of units of a question. Users' questions have fewer; further units are
/// ignored.
const MOST_UNITS: usize = 48;

/// The weight of a name or number, and the weight of a generic word. Any other word has weight 1.
const NAME: f64 = 1.6;
const GENERIC: f64 = 0.35;

/// The credit for a Chinese character without a neighbour from the question. The credit is low
/// because the character is part of many words.
const CHARACTER: f64 = 0.15;

/// The weight of a Chinese character. The weight is below 1, the weight of a word, because a
/// Chinese word has one or two characters.
const CHINESE: f64 = 0.6;

/// The credit for a word of the same family, such as "inventor" for "invent".
const SAME_FAMILY: f64 = 0.7;

/// The minimum cosine of two words of similar meaning: "price" and "cost" have 0.74, "mother" and
/// "father" 0.30.
const ALIKE: f32 = 0.5;

/// The highest credit for a different word of similar meaning.
const MOST_ALIKE: f32 = 0.85;

/// A word or Chinese character of the question that an answer should contain.
#[derive(Debug)]
pub(super) struct Unit {
    /// The word's term, or the character.
    term: String,
    /// The weight of the unit's kind. [`super::evidence`] multiplies the weight by the unit's
    /// rarity.
    pub(super) weight: f64,
    /// True for a name or a number. No other word can replace a name or a number.
    pub(super) is_name: bool,
    /// The embedding of the word; `None` for a name or without embeddings.
    place: Option<Vector>,
}

/// A parsed question.
#[derive(Debug)]
pub(super) struct Question<'m> {
    /// The question without its asking phrases.
    pub(super) text: String,
    pub(super) expected: AnswerKind,
    pub(super) units: Vec<Unit>,
    pub(super) words: QuestionWords,
    /// The subject of a question such as "What is X?".
    pub(super) subject: String,
    /// For each term, the units that the term matches, each with its credit.
    by_term: BTreeMap<String, Vec<(usize, f64)>>,
    /// The embeddings; `None` if none are loaded or the page isn't in English.
    pub(super) meaning: Option<&'m Embeddings>,
    /// A cache: the units that each word of the page matches. Most words occur several times.
    by_word: RefCell<BTreeMap<String, Rc<UnitCredits>>>,
}

/// The units that a word matches, with the credit for each.
type UnitCredits = [(usize, f64)];

impl<'m> Question<'m> {
    /// Parses a question about a page in `language`.
    pub(super) fn of(text: &str, language: Language, meaning: Option<&'m Embeddings>) -> Self {
        let (expected, rest) = AnswerKind::of(text);
        // Embeddings exist only for English words.
        let meaning = meaning.filter(|_| language == Language::English);
        let words = QuestionWords::of(text);
        let names = names(text);
        let mut question = Self {
            text: rest.clone(),
            expected,
            units: Vec::new(),
            words,
            subject: as_written(rest.trim(), text),
            by_term: BTreeMap::new(),
            meaning,
            by_word: RefCell::default(),
        };
        question.take_words(&rest, &names, language, expected);
        question.take_characters(&rest);
        // "Who was Fresnel?" asks for a definition.
        if question.expected == AnswerKind::Person && question.units.iter().all(|unit| unit.is_name)
        {
            question.expected = AnswerKind::Definition;
        }
        question
    }

    /// Adds units for the Latin words and the numbers of the question.
    fn take_words(
        &mut self,
        rest: &str,
        names: &BTreeSet<String>,
        language: Language,
        expected: AnswerKind,
    ) {
        let latin: String = rest
            .chars()
            .map(|c| if is_cjk(c) { ' ' } else { c })
            .collect();
        let language = match language {
            // Latin words in Chinese text are usually English.
            Language::Chinese => Language::English,
            Language::English | Language::Other => language,
        };
        let rules = Rules::of(language);
        let mut found: Vec<(&str, String)> = Vec::new();
        rules.each_surface(&latin, |surface| {
            found.extend(rules.term(surface).map(|term| (surface, term.into_owned())));
        });
        for (surface, found) in found {
            let term = base(&found).into_owned();
            if self.units.iter().any(|unit| unit.term == term) || self.units.len() >= MOST_UNITS {
                continue;
            }
            let is_name = names.contains(&found) || found.chars().any(|c| c.is_ascii_digit());
            let weight = match (is_name, is_generic(&term) || expected.implies(&term)) {
                (true, _) => NAME,
                (false, true) => GENERIC,
                (false, false) => 1.0,
            };
            let entry = self.by_term.entry(term.clone()).or_default();
            entry.push((self.units.len(), 1.0));
            self.units.push(Unit {
                term,
                weight,
                is_name,
                place: self
                    .meaning
                    .filter(|_| !is_name)
                    .map(|meaning| place(meaning, surface)),
            });
        }
    }

    /// Adds a unit for each Chinese character, and the pairs of characters that match the unit.
    fn take_characters(&mut self, rest: &str) {
        let characters: Vec<char> = rest.chars().collect();
        for (at, c) in characters.iter().enumerate() {
            let is_content = is_cjk(*c) && !terms(&c.to_string(), Language::Chinese).is_empty();
            if !is_content || self.units.len() >= MOST_UNITS {
                continue;
            }
            let unit = self.units.len();
            let pair = |a: Option<&char>, b: Option<&char>| match (a, b) {
                (Some(a), Some(b)) if is_cjk(*a) && is_cjk(*b) => Some([*a, *b].iter().collect()),
                _ => None,
            };
            let before = at.checked_sub(1).and_then(|at| characters.get(at));
            let pairs: [Option<String>; 2] =
                [pair(before, Some(c)), pair(Some(c), characters.get(at + 1))];
            let mut weight = CHINESE;
            for pair in pairs.into_iter().flatten() {
                if is_generic_pair(&pair) {
                    weight = CHINESE * GENERIC;
                }
                self.by_term.entry(pair).or_default().push((unit, 1.0));
            }
            let alone = self.by_term.entry(c.to_string()).or_default();
            alone.push((unit, CHARACTER));
            self.units.push(Unit {
                term: c.to_string(),
                weight,
                is_name: false,
                place: None,
            });
        }
    }

    /// Returns the credit of each unit for a text, 0 to 1.
    pub(super) fn credits(&self, text: &str, language: Language) -> Vec<f64> {
        let mut credits = vec![0.0_f64; self.units.len()];
        let rules = Rules::of(language);
        rules.each_surface(text, |word| {
            for (unit, credit) in self.match_word(word, &rules).iter() {
                if let Some(now) = credits.get_mut(*unit) {
                    *now = now.max(*credit);
                }
            }
        });
        credits
    }

    fn match_word(&self, word: &str, rules: &Rules) -> Rc<UnitCredits> {
        if let Some(known) = self.by_word.borrow().get(word) {
            return known.clone();
        }
        let brought: Rc<UnitCredits> = self.match_word_uncached(word, rules).into();
        let mut by_word = self.by_word.borrow_mut();
        by_word.insert(word.to_owned(), brought.clone());
        brought
    }

    /// Returns the units that a word matches: by its term, as a word of the same family, or by
    /// similar meaning.
    fn match_word_uncached(&self, word: &str, rules: &Rules) -> Vec<(usize, f64)> {
        let Some(term) = rules.term(word) else {
            return Vec::new();
        };
        // "building" has the same stem as the verb "build", but is usually the noun. A sentence
        // about a building doesn't say when it was built.
        if matches!(&*word.to_lowercase(), "building" | "buildings") && term == "build" {
            let own = self
                .words
                .has(word)
                .then(|| self.by_term.get(&*term))
                .flatten();
            return own.cloned().unwrap_or_default();
        }
        let term = base(&term);
        if let Some(brought) = self.by_term.get(&*term) {
            return brought.clone();
        }
        let lies = self.meaning.map(|meaning| place(meaning, word));
        let units = self.units.iter().enumerate();
        let alike = units.map(|(at, unit)| {
            let kin = if are_kin(&unit.term, &term) {
                SAME_FAMILY
            } else {
                0.0
            };
            let places = unit.place.as_ref().zip(lies.as_ref());
            let likeness = places.map_or(0.0, |(a, b)| a.dot(b));
            let likeness = if likeness >= ALIKE {
                likeness.min(MOST_ALIKE)
            } else {
                0.0
            };
            (at, kin.max(f64::from(likeness)))
        });
        alike.filter(|(_, credit)| *credit > 0.0).collect()
    }
}

fn place(meaning: &Embeddings, word: &str) -> Vector {
    let mut sum = Vector::default();
    meaning.add_word(&word.to_lowercase(), &mut sum);
    sum.unit()
}

/// Returns true if two stems belong to the same family of words: "invent" and "inventor".
fn are_kin(a: &str, b: &str) -> bool {
    const BEGINNING: usize = 5;
    const ENDING: usize = 4;
    if !a.is_ascii() || !b.is_ascii() || a.bytes().any(|b| b.is_ascii_digit()) {
        return false;
    }
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    same >= BEGINNING
        && a.len() - same <= ENDING
        && b.len() - same <= ENDING
        && (a.len() - same).min(b.len() - same) <= 1
}

/// Restores the spelling of the question: "nbt" -> "NBT".
fn as_written(lower: &str, text: &str) -> String {
    let parts = lower.split(' ').map(|word| {
        let mut written = text
            .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '.' | '_')));
        let same = written.find(|written| written.to_lowercase() == word);
        same.unwrap_or(word)
    });
    let parts: Vec<&str> = parts
        .filter(|word| {
            !matches!(
                *word,
                "the" | "a" | "an" | "do" | "does" | "did" | "is" | "are" | "was" | "were"
            )
        })
        .collect();
    parts.join(" ")
}

/// Returns the terms of names: of the capitalised words after the first word. Returns none if most
/// words of the question are capitalised.
fn names(text: &str) -> BTreeSet<String> {
    let words: Vec<&str> = text
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’')) || is_cjk(c))
        .filter(|word| !word.is_empty())
        .collect();
    let is_capital = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
    let capitals = words.iter().filter(|word| is_capital(word)).count();
    let is_shouted = words.len() > 3 && capitals * 10 > words.len() * 7;
    let begins = |at: usize| at == 0 && !text.chars().any(is_cjk);
    let named = words.iter().enumerate().filter(|(at, word)| {
        let within = word.chars().skip(1).any(char::is_uppercase);
        is_capital(word) && (!begins(*at) || within) && !is_shouted
    });
    named
        .flat_map(|(_, word)| terms(word, Language::English))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::Language::{Chinese, English};
    use super::Question;

    fn units<'a>(question: &'a Question<'_>) -> Vec<(&'a str, bool)> {
        let units = question.units.iter();
        units
            .map(|unit| (unit.term.as_str(), unit.is_name))
            .collect()
    }

    #[test]
    fn a_question_is_its_names_and_words() {
        let question = Question::of(
            "When did Fresnel build the lighthouse of 1823?",
            English,
            None,
        );
        assert_eq!(
            units(&question),
            [
                ("fresnel", true),
                ("build", false),
                ("lighthous", false),
                ("1823", true)
            ]
        );
        let credits = question.credits("Fresnel’s lighthouses were built late.", English);
        assert_eq!(credits, [1.0, 1.0, 1.0, 0.0]);
    }

    #[test]
    fn kin_count_less_than_the_word_itself() {
        let question = Question::of("Who invented it?", English, None);
        assert_eq!(question.credits("Its inventor was rich.", English), [0.7]);
        assert_eq!(question.credits("An interest was paid.", English), [0.0]);
    }

    #[test]
    fn characters_are_found_by_their_pairs() {
        let question = Question::of("防火墙是谁写的？", Chinese, None);
        assert_eq!(
            units(&question),
            [("防", false), ("火", false), ("墙", false), ("写", false)]
        );
        let credits = question.credits("他写了防火墙。", Chinese);
        assert_eq!(credits, [1.0, 1.0, 1.0, 0.15]);
    }
}
