//! Compares two facts by their words, so that equal facts are merged.
//!
//! Example: "Lives in Berlin." and "The user lives in Berlin" are equal. The meaning is not
//! compared. A model that saves a fact with another meaning says which fact it replaces.

/// Beginnings of sentences that mean the user. The first match is removed, so "the user's " must
/// come before "the user ".
const SUBJECTS: [&str; 9] = [
    "the user's ",
    "the user ",
    "user's ",
    "user ",
    "my ",
    "i ",
    "用户的",
    "用户",
    "我",
];

/// Returns a fact in lower case, without its subject and its punctuation.
fn normalised(content: &str) -> String {
    let lower = content.to_lowercase().replace('’', "'");
    let mut subjects = SUBJECTS.iter();
    let bare = subjects.find_map(|it| lower.strip_prefix(it));
    let bare = bare.unwrap_or(&lower);
    let words = bare.split(|it: char| !(it.is_alphanumeric() || it == '\''));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// Returns true if two facts have the same words.
pub(super) fn same_words(one: &str, other: &str) -> bool {
    normalised(one) == normalised(other)
}

#[cfg(test)]
mod tests {
    use super::same_words;

    #[test]
    fn case_marks_and_the_subject_make_no_other_fact_and_any_word_does() {
        for (one, other, same) in [
            ("The user lives in Berlin", "Lives in Berlin.", true),
            ("The user's name is Ada", "My name is Ada", true),
            ("User likes  tea, black", "likes tea (black)", true),
            ("用户喜欢茶", "喜欢茶。", true),
            ("The user likes tea", "The user doesn't like tea", false),
            ("Lives in Berlin", "Lives in Berlin, Germany", false),
            ("Sails a 6-metre sloop", "Sails a 7-metre sloop", false),
            ("用户喜欢茶", "用户不喜欢茶", false),
        ] {
            assert_eq!(same_words(one, other), same, "{one} | {other}");
        }
    }
}
