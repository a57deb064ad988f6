//! Copies the hand-written part of `dist/`: the manifest, and the files in `extension/` and
//! `www/`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Empties `dist` and copies the hand-written files of `root` into it.
///
/// # Errors
/// Returns an error if a source is missing, or if two sources have the same name in `dist`.
pub(crate) fn lay_out(root: &Path, dist: &Path) -> Result<()> {
    if dist.exists() {
        fs::remove_dir_all(dist)?;
    }
    fs::create_dir_all(dist)?;
    fs::copy(root.join("manifest.json"), dist.join("manifest.json"))
        .context("manifest.json is at the root of the repository")?;
    for folder in ["extension", "www"] {
        copy(&root.join(folder), dist).with_context(|| format!("copying {folder}/"))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else if target.exists() {
            bail!("{} is already there", target.display());
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for file in files {
            let file = root.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, file.to_str().unwrap()).unwrap();
        }
        root
    }

    #[test]
    fn both_folders_are_laid_flat_beside_the_manifest_and_old_files_go() {
        let root = tree(&[
            "manifest.json",
            "extension/worker_boot.js",
            "extension/_locales/en/messages.json",
            "www/panel.html",
            "dist/stale.js",
        ]);
        let dist = root.path().join("dist");
        lay_out(root.path(), &dist).unwrap();
        for file in [
            "manifest.json",
            "worker_boot.js",
            "_locales/en/messages.json",
            "panel.html",
        ] {
            assert!(dist.join(file).is_file(), "{file}");
        }
        assert!(!dist.join("stale.js").exists());
    }

    #[test]
    fn two_sources_of_one_file_are_refused() {
        let root = tree(&["manifest.json", "extension/a.css", "www/a.css"]);
        let error = lay_out(root.path(), &root.path().join("dist")).unwrap_err();
        assert!(format!("{error:#}").contains("already there"), "{error:#}");
    }

    #[test]
    fn a_missing_manifest_says_where_it_belongs() {
        let root = tree(&["www/panel.html"]);
        let error = lay_out(root.path(), &root.path().join("dist")).unwrap_err();
        assert!(
            format!("{error:#}").contains("root of the repository"),
            "{error:#}"
        );
    }
}
