//! What must hold of a case, whoever died when.

use super::lives::{Lives, World, turns};
use super::scenario::Scenario;
use super::trajectory::{Trajectory, journals, reported, shown, streams, told};
use gloss::agent::{Event, Timeline};
use gloss::app::surface::Turn;
use gloss::durable::{Class, Entry, Path, Record};
use gloss::host::RunId;
use std::collections::{BTreeMap, BTreeSet};

type Journals = BTreeMap<RunId, Vec<Record>>;

/// What an unkilled run came to.
#[derive(Debug, PartialEq)]
pub(super) struct Expected {
    trajectories: BTreeMap<RunId, Trajectory>,
    turns: Vec<Turn>,
}

impl Expected {
    fn of(lives: &Lives, journals: &Journals) -> Self {
        let trajectories = journals.iter();
        let panel = lives.panel.borrow();
        Self {
            trajectories: trajectories
                .map(|(run, records)| (run.clone(), Trajectory::of(records)))
                .collect(),
            turns: turns(&panel).iter().map(shown).collect(),
        }
    }

    fn difference(&self, other: &Self) -> String {
        let runs = self.trajectories.keys().chain(other.trajectories.keys());
        for run in runs {
            match (self.trajectories.get(run), other.trajectories.get(run)) {
                (Some(ours), Some(theirs)) => {
                    if let Some(words) = ours.difference(theirs) {
                        return format!("{}: {words}", run.0);
                    }
                }
                (ours, _) => {
                    let which = if ours.is_some() {
                        "one more"
                    } else {
                        "one less"
                    };
                    return format!("{}: a run, {which}", run.0);
                }
            }
        }
        format!(
            "the panel shows\n{:?}\ninstead of\n{:?}",
            self.turns, other.turns
        )
    }

    /// All that may come of a scenario: the worlds that nobody can tell apart
    /// afterwards, and a person who acts sooner or later.
    pub(super) fn all(scenario: &Scenario, seed: u64) -> Vec<Self> {
        let most = if scenario.deeds.is_empty() { 1 } else { 80 };
        let mut all = Vec::new();
        for variant in 0..scenario.variants {
            for patience in 0..most {
                let lives = Lives::of(scenario, seed, &[], World { variant, patience });
                let journals = journals(lives.stored());
                check(&lives, &journals);
                let expected = Self::of(&lives, &journals);
                if !all.contains(&expected) {
                    all.push(expected);
                }
            }
        }
        all
    }
}

/// What a case adds to the count.
pub(super) struct Counted {
    pub(super) ambiguous: usize,
}

/// Checks a case whole.
pub(super) fn check_against(lives: &Lives, expected: &[Expected]) -> Counted {
    let journals = journals(lives.stored());
    check(lives, &journals);
    let ambiguous = ambiguous(&journals);
    if !ambiguous.is_empty() {
        return Counted {
            ambiguous: ambiguous.len(),
        };
    }
    let came = Expected::of(lives, &journals);
    if !expected.contains(&came) {
        let ways = expected.iter().map(|expected| came.difference(expected));
        panic!("diverged: {}", ways.collect::<Vec<_>>().join("\nand "));
    }
    Counted { ambiguous: 0 }
}

/// What holds of each case by itself.
fn check(lives: &Lives, journals: &Journals) {
    nothing_recorded_is_lost(lives);
    nothing_recorded_runs_again(lives, journals);
    assert_eq!(lives.outside.duplicated(), 0, "{:?}", lives.outside.acts);
    let panel = lives.panel.borrow();
    assert_eq!(
        !ambiguous(journals).is_empty(),
        reported(turns(&panel)),
        "an act whose outcome is not known is told, and nothing else as one"
    );
    the_panel_was_told_everything_once(lives, journals);
}

/// The acts of class External that were begun, and nobody knows how they ended.
fn ambiguous(journals: &Journals) -> BTreeSet<(&RunId, &Path)> {
    let mut open = BTreeSet::new();
    for (run, records) in journals {
        for record in records {
            match &record.entry {
                Entry::Intent {
                    class: Class::External,
                    ..
                } => {
                    open.insert((run, &record.path));
                }
                Entry::Outcome { .. } => {
                    open.remove(&(run, &record.path));
                }
                _ => {}
            }
        }
    }
    open
}

fn nothing_recorded_is_lost(lives: &Lives) {
    let stored: BTreeSet<_> = lives
        .stored()
        .iter()
        .map(|b| (&b.run, b.number, &b.records))
        .collect();
    for life in &lives.lives {
        for batch in &life.left {
            let kept = stored.contains(&(&batch.run, batch.number, &batch.records));
            assert!(kept, "lost: batch {} of {:?}", batch.number, batch.run);
        }
    }
}

/// Of each effect: those begun in a life, and those recorded at its birth, are no
/// more than there are places in the runs that ask for it.
fn nothing_recorded_runs_again(lives: &Lives, journals: &Journals) {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut dropped = 0;
    for (run, records) in journals {
        for (_, effect) in intents(run, records) {
            *places.entry(effect).or_default() += 1;
        }
        // Stopped half-way and let go on in the same life.
        let gone = |record: &&Record| matches!(record.entry, Entry::Gone { .. });
        dropped += records.iter().filter(gone).count();
    }
    for (number, life) in lives.lives.iter().enumerate() {
        let mut begun: BTreeMap<&str, usize> = BTreeMap::new();
        for (life, effect) in lives.outside.begun.borrow().iter() {
            if *life as usize == number {
                *begun
                    .entry(places.get_key_value(effect).map_or("", |(k, _)| k))
                    .or_default() += 1;
            }
        }
        // What was cut off before even its intent landed.
        begun.remove("");
        for (run, records) in super::trajectory::journals(&life.found) {
            let ended = ended(&records);
            for (path, effect) in intents(&run, &records) {
                if ended.contains(&path)
                    && let Some((effect, _)) = places.get_key_value(&effect)
                {
                    *begun.entry(effect).or_default() += 1;
                }
            }
        }
        for (effect, times) in begun {
            assert!(
                times <= places[effect] + dropped,
                "life {number} did {effect} again"
            );
        }
    }
}

/// The effects that were begun, each place once, as [`super::Outside`] names them.
fn intents(run: &RunId, records: &[Record]) -> BTreeMap<Path, String> {
    let named = |record: &Record| match &record.entry {
        Entry::Intent {
            effect,
            fingerprint,
            ..
        } => match effect.as_str() {
            "page" => Some("page".to_owned()),
            "model" => {
                let fingerprint = serde_json::to_value(fingerprint).expect("a fingerprint");
                Some(format!("model {fingerprint}"))
            }
            "tool" => {
                let call = record
                    .path
                    .as_str()
                    .rsplit_once('/')
                    .map_or("", |(call, _)| call);
                Some(format!("tool {}/{call}", run.0))
            }
            _ => None,
        },
        _ => None,
    };
    let named = records
        .iter()
        .filter_map(|record| Some((record.path.clone(), named(record)?)));
    named.collect()
}

fn ended(records: &[Record]) -> BTreeSet<Path> {
    let outcome = |record: &&Record| matches!(record.entry, Entry::Outcome { .. });
    let ended = records.iter().filter(outcome);
    ended.map(|record| record.path.clone()).collect()
}

/// In each life the panel is told what was not on disk at its birth, in order,
/// each event once, and nothing that is not on disk when it is over.
fn the_panel_was_told_everything_once(lives: &Lives, journals: &Journals) {
    let panel = lives.panel.borrow();
    assert_eq!(panel.gaps, 0, "updates were missing, or came twice");
    let mut from = 0;
    for (number, life) in lives.lives.iter().enumerate() {
        let updates = &panel.updates[from..life.told];
        from = life.told;
        let (found, left) = (counts(&life.found), counts(&life.left));
        for (run, records) in journals {
            let all = events(records);
            let told: Vec<&Event> = updates
                .iter()
                .filter(|(of, event)| of == run && !streams(event))
                .map(|(_, event)| event)
                .collect();
            // The first one comes with a snapshot.
            let begins = found.get(run).copied().unwrap_or(1);
            let ends = begins + told.len();
            let due: Vec<&Event> = all.iter().skip(begins).take(told.len()).collect();
            assert_eq!(told, due, "told in life {number}");
            let left = left.get(run).copied().unwrap_or_default().max(1);
            assert!(ends <= left, "life {number} told what was not recorded");
            assert!(
                life.killed || ends == left,
                "life {number} kept something from the panel"
            );
        }
    }
}

fn counts(batches: &[gloss::host::StoredBatch]) -> BTreeMap<RunId, usize> {
    let journals = super::trajectory::journals(batches).into_iter();
    journals
        .map(|(run, records)| (run, events(&records).len()))
        .collect()
}

fn events(records: &[Record]) -> Vec<Event> {
    let mut timeline = Timeline::default();
    let events = records
        .iter()
        .flat_map(|record| told(&mut timeline, record));
    events.collect()
}
