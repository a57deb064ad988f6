//! The scenarios that are killed at every tick.

mod acting;
mod browser;
mod failing;
mod fetching;
mod looking;
pub(crate) mod making;
mod person;
mod reading;
pub(crate) mod remembering;
mod searching;
mod talking;

use crate::proof::{Scenario, prove};

/// Defines the list of scenarios, and a test for each.
macro_rules! scenarios {
    ($($file:ident::$name:ident),* $(,)?) => {
        pub(crate) fn all() -> Vec<Scenario> {
            vec![$($file::$name()),*]
        }

        mod killed_anywhere {
            $(#[test]
            fn $name() {
                super::prove(&super::$file::$name());
            })*
        }
    };
}

/// The tests of `proof` use it too.
pub(crate) use talking::says;

scenarios![
    reading::summary,
    reading::explanation,
    reading::refused_question,
    reading::question_to_itself,
    talking::parallel_tools,
    talking::streaming,
    talking::long_context,
    talking::compacted,
    talking::withheld,
    browser::built_in,
    failing::tool_that_hangs,
    failing::model_that_fails,
    failing::reflected,
    acting::keyed_and_external,
    acting::keyed_that_hangs,
    looking::picture,
    looking::picture_permitted,
    looking::picture_refused,
    making::image,
    making::image_refused,
    remembering::memory,
    remembering::memory_allowed,
    remembering::memory_refused,
    fetching::fetches,
    fetching::fetch_allowed,
    fetching::fetch_refused,
    fetching::fetch_approved,
    fetching::fetch_rejected,
    fetching::fetches_allowed_one_by_one,
    fetching::fetches_several,
    fetching::fetch_beside_a_card,
    fetching::fetch_led_on,
    searching::search_rewritten,
    searching::search_paused,
    searching::search_ungraded,
    searching::search_allowed,
    searching::search_refused,
    person::permission,
    person::stop_and_continue,
    person::pause_and_resume,
    person::follow_up,
];
