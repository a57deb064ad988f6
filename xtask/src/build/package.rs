//! Copies the hand-written part of `dist/`: the manifest, and the files in `extension/` and
//! `www/`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::process::files_below;

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
    for (path, file) in files_below(root, &["extension", "www"])? {
        let path = path.split_once('/').map_or("", |(_, path)| path);
        let target = dist.join(path);
        ensure!(!target.exists(), "{path} is already there");
        fs::create_dir_all(target.parent().unwrap_or(dist))?;
        fs::copy(file, target)?;
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
