//! Grades search results: the relevance of each result, the confidence in that grade, and the
//! reason (Property 7).
//!
//! One model call grades all results of a search. The model may omit a result, or write a grade
//! that can't be read. Such a result is graded on the device by its words, so that each result has
//! a grade. If the model doesn't answer in time, no result has a grade.

use super::findings::Round;
use super::judge::{LightModelReply, SENT, words};
use super::{JudgeCall, ResearchState, in_full};
use crate::search::Hit;
use futures::FutureExt;
use gloss_durable::{Call, Class, Effect, Fingerprint, Fut, Halt};
use gloss_markdown::line;
use gloss_model::prompts::{Name, Note, Value};
use gloss_model::protocol::{json_within, share};
use gloss_model::role_models::RoleCall;
use gloss_model::{Language, PassageData, Purpose};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::rc::Rc;

/// The time limit of one grading, in ms (DETAILS §6).
pub const MOST_MS: u64 = 20_000;

/// The minimum share of the question's words that a relevant result contains, in percent. It is
/// used for grades on the device.
const BEARS_PERCENT: u8 = 60;

/// The maximum number of characters of each field of a result that are sent to the model.
const MOST_SHOWN: usize = 600;

/// The prompt, and the fixed text about the format of the reply.
const PROMPT: (Name, Note) = (Name::ResultGrading, Note::Grades);

/// The maximum number of characters of a reason.
const MOST_REASON: usize = 160;

/// The grade of a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grade {
    /// True if the result is relevant.
    pub relevant: bool,
    /// The confidence in `relevant`, in percent.
    pub confidence_percent: u8,
    /// The reason for the grade, in one sentence.
    pub reason: String,
    /// The origin of the grade.
    pub by: Grader,
}

/// The origin of a grade or of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grader {
    /// The light model.
    Model,
    /// The device, which compares words.
    Words,
}

/// The grades of several results, in the order of the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Graded {
    /// The grades; `None` if the time limit was reached or the page service failed.
    pub grades: Option<Vec<Grade>>,
    /// The model calls that were made for the grades.
    #[serde(default)]
    pub role_calls: Vec<RoleCall>,
    /// The active time, in milliseconds.
    pub duration_ms: u64,
}

/// The question and the request by which relevance is judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Wanted {
    /// The search query.
    pub question: String,
    /// Further aspects that the answer should cover, each in a few words.
    pub aspects: Vec<String>,
    /// The message of the user that led to the search; empty if unknown.
    pub by_person: Rc<str>,
}

impl Wanted {
    /// Returns the message of the user; empty if it is the same as the search query.
    pub(super) fn user_request(&self) -> &str {
        let asked = Some(&*self.by_person).filter(|asked| asked.trim() != self.question.trim());
        asked.unwrap_or_default()
    }
}

impl JudgeCall {
    /// Grades all results with one model call.
    pub async fn grade(&self, wanted: &Wanted, hits: &[Hit], within_ms: u64) -> Graded {
        let began_ms = self.judge.clock.now_ms();
        let question = &wanted.question;
        let values = values(wanted, hits);
        let said = self.ask(Purpose::Grade, PROMPT, &values, within_ms).await;
        let grades = match said {
            LightModelReply::TooLate => None,
            LightModelReply::Nothing => self.grade_by_words(question, hits).await,
            LightModelReply::Reply(reply) => {
                let said = read(&reply, hits.len());
                if said.iter().all(Option::is_some) {
                    Some(said.into_iter().flatten().collect())
                } else {
                    let by_words = self.grade_by_words(question, hits).await;
                    by_words.map(|by_words| {
                        let pairs = said.into_iter().zip(by_words);
                        pairs.map(|(said, words)| said.unwrap_or(words)).collect()
                    })
                }
            }
        };
        Graded {
            grades,
            role_calls: self.aid.calls_so_far(),
            duration_ms: self.judge.clock.now_ms().saturating_sub(began_ms),
        }
    }

    /// Grades results by the words that they share with the query; `None` if the page service
    /// fails. Aspects and the user's message are not used, because no result contains all their
    /// words.
    async fn grade_by_words(&self, question: &str, hits: &[Hit]) -> Option<Vec<Grade>> {
        let text = |hit: &Hit| PassageData {
            id: String::new(),
            text: format!("{}\n{}", hit.title, hit.snippet),
            why: None,
        };
        let texts = hits.iter().map(text).collect();
        let found = self
            .judge
            .page_service
            .word_overlap(texts, question.to_owned())
            .await;
        let found = found.ok().filter(|found| found.len() == hits.len())?;
        let grades = found.into_iter().map(|found| {
            let relevant = found.percent >= BEARS_PERCENT;
            Grade {
                relevant,
                confidence_percent: if relevant {
                    found.percent
                } else {
                    100 - found.percent
                },
                reason: reason(&shared(&found.words, self.prompts.language)),
                by: Grader::Words,
            }
        });
        Some(grades.collect())
    }
}

/// Returns the values for the placeholders of the prompt.
fn values(wanted: &Wanted, hits: &[Hit]) -> [(&'static str, Value); 3] {
    let question = in_full(&wanted.question, &wanted.aspects);
    [
        ("question", Value::Words(question)),
        ("asked", Value::Words(wanted.user_request().to_owned())),
        (
            "results",
            Value::List((1..).zip(hits).map(prompt_result).collect()),
        ),
    ]
}

/// States which words a result and the question share, as the reason for a grade.
fn shared(words: &[String], language: Language) -> String {
    if words.is_empty() {
        return language
            .pick("has none of the words", "不含所查的词")
            .to_owned();
    }
    let (before, between) = language.pick(("has the words ", ", "), ("含有：", "、"));
    format!("{before}{}", words.join(between))
}

/// Describes a result for the model.
fn prompt_result((number, hit): (usize, &Hit)) -> Json {
    let cut = |text: &str| -> String { text.chars().take(MOST_SHOWN).collect() };
    let mut told = json!({
        "n": number,
        "title": cut(&hit.title),
        "address": cut(&hit.url),
        "excerpt": cut(&hit.snippet),
    });
    if let (Json::Object(fields), Some(date)) = (&mut told, &hit.date) {
        fields.insert("date".to_owned(), cut(date).into());
    }
    told
}

/// Reads the grades that a model wrote. Each belongs to the result whose number it has. Grades
/// without numbers are in the order of the results.
fn read(text: &str, results: usize) -> Vec<Option<Grade>> {
    let mut grades: Vec<Option<Grade>> = vec![None; results];
    let said = json_within(text).unwrap_or_default();
    let list = match &said {
        Json::Array(list) => list.as_slice(),
        said => {
            let list = ["grades", "results"].iter().find_map(|name| said.get(name));
            list.and_then(Json::as_array).map_or(&[][..], Vec::as_slice)
        }
    };
    for (place, said) in list.iter().enumerate() {
        let number = said.get("n").and_then(Json::as_u64);
        let place = match number {
            Some(number) => usize::try_from(number)
                .ok()
                .and_then(|it| it.checked_sub(1)),
            None => Some(place),
        };
        let open = place.and_then(|place| grades.get_mut(place));
        if let Some(open) = open.filter(|open| open.is_none()) {
            *open = grade(said);
        }
    }
    grades
}

fn grade(said: &Json) -> Option<Grade> {
    let relevant = match said.get("relevant").or_else(|| said.get("grade"))? {
        Json::Bool(relevant) => *relevant,
        Json::String(word) => match word.trim().to_ascii_lowercase().as_str() {
            "relevant" | "true" | "yes" => true,
            "not_relevant" | "not relevant" | "irrelevant" | "false" | "no" => false,
            _ => return None,
        },
        _ => return None,
    };
    let confidence = said.get("confidence").and_then(share).unwrap_or(0.5);
    // A grade without a reason gets an ellipsis as its reason.
    let why = words(said, "reason").unwrap_or("…");
    Some(Grade {
        relevant,
        confidence_percent: (confidence * 100.0).round() as u8,
        reason: reason(why),
        by: Grader::Model,
    })
}

/// Puts a reason on one line and shortens it.
fn reason(words: &str) -> String {
    line(words).chars().take(MOST_REASON).collect()
}

/// Grades the new results of a search with one model call, as an effect that may be repeated.
pub(super) struct GradeResults {
    judging: JudgeCall,
    wanted: Wanted,
    hits: Vec<Hit>,
    within_ms: u64,
}

impl Effect for GradeResults {
    type Outcome = Graded;

    const KIND: &'static str = "grade";
    const CLASS: Class = Class::Safe;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&(&self.wanted, &self.hits))
    }

    fn label(&self) -> Json {
        let values = values(&self.wanted, &self.hits);
        let sent = self
            .judging
            .sends(Purpose::Grade, PROMPT, &values, self.within_ms);
        json!({ "results": self.hits.len(), (SENT): sent })
    }

    fn perform(self, _call: Call) -> Fut<Graded> {
        async move {
            let graded = self.judging.grade(&self.wanted, &self.hits, self.within_ms);
            graded.await
        }
        .boxed_local()
    }
}

impl ResearchState<'_> {
    /// Grades the results of a search. A result that was graded earlier keeps its grade.
    pub(super) async fn grade(&mut self, round: usize, hits: Vec<Hit>) -> Result<Round, Halt> {
        let new = self.known.unknown(&hits);
        if !new.is_empty() {
            let grade = GradeResults {
                judging: self.judging(),
                wanted: match &self.asked.graded_for {
                    Some(question) => Wanted {
                        question: question.clone(),
                        aspects: Vec::new(),
                        by_person: self.asked.by_person.clone(),
                    },
                    None => Wanted {
                        question: self.asked.query.text.clone(),
                        aspects: self.asked.aspects.clone(),
                        by_person: self.asked.by_person.clone(),
                    },
                },
                hits: new.clone(),
                within_ms: self.within(MOST_MS),
            };
            let graded = self.ctx.step(format!("grade.{round}"), grade).await?;
            self.duration_ms += graded.duration_ms;
            self.role_calls.extend(graded.role_calls);
            self.known.take(new, graded.grades);
        }
        Ok(self.known.round(&hits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn relevant(text: &str, results: usize) -> Vec<Option<bool>> {
        let grades = read(text, results).into_iter();
        grades.map(|grade| grade.map(|it| it.relevant)).collect()
    }

    #[test]
    fn grades_are_read_in_whatever_form_they_are_written() {
        for (text, expected) in [
            (
                r#"{"grades": [{"n": 2, "relevant": false, "confidence": 0.9, "reason": "birds"}, {"n": 1, "relevant": true}]}"#,
                vec![Some(true), Some(false)],
            ),
            (
                "Here they are:\n```json\n[{\"relevant\": \"not_relevant\"}, {\"grade\": \"relevant\"}]\n```",
                vec![Some(false), Some(true)],
            ),
            (
                r#"{"grades": [{"n": 1, "relevant": true}, {"n": 9, "relevant": true}"#,
                vec![Some(true), None],
            ),
            (
                r#"{"grades": [{"n": 1, "relevant": "perhaps"}, {"n": 2, "relevant": true}]}"#,
                vec![None, Some(true)],
            ),
            (
                r#"{"grades": [{"n": 1, "relevant": true}, {"n": 1, "relevant": false}]}"#,
                vec![Some(true), None],
            ),
            ("They are all fine.", vec![None, None]),
            ("", vec![None, None]),
        ] {
            assert_eq!(relevant(text, 2), expected, "{text}");
        }
    }

    #[test]
    fn how_sure_a_grade_is_is_read_as_a_share_or_in_percent() {
        for (confidence, percent) in [
            ("0.85", 85),
            ("85", 85),
            ("\"85%\"", 85),
            ("1", 100),
            ("0", 0),
            // A confidence that can't be understood counts as 50 %.
            ("850", 50),
            ("-1", 50),
            ("\"very\"", 50),
            ("null", 50),
        ] {
            let text = format!(r#"[{{"relevant": true, "confidence": {confidence}}}]"#);
            let grade = read(&text, 1).remove(0).unwrap();
            assert_eq!(grade.confidence_percent, percent, "{confidence}");
        }
    }

    #[test]
    fn a_reason_is_one_line_and_short() {
        let long = format!(
            r#"[{{"relevant": true, "reason": "a\n  b {}"}}]"#,
            "c".repeat(500)
        );
        let grade = read(&long, 1).remove(0).unwrap();
        assert!(grade.reason.starts_with("a b ccc"), "{}", grade.reason);
        assert_eq!(grade.reason.chars().count(), MOST_REASON);
        assert_eq!(grade.confidence_percent, 50);
    }

    quickcheck! {
        fn whatever_a_model_writes_no_result_gets_two_grades(text: String, results: u8) -> bool {
            read(&text, results.into()).len() == usize::from(results)
        }
    }
}
