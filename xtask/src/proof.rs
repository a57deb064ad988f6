//! Adds up the results of the tests that kill workers. Each scenario writes a line to a file,
//! because the test harness hides the output of tests that pass.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::e2e::Length;
use crate::process::target_folder;

/// The folder into which `tests/kill_anywhere` writes the lines, relative to the target folder.
const FOLDER: &str = "tmp/kill_anywhere";

/// Returns the minimum number of killed runs. A short test kills a sample; a long test kills as
/// many as the durability requirements name.
fn least_runs(length: Length) -> u64 {
    match length {
        Length::Short => 5_000,
        Length::Long => 100_000,
    }
}

/// The end of each line. A scenario with a failure writes no line, because its test fails.
const NONE_WRONG: &str = "0 lost, 0 run twice, 0 duplicated, 0 diverged";

/// The lines that one run of the tests writes.
pub(crate) struct Counted(PathBuf);

impl Counted {
    /// Deletes the lines of earlier runs.
    ///
    /// # Errors
    /// Returns an error if the lines can't be deleted.
    pub(crate) fn afresh() -> Result<Self> {
        let folder = target_folder().join(FOLDER);
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
        }
        Ok(Self(folder))
    }

    /// Returns every line, and a line with their sums.
    ///
    /// # Errors
    /// Returns an error if fewer runs were killed than required.
    pub(crate) fn table(&self, length: Length) -> Result<String> {
        let mut lines = Vec::new();
        for file in fs::read_dir(&self.0).with_context(|| self.0.display().to_string())? {
            lines.push(fs::read_to_string(file?.path())?);
        }
        lines.sort();
        let total = |what| lines.iter().map(|line| count(line, what)).sum::<u64>();
        let (runs, kills) = (total("runs"), total("kills"));
        let prefixes = total("journal");
        let table = lines.join("\n");
        let least = least_runs(length);
        if runs < least {
            bail!("{table}\nonly {runs} runs were killed, of {least}");
        }
        Ok(format!(
            "{table}\nkilled anywhere: {runs} runs, {kills} kills, {prefixes} journal prefixes, \
             {NONE_WRONG}\n"
        ))
    }
}

/// Returns the number before the word `what` in a line; 0 if there is none.
fn count(line: &str, what: &str) -> u64 {
    let words = line.split_whitespace();
    let mut pairs = words.clone().zip(words.skip(1));
    let before = pairs.find(|(_, word)| *word == what);
    before
        .and_then(|(number, _)| number.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_summed_and_too_few_runs_are_refused() {
        let folder = std::env::temp_dir().join(format!("gloss-proof-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let counted = Counted(folder.clone());
        let line = "summary  60000 runs  90000 kills  12 journal prefixes";
        fs::write(folder.join("summary"), line).unwrap();
        let few = counted.table(Length::Long).unwrap_err().to_string();
        assert!(
            few.ends_with("only 60000 runs were killed, of 100000"),
            "{few}"
        );
        fs::write(folder.join("stop"), line).unwrap();
        let table = counted.table(Length::Long).unwrap();
        assert!(
            table.contains("120000 runs, 180000 kills, 24 journal prefixes"),
            "{table}"
        );
        assert!(table.contains(NONE_WRONG));
        fs::remove_dir_all(folder).unwrap();
    }
}
