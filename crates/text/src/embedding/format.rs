//! Reads `embeddings.bin`, which `xtask/src/build/embeddings.rs` writes.
//!
//! All numbers are little-endian. The file begins with the magic bytes and four u32: the version,
//! the number of tokens, the number of dimensions, and the length of all tokens' texts in bytes.
//! These are followed by the length of each token's text (u8), the texts (UTF-8), the scale of each
//! row (f32), and the rows (i8).

use super::super::interner::{Interned, Interner};
use super::{DIMENSIONS, Embeddings};

const MAGIC: &[u8] = b"glossemb";
const VERSION: u32 = 1;

/// The reasons for which bytes can't be read as embeddings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The bytes don't begin with the magic bytes of this format.
    #[error("this is not a file of embeddings")]
    Magic,
    /// The file has another version of the format.
    #[error("embeddings of version {0}, expected {VERSION}")]
    Version(u32),
    /// The vectors have another number of dimensions.
    #[error("embeddings of {0} dimensions, expected {DIMENSIONS}")]
    Dimensions(u32),
    /// The file is too short, too long or inconsistent.
    #[error("the embeddings are damaged: {0}")]
    Damaged(&'static str),
}

impl Embeddings {
    /// Reads `embeddings.bin`.
    ///
    /// # Errors
    /// Returns the [`LoadError`] that describes the first problem.
    pub fn parse(bytes: &[u8]) -> Result<Self, LoadError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(LoadError::Magic)?;
        let version = number(&mut rest)?;
        if version != VERSION {
            return Err(LoadError::Version(version));
        }
        let count = number(&mut rest)? as usize;
        let dimensions = number(&mut rest)?;
        if dimensions as usize != DIMENSIONS {
            return Err(LoadError::Dimensions(dimensions));
        }
        let text_bytes = number(&mut rest)? as usize;
        let lengths = take(&mut rest, count)?;
        let texts = take(&mut rest, text_bytes)?;
        let texts = std::str::from_utf8(texts).map_err(|_| LoadError::Damaged("not UTF-8"))?;
        let scales = take(&mut rest, count.saturating_mul(4))?;
        let rows = take(&mut rest, count.saturating_mul(DIMENSIONS))?;
        if !rest.is_empty() {
            return Err(LoadError::Damaged("bytes after the end"));
        }
        Ok(Self {
            tokens: tokens(lengths, texts)?,
            scales: scales
                .chunks_exact(4)
                .map(|scale| scale.try_into().map_or(0.0, f32::from_le_bytes))
                .collect(),
            rows: rows.iter().map(|byte| byte.cast_signed()).collect(),
        })
    }
}

fn tokens(lengths: &[u8], texts: &str) -> Result<Interner, LoadError> {
    let mut tokens = Interner::with_capacity(lengths.len());
    let mut rest = texts;
    for length in lengths {
        let (text, after) = rest
            .split_at_checked(usize::from(*length))
            .ok_or(LoadError::Damaged("a token ends within a character"))?;
        // A token's id is its position, so a repeated token would shift all later ids.
        if let Interned::Known(_) = tokens.intern(text) {
            return Err(LoadError::Damaged("a token comes twice"));
        }
        rest = after;
    }
    if rest.is_empty() {
        Ok(tokens)
    } else {
        Err(LoadError::Damaged("text without a token"))
    }
}

fn take<'a>(rest: &mut &'a [u8], bytes: usize) -> Result<&'a [u8], LoadError> {
    let (taken, after) = rest
        .split_at_checked(bytes)
        .ok_or(LoadError::Damaged("too short"))?;
    *rest = after;
    Ok(taken)
}

fn number(rest: &mut &[u8]) -> Result<u32, LoadError> {
    let bytes = take(rest, 4)?;
    Ok(bytes.try_into().map_or(0, u32::from_le_bytes))
}
