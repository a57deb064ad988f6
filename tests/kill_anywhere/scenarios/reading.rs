//! Answers of the on-device model, which quote the page and need no server.

use crate::proof::Scenario;
use gloss::agent::Goal;

pub(crate) fn summary() -> Scenario {
    Scenario {
        seeds: 13,
        ..Scenario::new("summary", Goal::Summarize)
    }
}

pub(crate) fn explanation() -> Scenario {
    let selection = "neaps".to_owned();
    Scenario {
        seeds: 9,
        ..Scenario::new("explanation", Goal::Explain { selection })
    }
}

pub(crate) fn refused_question() -> Scenario {
    let question = "How do penguins sleep?".to_owned();
    Scenario {
        seeds: 5,
        ..Scenario::new("refused_question", Goal::Ask { question })
    }
}

pub(crate) fn question_to_itself() -> Scenario {
    let question = "Who are you?".to_owned();
    Scenario {
        seeds: 5,
        ..Scenario::new("question_to_itself", Goal::Ask { question })
    }
}
