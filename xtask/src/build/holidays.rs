//! `holidays.txt`: the public holidays that business days skip.
//!
//! Driving example: a build asks npm's `date-holidays`, pinned by the lock file, for each country
//! and year. It does so once per version of the package and range of years, and writes the table
//! and the licence of its data into `dist/`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

use crate::process::{command, e2e_folder, root, run, target_folder};

/// The years of the table; the rules of later years are not decided yet.
const YEARS: [u32; 2] = [2024, 2035];

const SCRIPT: &str = "xtask/src/build/holidays.mjs";
const TABLE: &str = "holidays.txt";
const LICENCE: &str = "holidays.LICENSE.txt";

/// Writes the table into `dist`.
///
/// # Errors
/// Returns an error if the package cannot be run, or returns less than expected.
pub(super) fn lay_into(dist: &Path) -> Result<()> {
    let package = e2e_folder().join("node_modules/date-holidays");
    let script = root().join(SCRIPT);
    let mut made_by = Sha256::new();
    made_by.update(fs::read(&script)?);
    made_by.update(fs::read(package.join("package.json"))?);
    made_by.update(format!("{YEARS:?}"));
    let made_by = format!("{:x?}", made_by.finalize());

    let folder = target_folder().join("holidays");
    let [table, stamp] = [TABLE, "made-by"].map(|file| folder.join(file));
    if fs::read_to_string(&stamp).ok().as_ref() != Some(&made_by) {
        fs::create_dir_all(&folder)?;
        let mut node = command("node", [&script]);
        node.arg(&table).args(YEARS.map(|year| year.to_string()));
        run(node.current_dir(e2e_folder()))?;
        let countries = fs::read_to_string(&table)?.lines().count();
        ensure!(countries > 150, "holidays of {countries} countries only");
        fs::write(&stamp, made_by)?;
    }
    fs::copy(&table, dist.join(TABLE))?;
    fs::copy(package.join("LICENSE"), dist.join(LICENCE))
        .context("date-holidays has its data's licence and attribution in LICENSE")?;
    Ok(())
}
