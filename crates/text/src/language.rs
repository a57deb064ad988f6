//! Recognises the language of a page, as far as Gloss distinguishes languages.
//!
//! Example: a Chinese article is recognised as Chinese, although the site's template declares
//! `lang="en"`. English and Chinese have their own text rules and prompts. All other languages use
//! the same rules and the English prompts, so they need not be distinguished.

use super::english;
use serde::{Deserialize, Serialize};

/// The languages with their own rules, and one value for all others.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Language {
    /// English, with a stemmer, stop words and abbreviations.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Chinese. Chinese words have no spaces between them, so single characters and pairs of
    /// characters are used instead of words.
    #[serde(rename = "zh")]
    Chinese,
    /// Any other language, with stop words and endings of German, French and Spanish. Japanese and
    /// Korean are compared like Chinese.
    #[serde(rename = "other")]
    Other,
}

/// The number of characters of a sample that are read. A longer sample doesn't change the result.
const SAMPLE_CHARS: usize = 4_000;

/// The minimum number of words from which a language can be recognised.
const MIN_WORDS: usize = 20;

impl Language {
    /// The languages in which prompts are written, in the order in which the Options page lists
    /// them.
    pub const OF_PROMPTS: [Self; 2] = [Self::English, Self::Chinese];

    /// Returns the language of a BCP 47 tag: `"zh-CN"` -> `Chinese`, `"fr"` -> `Other`.
    pub fn of_tag(tag: &str) -> Self {
        Self::declared(tag).unwrap_or(Self::Other)
    }

    /// Returns `chinese` for Chinese, and `english` for any other language.
    pub fn pick<T>(self, english: T, chinese: T) -> T {
        match self {
            Self::English | Self::Other => english,
            Self::Chinese => chinese,
        }
    }

    /// Returns the tag under which the language of the prompts is stored.
    pub fn id(self) -> &'static str {
        self.pick("en", "zh")
    }

    /// Returns the language that the BCP 47 `tag` declares, unless `sample`, a part of the page's
    /// text, is clearly in another language. In that case, returns the language of `sample`.
    pub fn of(tag: &str, sample: &str) -> Self {
        let declared = Self::declared(tag);
        let seen = Scripts::of(sample);
        match declared {
            _ if seen.is_japanese_or_korean() => Self::Other,
            _ if seen.is_han() => Self::Chinese,
            _ if seen.letters() == 0 => declared.unwrap_or(Self::Other),
            _ if !seen.is_latin() => Self::Other,
            Some(Self::English) if !seen.is_surely_not_english() => Self::English,
            Some(Self::Other) if !seen.is_surely_english() => Self::Other,
            _ if seen.is_english() => Self::English,
            _ => Self::Other,
        }
    }

    fn declared(tag: &str) -> Option<Self> {
        let primary = tag.split(['-', '_']).next().unwrap_or_default().trim();
        match primary.to_ascii_lowercase().as_str() {
            "" | "und" | "mul" | "zxx" => None,
            "en" => Some(Self::English),
            "zh" | "yue" | "wuu" | "cmn" | "lzh" => Some(Self::Chinese),
            _ => Some(Self::Other),
        }
    }
}

/// Returns the number of words that are separated by spaces, and the number of Chinese, Japanese
/// and Korean characters.
pub fn words_and_characters(text: &str) -> (usize, usize) {
    let (mut words, mut characters, mut is_word) = (0, 0, false);
    for c in text.chars() {
        if c.is_whitespace() {
            is_word = false;
        } else if is_cjk(c) {
            characters += 1;
        } else if !is_word && c.is_alphanumeric() {
            is_word = true;
            words += 1;
        }
    }
    (words, characters)
}

/// Replaces traditional characters that occur in questions by their simplified forms: 為什麼 -> 为什么.
/// The length in bytes stays the same.
pub fn simplified(text: &str) -> String {
    const TRADITIONAL: &str = "麼麽誰為裡裏錢嗎幾時後個說樣長遠價買們這還總結點講寫內網頁請幫給譯潤讓對謝開應該發現與於關係數據間歲號個種經過會來國關條隻張臺輛塊門處";
    const SIMPLIFIED: &str = "么么谁为里里钱吗几时后个说样长远价买们这还总结点讲写内网页请帮给译润让对谢开应该发现与于关系数据间岁号个种经过会来国关条只张台辆块门处";
    let form = |c: char| {
        let known = TRADITIONAL.chars().zip(SIMPLIFIED.chars());
        known
            .into_iter()
            .find(|(from, _)| *from == c)
            .map_or(c, |(_, to)| to)
    };
    text.chars()
        .map(|c| if is_cjk(c) { form(c) } else { c })
        .collect()
}

/// Returns the length of `text` in words.
pub(super) fn length(text: &str) -> f64 {
    let (words, characters) = words_and_characters(text);
    // A Chinese word is about 1.6 characters long.
    characters as f64 / 1.6 + words as f64
}

/// The number of letters of each script, the number of words, and the number of typically English
/// words.
struct Scripts {
    latin: usize,
    han: usize,
    kana_hangul: usize,
    other: usize,
    words: usize,
    english: usize,
}

impl Scripts {
    fn of(sample: &str) -> Self {
        let end = sample
            .char_indices()
            .nth(SAMPLE_CHARS)
            .map_or(sample.len(), |(at, _)| at);
        let sample = sample.get(..end).unwrap_or(sample);
        let mut seen = Self {
            latin: 0,
            han: 0,
            kana_hangul: 0,
            other: 0,
            words: 0,
            english: 0,
        };
        for c in sample.chars().filter(|c| c.is_alphabetic()) {
            match c {
                _ if is_kana(c) || is_hangul(c) => seen.kana_hangul += 1,
                _ if is_cjk(c) => seen.han += 1,
                _ if is_latin(c) => seen.latin += 1,
                _ => seen.other += 1,
            }
        }
        for word in sample.split(|c: char| !c.is_alphabetic()) {
            if !word.is_empty() {
                seen.words += 1;
                seen.english += usize::from(english::is_telling(&word.to_lowercase()));
            }
        }
        seen
    }

    fn letters(&self) -> usize {
        self.latin + self.han + self.kana_hangul + self.other
    }

    fn is_japanese_or_korean(&self) -> bool {
        let cjk = self.han + self.kana_hangul;
        self.kana_hangul * 10 > cjk && cjk * 5 > self.letters()
    }

    /// Returns true for Chinese text. One fifth of Chinese characters is enough, because Chinese
    /// pages contain many Latin names and much code, and one Chinese character replaces several
    /// letters.
    fn is_han(&self) -> bool {
        self.han * 5 > self.letters()
    }

    fn is_latin(&self) -> bool {
        self.latin * 2 > self.letters()
    }

    // In English text, at least a fifth of all words are in the list of typical words. In other
    // languages, less than a twentieth are. The limit is in between.
    fn is_english(&self) -> bool {
        self.english * 10 >= self.words
    }

    fn is_surely_english(&self) -> bool {
        self.words >= MIN_WORDS && self.english * 5 >= self.words
    }

    fn is_surely_not_english(&self) -> bool {
        self.words >= 2 * MIN_WORDS && self.english * 25 < self.words
    }
}

fn is_latin(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9d}')
}

/// Returns true for hiragana, the script of Japanese endings and particles.
pub(super) fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309f}')
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7a3}')
}

/// Returns true for ideographs, kana and hangul, but not for punctuation. Chinese and Japanese text
/// has no spaces between words. Korean has, but each character counts as about half a word too.
pub(super) fn is_cjk(c: char) -> bool {
    // A fast path, because nearly all characters are Latin.
    c >= '\u{1100}' && is_east_asian(c)
}

fn is_east_asian(c: char) -> bool {
    matches!(c,
        '\u{2e80}'..='\u{2fdf}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}'
    ) || (c != '\u{30fb}' && is_kana(c))
        || is_hangul(c)
}

#[cfg(test)]
mod tests {
    use super::Language::{self, Chinese, English, Other};

    const EN: &str = "The cat sat on the mat and it was the best of all the mats that \
        were to be had in the town, which is not to say that it was for sale.";
    const FR: &str = "Le chat est assis sur le tapis, et il ne veut pas en descendre avant \
        que la nuit tombe sur la ville, parce que les souris dansent quand il dort et que \
        personne ne les surveille dans la grande maison au bord de la mer.";
    const ZH: &str = "猫坐在垫子上。The cat 是一种动物，喜欢睡觉。";
    const JA: &str = "猫はマットの上に座っています。とても可愛い。";

    #[test]
    fn a_declared_language_holds_only_if_the_text_fits_it() {
        for (tag, sample, language) in [
            ("en", EN, English),
            ("en-GB", EN, English),
            ("", EN, English),
            ("zh-CN", EN, English),
            ("de", EN, English),
            ("en", ZH, Chinese),
            ("", ZH, Chinese),
            ("zh_TW", ZH, Chinese),
            ("en", FR, Other),
            ("fr", FR, Other),
            ("", FR, Other),
            ("ja", JA, Other),
            ("zh", JA, Other),
            ("", "한국어는 한국에서 사용하는 언어이다.", Other),
            ("", "Кошка сидит на ковре.", Other),
            ("en", "Кошка сидит на ковре.", Other),
            ("en", "", English),
            ("zh", "42", Chinese),
            ("", "", Other),
            ("en", "Rust", English),
            ("fr", "Rust", Other),
            ("en", "Linux Debian Ubuntu", English),
        ] {
            assert_eq!(Language::of(tag, sample), language, "{tag}: {sample}");
        }
    }

    #[test]
    fn prompts_are_chinese_in_chinese_and_english_in_every_other_language() {
        for (tag, id) in [
            ("zh-CN", "zh"),
            ("zh_TW", "zh"),
            ("en", "en"),
            ("de", "en"),
            ("", "en"),
        ] {
            assert_eq!(Language::of_tag(tag).id(), id, "{tag}");
        }
    }

    #[test]
    fn lengths_are_words_in_any_language() {
        assert!((super::length("One, two - three.") - 3.0).abs() < 1e-9);
        assert!((super::length("我们使用 Linux 系统。") - (6.0 / 1.6 + 1.0)).abs() < 1e-9);
    }
}
