//! Chooses sentences that say different things.
//!
//! Driving example: abstract and conclusion say the same, so only one is chosen. The choice is
//! greedy and only among the best few, so that a page of thousands of sentences costs no more than
//! one of a hundred.

use super::super::best_first::best_first;
use super::PageScores;

/// The weight of a sentence's own score, against its similarity to those taken.
const LAMBDA: f64 = 0.6;

/// The cost of full similarity, in units of the scores.
const LIKENESS: f64 = 6.0;

/// The similarity from which two sentences say the same and are never both taken.
const SAME: f64 = 0.7;

/// The number of sentences considered for each one wanted, and the minimum.
const POOL_PER_CHOICE: usize = 16;
const POOL_MIN: usize = 64;

/// The sentences taken so far.
pub(super) struct Selection<'a> {
    page: &'a PageScores<'a>,
    taken: Vec<usize>,
}

impl<'a> Selection<'a> {
    pub(super) fn of(page: &'a PageScores<'a>) -> Self {
        Self {
            page,
            taken: Vec::new(),
        }
    }

    /// Takes a sentence that doesn't count as a choice.
    pub(super) fn take(&mut self, at: usize) {
        self.taken.push(at);
    }

    /// Chooses up to `count` of the `scored` sentences by maximal marginal relevance, best first.
    /// None is similar to one already taken.
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
                    .fold(0.0, f64::max),
            })
            .collect()
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
    /// The similarity to the most similar sentence taken.
    likeness: f64,
}

impl Pooled {
    fn relevance(&self) -> f64 {
        LAMBDA * self.score - (1.0 - LAMBDA) * LIKENESS * self.likeness
    }
}
