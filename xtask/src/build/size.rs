//! What each artefact weighs, raw and as a store would send it, against its budget.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

/// A wasm binary and what it may weigh.
#[derive(Debug)]
pub(crate) struct Artefact {
    /// Its folder in `dist/` and the stem of its files.
    pub(crate) name: &'static str,
    /// In bytes, as it stands.
    pub(crate) raw_limit: usize,
    /// In bytes, after brotli at quality 11.
    pub(crate) brotli_limit: Option<usize>,
}

/// Prints a line for every file of `dist`; the answer is whether the budgets hold.
///
/// # Errors
/// Outer: a file cannot be read. Inner: the budgets that do not hold.
pub(crate) fn report(dist: &Path, artefacts: &[Artefact]) -> Result<Result<()>> {
    let mut files = Vec::new();
    list(dist, &mut files)?;
    files.sort();
    let mut over = Vec::new();
    let (mut raw_sum, mut brotli_sum) = (0, 0);
    println!("{:<32} {:>10} {:>10}", "dist/", "raw", "brotli");
    for file in files {
        let bytes = fs::read(&file)?;
        let (raw, packed) = (bytes.len(), brotli_size(&bytes)?);
        raw_sum += raw;
        brotli_sum += packed;
        let name = file
            .strip_prefix(dist)
            .unwrap_or(&file)
            .display()
            .to_string();
        println!("{name:<32} {raw:>10} {packed:>10}");
        let of = |artefact: &&Artefact| name == format!("{0}/{0}_bg.wasm", artefact.name);
        if let Some(artefact) = artefacts.iter().find(of) {
            over.extend(excess(artefact, raw, packed));
        }
    }
    println!("{:<32} {raw_sum:>10} {brotli_sum:>10}", "sum");
    Ok(if over.is_empty() {
        Ok(())
    } else {
        Err(anyhow::anyhow!("{}", over.join("\n")))
    })
}

fn excess(artefact: &Artefact, raw: usize, packed: usize) -> Vec<String> {
    let budgets = [
        ("raw", raw, Some(artefact.raw_limit)),
        ("brotli", packed, artefact.brotli_limit),
    ];
    let over = budgets.into_iter().filter_map(|(what, size, limit)| {
        let limit = limit.filter(|limit| size > *limit)?;
        Some(format!(
            "{}: {size} bytes {what}, budget {limit}",
            artefact.name
        ))
    });
    over.collect()
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            list(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// The size after brotli at quality 11, window 22.
///
/// # Errors
/// None in memory but what the encoder reports.
pub(crate) fn brotli_size(bytes: &[u8]) -> Result<usize> {
    let mut packed = Vec::new();
    {
        let mut writer = brotli::CompressorWriter::new(&mut packed, 1 << 16, 11, 22);
        writer.write_all(bytes)?;
        writer.flush()?;
    }
    if packed.is_empty() {
        bail!("brotli wrote nothing");
    }
    Ok(packed.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKER: Artefact = Artefact {
        name: "worker",
        raw_limit: 100,
        brotli_limit: Some(50),
    };

    #[test]
    fn each_budget_is_named_only_when_it_is_exceeded() {
        let cases: [(usize, usize, &[&str]); 4] = [
            (100, 50, &[]),
            (101, 50, &["worker: 101 bytes raw, budget 100"]),
            (100, 51, &["worker: 51 bytes brotli, budget 50"]),
            (
                101,
                51,
                &[
                    "worker: 101 bytes raw, budget 100",
                    "worker: 51 bytes brotli, budget 50",
                ],
            ),
        ];
        for (raw, packed, expected) in cases {
            assert_eq!(excess(&WORKER, raw, packed), expected, "{raw} {packed}");
        }
    }

    #[test]
    fn repetition_packs_small() {
        assert!(brotli_size(&[7; 10_000]).unwrap() < 100);
    }
}
