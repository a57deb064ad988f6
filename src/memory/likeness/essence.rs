//! What a sentence about the person says, apart from how.

use super::groups::{GROUPS, SETTINGS};
use super::slots::{Slot, Whose, slot_of};
use super::wording::{
    ADDITIVE, BUT, COUNTED_BY, DISLIKES, DOING, FILLERS, LIKES, MAKES, NUMBERS, NUMBERS_IN_CHINESE,
    OVER, PREFERS, TURNING, has, is_negated, is_who, language, strike, strike_not,
};
use crate::memory::words::{self, WHO_IN_CHINESE};
use crate::text::{Language, terms};
use std::collections::BTreeSet;

/// Whether something is so, or is liked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Polarity {
    /// It is.
    For,
    /// It is not.
    Against,
    /// It is not disliked.
    Unsure,
}

/// A value of a group of which a setting has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chosen {
    /// Which of [`GROUPS`].
    pub(super) group: usize,
    /// Which of its values.
    pub(super) value: usize,
}

/// What a sentence says. Verbs of liking are none of its terms: they say whether.
#[derive(Debug, Clone)]
pub(in crate::memory) struct Essence {
    pub(super) terms: BTreeSet<String>,
    pub(super) numbers: BTreeSet<String>,
    pub(super) polarity: Polarity,
    pub(super) slot: Option<Slot>,
    /// What it is preferred to.
    pub(super) over: Option<BTreeSet<String>>,
    /// Words too small to be terms that turn it.
    pub(super) sense: BTreeSet<&'static str>,
    /// What is so of the one and not of the other, in the order of the sentence.
    pub(super) mixed: Option<Vec<String>>,
    /// What it chooses of groups, and the terms without that.
    pub(super) choices: Vec<Chosen>,
    pub(super) rest: BTreeSet<String>,
    /// What of theirs it is about, as "sister" in "The user's sister", where it is not them.
    pub(super) of_theirs: Option<String>,
    /// What something is made with.
    pub(super) made_with: Option<String>,
    /// Another of the kind may be so as well.
    pub(super) is_additive: bool,
    prefers: bool,
    names_setting: bool,
}

impl Essence {
    /// Reads a sentence.
    pub(in crate::memory) fn of(text: &str) -> Self {
        let text = text.replace('’', "'");
        let lower = text.to_lowercase();
        let (head, over) = compared(&lower);
        let slot = slot_of(&text, &lower).filter(|_| over.is_none());
        let any = |phrases: &[&str]| phrases.iter().any(|phrase| has(&head, phrase));
        let mut bare = head.clone();
        if let Some(slot) = slot.as_ref().filter(|slot| slot.whose == Whose::Theirs) {
            bare = bare.replacen(&slot.said, " ", 1);
        }
        let dislikes = struck(&mut bare, &DISLIKES);
        let likes = struck(&mut bare, &LIKES);
        let is_not = is_negated(&bare);
        let polarity = match (dislikes, is_not) {
            (false, false) => Polarity::For,
            (true, true) => Polarity::Unsure,
            (true, false) | (false, true) => Polarity::Against,
        };
        let is_mixed = any(&BUT) && (is_not || dislikes);
        struck(&mut bare, &FILLERS);
        strike_not(&mut bare);
        if likes || dislikes {
            struck(&mut bare, &DOING);
        }
        let sense = TURNING.into_iter().filter(|it| has(&bare, it)).collect();
        let (choices, chosen_out) = chosen(&bare);
        let (mut words, numbers) = counted(&bare);
        let made_with = made_with(&head, &bare, &words);
        if let Some(slot) = slot.as_ref().filter(|slot| slot.whose == Whose::Theirs) {
            words.insert(0, format!("={}", slot.what));
        }
        let prefers = any(&PREFERS);
        let mixed = is_mixed.then(|| {
            let order = words::words(&lower);
            order.map(str::to_owned).collect()
        });
        Self {
            terms: words.into_iter().collect(),
            numbers,
            polarity,
            over: over.map(|over| counted(&over).0.into_iter().collect()),
            sense,
            mixed,
            choices,
            rest: counted(&chosen_out).0.into_iter().collect(),
            of_theirs: of_theirs(&head),
            made_with,
            is_additive: any(&ADDITIVE) && !prefers,
            prefers,
            names_setting: any(&SETTINGS),
            slot,
        }
    }

    /// How much it says.
    pub(super) fn size(&self) -> usize {
        self.size_of_head() + self.over.as_ref().map_or(0, BTreeSet::len)
    }

    pub(super) fn size_of_head(&self) -> usize {
        self.terms.len() + self.numbers.len()
    }

    pub(super) fn is_theirs(&self) -> bool {
        let slot = self.slot.as_ref();
        slot.is_some_and(|slot| slot.whose == Whose::Theirs)
    }

    /// Whether what it chooses of a group is how something is set.
    pub(super) fn is_setting(&self, group: usize) -> bool {
        let named = GROUPS.get(group).is_some_and(|group| group.named);
        self.names_setting || (self.prefers && !named)
    }

    /// Whether a year is among its numbers.
    pub(super) fn has_year(&self) -> bool {
        let mut numbers = self.numbers.iter();
        numbers.any(|it| it.len() == 4 && (it.starts_with("19") || it.starts_with("20")))
    }
}

/// The one, and what it is preferred to.
fn compared(lower: &str) -> (String, Option<String>) {
    // "比起咖啡更喜欢茶": the other stands first.
    if let Some((before, after)) = lower.split_once("比起")
        && let Some(at) = after.find(['，', ',', '更'])
    {
        let (other, one) = after.split_at(at);
        return (format!("{before}{one}"), Some(other.to_owned()));
    }
    let prefers = ["prefers ", "prefer "].iter().any(|it| lower.contains(it));
    let to = prefers.then_some(" to ");
    let halves = OVER
        .into_iter()
        .chain(to)
        .find_map(|over| lower.split_once(over));
    let is_said = |head: &str| {
        !counted(head)
            .0
            .iter()
            .all(|term| LIKES.contains(&term.as_str()))
    };
    match halves {
        // "Prefers to walk" compares nothing.
        Some((head, tail)) if likes(head) && is_said(head) => {
            (head.to_owned(), Some(tail.to_owned()))
        }
        _ => (lower.to_owned(), None),
    }
}

/// The word behind whom it is of; of Chinese two characters.
fn of_theirs(head: &str) -> Option<String> {
    let behind = |mark: &&str| head.split_once(*mark).map(|(_, after)| after);
    if let Some(after) = ["user's ", "my "].iter().find_map(behind) {
        return after.split_whitespace().next().map(str::to_owned);
    }
    let after = ["用户的", "我的"].iter().find_map(behind)?;
    Some(after.chars().take(2).collect())
}

fn likes(text: &str) -> bool {
    LIKES.iter().any(|it| has(text, it))
}

fn struck(text: &mut String, phrases: &[&str]) -> bool {
    let mut any = false;
    for phrase in phrases {
        any |= strike(text, phrase);
    }
    any
}

/// What is chosen of groups, and the text without it.
fn chosen(bare: &str) -> (Vec<Chosen>, String) {
    let mut left = bare.to_owned();
    let mut choices = Vec::new();
    for (group, all) in GROUPS.iter().enumerate() {
        for (value, words) in all.values.iter().enumerate() {
            if struck(&mut left, words) {
                choices.push(Chosen { group, value });
            }
        }
    }
    (choices, left)
}

/// The terms of a text in order, and its numbers.
fn counted(text: &str) -> (Vec<String>, BTreeSet<String>) {
    let mut bare = text.to_owned();
    for who in WHO_IN_CHINESE {
        bare = bare.replace(who, " ");
    }
    for (word, digits) in NUMBERS {
        if strike(&mut bare, word) {
            bare.push(' ');
            bare.push_str(digits);
        }
    }
    let of = language(&bare);
    if of == Language::Chinese {
        bare = digits_of(&bare);
    }
    let all = terms(&bare, of).into_iter().filter(|term| !is_who(term));
    let (numbers, words) = all.partition(|term| term.chars().any(|it| it.is_ascii_digit()));
    let numbers: Vec<String> = numbers;
    (words, numbers.into_iter().collect())
}

/// "两只猫" as "2只猫".
fn digits_of(text: &str) -> String {
    let next = text.chars().skip(1).chain([' ']);
    let pairs = text.chars().zip(next);
    let digits = pairs.map(|(it, next)| {
        let number = NUMBERS_IN_CHINESE.iter().find(|(word, _)| *word == it);
        match number {
            Some((_, digits)) if COUNTED_BY.contains(next) => (*digits).to_owned(),
            _ => it.to_string(),
        }
    });
    digits.collect()
}

/// The last term, where that is what something is made with.
fn made_with(head: &str, bare: &str, words: &[String]) -> Option<String> {
    let makes = MAKES.iter().any(|verb| has(head, verb));
    if !makes {
        return None;
    }
    if language(bare) == Language::Chinese {
        let with = words.iter().find(|term| {
            let said = head.split_once('用').map(|(_, after)| after.trim_start());
            term.is_ascii() && said.is_some_and(|said| said.starts_with(term.as_str()))
        });
        return with.cloned();
    }
    let mut last = bare.split_whitespace().rev();
    let (_, before) = (last.next()?, last.next()?);
    let with = ["in", "with", "using"].contains(&before);
    with.then(|| words.last().cloned()).flatten()
}
