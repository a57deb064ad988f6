//! The findings of a search: the model reads them, and the answer cites them.

use super::Grade;
use crate::SourceData;
use crate::search::{Hit, SearchError};
use gloss_durable::sorted::sort_by_key;
use gloss_page::without_place;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The findings of a search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Findings {
    /// The queries in order. The first is the requested one; the others are rewritten.
    pub searched: Vec<String>,
    /// The search provider's name.
    pub provider: String,
    /// The relevant results, best first. Only these may be cited.
    pub pages: Vec<SourceData>,
    /// The results that were graded as irrelevant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_relevant: Vec<IrrelevantResult>,
    /// The results that were not graded before the time limit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unchecked: Vec<UngradedResult>,
    /// Images and videos, which are shown to the user.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<Card>,
    /// The requested aspects whose words are in no passage.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The reason why a search failed, for the model; `None` if no search failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The reason why a search failed, for the user; `None` if no search failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<SearchError>,
    /// Instructions for the model on how to use these findings.
    pub advice: String,
}

/// A result that was graded as irrelevant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IrrelevantResult {
    /// The page's title.
    pub title: String,
    /// The page's address.
    pub url: String,
    /// The reason why the result is irrelevant.
    pub reason: String,
    /// The confidence in the grade, in percent.
    #[serde(default)]
    pub confidence_percent: u8,
}

/// A result that was not graded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UngradedResult {
    /// The page's title.
    pub title: String,
    /// The page's address.
    pub url: String,
    /// The provider's excerpt from the page.
    #[serde(default)]
    pub snippet: String,
}

/// An image or a video.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// The title of the image or video.
    pub title: String,
    /// The address of the page that contains the image or video.
    pub url: String,
    /// The address of a thumbnail. The thumbnail is loaded only after the user clicks.
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

    /// Adds images and videos as cards.
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

    /// Adds the advice for the model. `is_wide` is true if the search asked for a category or a
    /// date, but the provider can't filter by them.
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

/// All results so far, with their grades.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct GradedResults(Vec<(Hit, Option<Grade>)>);

/// A summary of the grades of one search.
pub(super) struct Round {
    pub(super) found: usize,
    pub(super) relevant: usize,
    /// True if the time limit was reached before the results were graded.
    pub(super) is_ungraded: bool,
    /// The title of each result, and the reason for its grade, as JSON for the next prompt.
    pub(super) judged: Vec<Value>,
}

impl GradedResults {
    fn grade_of(&self, hit: &Hit) -> Option<&Option<Grade>> {
        let same = |known: &&(Hit, Option<Grade>)| address(&known.0) == address(hit);
        self.0.iter().find(same).map(|(_, grade)| grade)
    }

    /// Returns the results that no earlier search returned, without duplicates.
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

    /// Adds results with their grades. `grades` is `None` if they were not graded.
    pub(super) fn take(&mut self, hits: Vec<Hit>, grades: Option<Vec<Grade>>) {
        let mut grades = grades.unwrap_or_default().into_iter();
        let graded = hits.into_iter().map(|hit| (hit, grades.next()));
        self.0.extend(graded);
    }

    pub(super) fn round(&self, hits: &[Hit]) -> Round {
        // A result that occurs twice counts once.
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

    /// Returns the relevant results, the most confident first. Adds the other results to
    /// `findings`.
    pub(super) fn sort_into(&mut self, findings: &mut Findings) -> Vec<(Hit, Grade)> {
        let mut relevant: Vec<(Hit, Grade)> = Vec::new();
        for (hit, grade) in std::mem::take(&mut self.0) {
            match grade {
                Some(grade) if grade.relevant => relevant.push((hit, grade)),
                Some(grade) => findings.not_relevant.push(IrrelevantResult {
                    title: hit.title,
                    url: hit.url,
                    reason: grade.reason,
                    confidence_percent: grade.confidence_percent,
                }),
                None => findings.unchecked.push(UngradedResult {
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

/// Returns the address of a result without its fragment, because a fragment only names a position
/// on the page.
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
        let end = "No passage contains the words of: 涨潮时间; height. Unless a passage covers it in \
                   other words or another language, say in the answer that it is missing.";
        assert!(advice.ends_with(end), "{advice}");
    }
}
