//! What the person said of themselves, and what they asked, quoted or told of others.

use super::{is_said, is_spoken_of};

/// What they wrote, what a model would keep, whether they said that.
const TABLE: &[(&str, &str, bool)] = &[
    (
        "I am allergic to peanuts",
        "The user is allergic to peanuts",
        true,
    ),
    (
        "I’m allergic to peanuts and shellfish.",
        "The user is allergic to shellfish",
        true,
    ),
    ("My name is Ada", "The user's name is Ada", true),
    (
        "Call me Ada, please",
        "The user wants to be called Ada",
        true,
    ),
    ("Please remember: I like tea", "The user likes tea", true),
    (
        "My favourite tea: oolong",
        "The user's favourite tea is oolong",
        true,
    ),
    (
        "Prefers metric units",
        "The user prefers metric units",
        true,
    ),
    (
        "Always answer in French",
        "The user wants answers in French",
        true,
    ),
    (
        "I sail a sloop out of Hoylake, can I leave at eight?",
        "The user sails a sloop out of Hoylake",
        true,
    ),
    (
        "I like tea and coffee",
        "The user likes tea and coffee",
        true,
    ),
    ("I speak German and French", "The user speaks French", true),
    // Of somebody else.
    (
        "My daughter is allergic to peanuts and my wife plays chess",
        "The user is allergic to peanuts",
        false,
    ),
    (
        "My daughter is allergic to peanuts and my wife plays chess",
        "The user plays chess",
        false,
    ),
    (
        "My daughter is allergic to peanuts",
        "The user's daughter is allergic to peanuts",
        true,
    ),
    (
        "My daughter is allergic to peanuts",
        "The user's wife is allergic to peanuts",
        false,
    ),
    (
        "I have a son who plays chess",
        "The user plays chess",
        false,
    ),
    (
        "I have a son who plays chess",
        "The user has a son who plays chess",
        true,
    ),
    ("My son plays chess, and I sail", "The user sails", true),
    (
        "My son plays chess, and I sail",
        "The user plays chess",
        false,
    ),
    ("I play chess with my wife", "The user plays chess", true),
    (
        "I am a manager at a bank",
        "The user is a manager at a bank",
        true,
    ),
    (
        "My manager works at a bank",
        "The user is a manager at a bank",
        false,
    ),
    ("She likes chess", "The user likes chess", false),
    (
        "I like tea but she likes coffee",
        "The user likes coffee",
        false,
    ),
    (
        "I like tea and Anna plays chess",
        "The user plays chess",
        false,
    ),
    (
        "I like tea, and Anna plays chess",
        "The user plays chess",
        false,
    ),
    ("我喜欢《三体》", "用户喜欢《三体》", true),
    (
        "Anna told me to buy Acme stock",
        "The user buys Acme stock",
        false,
    ),
    (
        "My boss says I should buy Acme stock",
        "The user buys Acme stock",
        false,
    ),
    (
        "The page says buy Acme stock",
        "The user wants to buy Acme stock",
        false,
    ),
    (
        "Buy Acme stock every day",
        "The user wants to buy Acme stock every day",
        false,
    ),
    ("我女儿对花生过敏，她喜欢下棋", "用户对花生过敏", false),
    ("我女儿对花生过敏，她喜欢下棋", "用户喜欢下棋", false),
    ("我女儿对花生过敏", "用户的女儿对花生过敏", true),
    ("我妈住在杭州，喜欢下棋", "用户喜欢下棋", false),
    ("我老公住在杭州，我住在上海", "用户住在上海", true),
    ("我老公住在杭州，我住在上海", "用户住在杭州", false),
    ("我对花生过敏。", "用户对花生过敏", true),
    ("网页说我想买 Acme 股票", "用户想买 Acme 股票", false),
    ("用户都喜欢 Acme 股票", "用户喜欢 Acme 股票", false),
    ("网页上写着我喜欢 Acme", "用户喜欢 Acme", false),
    ("Users love Acme stock", "The user loves Acme stock", false),
    ("请用公制回答", "用户希望用公制回答", false),
    ("我喜欢公制单位，能用公制回答吗？", "用户喜欢公制单位", true),
    // Asked, or supposed.
    (
        "Do I use Chrome or Firefox?",
        "The user prefers Firefox",
        false,
    ),
    (
        "Do I use Chrome or Firefox",
        "The user prefers Firefox",
        false,
    ),
    ("I use Firefox?", "The user uses Firefox", false),
    (
        "If I used Firefox, what would change",
        "The user uses Firefox",
        false,
    ),
    ("I wonder whether I like tea", "The user likes tea", false),
    ("我用的是 Chrome 还是 Firefox", "用户用的是 Firefox", false),
    ("我喜欢喝茶吗？", "用户喜欢喝茶", false),
    ("如果我喜欢喝茶，该买什么", "用户喜欢喝茶", false),
    // Quoted.
    (
        "The page says: \"Buy Acme stock every day\". What does it mean?",
        "The user wants to buy Acme stock every day",
        false,
    ),
    (
        "What is “I love Acme stock” about",
        "The user loves Acme stock",
        false,
    ),
    (
        "I like tea. 'I love Acme' is what it says",
        "The user loves Acme",
        false,
    ),
    (
        "> I love Acme stock\nI like tea",
        "The user loves Acme stock",
        false,
    ),
    (
        "> I love Acme stock\nI like tea",
        "The user likes tea",
        true,
    ),
    (
        "Translate: I love Acme stock. I buy it.",
        "The user loves Acme stock",
        false,
    ),
    (
        "Translate this:\nI love Acme stock",
        "The user loves Acme stock",
        false,
    ),
    ("这里写着“我喜欢茶”，什么意思", "用户喜欢茶", false),
    // Announced, by whole words.
    (
        "Footnote: I love Acme stock",
        "The user loves Acme stock",
        false,
    ),
    (
        "Unknown author: I love Acme stock",
        "The user loves Acme stock",
        false,
    ),
    (
        "Another one: I love Acme stock",
        "The user loves Acme stock",
        false,
    ),
    (
        "Acknowledgements:\nI love Acme stock",
        "The user loves Acme stock",
        false,
    ),
    ("Some notes: I like tea", "The user likes tea", true),
    ("You should know: I like tea", "The user likes tea", true),
    ("About me: I like tea", "The user likes tea", true),
    (
        "My situation: I live in Leeds",
        "The user lives in Leeds",
        true,
    ),
    (
        "My colleague says: I love Acme stock",
        "The user loves Acme stock",
        false,
    ),
    (
        "My wife: I love Acme stock",
        "The user loves Acme stock",
        false,
    ),
    ("My essay: I live on Mars", "The user lives on Mars", false),
    ("My essay:\nI live on Mars", "The user lives on Mars", false),
    ("我的同事说：我喜欢茶", "用户喜欢茶", false),
    ("我的作文：我喜欢茶", "用户喜欢茶", false),
    ("我的情况：我喜欢茶", "用户喜欢茶", true),
    ("记住：我喜欢喝茶", "用户喜欢喝茶", true),
    // Handed over to be worked on.
    (
        "Translate I live in Paris into French",
        "The user lives in Paris",
        false,
    ),
    (
        "Please translate I live in Paris into French",
        "The user lives in Paris",
        false,
    ),
    (
        "Can you translate I live in Paris into French",
        "The user lives in Paris",
        false,
    ),
    (
        "I want you to rephrase I live in Paris",
        "The user lives in Paris",
        false,
    ),
    (
        "I need to translate I live in Paris into French",
        "The user lives in Paris",
        false,
    ),
    (
        "Translate into French. I live in Paris.",
        "The user lives in Paris",
        false,
    ),
    (
        "Correct my grammar.\nI live in Paris",
        "The user lives in Paris",
        false,
    ),
    (
        "I live in Paris. Translate that into French.",
        "The user lives in Paris",
        false,
    ),
    (
        "I live in Paris, how do I say that in French?",
        "The user lives in Paris",
        false,
    ),
    (
        "I live in Paris. What does it mean?",
        "The user lives in Paris",
        false,
    ),
    (
        "Check my spelling. I live in Paris",
        "The user lives in Paris",
        false,
    ),
    (
        "Summarise this. I live in Paris.",
        "The user lives in Paris",
        false,
    ),
    (
        "What does I live in Paris mean",
        "The user lives in Paris",
        false,
    ),
    (
        "Tell me what I live in Paris means",
        "The user lives in Paris",
        false,
    ),
    (
        "What's the French for I live in Paris",
        "The user lives in Paris",
        false,
    ),
    (
        "Tell me how to say I live in Paris",
        "The user lives in Paris",
        false,
    ),
    (
        "Write a poem saying I live in Paris",
        "The user lives in Paris",
        false,
    ),
    ("翻译我住在巴黎", "用户住在巴黎", false),
    ("请把我住在巴黎翻译成法语", "用户住在巴黎", false),
    ("我想把我住在巴黎翻译成法语", "用户住在巴黎", false),
    ("我住在巴黎翻译成法语", "用户住在巴黎", false),
    ("我住在巴黎，翻译成法语", "用户住在巴黎", false),
    ("我住在巴黎。帮我润色一下", "用户住在巴黎", false),
    ("请帮我改写：我住在巴黎", "用户住在巴黎", false),
    ("润色一下。我住在巴黎", "用户住在巴黎", false),
    ("我住在巴黎用法语怎么说", "用户住在巴黎", false),
    ("我住在巴黎，用法语怎么说？", "用户住在巴黎", false),
    ("我住在巴黎是什么意思", "用户住在巴黎", false),
    ("写一封信说我住在巴黎", "用户住在巴黎", false),
    // What a page says, or what they do themselves, is none of that.
    (
        "I live in Paris. Translate this page into French.",
        "The user lives in Paris",
        true,
    ),
    (
        "Summarise this article, I work in Ada",
        "The user works in Ada",
        true,
    ),
    (
        "Summarise the page. I work in Ada.",
        "The user works in Ada",
        true,
    ),
    (
        "Explain how tides work. I sail a sloop.",
        "The user sails a sloop",
        true,
    ),
    (
        "I translate novels into German",
        "The user translates novels into German",
        true,
    ),
    ("I edit videos and I paint", "The user edits videos", true),
    (
        "I'm Polish and I speak Welsh",
        "The user speaks Welsh",
        true,
    ),
    ("我把小说翻译成英文", "用户把小说翻译成英文", true),
    ("我是一名翻译，住在巴黎", "用户住在巴黎", true),
    ("我住在巴黎。请翻译这个网页", "用户住在巴黎", true),
    // Addresses.
    (
        "I summarize www.evil.example",
        "The user wants www.evil.example",
        false,
    ),
    (
        "I like https://evil.example/x daily",
        "The user likes evil.example",
        false,
    ),
    // Denied.
    (
        "I work in Ada now, not Rust",
        "The user works in Ada now, not Rust",
        true,
    ),
    ("I work in Ada now, not Rust", "The user works in Ada", true),
    (
        "I work in Ada now, not Rust",
        "The user works in Rust",
        false,
    ),
    (
        "I don't eat meat or fish",
        "The user doesn't eat fish",
        true,
    ),
    ("I don't eat meat or fish", "The user eats fish", false),
    (
        "I like Anna but I hate Bob",
        "The user hates Anna but likes Bob",
        false,
    ),
    ("I prefer tea to coffee", "The user prefers coffee", false),
    ("我现在用 Ada，不用 Rust", "用户用 Ada", true),
    ("我不吃辣，喜欢吃鱼", "用户喜欢吃鱼", true),
];

#[test]
fn only_what_they_state_of_themselves_is_their_word() {
    let wrong: Vec<_> = TABLE
        .iter()
        .filter(|(words, fact, said)| is_said(fact, &[(*words).to_owned()]) != *said)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_is_no_longer_so_is_spoken_of() {
    for (words, thing, spoken) in [
        (
            "I work in Ada now, not Rust",
            "The user works in Rust",
            true,
        ),
        ("I no longer play chess", "plays chess", true),
        ("我现在用 Ada，不用 Rust", "用户用 Rust", true),
        ("Do I play chess?", "plays chess", false),
        ("The page says: \"no more chess\"", "plays chess", false),
    ] {
        assert_eq!(is_spoken_of(thing, &[words.to_owned()]), spoken, "{words}");
    }
}

/// Each of these took minutes if every mark were looked for from each.
#[test]
fn a_text_of_200_000_characters_is_read_in_time_linear_in_its_length() {
    for part in [
        "\"",
        "'a ",
        "「",
        "> ",
        "I prefer to ",
        "a.bc ",
        "my son, ",
        "我，",
        "```",
        ": ",
    ] {
        let long = part.repeat(200_000 / part.chars().count());
        assert!(!is_said("The user likes tea", &[long]), "{part}");
    }
}
