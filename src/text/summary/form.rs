//! What can be seen of a sentence without understanding it.
//!
//! Driving example: "However, it does this only on Linux." is a sentence, but
//! nobody can read it alone. Deliberately superficial: first words, last marks
//! and proportions.

use super::super::Language;
use super::super::sentences::{is_closer, is_terminator};

/// How a sentence begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// With something of its own.
    Plain,
    /// With a word that joins it to what was said: "However", "因此".
    Connective,
    /// With a word that stands for what was said: "This", "他".
    Reference,
}

/// The outward form of a sentence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// Its length in words of its language.
    pub(super) words: f64,
    pub(super) opening: Opening,
    pub(super) is_question: bool,
    /// It announces what follows it: "The options are:".
    pub(super) leads_on: bool,
    /// It says what something is.
    pub(super) defines: bool,
    /// It says what the text does, found or comes to.
    pub(super) announces: bool,
    /// It ends as sentences do.
    is_closed: bool,
    /// Most of it is letters: no formula, table row or line of code.
    is_language: bool,
    /// It points to another place: "See also", "Figure 3".
    is_pointer: bool,
    /// It speaks as "I" or to "you".
    pub(super) is_personal: bool,
    /// It speaks of a figure, a listing, an example elsewhere.
    pub(super) refers: bool,
    has_open_bracket: bool,
}

impl Form {
    pub(super) fn of(text: &str, language: Language) -> Self {
        let bare = text.trim_end_matches(|c: char| is_closer(c) || c.is_whitespace());
        let bare = without_marks(bare);
        let last = bare.chars().next_back().unwrap_or(' ');
        let start = text.trim_start_matches(|c: char| !c.is_alphanumeric());
        let lower = start.chars().take(60).collect::<String>().to_lowercase();
        Self {
            words: language.length(text),
            opening: opening(&lower),
            is_question: matches!(last, '?' | '？'),
            leads_on: matches!(last, ':' | '：'),
            defines: defines(text, language),
            announces: announces(text),
            is_closed: is_terminator(last),
            is_language: is_language(text),
            is_pointer: begins(&lower, POINTERS),
            is_personal: is_personal(text),
            refers: refers(text),
            has_open_bracket: text.matches(['(', '（']).count()
                != text.matches([')', '）']).count(),
        }
    }

    /// Whether it is one: no heading, caption, stub of a list or line of code.
    pub(super) fn is_sentence(&self) -> bool {
        let enough = self.words >= 4.0;
        enough && self.is_language && !self.is_pointer && (self.is_closed || self.words >= 15.0)
    }

    /// Whether it can stand alone above everything else.
    pub(super) fn can_be_gist(&self) -> bool {
        self.is_sentence()
            && self.is_closed
            && self.opening == Opening::Plain
            && !self.is_question
            && !self.leads_on
            && !self.is_personal
            && !self.refers
            && !self.has_open_bracket
            && (6.0..=45.0).contains(&self.words)
    }
}

/// Words that join a sentence to the one before it.
const CONNECTIVES: &[&str] = &[
    "accordingly",
    "additionally",
    "also",
    "alternatively",
    "and",
    "as a result",
    "as such",
    "because of this",
    "besides",
    "but",
    "consequently",
    "conversely",
    "finally",
    "first",
    "at that point",
    "even so",
    "even though",
    "for example",
    "fortunately",
    "unfortunately",
    "note that",
    "in practice",
    "in reality",
    "of course",
    "now",
    "once",
    "as you can see",
    "recall",
    "remember",
    "for instance",
    "for this reason",
    "furthermore",
    "hence",
    "however",
    "in addition",
    "in contrast",
    "in fact",
    "in other words",
    "in particular",
    "in that case",
    "in this case",
    "indeed",
    "instead",
    "likewise",
    "meanwhile",
    "moreover",
    "nevertheless",
    "next",
    "nonetheless",
    "nor",
    "of course",
    "on the contrary",
    "on the other hand",
    "or",
    "otherwise",
    "rather",
    "second",
    "secondly",
    "similarly",
    "so",
    "still",
    "then",
    "therefore",
    "third",
    "though",
    "thus",
    "yet",
    "again",
    "actually",
    "here",
    "there",
    "now",
    "both",
    "neither",
    "another",
    "other",
    "others",
    "either",
    "either way",
    "once again",
    "此外",
    "另外",
    "因此",
    "所以",
    "但是",
    "但",
    "然而",
    "不过",
    "可是",
    "而且",
    "并且",
    "同时",
    "例如",
    "比如",
    "于是",
    "那么",
    "接着",
    "然后",
    "首先",
    "其次",
    "最后",
    "再次",
    "总之",
    "相反",
    "反之",
    "事实上",
    "实际上",
    "其实",
    "当然",
    "也就是说",
    "换句话说",
    "同样",
    "类似地",
    "否则",
    "而",
    "也",
    "还",
    "就",
    "却",
    "又",
    "因为",
    "由于这",
    "随后",
    "之后",
    "与此同时",
    "如前所述",
    "如上所述",
    "另一方面",
    "一方面",
    "在这里",
    "这里",
    "现在",
    "幸运的是",
    "不幸的是",
    "当然",
    "注意",
    "需要注意",
    "即使",
    "对于这",
];

/// Words that stand for something said before.
const REFERENCES: &[&str] = &[
    "he",
    "her",
    "hers",
    "him",
    "his",
    "it",
    "it's",
    "its",
    "she",
    "such",
    "that",
    "that's",
    "the above",
    "the former",
    "the following",
    "the latter",
    "the next",
    "the other",
    "the previous",
    "the same",
    "their",
    "them",
    "these",
    "they",
    "they're",
    "this",
    "those",
    "at this point",
    "in these",
    "in this section",
    "in this chapter",
    "in this example",
    "with this",
    "as we",
    "as you",
    "as mentioned",
    "as noted",
    "as described",
    "doing so",
    "to do this",
    "to do so",
    "after this",
    "after that",
    "for this",
    "by doing",
    "他",
    "她",
    "它",
    "这",
    "那",
    "此",
    "该",
    "其",
    "前者",
    "后者",
    "上述",
    "上面",
    "下面",
    "以下",
    "如下",
    "如此",
    "本节",
    "在这",
    "在此",
    "在那",
    "对此",
    "为此",
    "从这",
    "通过这",
];

/// Words that stand for the page itself, which is always there.
const SELF_REFERENCES: &[&str] = &[
    "this article",
    "this book",
    "this document",
    "this guide",
    "this manual",
    "this page",
    "this paper",
    "this post",
    "this reference",
    "this report",
    "this study",
    "this tutorial",
    "this work",
    "in this article",
    "in this paper",
    "in this work",
    "in this study",
    "本文",
    "这篇",
    "本书",
    "本手册",
    "本指南",
    "本教程",
    "本文档",
    "该文",
    "此文",
];

/// Beginnings of texts that are about other places.
const POINTERS: &[&str] = &[
    "see",
    "see also",
    "figure",
    "fig.",
    "table",
    "listing",
    "source:",
    "sources:",
    "image:",
    "photo:",
    "photo by",
    "click here",
    "read more",
    "further reading",
    "copyright",
    "©",
    "all rights reserved",
    "last updated",
    "retrieved",
    "note:",
    "tip:",
    "warning:",
    "caution:",
    "example:",
    "参见",
    "参阅",
    "另见",
    "另请参见",
    "请参见",
    "请参阅",
    "详见",
    "图片来源",
    "来源：",
    "版权所有",
    "点击这里",
    "阅读更多",
    "注：",
    "注意：",
    "提示：",
];

/// Whether lower-cased `text` begins with one of `phrases` as a whole.
fn begins(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| {
        text.strip_prefix(phrase).is_some_and(|rest| {
            let ascii = phrase.ends_with(|c: char| c.is_ascii_alphanumeric());
            !(ascii && rest.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '\''))
        })
    })
}

fn opening(lower: &str) -> Opening {
    if begins(lower, SELF_REFERENCES) {
        Opening::Plain
    } else if begins(lower, REFERENCES) {
        Opening::Reference
    } else if begins(lower, CONNECTIVES) {
        Opening::Connective
    } else {
        Opening::Plain
    }
}

fn defines(text: &str, language: Language) -> bool {
    let marks: &[&str] = match language {
        Language::English => &[
            " is a ",
            " is an ",
            " is the ",
            " are a ",
            " are the ",
            " was a ",
            " was an ",
            " was the ",
            " refers to ",
            " means ",
            " describes ",
            " explains ",
            " introduces ",
            " presents ",
            " provides ",
            " covers ",
        ],
        Language::Chinese => &[
            "是一",
            "是指",
            "指的是",
            "是由",
            "是最",
            "介绍",
            "描述",
            "说明",
            "称为",
            "讲述",
        ],
        Language::Other => return false,
    };
    // The mark must come early: what is defined is what the sentence is about.
    let early = text.char_indices().nth(90).map_or(text.len(), |(at, _)| at);
    let head = text.get(..early).unwrap_or(text);
    marks.iter().any(|mark| head.contains(mark))
}

/// How authors say what their text does, found or comes to.
const CUES: &[&str] = &[
    "we propose",
    "we present",
    "we introduce",
    "we describe",
    "we show",
    "we find",
    "we found",
    "we develop",
    "we demonstrate",
    "we investigate",
    "we explore",
    "we study",
    "we argue",
    "we conclude",
    "this paper",
    "this article",
    "this study",
    "this work",
    "this guide",
    "this chapter",
    "this page",
    "in conclusion",
    "in summary",
    "to sum up",
    "to summarize",
    "overall,",
    "results show",
    "results indicate",
    "results demonstrate",
    "results suggest",
    "experiments show",
    "study found",
    "researchers found",
    "outperform",
    "our approach",
    "our method",
    "our model",
    "the main ",
    "the key ",
    "the goal ",
    "the purpose ",
    "the aim ",
    "most important",
    "the problem ",
    "本文",
    "本章",
    "总之",
    "综上",
    "总而言之",
    "由此可见",
    "结果表明",
    "研究发现",
    "研究表明",
    "主要",
    "目的是",
    "目标是",
    "最重要",
    "关键",
];

fn announces(text: &str) -> bool {
    let lower = text.to_lowercase().replace(" ,", ",");
    CUES.iter().any(|cue| lower.contains(cue))
}

fn is_language(text: &str) -> bool {
    let shown = text.chars().filter(|c| !c.is_whitespace()).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let code = text
        .chars()
        .filter(|c| "{}<>=$|\\^~;#_/@".contains(*c))
        .count();
    letters * 10 >= shown * 7 && code * 12 <= shown
}

/// "as shown in Listing 4-5", "见图 3".
fn refers(text: &str) -> bool {
    let numbered = [
        "Listing ", "Figure ", "Fig. ", "Table ", "Section ", "Example ",
    ];
    let numbers = |word: &&str| {
        let follows = |(at, _): (usize, &str)| text.get(at + word.len()..);
        let mut after = text.match_indices(*word).filter_map(follows);
        after.any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let plain = [
        "shown above",
        "shown below",
        "the following",
        "as follows",
        "见图",
        "如图",
        "参见",
        "如下",
        "以下",
        "上面的",
        "下面的",
    ];
    numbered.iter().any(|word| numbers(word)) || plain.iter().any(|phrase| text.contains(phrase))
}

fn is_personal(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    let english = words.take(12).any(|word| {
        matches!(
            word,
            "I" | "I'm"
                | "I'll"
                | "I've"
                | "you"
                | "You"
                | "your"
                | "Your"
                | "let's"
                | "Let's"
                | "Let’s"
                | "us"
                | "we'll"
                | "we’ll"
                | "We'll"
                | "We’ll"
        )
    });
    english || text.contains('我') || text.contains('你') || text.contains('您')
}

/// Without the reference marks of an encyclopedia: "fast.[1][2]".
fn without_marks(mut text: &str) -> &str {
    while let Some((rest, _)) = text.rsplit_once('[').filter(|(_, mark)| mark.len() <= 4) {
        text = rest.trim_end_matches(is_closer);
    }
    text
}
