//! The earlier turns of the conversation that a new run's prompt contains.
//!
//! Example: after an answer about spring tides, the user asks "And the neaps?". The newest
//! turns are included first. The first turn that doesn't fit into the budget for earlier turns is
//! left out, with all older ones. If the newest turn alone is too long, the turn is shortened, and
//! `[…]` shows where text is missing. If both its request and its answer are longer than half of
//! the budget, each gets half.

use crate::config::{Exchange, Goal};
use gloss_context::{LEFT_OUT, shares, shortened};
use gloss_markdown::without_elsewhere;
use gloss_model::{Complexity, Language, Message, ModelChoice, Role};
use gloss_text::tokens::{self, estimate};

/// The maximum number of earlier turns: 50 messages, two for each turn (SPEC §9).
const MOST_EXCHANGES: usize = 25;

/// Returns the newest earlier turns that fit into the budget for earlier turns, oldest first. The
/// budget depends on the model's window and on the goal's complexity.
pub fn window(mut history: Vec<Exchange>, goal: &Goal, model: &ModelChoice) -> Vec<Exchange> {
    let mut left = model.room().budget(goal.looks()).history;
    let mut kept = 0;
    for exchange in history.iter_mut().rev().take(MOST_EXCHANGES) {
        let costs = [estimate(exchange.goal.words()), estimate(&exchange.answer)];
        let mut cost = costs.iter().fold(0_u32, |sum, it| sum.saturating_add(*it));
        if cost > left && kept == 0 {
            let [goal, answer] = shares(costs, left);
            exchange.goal = exchange
                .goal
                .with_words(shortened(exchange.goal.words(), goal));
            exchange.answer = shortened(&exchange.answer, answer);
            cost = left;
        }
        if cost > left {
            break;
        }
        left -= cost;
        kept += 1;
    }
    let first = history.len() - kept;
    history.split_off(first)
}

impl Goal {
    /// Returns the complexity that is assumed until a model states one. The assumed complexity is
    /// at least moderate. A selected passage is not taken into account, because a long passage
    /// doesn't make a question harder.
    ///
    /// A simple task has a smaller budget for earlier turns. "Who is right?" is short, but may
    /// refer to 5 000 tokens of conversation. Turns that are left out now are missing for the whole
    /// run, but an unused part of a larger budget costs nothing. Therefore only a model's statement
    /// makes a task simple.
    pub(crate) fn looks(&self) -> Complexity {
        Complexity::estimate(self.request(Language::English)).max(Complexity::Moderate)
    }
}

/// Returns the first `most_tokens` tokens of a text, followed by `[…]`.
pub(crate) fn head(text: &str, most_tokens: u32) -> String {
    tokens::head(text, most_tokens).to_owned() + LEFT_OUT
}

/// Returns an exchange as messages to a model.
pub(crate) fn messages(exchange: &Exchange, language: Language) -> impl Iterator<Item = Message> {
    let asked = exchange.goal.message(language);
    let answered = (!exchange.answer.is_empty())
        .then(|| Message::text(Role::Assistant, without_elsewhere(&exchange.answer)));
    [Some(asked), answered].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A goal of moderate complexity, with a budget of 5 000 tokens for earlier turns.
    fn compare() -> Goal {
        Goal::Ask {
            question: "Compare the two tides".to_owned(),
        }
    }

    fn exchange(question: &str, answer: String) -> Exchange {
        Exchange {
            provenance: crate::tests::toys::of_a_page(),
            goal: Goal::Ask {
                question: question.to_owned(),
            },
            answer,
        }
    }

    #[test]
    fn the_newest_turns_stay_and_the_rest_is_left_out_whole() {
        let long = "word ".repeat(2_400);
        let history = vec![
            exchange("first", long.clone()),
            exchange("second", long.clone()),
            exchange("third", "short".to_owned()),
        ];
        let kept = window(history, &compare(), &ModelChoice::Embedded);
        let goals: Vec<&str> = kept.iter().map(|e| e.goal.words()).collect();
        assert_eq!(goals, ["second", "third"]);
        assert_eq!(kept[0].answer, long);
    }

    #[test]
    fn a_passage_is_no_harder_to_explain_for_being_long() {
        let selection = "Compare why, how and when. First, analyse this; then, step by step, \
            evaluate the differences between both. "
            .repeat(40);
        assert_eq!(Complexity::estimate(&selection), Complexity::Complex);
        assert_eq!(Goal::Explain { selection }.looks(), Complexity::Moderate);
        assert_eq!(compare().looks(), Complexity::Moderate);
    }

    #[test]
    fn a_newest_turn_that_is_too_long_keeps_its_ends() {
        let answer = format!("start {} end", "word ".repeat(20_000));
        let kept = window(
            vec![exchange("only", answer)],
            &compare(),
            &ModelChoice::Embedded,
        );
        assert_eq!(kept.len(), 1);
        assert!(kept[0].answer.starts_with("start") && kept[0].answer.ends_with("end"));
        assert!(kept[0].answer.contains("[…]"));
        assert!(estimate(&kept[0].answer) <= 5_000);
    }

    #[test]
    fn a_passage_that_is_too_long_leaves_its_explanation_whole() {
        let selection = format!(
            "First. {} Last.",
            "A passage of some length. ".repeat(1_300)
        );
        assert!(estimate(&selection) > 8_000);
        let answer = "The second point is that neaps are lower. ".repeat(28);
        assert!((280..320).contains(&estimate(&answer)));
        let goal = Goal::Explain { selection };
        let before = Exchange {
            provenance: crate::tests::toys::of_a_page(),
            goal: goal.clone(),
            answer: answer.clone(),
        };
        for model in [ModelChoice::Embedded, ModelChoice::BuiltIn] {
            let kept = window(vec![before.clone()], &compare(), &model);
            assert_eq!(kept[0].answer, answer, "{model:?}");
            let words = kept[0].goal.words();
            assert!(words.starts_with("First.") && words.ends_with("Last."));
            assert!(words.contains("[…]") && estimate(words) + estimate(&answer) <= 5_000);
        }
        // Question and answer are both too long, so each gets half of the budget.
        let both = Exchange {
            provenance: crate::tests::toys::of_a_page(),
            goal,
            answer: answer.repeat(30),
        };
        let kept = window(vec![both], &compare(), &ModelChoice::Embedded);
        for words in [kept[0].goal.words(), &kept[0].answer] {
            assert!(
                (2_490..=2_500).contains(&estimate(words)),
                "{}",
                estimate(words)
            );
        }
    }

    #[test]
    fn no_more_than_fifty_messages() {
        let many = (0..80).map(|n| exchange(&n.to_string(), "yes".to_owned()));
        let kept = window(many.collect(), &compare(), &ModelChoice::Embedded);
        assert_eq!(kept.len(), MOST_EXCHANGES);
    }
}
