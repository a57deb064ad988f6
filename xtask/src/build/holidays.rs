//! `holidays.txt`: the public holidays, which are not business days.
//!
//! Example: a build asks the npm package `date-holidays` for the holidays of each country
//! and year. The lock file pins the package. The table is made again only if the package's version
//! or the range of years changes. The build writes the table and the licence of its data into
//! `dist/`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

use crate::process::{command, e2e_folder, root, run, target_folder};

/// The first and the last year of the table. The holidays of later years are not decided yet.
const YEARS: [u32; 2] = [2024, 2035];

const SCRIPT: &str = "xtask/src/build/holidays.mjs";
const TABLE: &str = "holidays.txt";
const LICENCE: &str = "holidays.LICENSE.txt";

/// Writes the table into `dist`.
///
/// # Errors
/// Returns an error if the package can't be run, or returns fewer holidays than expected.
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
