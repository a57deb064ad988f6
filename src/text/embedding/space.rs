//! The texts of one page as vectors, and how near a question lies to each.
//!
//! Driving example: the sections of a manual. A word weighs the less the more
//! sections have it, and stop words nothing: in manuals "I" and "my" are rare, and in
//! questions they tell nothing all the same. Each distinct word is embedded once.

use super::super::interner::{Interned, Interner};
use super::super::terms::Rules;
use super::super::{Language, english, index::Entry};
use super::{Embeddings, Vector};

/// Vectors of texts, of length 1 (or zeros).
#[derive(Debug)]
pub struct Space<'a> {
    words: Words<'a>,
    vectors: Vec<Vector>,
}

impl<'a> Space<'a> {
    /// Embeds `texts`, each together with its headings.
    pub fn new<'t>(embeddings: &'a Embeddings, texts: impl Iterator<Item = Entry<'t>>) -> Self {
        let mut words = Words::of(embeddings);
        for entry in texts {
            words.count(entry.heading);
            words.count(entry.text);
            words.close();
        }
        words.weigh();
        let mut vectors = Vec::with_capacity(words.closed.len());
        let mut from = 0;
        for to in &words.closed {
            let counts = words.counts.get(from..*to).unwrap_or_default();
            vectors.push(words.vector(counts));
            from = *to;
        }
        Self { words, vectors }
    }

    /// The cosine of `query` to each text, from -1 to 1.
    pub fn similarities(&self, query: &str) -> Vec<f64> {
        let asked = self.words.vector_of(query);
        let cosines = self.vectors.iter().map(|text| text.dot(&asked));
        cosines.map(f64::from).collect()
    }
}

/// The distinct words of all texts, counted text by text.
#[derive(Debug)]
struct Words<'a> {
    embeddings: &'a Embeddings,
    numbers: Interner,
    known: Vec<Word>,
    /// The words that the open text has.
    seen: Vec<u32>,
    /// Text by text: its words and how often it has each.
    counts: Vec<(u32, f32)>,
    /// Where each text's counts end.
    closed: Vec<usize>,
}

#[derive(Debug)]
struct Word {
    /// The sum of its tokens; zeros for a stop word.
    vector: Vector,
    /// How many texts have it; none have a stop word.
    spread: u32,
    /// How often the open text has it.
    times: f32,
    /// A stop word.
    is_silent: bool,
}

impl<'a> Words<'a> {
    fn of(embeddings: &'a Embeddings) -> Self {
        Self {
            embeddings,
            numbers: Interner::with_capacity(0),
            known: Vec::new(),
            seen: Vec::new(),
            counts: Vec::new(),
            closed: Vec::new(),
        }
    }

    /// Counts the words of a field of the open text.
    fn count(&mut self, text: &str) {
        let Self {
            embeddings,
            numbers,
            known,
            seen,
            ..
        } = self;
        Rules::of(Language::Other).each_surface(text, |word| {
            let (Interned::Known(number) | Interned::Fresh(number)) = numbers.intern(word);
            let at = number as usize;
            if at == known.len() {
                known.push(Word::of(word, embeddings));
            }
            if let Some(word) = known.get_mut(at).filter(|word| !word.is_silent) {
                if word.times == 0.0 {
                    seen.push(number);
                }
                word.times += 1.0;
            }
        });
    }

    /// The open text is whole.
    fn close(&mut self) {
        for number in self.seen.drain(..) {
            if let Some(word) = self.known.get_mut(number as usize) {
                word.spread += 1;
                self.counts.push((number, std::mem::take(&mut word.times)));
            }
        }
        self.closed.push(self.counts.len());
    }

    /// All texts are whole: each word's vector becomes as long as the word weighs.
    fn weigh(&mut self) {
        let texts = self.closed.len();
        for word in &mut self.known {
            let plain = std::mem::take(&mut word.vector);
            word.vector.add(&plain, weight(word.spread, texts));
        }
    }

    fn vector(&self, counts: &[(u32, f32)]) -> Vector {
        let mut sum = Vector::default();
        for (number, times) in counts {
            if let Some(word) = self.known.get(*number as usize) {
                sum.add(&word.vector, *times);
            }
        }
        sum.unit()
    }

    /// A text that need not be one of the page's: words that the page lacks weigh most.
    fn vector_of(&self, text: &str) -> Vector {
        let mut sum = Vector::default();
        Rules::of(Language::Other).each_surface(text, |surface| {
            let number = self.numbers.find(surface).map(|number| number as usize);
            if let Some(known) = number.and_then(|at| self.known.get(at)) {
                sum.add(&known.vector, 1.0);
            } else {
                let word = Word::of(surface, self.embeddings);
                sum.add(&word.vector, weight(0, self.closed.len()));
            }
        });
        sum.unit()
    }
}

/// The root of the inverse document frequency: all of it leaves a question's one rare
/// word alone with the say.
fn weight(some: u32, all: usize) -> f32 {
    let (some, all) = (some as f32, all as f32);
    libm::sqrtf(libm::logf(1.0 + (all - some + 0.5) / (some + 0.5)))
}

impl Word {
    fn of(word: &str, embeddings: &Embeddings) -> Self {
        let is_silent = english::is_stop_word(&word.to_lowercase());
        let mut vector = Vector::default();
        if !is_silent {
            embeddings.add_word(word, &mut vector);
        }
        Self {
            vector,
            spread: 0,
            times: 0.0,
            is_silent,
        }
    }
}
