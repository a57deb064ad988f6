//! The texts of one page as vectors, and how near a question lies to each.
//!
//! Driving example: the sections of a manual. A word weighs the less the more
//! sections have it, so "the" and the manual's own subject move no section; each distinct
//! word is embedded once.

use super::super::interner::{Interned, Interner};
use super::super::terms::Rules;
use super::super::{Language, index::Entry};
use super::{Embeddings, Vector};

/// Vectors of texts, of length 1 (or zeros).
#[derive(Debug)]
pub struct Space<'a> {
    embeddings: &'a Embeddings,
    words: Words,
    vectors: Vec<Vector>,
}

/// The distinct words of all texts.
#[derive(Debug)]
struct Words {
    numbers: Interner,
    /// The sum of each word's tokens.
    vectors: Vec<Vector>,
    /// How many texts have it.
    spread: Vec<u32>,
}

impl<'a> Space<'a> {
    /// Embeds `texts` in the light of their headings.
    pub fn new<'t>(embeddings: &'a Embeddings, texts: impl Iterator<Item = Entry<'t>>) -> Self {
        let rules = Rules::of(Language::Other);
        let mut words = Words {
            numbers: Interner::with_capacity(0),
            vectors: Vec::new(),
            spread: Vec::new(),
        };
        let mut counted: Vec<Vec<(u32, f32)>> = Vec::new();
        // How often the open text has each word.
        let mut times: Vec<f32> = Vec::new();
        for entry in texts {
            let mut seen = Vec::new();
            for field in [entry.heading, entry.text] {
                rules.each_surface(field, |word| {
                    let number = match words.numbers.intern(word) {
                        Interned::Known(number) => number,
                        Interned::Fresh(number) => {
                            let mut vector = Vector::default();
                            embeddings.add_word(word, &mut vector);
                            words.vectors.push(vector);
                            words.spread.push(0);
                            times.push(0.0);
                            number
                        }
                    };
                    if let Some(times) = times.get_mut(number as usize) {
                        if *times == 0.0 {
                            seen.push(number);
                        }
                        *times += 1.0;
                    }
                });
            }
            let count = |number: u32| {
                let at = number as usize;
                if let Some(spread) = words.spread.get_mut(at) {
                    *spread += 1;
                }
                (number, times.get_mut(at).map_or(0.0, std::mem::take))
            };
            counted.push(seen.into_iter().map(count).collect());
        }
        let rarity = words.rarity(counted.len());
        let vectors = counted
            .iter()
            .map(|text| words.vector(text, &rarity).unit());
        Self {
            embeddings,
            vectors: vectors.collect(),
            words,
        }
    }

    /// The cosine of `query` to each text, from -1 to 1.
    pub fn similarities(&self, query: &str) -> Vec<f64> {
        let asked = self.vector(query);
        let cosines = self.vectors.iter().map(|text| text.dot(&asked));
        cosines.map(f64::from).collect()
    }

    /// A text that need not be one of the page's: words that the page lacks weigh most.
    fn vector(&self, text: &str) -> Vector {
        let rarity = self.words.rarity(self.vectors.len());
        let mut sum = Vector::default();
        Rules::of(Language::Other).each_surface(text, |word| {
            let number = self.words.numbers.find(word).map(|number| number as usize);
            let known = number.and_then(|at| self.words.vectors.get(at).zip(rarity.get(at)));
            if let Some((vector, rarity)) = known {
                sum.add(vector, *rarity);
            } else {
                let mut vector = Vector::default();
                self.embeddings.add_word(word, &mut vector);
                sum.add(&vector, weight(0, self.vectors.len()));
            }
        });
        sum.unit()
    }
}

impl Words {
    fn rarity(&self, texts: usize) -> Vec<f32> {
        self.spread
            .iter()
            .map(|some| weight(*some, texts))
            .collect()
    }

    fn vector(&self, counts: &[(u32, f32)], rarity: &[f32]) -> Vector {
        let mut sum = Vector::default();
        for (number, times) in counts {
            let at = *number as usize;
            if let (Some(vector), Some(rarity)) = (self.vectors.get(at), rarity.get(at)) {
                sum.add(vector, times * rarity);
            }
        }
        sum
    }
}

/// The inverse document frequency of a word.
fn weight(some: u32, all: usize) -> f32 {
    let (some, all) = (some as f32, all as f32);
    libm::logf(1.0 + (all - some + 0.5) / (some + 0.5))
}
