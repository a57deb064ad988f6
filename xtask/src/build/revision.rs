//! The revision of the code: the package's version, and a hash of all files that are compiled.
//!
//! A run records the revision when it starts. If a run can't be replayed with another revision, the
//! run starts over (`crates/app/src/runs/restart_after_update.rs`). The revision of a native build
//! is the version alone.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use crate::process::files_below;

/// The paths of the files from which the code is compiled.
const SOURCES: [&str; 3] = ["Cargo.lock", "crates", "src"];

/// The hash is shortened to this number of bytes.
const BYTES: usize = 6;

/// Returns the revision of the code below `root`, as in `0.1.0+3f9a6c01b2d4`.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub(super) fn revision(root: &Path) -> Result<String> {
    let mut digest = Sha256::new();
    for (name, file) in files_below(root, &SOURCES)? {
        let content = fs::read(&file).with_context(|| format!("{name} cannot be read"))?;
        // The lengths are hashed too, so that two different trees never give the same input to the
        // hash.
        digest.update((name.len() as u64).to_le_bytes());
        digest.update(name.as_bytes());
        digest.update((content.len() as u64).to_le_bytes());
        digest.update(content);
    }
    let mut revision = format!("{}+", env!("CARGO_PKG_VERSION"));
    for byte in digest.finalize().iter().take(BYTES) {
        write!(revision, "{byte:02x}")?;
    }
    Ok(revision)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid_out(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        root
    }

    #[test]
    fn a_revision_changes_with_what_is_compiled_and_with_nothing_else() {
        let base = [
            ("Cargo.lock", "one"),
            ("src/lib.rs", "fn a() {}"),
            ("crates/text/src/lib.rs", "fn b() {}"),
            ("www/gloss.css", "p {}"),
        ];
        let of = |files: &[(&str, &str)]| revision(laid_out(files).path()).unwrap();
        let known = of(&base);
        assert!(
            known.starts_with(concat!(env!("CARGO_PKG_VERSION"), "+")),
            "{known}"
        );
        assert_eq!(known, of(&base));
        for (place, same) in [(0, false), (1, false), (2, false), (3, true)] {
            let mut other = base;
            other[place].1 = "another";
            assert_eq!(of(&other) == known, same, "{}", other[place].0);
        }
        let mut renamed = base;
        renamed[1].0 = "src/main.rs";
        assert_ne!(of(&renamed), known);
    }
}
