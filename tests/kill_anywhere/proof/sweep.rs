//! Kills a scenario at every tick, and its recoveries too.

use super::case::Case;
use super::checks::{Expected, check_against};
use super::lives::{Lives, World};
use super::scenario::Scenario;
use gloss::durable::StoredBatch;
use std::collections::BTreeSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// The counts of one scenario over all its cases.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// The number of cases. Each has another seed, or is killed at other ticks.
    pub(crate) runs: usize,
    pub(crate) kills: usize,
    /// The number of ticks at which the first life was killed.
    points: u64,
    /// The hashes of the data on disk at each kill, without the times in it.
    prefixes: BTreeSet<u64>,
    /// The number of acts of class External with an unknown outcome. Each was reported to the
    /// user.
    pub(crate) ambiguous: usize,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>4} points  {:>6} runs  {:>6} kills  {:>5} journal prefixes  {} unknown, all reported",
            self.points,
            self.runs,
            self.kills,
            self.prefixes.len(),
            self.ambiguous
        )
    }
}

/// The approximate number of recoveries that are killed without `GLOSS_LONG`. The number of all
/// recoveries would grow with the square of the run's length.
const RECOVERIES: u64 = 200;

/// Kills a scenario at every tick for every seed. Kills the recovery at every tick too, and some
/// of the recoveries from that. Without `GLOSS_LONG`, there is one seed, and recoveries are killed
/// only at evenly distributed ticks.
pub(crate) fn prove(scenario: &Scenario) -> Tally {
    let every = std::env::var_os("GLOSS_LONG").is_some();
    let mut tally = Tally::default();
    let seeds = if every { scenario.seeds } else { 1 };
    for seed in 0..seeds {
        let expected = Expected::all(scenario, seed);
        let mut dies = |kills: &[u64]| {
            let case = Case::new(scenario.name, seed, kills);
            one(scenario, &case, &expected, &mut tally)
        };
        let mut points = 0;
        while dies(&[points]) {
            points += 1;
        }
        // On average, a recovery is half as long as a run. The step must be odd, so that `(first +
        // 3 * second) % 8` below takes every value.
        let step = if every {
            1
        } else {
            (points * points / (2 * RECOVERIES)) | 1
        };
        for first in 0..points {
            for second in (first % step..).step_by(step as usize) {
                if !dies(&[first, second]) {
                    break;
                }
                if (first + 3 * second) % 8 == 0 {
                    dies(&[first, second, (first * 7 + second * 13) % 60]);
                }
            }
        }
        tally.points += points;
    }
    let line = format!("{:<20}{tally}", scenario.name);
    println!("{line}");
    keep(scenario.name, &line);
    assert!(
        tally.points >= scenario.min_kills * seeds / scenario.seeds,
        "{}: only {} points",
        scenario.name,
        tally.points
    );
    tally
}

/// Runs a case. Returns false if the run ended before the last kill, because it then equals
/// another case.
fn one(scenario: &Scenario, case: &Case, expected: &[Expected], tally: &mut Tally) -> bool {
    let work = || {
        let lives = Lives::of(scenario, case.seed, &case.kills, World::default());
        let counted = check_against(&lives, expected);
        (lives, counted)
    };
    let (lives, counted) = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done,
        Err(panic) => panic!(
            "{}\nsee it again: {}",
            words(panic.as_ref()),
            case.command()
        ),
    };
    if lives.kills() < case.kills.len() {
        return false;
    }
    tally.runs += 1;
    tally.kills += case.kills.len();
    tally.ambiguous += counted.ambiguous;
    let killed = lives.lives.iter().filter(|life| life.killed);
    tally.prefixes.extend(killed.map(|life| prefix(&life.left)));
    true
}

pub(super) fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    text.unwrap_or_default()
}

/// A hash of the data on disk, without the times in it.
fn prefix(batches: &[StoredBatch]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for batch in batches {
        (&batch.run, batch.number).hash(&mut hasher);
        let json = batch.records.rsplit('\n').next().unwrap_or_default();
        for part in json.split("_ms\":") {
            part.trim_start_matches(|c: char| c.is_ascii_digit())
                .hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Writes the line where `cargo xtask test` reads it. A scenario with a failed case has already
/// panicked, and writes no line.
fn keep(scenario: &str, line: &str) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kill_anywhere");
    std::fs::create_dir_all(&folder).expect("a folder for the counts");
    std::fs::write(folder.join(scenario), line).expect("a file for the counts");
}
