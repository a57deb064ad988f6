//! The files that the rules check. Each file is read from disk once.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::literals::{Literal, literals};
use crate::process::files_below;

/// A hand-written text file.
#[derive(Debug)]
pub(super) struct Text {
    /// The path of the file relative to the root of the repository, with `/` as separator.
    pub(super) path: String,
    /// The content of the file.
    pub(super) content: String,
    /// The string literals of a Rust file; empty for other files.
    pub(super) literals: Vec<Literal>,
}

/// All files, sorted by path.
#[derive(Debug, Default)]
pub(super) struct Tree {
    texts: Vec<Text>,
}

const PLACES: [&str; 8] = [
    "ARCHITECTURE.md",
    "crates",
    "docs",
    "extension",
    "manifest.json",
    "src",
    "www",
    "xtask/src",
];
const ENDINGS: [&str; 5] = [".rs", ".js", ".html", ".json", ".md"];

impl Tree {
    /// Reads the repository at `root`.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let mut tree = Self::default();
        for (path, file) in files_below(root, &PLACES)? {
            if ENDINGS.iter().any(|ending| path.ends_with(ending)) {
                tree.add(&path, fs::read_to_string(file)?)?;
            }
        }
        Ok(tree)
    }

    /// Creates a tree from these paths and contents, for tests.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let mut tree = Self::default();
        for (path, text) in files {
            tree.add(path, (*text).to_owned()).unwrap();
        }
        tree
    }

    /// Returns the Rust files of the extension: those in `crates/` and `src/`.
    pub(super) fn rust(&self) -> impl Iterator<Item = &Text> {
        let folders = ["crates", "src"].into_iter();
        folders.flat_map(|folder| self.below(folder, ".rs"))
    }

    /// Returns the files below `folder` whose path ends with `ending`.
    pub(super) fn below<'a>(
        &'a self,
        folder: &'a str,
        ending: &'a str,
    ) -> impl Iterator<Item = &'a Text> {
        let is_in = move |text: &&Text| {
            let rest = text.path.strip_prefix(folder);
            rest.is_some_and(|rest| rest.starts_with('/')) && text.path.ends_with(ending)
        };
        self.texts.iter().filter(is_in)
    }

    /// Returns the content of one file, or an empty text if the file is missing.
    pub(super) fn text(&self, path: &str) -> &str {
        self.texts
            .iter()
            .find(|text| text.path == path)
            .map_or("", |text| &text.content)
    }

    fn add(&mut self, path: &str, text: String) -> Result<()> {
        let literals = if path.rsplit('.').next() == Some("rs") {
            literals(&text)?
        } else {
            Vec::new()
        };
        self.texts.push(Text {
            path: path.to_owned(),
            content: text,
            literals,
        });
        Ok(())
    }
}
