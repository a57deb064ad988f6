//! The checks that every case must pass, whenever its workers were killed.

use super::lives::{Lives, World, turns};
use super::scenario::Scenario;
use super::trajectory::{Trajectory, journals, reported, shown, streams, told};
use gloss::agent::{Event, Timeline};
use gloss::app::surface::Turn;
use gloss::durable::{Class, Entry, Path, Record, RunId, StoredBatch};
use std::collections::{BTreeMap, BTreeSet};

type Journals = BTreeMap<RunId, Vec<Record>>;

/// The result of a run whose worker is not killed.
#[derive(Debug, PartialEq)]
pub(super) struct Expected {
    trajectories: BTreeMap<RunId, Trajectory>,
    turns: Vec<Turn>,
    /// Stored data other than runs: its name, and its text.
    kept: Vec<(&'static str, Option<String>)>,
}

/// The names of data other than runs that a run can store: lessons, and facts about the user.
const KEPT: [&str; 2] = ["reflections", "facts"];

impl Expected {
    fn of(lives: &Lives, journals: Journals) -> Self {
        let trajectories = journals.into_iter();
        let panel = lives.panel.borrow();
        Self {
            trajectories: trajectories
                .map(|(run, records)| (run, Trajectory::of(records)))
                .collect(),
            turns: turns(&panel).iter().map(shown).collect(),
            kept: KEPT.map(|name| (name, kept(lives, name))).into(),
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
        if let Some(((name, ours), (_, theirs))) = (self.kept.iter())
            .zip(&other.kept)
            .find(|(ours, theirs)| ours != theirs)
        {
            return format!("{name}: {ours:?}\ninstead of {theirs:?}");
        }
        format!(
            "the panel shows\n{:?}\ninstead of\n{:?}",
            self.turns, other.turns
        )
    }

    /// All valid results of a scenario. There is one for each world whose difference no record
    /// shows, and for each moment at which the user may act.
    pub(super) fn all(scenario: &Scenario, seed: u64) -> Vec<Self> {
        let most = if scenario.actions.is_empty() { 1 } else { 80 };
        let mut all = Vec::new();
        for variant in 0..scenario.variants {
            for patience in 0..most {
                let lives = Lives::of(scenario, seed, &[], World { variant, patience });
                let journals = journals(lives.stored());
                check(&lives, &journals);
                let expected = Self::of(&lives, journals);
                if !all.contains(&expected) {
                    all.push(expected);
                }
            }
        }
        all
    }
}

/// The stored data with this name, without the times in it.
fn kept(lives: &Lives, name: &str) -> Option<String> {
    let text = lives.outside.sim.shelved(name)?;
    let parts = text.split("_ms\":").enumerate();
    let timeless = parts.map(|(place, part)| match place {
        0 => part,
        _ => part.trim_start_matches(|c: char| c.is_ascii_digit()),
    });
    Some(timeless.collect::<Vec<_>>().join("_ms\":"))
}

/// The counts of one case that passed.
pub(super) struct Counted {
    pub(super) ambiguous: usize,
}

/// Runs all checks of a case.
pub(super) fn check_against(lives: &Lives, expected: &[Expected]) -> Counted {
    let journals = journals(lives.stored());
    check(lives, &journals);
    let ambiguous = ambiguous(&journals);
    if !ambiguous.is_empty() {
        return Counted {
            ambiguous: ambiguous.len(),
        };
    }
    let came = Expected::of(lives, journals);
    if !expected.contains(&came) {
        let ways = expected.iter().map(|expected| came.difference(expected));
        panic!("diverged: {}", ways.collect::<Vec<_>>().join("\nand "));
    }
    Counted { ambiguous: 0 }
}

/// Runs the checks that need no comparison with a run that was not killed.
fn check(lives: &Lives, journals: &Journals) {
    nothing_recorded_is_lost(lives);
    nothing_recorded_runs_again(lives, journals);
    assert_eq!(lives.outside.sim.open_sessions(), 0, "a session stays");
    assert_eq!(lives.outside.duplicated(), 0, "{:?}", lives.outside.acts);
    let panel = lives.panel.borrow();
    assert_eq!(
        !ambiguous(journals).is_empty(),
        reported(turns(&panel)),
        "an act whose outcome is not known is told, and nothing else as one"
    );
    the_panel_was_told_everything_once(lives, journals);
}

/// The effects of class External that began and whose outcome is unknown.
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
    let stored = lives.stored().iter();
    let stored: BTreeMap<_, _> = stored
        .map(|batch| ((&batch.run, batch.number), &batch.records))
        .collect();
    for life in &lives.lives {
        for batch in &life.left {
            let kept = stored.get(&(&batch.run, batch.number)) == Some(&&batch.records);
            assert!(kept, "lost: batch {} of {:?}", batch.number, batch.run);
        }
    }
}

/// The number of records of each run in these batches. Since no record is lost, they are the first
/// records of the run's journal.
fn sizes(batches: &[StoredBatch]) -> BTreeMap<&RunId, usize> {
    let mut sizes = BTreeMap::new();
    for batch in batches {
        // Each record begins with its version. In a quoted text the same characters are escaped.
        let records = batch.records.matches(r#"{"v":"#).count();
        *sizes.entry(&batch.run).or_default() += records;
    }
    sizes
}

/// Checks that no recorded effect runs again. Consider the effects that began in a life, and those
/// that were recorded before that life. For each kind of effect, they may not outnumber the paths
/// that use it in all runs.
fn nothing_recorded_runs_again(lives: &Lives, journals: &Journals) {
    let effects: BTreeMap<&RunId, BTreeMap<&Path, String>> = journals
        .iter()
        .map(|(run, records)| (run, intents(run, records)))
        .collect();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for effect in effects.values().flat_map(BTreeMap::values) {
        *places.entry(effect).or_default() += 1;
    }
    // A run that was stopped half-way and continued in the same life may begin an effect twice.
    let gone = |record: &&Record| matches!(record.entry, Entry::Stopped { .. });
    let dropped = journals.values().flatten().filter(gone).count();
    let all_begun = lives.outside.begun.borrow();
    for number in 0..lives.lives.len() {
        let mut begun: BTreeMap<&str, usize> = BTreeMap::new();
        for (life, effect) in all_begun.iter() {
            // An effect without a path was cut off before its intent was on disk.
            if *life as usize == number && places.contains_key(effect.as_str()) {
                *begun.entry(effect).or_default() += 1;
            }
        }
        for (run, known) in sizes(lives.found(number)) {
            let ended = ended(&journals[run][..known]);
            for (path, effect) in &effects[run] {
                if ended.contains(path) {
                    *begun.entry(effect).or_default() += 1;
                }
            }
        }
        for (effect, times) in begun {
            let most = places[effect] + dropped;
            assert!(times <= most, "life {number} did {effect} again");
        }
    }
}

/// The effect that was begun at each path, with the name that [`super::Outside`] uses.
fn intents<'a>(run: &RunId, records: &'a [Record]) -> BTreeMap<&'a Path, String> {
    let named = |record: &Record| match &record.entry {
        Entry::Intent {
            effect,
            fingerprint,
            label,
            ..
        } => match effect.as_str() {
            // A read of one page has the same name as the request to the web.
            "read" => Some(format!("read {}", label["url"].as_str()?)),
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
        .filter_map(|record| Some((&record.path, named(record)?)));
    named.collect()
}

fn ended(records: &[Record]) -> BTreeSet<&Path> {
    let outcome = |record: &&Record| matches!(record.entry, Entry::Outcome { .. });
    let ended = records.iter().filter(outcome);
    ended.map(|record| &record.path).collect()
}

/// Checks the events that the panel receives in each life. It must receive each event once and in
/// order. Events that were on disk before the life don't count, and every received event must be
/// on disk at the end.
fn the_panel_was_told_everything_once(lives: &Lives, journals: &Journals) {
    let panel = lives.panel.borrow();
    assert_eq!(panel.gaps, 0, "updates were missing, or came twice");
    let all: BTreeMap<&RunId, Events> = journals
        .iter()
        .map(|(run, records)| (run, Events::of(records)))
        .collect();
    let mut from = 0;
    for (number, life) in lives.lives.iter().enumerate() {
        let updates = &panel.updates[from..life.told];
        from = life.told;
        let (found, left) = (sizes(lives.found(number)), sizes(&life.left));
        for (run, all) in &all {
            let told = updates
                .iter()
                .filter(|(of, event)| of == *run && !streams(event));
            // The first event is part of the snapshot.
            let begins = found.get(run).map_or(1, |records| all.by[*records]);
            let mut ends = begins;
            for (_, event) in told {
                assert_eq!(Some(event), all.events.get(ends), "told in life {number}");
                ends += 1;
            }
            let left = left.get(run).map_or(1, |records| all.by[*records]);
            assert!(ends <= left, "life {number} told what was not recorded");
            assert!(
                life.killed || ends == left,
                "life {number} kept something from the panel"
            );
        }
    }
}

struct Events {
    events: Vec<Event>,
    /// The number of events in the first `n` records, for each `n`.
    by: Vec<usize>,
}

impl Events {
    fn of(records: &[Record]) -> Self {
        let mut timeline = Timeline::default();
        let (mut events, mut by) = (Vec::new(), vec![0]);
        for record in records {
            events.extend(told(&mut timeline, record));
            by.push(events.len());
        }
        Self { events, by }
    }
}
