//! The checksum of a stored batch. It shows whether the batch was damaged on disk. A stored batch
//! is a line with the checksum, such as `#af63dc4c8601ec8c`, followed by the batch's JSON.
//!
//! A batch without a checksum is accepted, since earlier versions of Gloss wrote none.

/// The first character of a checksum. No JSON text begins with it.
const MARK: char = '#';

pub(super) fn add_checksum(json: &str) -> String {
    format!("{MARK}{}\n{json}", checksum(json))
}

/// Returns the batch without its checksum; `None` if the checksum differs.
pub(super) fn strip_checksum(text: &str) -> Option<&str> {
    let Some(sealed) = text.strip_prefix(MARK) else {
        return Some(text);
    };
    let (written, json) = sealed.split_once('\n')?;
    (checksum(json) == written).then_some(json)
}

/// Returns the 64-bit FNV-1a hash of a text. Texts of equal length that differ in one byte always
/// have different hashes, because each round of the hash is a bijection. Hashing a batch takes
/// microseconds.
fn checksum(text: &str) -> String {
    let round = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let sum = text.bytes().fold(0xcbf2_9ce4_8422_2325, round);
    format!("{sum:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn read(text: &str) -> Option<Value> {
        serde_json::from_str(strip_checksum(text)?).ok()
    }

    #[test]
    fn the_sums_are_the_published_ones() {
        assert_eq!(checksum(""), "cbf29ce484222325");
        assert_eq!(checksum("a"), "af63dc4c8601ec8c");
    }

    #[test]
    fn a_batch_that_is_cut_or_has_one_byte_changed_is_none() {
        let sealed = add_checksum(r#"[{"v":1,"text":"1"}]"#);
        assert!(read(&sealed).is_some());
        for place in 0..sealed.len() {
            assert_eq!(read(&sealed[..place]), None, "{place}");
            for bit in 0..7 {
                let mut bytes = sealed.clone().into_bytes();
                bytes[place] ^= 1 << bit;
                let changed = String::from_utf8(bytes).unwrap();
                assert_eq!(read(&changed), None, "{changed}");
            }
        }
    }

    #[test]
    fn a_batch_of_an_earlier_version_has_none() {
        assert!(read("[\n  {}\n]").is_some());
    }
}
