//! Whether two facts say the same, or the same thing otherwise.
//!
//! Driving example: "Lives in Berlin" and "The user lives in Berlin, Germany" say the
//! same; "likes coffee" and "doesn't like coffee", or "Sails a 6-metre sloop" and "Sails a
//! 7-metre sloop", can't both hold, and the newer one does. "Knows Python and Rust" and
//! "Knows Python and Go" both may: where one is not sure, both stand, as a fact that is
//! lost is worse than two that jar. By their words alone: what they mean is a model's to
//! say, which names what a fact replaces. Which of two is older changes nothing here, so
//! that two machines that compare them come to the same.

mod essence;
mod groups;
mod slots;
mod wording;

#[cfg(test)]
mod tests;

pub(super) use essence::Essence;
pub(super) use wording::{
    ADDITIVE, DISLIKES, FILLERS, LIKES, is_negated, is_who, language, one_character,
};

use essence::Polarity;

/// From this share of common terms on two facts are about the same thing.
const ABOUT: f64 = 0.6;

/// How one fact stands to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    /// They say the same, perhaps one of them more of it.
    Same,
    /// They say the same thing otherwise: both can't hold.
    Otherwise,
    /// Both may hold.
    Apart,
}

/// Whether of two that say the same the one says more.
pub(super) fn says_more(one: &str, other: &str) -> bool {
    Essence::of(one).size() > Essence::of(other).size()
}

impl Essence {
    /// How it stands to another; that one stands so to it.
    pub(super) fn likeness(&self, other: &Self) -> Likeness {
        let of_another = match (&self.slot, &other.slot) {
            (Some(one), Some(two)) => one.what == two.what && one.whose != two.whose,
            _ => false,
        };
        if of_another || self.mixed != other.mixed {
            return Likeness::Apart;
        }
        match (&self.over, &other.over) {
            (Some(one), Some(two)) if one != two => {
                let turned = self.terms == *two && other.terms == *one;
                return if turned {
                    Likeness::Otherwise
                } else {
                    Likeness::Apart
                };
            }
            _ => {}
        }
        if self.says_the_same(other) {
            return Likeness::Same;
        }
        if self.is_against(other)
            || self.has_another_value(other)
            || self.has_another_number(other)
            || self.chooses_otherwise(other)
            || self.is_made_otherwise(other)
        {
            Likeness::Otherwise
        } else {
            Likeness::Apart
        }
    }

    /// How much of what is said is said in both, 0 to 1.
    pub(super) fn common(&self, other: &Self) -> f64 {
        let common = self.terms.intersection(&other.terms).count()
            + self.numbers.intersection(&other.numbers).count();
        let all = self.size_of_head() + other.size_of_head() - common;
        if all == 0 {
            0.0
        } else {
            common as f64 / all as f64
        }
    }

    /// Whether they are about the same thing, as far as words go: enough for one that is
    /// named, too little to let go of one by itself.
    pub(super) fn is_about(&self, other: &Self) -> bool {
        self.common(other) >= ABOUT || self.likeness(other) != Likeness::Apart
    }

    fn covers(&self, other: &Self) -> bool {
        other.terms.is_subset(&self.terms) && other.numbers.is_subset(&self.numbers)
    }

    fn says_the_same(&self, other: &Self) -> bool {
        if self.polarity != other.polarity || self.sense != other.sense {
            return false;
        }
        if !(self.covers(other) || other.covers(self)) {
            return false;
        }
        let fewer = self.size_of_head().min(other.size_of_head());
        let equal = self.covers(other) && other.covers(self);
        let refines = fewer >= 2 && (self.slot.is_some() || self.common(other) >= ABOUT);
        (equal && fewer > 0) || refines
    }

    /// The one says that it is so, the other that it is not. "Drinks coffee" and "drinks no
    /// coffee at night" both hold: what is said must be all the same.
    fn is_against(&self, other: &Self) -> bool {
        let opposite = match (self.polarity, other.polarity) {
            (Polarity::For | Polarity::Unsure, Polarity::Against)
            | (Polarity::Against, Polarity::For | Polarity::Unsure) => true,
            (Polarity::For | Polarity::Unsure, Polarity::For | Polarity::Unsure)
            | (Polarity::Against, Polarity::Against) => false,
        };
        opposite && !self.terms.is_empty() && self.terms == other.terms && self.sense == other.sense
    }

    /// Something of which one has one.
    fn has_another_value(&self, other: &Self) -> bool {
        let both = self.polarity == Polarity::For && other.polarity == Polarity::For;
        let slots = self.slot.as_ref().zip(other.slot.as_ref());
        both && slots.is_some_and(|(one, two)| one.what == two.what)
            && self.is_theirs()
            && other.is_theirs()
    }

    /// "A 6-metre sloop", "a 7-metre sloop". One may like, know or have seen several of what
    /// has a number, and what is of a year is past.
    fn has_another_number(&self, other: &Self) -> bool {
        let one_of_both = |it: &Self| !it.numbers.is_empty() && !it.is_additive && !it.has_year();
        let words = self.terms.is_subset(&other.terms) || other.terms.is_subset(&self.terms);
        let common = self.terms.intersection(&other.terms).count();
        let all = self.terms.union(&other.terms).count();
        let about = common > 0 && common as f64 / all.max(1) as f64 >= ABOUT;
        self.polarity == other.polarity
            && self.sense == other.sense
            && self.of_theirs == other.of_theirs
            && self.numbers != other.numbers
            && one_of_both(self)
            && one_of_both(other)
            && words
            && about
    }

    /// "Prefers dark mode", "prefers light mode": all else alike, and it is a setting.
    fn chooses_otherwise(&self, other: &Self) -> bool {
        if self.polarity != other.polarity || self.numbers != other.numbers {
            return false;
        }
        if self.over.is_some() || other.over.is_some() {
            return false;
        }
        let ([one], [two]) = (self.choices.as_slice(), other.choices.as_slice()) else {
            return false;
        };
        let differ = one.group == two.group && one.value != two.value;
        let is_setting = |it: &Self| it.is_setting(one.group);
        differ && self.rest == other.rest && is_setting(self) && is_setting(other)
    }

    /// "Is writing a tide clock in Python", "... in Rust": one thing is made one way.
    fn is_made_otherwise(&self, other: &Self) -> bool {
        let (Some(one), Some(two)) = (&self.made_with, &other.made_with) else {
            return false;
        };
        let rest = |it: &Self, with: &String| {
            let mut rest = it.terms.clone();
            rest.remove(with);
            rest
        };
        let (first, second) = (rest(self, one), rest(other, two));
        self.polarity == other.polarity
            && self.numbers == other.numbers
            && one != two
            && first == second
            && first.len() >= 3
    }
}
