//! The questions by which answers on the device are measured were written before the ranking was
//! tuned. The second half must never change, so that it can't be tuned to.

use sha2::{Digest, Sha256};

const SECOND: &str = "964579686de79db31a5e39a8d13ca18cb3574ddd3bd37a6cf6462528efb8d0f6";

#[test]
fn the_second_half_of_the_questions_is_as_it_was_written() {
    let questions = include_bytes!("../../evaluation/answers/second.jsonl");
    let digits = Sha256::digest(questions);
    let digits: String = digits.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digits, SECOND);
}
