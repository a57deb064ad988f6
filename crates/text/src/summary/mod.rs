//! Summarises a page by choosing some of its sentences.
//!
//! Example: of an encyclopedia's article, one sentence becomes the gist (the main
//! statement), and three to seven others become key points. The results are indices of sentences.
//! Each sentence is verbatim on the page, so that a link can lead to it.
//!
//! The score combines similarity to the page's centroid, position and length. Of the scores that
//! need no training, this one gave the best results on scientific papers. Maximal marginal
//! relevance limits repetition.

mod character_counts;
mod form;
mod phrases;
mod score;
mod select;

use std::borrow::Cow;
use std::ops::Range;

use super::Language;
use super::best_first::best_first;
use super::marks::{is_closer, is_terminator};
use super::vector::{Space, Vector};
use form::{SentenceForm, SentenceOpening};
use select::Selection;

/// The role of a sentence on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Running text.
    Prose,
    /// An item of a list or a cell of a table.
    Item,
    /// A caption, a footnote or a quotation, which is not part of the running text.
    Aside,
}

/// A sentence of the page that a summary may contain.
#[derive(Clone, Copy, Debug)]
pub struct SummaryCandidate<'a> {
    /// The sentence, verbatim.
    pub text: &'a str,
    /// The number of the sentence's paragraph, counted from the top of the page.
    pub paragraph: u32,
    /// The role of the sentence on the page.
    pub role: Role,
}

/// A summary. Each sentence is given by its index among the candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The sentence that best says what the page is about, after the sentence that it reverses, if it
    /// reverses one. Empty if the description says it better, or if every sentence needs the sentences
    /// around it to be understood.
    pub gist: Range<usize>,
    /// The key points: further sentences in the order of the page, as many as were asked for, or
    /// three to seven. A short page has fewer.
    pub points: Vec<usize>,
}

/// The parts of a page, each a range of candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parts {
    /// The page is one text.
    Whole,
    /// Sections. Every section contributes one key point before any contributes a second one.
    Sections(Vec<Range<usize>>),
    /// The contributions to a discussion. The gist is the question or statement of the first one.
    /// The key points are from the others, as they are from sections.
    Turns(Vec<Range<usize>>),
}

/// The title and the description of a page, as its publisher wrote them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct About<'a> {
    /// The title; empty if the page has none.
    pub title: &'a str,
    /// The description. It is the gist if it shares as many words with the title as the page's best
    /// sentence does.
    pub description: Option<&'a str>,
}

/// Summarises the page in `count` key points, or in a usual number of them.
pub fn summarise(
    about: About<'_>,
    candidates: &[SummaryCandidate<'_>],
    parts: &Parts,
    count: Option<usize>,
    language: Language,
) -> Summary {
    let title = about.title;
    let page = PageScores::new(candidates, language);
    let everything = 0..candidates.len();
    let (gist, parts) = match parts {
        Parts::Turns(turns) if let Some((first, replies)) = turns.split_first() => {
            (page.question(title, first.clone()), replies)
        }
        Parts::Sections(sections) => (page.gist(title), sections.as_slice()),
        Parts::Whole | Parts::Turns(_) => (page.gist(title), std::slice::from_ref(&everything)),
    };
    let count = count.unwrap_or_else(|| page.usual_points());
    let description = about.description.map(|it| page.space.vector(it));
    let description = description.filter(|it| page.says_no_less(title, it, gist));
    let gist = gist.filter(|_| description.is_none());
    let points = page.spread(title, gist, description, parts, count);
    Summary {
        gist: gist.map_or(0..0, |gist| page.with_reversed(gist)),
        points,
    }
}

/// Returns a sentence without reference marks: "fast.[1][2]" -> "fast.", "fast [3]." -> "fast.".
pub fn without_reference_marks(text: &str) -> Cow<'_, str> {
    let mut parts = text.split('[');
    let first = parts.next().unwrap_or_default();
    let mut bare = Cow::Borrowed(first);
    for part in parts {
        match part.split_once(']') {
            Some((mark, rest)) if is_reference_mark(mark, &bare, rest) => {
                let end = bare.trim_end().len();
                let bare = bare.to_mut();
                bare.truncate(end);
                bare.push_str(rest);
            }
            _ => {
                bare += "[";
                bare += part;
            }
        }
    }
    bare
}

/// Returns true for "12" in any place, and for short words such as "citation needed" directly after
/// the end of a sentence.
fn is_reference_mark(mark: &str, before: &str, after: &str) -> bool {
    let is_number = mark.len() <= 3 && mark.chars().all(|c| c.is_ascii_digit());
    let is_between = before.ends_with(|c| is_terminator(c) || is_closer(c))
        && !after.starts_with(char::is_alphanumeric);
    !mark.is_empty() && !before.is_empty() && (is_number || mark.len() <= 20 && is_between)
}

/// Returns the `count` most informative sentences that differ from each other, best first.
pub fn choose(candidates: &[SummaryCandidate<'_>], language: Language, count: usize) -> Vec<usize> {
    let page = PageScores::new(candidates, language);
    Selection::of(&page, None).choose(&page.points(), count)
}

/// The numbers of words from which a page gets one key point more. A very short page gets none,
/// because it needs no summary.
const WORDS_OF_POINTS: [f64; 7] = [60.0, 140.0, 220.0, 400.0, 900.0, 2_000.0, 5_000.0];

/// The sentences of a page, with all values that are needed to choose among them.
struct PageScores<'a> {
    candidates: &'a [SummaryCandidate<'a>],
    space: Space,
    vectors: Vec<Vector>,
    forms: Vec<SentenceForm>,
    /// For each candidate, the number of sentences of running text before it. Menus and headings
    /// don't count.
    places: Vec<f64>,
    scores: Vec<f64>,
}

/// Marks the sentences within a quotation that began in an earlier sentence of their paragraph, and
/// those that the next sentence reverses.
fn read_in_context(candidates: &[SummaryCandidate<'_>], forms: &mut [SentenceForm]) {
    let (mut is_quoted, mut paragraph) = (false, 0);
    let mut before: Option<&mut SentenceForm> = None;
    for (candidate, form) in candidates.iter().zip(forms) {
        is_quoted &= candidate.paragraph == paragraph;
        form.is_torn |= is_quoted;
        is_quoted ^= form.splits_quotation;
        if let Some(before) = before {
            let is_reversed = form.opening == SentenceOpening::Contrast;
            before.is_reversed = is_reversed && candidate.paragraph <= paragraph.saturating_add(1);
        }
        paragraph = candidate.paragraph;
        before = Some(form);
    }
}

fn places(candidates: &[SummaryCandidate<'_>], forms: &[SentenceForm]) -> Vec<f64> {
    let mut before = 0.0;
    let place = |(candidate, form): (&SummaryCandidate<'_>, &SentenceForm)| {
        let here = before;
        if candidate.role == Role::Prose && form.is_sentence() {
            before += 1.0;
        }
        here
    };
    candidates.iter().zip(forms).map(place).collect()
}

impl<'a> PageScores<'a> {
    fn new(candidates: &'a [SummaryCandidate<'a>], language: Language) -> Self {
        let (space, vectors) = Space::new(candidates.iter().map(|c| c.text), language);
        let form = |c: &SummaryCandidate<'_>| SentenceForm::of(c.text);
        let mut forms: Vec<SentenceForm> = candidates.iter().map(form).collect();
        read_in_context(candidates, &mut forms);
        let places = places(candidates, &forms);
        let scores = score::base_score(&space, &vectors, &forms, &places);
        Self {
            candidates,
            space,
            vectors,
            forms,
            places,
            scores,
        }
    }

    fn usual_points(&self) -> usize {
        let words: f64 = self.forms.iter().map(|form| form.words).sum();
        WORDS_OF_POINTS.partition_point(|least| *least <= words)
    }

    /// Returns the scores of the sentences that may be key points.
    fn points(&self) -> Vec<(usize, f64)> {
        let mut last_paragraph = None;
        let parts = self.candidates.iter().zip(&self.forms).zip(&self.scores);
        parts
            .enumerate()
            .filter_map(|(at, ((candidate, form), score))| {
                let opens =
                    last_paragraph.replace(candidate.paragraph) != Some(candidate.paragraph);
                form.is_sentence()
                    .then(|| (at, score + score::form_score(candidate.role, form, opens)))
            })
            .collect()
    }

    /// Returns the scores of the sentences for a summary in which each sentence is shown alone.
    fn points_of_page(&self, title: &str) -> Vec<(usize, f64)> {
        let title = self.space.vector(title);
        let alone = |at: usize| {
            let form = self.forms.get(at)?;
            let likeness = title.cosine(self.vectors.get(at)?);
            Some(score::standalone_score(
                form,
                likeness,
                *self.places.get(at)?,
            ))
        };
        let scores = self.points().into_iter();
        scores
            .map(|(at, score)| (at, score + alone(at).unwrap_or_default()))
            .collect()
    }

    /// Returns true if `description` shares as many words with the title as the sentence `gist` does.
    fn says_no_less(&self, title: &str, description: &Vector, gist: Option<usize>) -> bool {
        let title = self.space.vector(title);
        let gist = gist.and_then(|gist| self.vectors.get(gist));
        gist.is_none_or(|gist| title.shared(description) >= title.shared(gist))
    }

    /// Returns the sentence `gist`, and the one before if `gist` reverses it and both are short.
    fn with_reversed(&self, gist: usize) -> Range<usize> {
        let both = gist.saturating_sub(1)..gist + 1;
        let forms = self.forms.get(both.clone()).unwrap_or_default();
        let words: f64 = forms.iter().map(|form| form.words).sum();
        let is_reversed = forms.first().is_some_and(|form| form.is_reversed);
        let is_plain = form::LONGEST_GIST >= words;
        if is_reversed && is_plain {
            both
        } else {
            gist..gist + 1
        }
    }

    /// Chooses `wanted` key points, without the gist and what `description` says: the best sentence of each part, and then the best
    /// remaining sentences. Returns them in the page's order. If there is only one part, the parts
    /// are ignored.
    fn spread(
        &self,
        title: &str,
        gist: Option<usize>,
        description: Option<Vector>,
        parts: &[Range<usize>],
        wanted: usize,
    ) -> Vec<usize> {
        let scored = self.points_of_page(title);
        let mut selection = Selection::of(self, description);
        if let Some(gist) = gist {
            self.with_reversed(gist).for_each(|at| selection.take(at));
        }
        let mut points = Vec::new();
        if parts.len() > 1 {
            points = selection.choose(&self.best_of_each(&scored, gist, parts), wanted);
        }
        let is_within = |at: usize| {
            let part = parts.partition_point(|part| part.end <= at);
            parts.get(part).is_some_and(|part| part.contains(&at))
        };
        let rest: Vec<(usize, f64)> = scored
            .into_iter()
            .filter(|(at, _)| is_within(*at))
            .collect();
        points.extend(selection.choose(&rest, wanted - points.len()));
        points.sort_unstable();
        points
    }

    /// Returns the best sentence of each part, except the gist, in the page's order.
    fn best_of_each(
        &self,
        scored: &[(usize, f64)],
        gist: Option<usize>,
        parts: &[Range<usize>],
    ) -> Vec<(usize, f64)> {
        let best = |part: &Range<usize>| {
            let start = scored.partition_point(|(at, _)| *at < part.start);
            let end = scored.partition_point(|(at, _)| *at < part.end);
            let within = scored.get(start..end)?.to_vec();
            best_first(within, end - start)
                .into_iter()
                .find(|(at, _)| gist != Some(*at) && self.is_quotable(*at))
        };
        parts.iter().filter_map(best).collect()
    }

    /// Returns true if a sentence isn't boilerplate. This is called only for the sentences with the
    /// best scores, because checking all sentences would take longer than the rest of the summary.
    fn is_quotable(&self, at: usize) -> bool {
        let candidate = self.candidates.get(at);
        candidate.is_some_and(|candidate| !form::is_beside(candidate.text))
    }

    /// Returns the sentence in `range` that best states the question of a discussion.
    fn question(&self, title: &str, range: Range<usize>) -> Option<usize> {
        let title = self.space.vector(title);
        let sentences = self.forms.iter().zip(&self.vectors).enumerate();
        let told = sentences.filter(|(at, (form, _))| range.contains(at) && form.is_sentence());
        let judged = (0..).zip(told).map(|(place, (at, (form, vector)))| {
            let likeness = title.cosine(vector);
            (at, score::question_score(form, likeness, f64::from(place)))
        });
        self.best_quotable(judged.collect())
    }

    fn best_quotable(&self, scored: Vec<(usize, f64)>) -> Option<usize> {
        let ranked = best_first(scored, usize::MAX).into_iter();
        ranked.map(|(at, _)| at).find(|at| self.is_quotable(*at))
    }

    /// Returns the sentence that best says what the page is about.
    fn gist(&self, title: &str) -> Option<usize> {
        let title = self.space.vector(title);
        let parts = self.candidates.iter().zip(&self.forms);
        let judged = self.scores.iter().zip(&self.vectors).zip(&self.places);
        let scored = parts
            .zip(judged)
            .enumerate()
            .filter(|(_, ((c, form), _))| c.role == Role::Prose && form.can_be_gist())
            .map(|(at, ((_, form), ((score, vector), place)))| {
                let about = score::topic_score(form, title.cosine(vector), *place);
                (at, score + about)
            });
        self.best_quotable(scored.collect())
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
