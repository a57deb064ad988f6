//! Counts the distinct words of one page's texts.
//!
//! Example: "package" and "Packages" are two words with two vectors, but the same stem.
//! Each distinct word is embedded and stemmed only once.

use super::super::Language;
use super::super::index::{Entry, rarity};
use super::super::interner::{Interned, Interner};
use super::super::terms::Rules;
use super::{Embeddings, Vector};

/// The words of all texts, in the order of their first occurrence.
pub(super) struct WordIndex<'a> {
    embeddings: &'a Embeddings,
    /// The rules that split text into words for embedding.
    places: Rules,
    /// The rules that stem words and recognise stop words.
    stemming: Rules,
    numbers: Interner,
    pub(super) known: Vec<Word>,
    stems: Interner,
    spreads: Vec<StemUse>,
    /// The distinct words of the current text.
    seen: Vec<u32>,
    /// The words of all finished texts, each with its frequency in the text.
    counts: Vec<(u32, f32)>,
    closed: Vec<FinishedText>,
    /// The number of words in the current text.
    length: f32,
}

/// A distinct word.
pub(super) struct Word {
    /// The sum of the vectors of the word's tokens; zeros for a stop word.
    pub(super) vector: Vector,
    /// The weight of the word: the square root of its rarity.
    pub(super) weight: f32,
    /// The number of the word's stem; `None` for a stop word.
    pub(super) stem: Option<u32>,
    /// The number of texts that contain the word.
    spread: usize,
    /// The frequency of the word in the current text.
    times: f32,
}

/// The number of texts that contain a certain stem.
#[derive(Default)]
struct StemUse {
    texts: usize,
    /// The number of the last text that was counted. A text that contains the stem twice is counted
    /// once.
    until: usize,
}

struct FinishedText {
    /// The end of the text's range in `counts`.
    end: usize,
    /// The number of words in the text, without stop words.
    length: f32,
}

/// The word counts of a text.
pub(super) struct WordCounts<'w> {
    /// The text's distinct words, with their frequencies.
    pub(super) counts: &'w [(u32, f32)],
    /// The number of words in the text, without stop words.
    pub(super) length: f32,
}

impl<'a> WordIndex<'a> {
    /// Counts the words of each of `texts` together with its headings.
    pub(super) fn new<'t>(
        embeddings: &'a Embeddings,
        texts: impl Iterator<Item = Entry<'t>>,
    ) -> Self {
        let mut words = Self {
            embeddings,
            places: Rules::of(Language::Other),
            stemming: Rules::of(Language::English),
            numbers: Interner::with_capacity(0),
            known: Vec::new(),
            stems: Interner::with_capacity(0),
            spreads: Vec::new(),
            seen: Vec::new(),
            counts: Vec::new(),
            closed: Vec::new(),
            length: 0.0,
        };
        for entry in texts {
            words.count(entry.heading);
            words.count(entry.text);
            words.close();
        }
        let all = words.closed.len();
        for word in &mut words.known {
            word.weight = weight(word.spread, all);
        }
        words
    }

    /// Returns the word counts of all texts, in order.
    pub(super) fn texts(&self) -> impl Iterator<Item = WordCounts<'_>> {
        let mut from = 0;
        self.closed.iter().map(move |closed| {
            let counts = self.counts.get(from..closed.end).unwrap_or_default();
            from = closed.end;
            WordCounts {
                counts,
                length: closed.length,
            }
        })
    }

    /// Calls `take` with the stem and the [`Word`] of each word of `text`, without stop words.
    /// `text` need not be one of the page's texts. A word that the page doesn't contain gets the
    /// highest weight.
    pub(super) fn each_of(&self, text: &str, mut take: impl FnMut(&str, Word)) {
        self.places.each_surface(text, |surface| {
            let Some(stem) = self.stemming.term(surface) else {
                return;
            };
            let number = self.numbers.find(surface).map(|number| number as usize);
            let spread = number.and_then(|at| self.known.get(at));
            let spread = spread.map_or(0, |word| word.spread);
            let word = Word {
                vector: self.vector(surface),
                weight: weight(spread, self.closed.len()),
                stem: self.stems.find(&stem),
                spread,
                times: 1.0,
            };
            take(&stem, word);
        });
    }

    /// Returns the inverse document frequency of a stem. A stem that no text contains has the
    /// highest value.
    pub(super) fn rarity(&self, stem: Option<u32>) -> f64 {
        let spread = stem.and_then(|stem| self.spreads.get(stem as usize));
        rarity(spread.map_or(0, |spread| spread.texts), self.closed.len())
    }

    /// Counts the words of the current text, or of its headings.
    fn count(&mut self, text: &str) {
        let Self {
            embeddings,
            places,
            stemming,
            numbers,
            known,
            stems,
            spreads,
            seen,
            length,
            ..
        } = self;
        places.each_surface(text, |surface| {
            let (Interned::Known(number) | Interned::Fresh(number)) = numbers.intern(surface);
            let at = number as usize;
            if at == known.len() {
                let mut word = Word::silent();
                if let Some(stem) = stemming.term(surface) {
                    let (Interned::Known(stem) | Interned::Fresh(stem)) = stems.intern(&stem);
                    if stem as usize == spreads.len() {
                        spreads.push(StemUse::default());
                    }
                    word.stem = Some(stem);
                    embeddings.add_word(surface, &mut word.vector);
                }
                known.push(word);
            }
            if let Some(word) = known.get_mut(at).filter(|word| word.stem.is_some()) {
                if word.times == 0.0 {
                    seen.push(number);
                }
                word.times += 1.0;
                *length += 1.0;
            }
        });
    }

    /// Finishes the current text.
    fn close(&mut self) {
        let texts = self.closed.len() + 1;
        for number in self.seen.drain(..) {
            let Some(word) = self.known.get_mut(number as usize) else {
                continue;
            };
            word.spread += 1;
            self.counts.push((number, std::mem::take(&mut word.times)));
            let spread = word.stem.and_then(|at| self.spreads.get_mut(at as usize));
            if let Some(spread) = spread.filter(|spread| spread.until < texts) {
                spread.texts += 1;
                spread.until = texts;
            }
        }
        self.closed.push(FinishedText {
            end: self.counts.len(),
            length: std::mem::take(&mut self.length),
        });
    }

    fn vector(&self, word: &str) -> Vector {
        let mut vector = Vector::default();
        self.embeddings.add_word(word, &mut vector);
        vector
    }
}

impl Word {
    /// Returns the entry for a stop word.
    fn silent() -> Self {
        Self {
            vector: Vector::default(),
            weight: 0.0,
            stem: None,
            spread: 0,
            times: 0.0,
        }
    }
}

/// Returns the square root of the inverse document frequency. Without the root, the rarest word of
/// a question would outweigh all other words.
fn weight(some: usize, all: usize) -> f32 {
    libm::sqrt(rarity(some, all)) as f32
}
