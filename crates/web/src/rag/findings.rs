//! What a search found, as a model reads it and an answer's sources are made from.

use super::Grade;
use crate::SourceData;
use crate::search::{Hit, SearchError};
use gloss_durable::sorted::sort_by_key;
use gloss_page::without_place;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What came of a search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Findings {
    /// What was searched for, in order: the first as it was asked, each later one rewritten.
    pub searched: Vec<String>,
    /// Who was asked.
    pub provider: String,
    /// What was graded relevant, best first: all that may be cited.
    pub pages: Vec<SourceData>,
    /// What was graded otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_relevant: Vec<Judged>,
    /// What nobody graded in time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<Unchecked>,
    /// Pictures and films.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<Card>,
    /// The wanted aspects whose words no passage has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Why a search failed, in words for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The same, for the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<SearchError>,
    /// What is to be made of it.
    pub advice: String,
}

/// A result that is not relevant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    /// Of its page.
    pub title: String,
    /// Where that is.
    pub url: String,
    /// Why not.
    pub reason: String,
    /// How sure that is, in percent.
    #[serde(default)]
    pub confidence_percent: u8,
}

/// A result that nobody graded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Unchecked {
    /// Of its page.
    pub title: String,
    /// Where that is.
    pub url: String,
    /// What the provider shows of it.
    #[serde(default)]
    pub snippet: String,
}

/// A picture or a film.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// What it is called.
    pub title: String,
    /// The page that it stands on.
    pub url: String,
    /// A small picture of it; loaded after a click alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<String>,
}

impl Findings {
    pub(super) fn by(provider: &str) -> Self {
        Self {
            provider: provider.to_owned(),
            ..Self::default()
        }
    }

    /// Shows pictures and films.
    pub(super) fn show(&mut self, hits: Vec<Hit>) {
        let cards = hits.into_iter().map(|hit| Card {
            title: hit.title,
            url: hit.url,
            thumbnail: hit.thumbnail,
        });
        self.cards.extend(cards);
    }

    pub(super) fn failed(&mut self, error: &SearchError) {
        self.failure = Some(error.to_string());
        self.error = Some(error.clone());
    }

    /// Every address that stands in it: they may be followed unasked (DETAILS §12).
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        let pages = self.pages.iter().map(|it| &it.url);
        let others = self.not_relevant.iter().map(|it| &it.url);
        let unchecked = self.unchecked.iter().map(|it| &it.url);
        let cards = self.cards.iter().map(|it| &it.url);
        let all = pages.chain(others).chain(unchecked).chain(cards);
        all.map(String::as_str)
    }

    /// The same with what a model is to make of it. `is_wide`: the provider left out what the
    /// search was to be narrowed to.
    pub(super) fn advised(mut self, is_wide: bool) -> Self {
        let mut advice: Vec<String> = Vec::new();
        if is_wide {
            advice.push(format!(
                "{} can't restrict a search to kinds of sources or dates; this one wasn't restricted.",
                self.provider
            ));
        }
        if let Some(failure) = &self.failure {
            advice.push(format!("The search failed ({failure})."));
        }
        advice.push(
            match (&*self.pages, &*self.unchecked, &*self.cards) {
                ([_, ..], ..) => {
                    "Answer only from the passages in `pages`, and cite each by its id."
                }
                ([], [_, ..], _) => {
                    "The results were not graded in time. `unchecked` may inform the answer; don't \
                     cite it. The user sees this."
                }
                ([], [], [_, ..]) => "These are not sources; don't cite them.",
                ([], [], []) => {
                    "No relevant source was found. Answer from what you know, cite no source, and \
                     say what is uncertain. The user sees that no source was found."
                }
            }
            .to_owned(),
        );
        if !self.missing.is_empty() {
            let missing = self.missing.join("; ");
            advice.push(format!(
                "No passage contains the words of: {missing}. Unless a passage covers it in other \
                 words or another language, say in the answer that it is missing."
            ));
        }
        self.advice = advice.join(" ");
        self
    }
}

/// The results so far, each with its grade.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Known(Vec<(Hit, Option<Grade>)>);

/// What one search gave, by the grades of its results.
pub(super) struct Round {
    pub(super) found: usize,
    pub(super) relevant: usize,
    /// The grading did not end in time.
    pub(super) is_ungraded: bool,
    /// The title of each result, and why it is relevant or not: as data.
    pub(super) judged: Vec<Value>,
}

impl Known {
    fn grade_of(&self, hit: &Hit) -> Option<&Option<Grade>> {
        let same = |known: &&(Hit, Option<Grade>)| address(&known.0) == address(hit);
        self.0.iter().find(same).map(|(_, grade)| grade)
    }

    /// Those that no search gave before; of two with one address the first.
    pub(super) fn unknown(&self, hits: &[Hit]) -> Vec<Hit> {
        let mut new: Vec<Hit> = Vec::new();
        for hit in hits {
            let twice = new.iter().any(|other| address(other) == address(hit));
            if !twice && self.grade_of(hit).is_none() {
                new.push(hit.clone());
            }
        }
        new
    }

    /// Takes new ones with their grades; `None`: nobody graded them.
    pub(super) fn take(&mut self, hits: Vec<Hit>, grades: Option<Vec<Grade>>) {
        let mut grades = grades.unwrap_or_default().into_iter();
        let graded = hits.into_iter().map(|hit| (hit, grades.next()));
        self.0.extend(graded);
    }

    pub(super) fn round(&self, hits: &[Hit]) -> Round {
        // Found twice, it is one result.
        let once = |(at, hit): &(usize, &Hit)| {
            let before = hits.iter().take(*at);
            before
                .into_iter()
                .all(|other| address(other) != address(hit))
        };
        let distinct = hits.iter().enumerate().filter(once);
        let graded = distinct.filter_map(|(_, hit)| Some((hit, self.grade_of(hit)?)));
        let graded: Vec<(&Hit, &Option<Grade>)> = graded.collect();
        let is_relevant = |(_, grade): &&(&Hit, &Option<Grade>)| {
            let grade = grade.as_ref();
            grade.is_some_and(|grade| grade.relevant)
        };
        let judged = graded.iter().map(|(hit, grade)| match grade {
            Some(grade) => json!({
                "title": hit.title,
                "relevant": grade.relevant,
                "reason": grade.reason,
            }),
            None => json!({ "title": hit.title }),
        });
        Round {
            found: graded.len(),
            relevant: graded.iter().filter(is_relevant).count(),
            is_ungraded: graded.iter().any(|(_, grade)| grade.is_none()),
            judged: judged.collect(),
        }
    }

    /// The relevant ones, the surest first; the others are put where they are named.
    pub(super) fn sort_into(&mut self, findings: &mut Findings) -> Vec<(Hit, Grade)> {
        let mut relevant: Vec<(Hit, Grade)> = Vec::new();
        for (hit, grade) in std::mem::take(&mut self.0) {
            match grade {
                Some(grade) if grade.relevant => relevant.push((hit, grade)),
                Some(grade) => findings.not_relevant.push(Judged {
                    title: hit.title,
                    url: hit.url,
                    reason: grade.reason,
                    confidence_percent: grade.confidence_percent,
                }),
                None => findings.unchecked.push(Unchecked {
                    title: hit.title,
                    url: hit.url,
                    snippet: hit.snippet,
                }),
            }
        }
        sort_by_key(&mut relevant, |(_, grade)| {
            std::cmp::Reverse(grade.confidence_percent)
        });
        relevant
    }
}

/// Where a result leads: what stands behind the `#` is a place on the same page.
fn address(hit: &Hit) -> &str {
    without_place(&hit.url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aspect_whose_words_no_passage_has_is_missing_only_if_no_passage_covers_it() {
        let findings = Findings {
            missing: vec!["涨潮时间".to_owned(), "height".to_owned()],
            ..Findings::by("Wikipedia")
        };
        let advice = findings.advised(false).advice;
        let end = "No passage has the words of: 涨潮时间; height. Unless a passage covers it in \
                   other words or another language, say in the answer that this is missing.";
        assert!(advice.ends_with(end), "{advice}");
    }
}
