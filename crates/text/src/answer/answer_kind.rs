//! Recognises the kind of thing that a question asks for, and rates if a sentence contains a thing
//! of this kind.
//!
//! Driving example: "When was it built?" is answered by a sentence with a year. Only the form of
//! words is examined, so errors are possible: a four-digit price looks like a year, and a city
//! looks like a person.

mod amounts;
mod asking;
mod names;

use super::super::{Language, simplified};
use super::question_words::QuestionWords;
use amounts::{MEASURES, YEARS, money, number, number_chinese, number_with, time, time_chinese};
use asking::{ASKING, ASKING_CHINESE, asks_for_quantity, is_of_cost, without_measures};
use names::{
    MANNERS, MANNERS_CHINESE, PLACES_CHINESE, REASONS, REASONS_CHINESE, person, person_chinese,
    place,
};

/// The kind of thing that a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerKind {
    /// A person, by name or occupation: "Who".
    Person,
    /// A date, a time or an occasion: "When".
    Time,
    /// A number or an amount: "How many".
    Number,
    /// An age in years or months: "How old".
    Age,
    /// A duration or a length: "How long".
    Length,
    /// A price or a sum of money: "How much does it cost".
    Money,
    /// A place: "Where".
    Place,
    /// A reason: "Why".
    Reason,
    /// A manner or a method: "How".
    Manner,
    /// A definition: "What is X".
    Definition,
    /// Anything else. An answer can't be recognised by the form of its words.
    Anything,
}

impl AnswerKind {
    /// Returns the kind of thing that `question` asks for, and the question without phrases such as
    /// "how many".
    pub(super) fn of(question: &str) -> (Self, String) {
        let lower = question.to_lowercase();
        let mut rest = format!(" {} ", spaced(&lower));
        let mut found = Self::Anything;
        let english = ASKING
            .iter()
            .filter(|(words, _)| rest.contains(&format!(" {words} ")))
            // If several phrases occur, the earliest decides. Of several at the same position, the
            // longest decides.
            .min_by_key(|(words, _)| {
                let at = rest.find(&format!(" {words} "));
                (at.unwrap_or(usize::MAX), usize::MAX - words.len())
            });
        if let Some((words, expected)) = english {
            found = *expected;
            rest = rest.replacen(&format!(" {words} "), " ", 1);
        }
        rest = without_measures(&rest);
        // Traditional characters are replaced by simplified ones, because the list contains
        // simplified ones only.
        let mut plain = simplified(&rest);
        let mut chinese: Vec<_> = ASKING_CHINESE.iter().collect();
        chinese.sort_by_key(|(words, _)| usize::MAX - words.len());
        for (words, expected) in chinese {
            while let Some(at) = plain.find(words) {
                if found == Self::Anything {
                    found = *expected;
                }
                let blank = " ".repeat(words.len());
                plain.replace_range(at..at + words.len(), &blank);
                rest.replace_range(at..at + words.len(), &blank);
            }
        }
        if found == Self::Anything && asks_for_quantity(&rest) {
            found = Self::Number;
        }
        if found == Self::Number && is_of_cost(&rest) {
            found = Self::Money;
        }
        (found, rest)
    }

    /// Returns true if a term of the question only repeats the kind of thing asked for. For
    /// example, a sentence with a price need not contain "pay".
    pub(super) fn implies(self, term: &str) -> bool {
        let implied: &[&str] = match self {
            Self::Money => &[
                "buy", "charg", "cost", "expens", "fee", "money", "pay", "price", "sell", "spend",
                "worth",
            ],
            Self::Time => &["date", "day", "happen", "month", "occur", "time", "year"],
            Self::Place => &["citi", "countri", "locat", "place", "stand"],
            Self::Number => &["amount", "number", "percentag", "quantiti", "total"],
            Self::Age => &["age", "old"],
            Self::Length => &["durat", "last", "length", "take", "time"],
            Self::Person => &["man", "name", "person", "woman"],
            Self::Reason => &["caus", "reason"],
            Self::Manner => &["manner", "method", "way"],
            Self::Definition | Self::Anything => &[],
        };
        implied.contains(&term)
    }

    /// Returns true if a sentence must contain this kind of thing to be an answer.
    pub(super) fn is_strict(self) -> bool {
        match self {
            Self::Person
            | Self::Time
            | Self::Number
            | Self::Age
            | Self::Length
            | Self::Money
            | Self::Place => true,
            Self::Reason | Self::Manner | Self::Definition | Self::Anything => false,
        }
    }

    /// Returns the certainty that `sentence` contains the kind of thing asked for, from 0 to 1.
    /// Words of the sentence that are also in the question don't count.
    pub(super) fn fit(self, sentence: &str, known: &QuestionWords, language: Language) -> f64 {
        let chinese = language == Language::Chinese;
        match self {
            Self::Person if chinese => person_chinese(sentence, known),
            Self::Person => person(sentence, known),
            Self::Time if chinese => time_chinese(sentence),
            Self::Time => time(sentence, known),
            Self::Number if chinese => number_chinese(sentence, known),
            Self::Number => number(sentence, known),
            Self::Age => number_with(sentence, &YEARS),
            Self::Length => number_with(sentence, &MEASURES),
            Self::Money => money(sentence),
            Self::Place if chinese => has_any(sentence, &PLACES_CHINESE),
            Self::Place => place(sentence, known),
            Self::Reason if chinese => has_any(sentence, &REASONS_CHINESE),
            Self::Reason => has_any(&padded(sentence), &REASONS),
            Self::Manner if chinese => has_any(sentence, &MANNERS_CHINESE),
            Self::Manner => has_any(&padded(sentence), &MANNERS),
            Self::Definition | Self::Anything => 0.0,
        }
    }
}

fn has_any(text: &str, signs: &[&str]) -> f64 {
    f64::from(u8::from(signs.iter().any(|sign| text.contains(sign))))
}

/// Returns the words of a text, separated by single spaces. `lower` is the text in lower case.
fn spaced(lower: &str) -> String {
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '.' | '_')))
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

fn padded(sentence: &str) -> String {
    format!(" {} ", spaced(&sentence.to_lowercase()))
}

/// Returns the words of a sentence that the question doesn't contain. The `bool` is true for the
/// first word of the sentence.
fn news<'a>(sentence: &'a str, known: &'a QuestionWords) -> impl Iterator<Item = (bool, &'a str)> {
    sentence
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-')))
        .filter(|word| !word.is_empty())
        .enumerate()
        .filter(|(_, word)| !known.has(word))
        .map(|(at, word)| (at == 0, word))
}

fn is_capitalised(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
        && word.chars().any(char::is_lowercase)
        && !super::super::english::is_stop_word(&word.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::super::super::Language::{Chinese, English};
    use super::AnswerKind::{
        self, Anything, Definition, Length, Manner, Number, Person, Place, Reason, Time,
    };
    use super::QuestionWords;

    #[test]
    fn a_question_is_read_by_its_asking_words() {
        for (question, expected) in [
            ("Who wrote it?", Person),
            ("In which year did he die?", Time),
            ("How many moons does it have?", Number),
            ("How long does it take?", Length),
            ("Where are logs kept?", Place),
            ("Why is the sky blue?", Reason),
            ("What is the reason that the tide is late?", Reason),
            ("How do I install it?", Manner),
            ("What is a neap tide?", Definition),
            ("Which colour is it?", Anything),
            ("Is it safe when wet?", Time),
            ("谁写了这本书？", Person),
            ("它是哪一年建成的？", Time),
            ("一共有多少个？", Number),
            ("总部在哪里？", Place),
            ("为什么天是蓝的？", Reason),
            ("怎么安装？", Manner),
            ("什么是大潮？", Definition),
            ("用的是哪种颜色？", Anything),
        ] {
            assert_eq!(AnswerKind::of(question).0, expected, "{question}");
        }
    }

    #[test]
    fn a_sentence_shows_whether_it_has_one() {
        let none = QuestionWords::default();
        for (expected, sentence, fit) in [
            (Person, "The lens was cut by Augustin Fresnel.", 1.0),
            (Person, "The lens was cut by Fresnel.", 0.7),
            (Person, "The lens was cut by hand.", 0.0),
            (Time, "It was lit in 1823.", 1.0),
            (Time, "It was lit on a Monday.", 1.0),
            (Time, "It is lit when it is dark.", 0.7),
            (Time, "It may be lit.", 0.0),
            (Number, "It has twelve panes.", 0.3),
            (Number, "It has panes.[12]", 0.0),
            (Place, "It stands in Cornwall.", 1.0),
            (Place, "It is kept in a box.", 0.5),
            (Reason, "It broke because it was thin.", 1.0),
        ] {
            let found = expected.fit(sentence, &none, English);
            assert!((found - fit).abs() < 1e-9, "{sentence}: {found}");
        }
        assert!(Time.fit("灯塔建于1823年。", &none, Chinese) > 0.9);
        assert!(Time.fit("灯塔很高。", &none, Chinese) < 0.1);
    }
}
