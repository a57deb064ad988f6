//! Tools that change the world.

use super::failing::act;
use super::talking::{calls, results, says};
use crate::proof::{Act, Scenario, scripted};
use crate::stage::{ask, find};
use gloss::durable::Class;
use std::rc::Rc;

/// One step with a tool of each class, and then another act.
pub(crate) fn keyed_and_external() -> Scenario {
    Scenario {
        model: |outside| {
            scripted(outside, |request, _| {
                Ok(match results(request) {
                    0 => calls(vec![
                        act("1", "keep", "note"),
                        act("2", "post", "letter"),
                        find("3", "springs"),
                    ]),
                    3 => calls(vec![act("4", "keep", "second note")]),
                    _ => says("Kept and sent."),
                })
            })
        },
        tools: |outside| {
            vec![
                Act::tool("keep", Class::Keyed, outside),
                Act::tool("post", Class::External, outside),
            ]
        },
        seeds: 11,
        ..Scenario::new("keyed_and_external", ask())
    }
}

/// A provider that acts and then hangs. The second attempt has the same idempotency key.
pub(crate) fn keyed_that_hangs() -> Scenario {
    Scenario {
        model: |outside| {
            scripted(outside, |request, _| {
                Ok(match results(request) {
                    0 => calls(vec![act("1", "keep", "note")]),
                    _ => says("Kept."),
                })
            })
        },
        tools: |outside| {
            vec![Rc::new(Act {
                name: "keep",
                class: Class::Keyed,
                outside: outside.clone(),
                hangs: |outside, key| outside.variant == 0 && outside.count(&key.to_string()) == 0,
            })]
        },
        variants: 2,
        seeds: 10,
        ..Scenario::new("keyed_that_hangs", ask())
    }
}
