//! Chooses sentences that say different things.
//!
//! Example: the abstract and the conclusion contain the same statement, so only one of the
//! two sentences is chosen. Sentences are chosen one by one, and only among those with the best
//! scores. A page of thousands of sentences therefore takes little longer than one of a hundred.

use super::super::best_first::best_first;
use super::super::vector::Vector;
use super::PageScores;

/// The weight of a sentence's own score. `1 - LAMBDA` is the weight of the sentence's similarity to
/// sentences that are already chosen.
const LAMBDA: f64 = 0.6;

/// The penalty for a similarity of 1, in units of the scores.
const LIKENESS: f64 = 6.0;

/// Two sentences with at least this similarity say the same thing, so only one of them is chosen.
const SAME: f64 = 0.7;

/// The number of sentences that are considered for each sentence to choose. At least `POOL_MIN` are
/// considered in all.
const POOL_PER_CHOICE: usize = 16;
const POOL_MIN: usize = 64;

/// The sentences that are already part of the summary.
pub(super) struct Selection<'a> {
    page: &'a PageScores<'a>,
    taken: Vec<usize>,
    /// A text before the summary, from which all choices must differ.
    description: Option<Vector>,
}

impl<'a> Selection<'a> {
    pub(super) fn of(page: &'a PageScores<'a>, description: Option<Vector>) -> Self {
        Self {
            page,
            description,
            taken: Vec::new(),
        }
    }

    /// Adds a sentence, such as the gist. Later choices must differ from this sentence.
    pub(super) fn take(&mut self, at: usize) {
        self.taken.push(at);
    }

    /// Chooses up to `count` of the `scored` sentences by maximal marginal relevance, best first. A
    /// sentence that is too similar to a chosen one is skipped.
    pub(super) fn choose(&mut self, scored: &[(usize, f64)], count: usize) -> Vec<usize> {
        let mut pool = self.pool(scored, count);
        let mut chosen = Vec::new();
        while chosen.len() < count {
            pool.retain(|one| one.likeness < SAME);
            let best = pool
                .iter()
                .enumerate()
                .max_by(|(_, a), (_, b)| {
                    let order = a.relevance().total_cmp(&b.relevance());
                    order.then(b.at.cmp(&a.at))
                })
                .map(|(position, _)| position);
            let Some(best) = best else { break };
            let one = pool.swap_remove(best);
            for other in &mut pool {
                other.likeness = other.likeness.max(self.likeness(one.at, other.at));
            }
            self.take(one.at);
            chosen.push(one.at);
        }
        chosen
    }

    fn pool(&self, scored: &[(usize, f64)], count: usize) -> Vec<Pooled> {
        let most = (count * POOL_PER_CHOICE).max(POOL_MIN);
        best_first(scored.to_vec(), scored.len())
            .into_iter()
            .filter(|(at, _)| self.page.is_quotable(*at))
            .take(most)
            .map(|(at, score)| Pooled {
                at,
                score,
                likeness: self
                    .taken
                    .iter()
                    .map(|taken| self.likeness(*taken, at))
                    .chain(self.likeness_to_description(at))
                    .fold(0.0, f64::max),
            })
            .collect()
    }

    fn likeness_to_description(&self, at: usize) -> Option<f64> {
        Some(
            self.description
                .as_ref()?
                .cosine(self.page.vectors.get(at)?),
        )
    }

    fn likeness(&self, a: usize, b: usize) -> f64 {
        match (self.page.vectors.get(a), self.page.vectors.get(b)) {
            _ if a == b => 1.0,
            (Some(a), Some(b)) => a.cosine(b),
            _ => 0.0,
        }
    }
}

/// A sentence that may still be chosen.
struct Pooled {
    at: usize,
    score: f64,
    /// The similarity to the most similar of the chosen sentences.
    likeness: f64,
}

impl Pooled {
    fn relevance(&self) -> f64 {
        LAMBDA * self.score - (1.0 - LAMBDA) * LIKENESS * self.likeness
    }
}
