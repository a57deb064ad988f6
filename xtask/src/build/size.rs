//! Compares the size of each module with its budget.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Result, ensure};

use super::modules::Module;
use crate::process::in_parallel;

/// The kind of sizes to check. Compressing the modules takes half a minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sizes {
    /// Checks the uncompressed sizes, without printing them.
    Raw,
    /// Checks and prints the uncompressed and the compressed sizes.
    Packed,
}

/// Checks the modules of `dist` against their budgets.
///
/// # Errors
/// Returns an error if a file can't be read, or an error that lists all exceeded budgets.
pub(super) fn check(dist: &Path, modules: &[Module], sizes: Sizes) -> Result<()> {
    let weighed = in_parallel(modules, |module| weigh(dist, module, sizes))?;
    let mut over = Vec::new();
    for (module, (raw, packed)) in modules.iter().zip(weighed) {
        if let Some(packed) = packed {
            println!("{:<12} {raw:>9} raw {packed:>9} brotli", module.name);
        }
        over.extend(excess(module, raw, packed));
    }
    ensure!(over.is_empty(), "{}", over.join("\n"));
    Ok(())
}

/// Returns the uncompressed size of a module and, if requested, its compressed size.
fn weigh(dist: &Path, module: &Module, sizes: Sizes) -> Result<(usize, Option<usize>)> {
    let name = module.name;
    let bytes = fs::read(dist.join(format!("{name}/{name}_bg.wasm")))?;
    let packed = (sizes == Sizes::Packed).then(|| brotli_size(&bytes));
    Ok((bytes.len(), packed.transpose()?))
}

fn excess(module: &Module, raw: usize, packed: Option<usize>) -> Vec<String> {
    let budgets = [
        ("raw", Some(raw), Some(module.raw_limit)),
        ("brotli", packed, module.brotli_limit),
    ];
    let over = budgets.into_iter().filter_map(|(what, size, limit)| {
        let (size, limit) = size.zip(limit).filter(|(size, limit)| size > limit)?;
        Some(format!(
            "{}: {size} bytes {what}, budget {limit}",
            module.name
        ))
    });
    over.collect()
}

/// Returns the size after brotli compression at quality 11 with a window of 2^22 bytes.
///
/// # Errors
/// Returns the encoder's error. Writing to memory does not fail.
pub(crate) fn brotli_size(bytes: &[u8]) -> Result<usize> {
    let mut packed = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut packed, 1 << 16, 11, 22);
    writer.write_all(bytes)?;
    writer.flush()?;
    drop(writer);
    ensure!(!packed.is_empty(), "brotli wrote nothing");
    Ok(packed.len())
}

#[cfg(test)]
mod tests {
    use super::super::modules::MODULES;
    use super::*;

    const SMALL: Module = Module {
        name: "worker",
        raw_limit: 100,
        brotli_limit: Some(50),
        ..MODULES[0]
    };

    #[test]
    fn each_budget_is_named_only_when_it_is_exceeded() {
        let cases: [(usize, Option<usize>, &[&str]); 5] = [
            (100, Some(50), &[]),
            (101, Some(50), &["worker: 101 bytes raw, budget 100"]),
            (100, Some(51), &["worker: 51 bytes brotli, budget 50"]),
            (100, None, &[]),
            (
                101,
                Some(51),
                &[
                    "worker: 101 bytes raw, budget 100",
                    "worker: 51 bytes brotli, budget 50",
                ],
            ),
        ];
        for (raw, packed, expected) in cases {
            assert_eq!(excess(&SMALL, raw, packed), expected, "{raw} {packed:?}");
        }
    }

    #[test]
    fn repetition_packs_small() {
        assert!(brotli_size(&[7; 10_000]).unwrap() < 100);
    }
}
