//! The files that the rules check. Each file is read from disk once.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::tokens::{Token, tokens};

/// A hand-written text file.
#[derive(Debug)]
pub(super) struct Text {
    /// The path of the file relative to the root of the repository, with `/` as separator.
    pub(super) path: String,
    /// The content of the file.
    pub(super) content: String,
    /// The tokens of a Rust file; empty for other files.
    pub(super) tokens: Vec<Token>,
}

/// All files, sorted by path.
#[derive(Debug, Default)]
pub(super) struct Tree {
    texts: Vec<Text>,
}

const FOLDERS: [&str; 6] = ["crates", "docs", "src", "extension", "www", "xtask/src"];
const FILES: [&str; 2] = ["manifest.json", "ARCHITECTURE.md"];
const ENDINGS: [&str; 5] = [".rs", ".js", ".html", ".json", ".md"];

impl Tree {
    /// Reads the repository at `root`.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or is not valid Rust.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let mut tree = Self::default();
        for folder in FOLDERS.iter().filter(|folder| root.join(folder).is_dir()) {
            tree.read_folder(root, folder)?;
        }
        for file in FILES.iter().filter(|file| root.join(file).is_file()) {
            tree.add(file, fs::read_to_string(root.join(file))?)?;
        }
        tree.texts.sort_by(|one, other| one.path.cmp(&other.path));
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

    fn read_folder(&mut self, root: &Path, folder: &str) -> Result<()> {
        for entry in fs::read_dir(root.join(folder))? {
            let entry = entry?;
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                self.read_folder(root, &path)?;
            } else if ENDINGS.iter().any(|ending| path.ends_with(ending)) {
                self.add(&path, fs::read_to_string(entry.path())?)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &str, text: String) -> Result<()> {
        let tokens = if Path::new(path)
            .extension()
            .is_some_and(|ending| ending == "rs")
        {
            tokens(&text).with_context(|| format!("{path} is no Rust"))?
        } else {
            Vec::new()
        };
        self.texts.push(Text {
            path: path.to_owned(),
            content: text,
            tokens,
        });
        Ok(())
    }
}
