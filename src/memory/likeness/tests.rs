//! How facts stand to one another, by labelled pairs.

use super::Essence;
use super::Likeness::{self, Apart, Otherwise, Same};

const OTHERWISE: [(&str, &str); 44] = [
    ("The user likes coffee", "The user doesn't like coffee"),
    ("The user likes coffee", "The user dislikes coffee"),
    ("The user loves jazz", "The user can't stand jazz"),
    ("The user enjoys running", "The user hates running"),
    ("The user is fond of cats", "The user is not fond of cats"),
    ("The user drinks coffee", "The user never drinks coffee"),
    ("The user drinks coffee", "The user stopped drinking coffee"),
    ("The user eats meat", "The user doesn't eat meat"),
    ("The user is vegetarian", "The user is no longer vegetarian"),
    ("The user has children", "The user has no children"),
    ("The user prefers dark mode", "The user prefers light mode"),
    ("I prefer a dark theme", "Prefers a light theme"),
    (
        "The user prefers metric units",
        "The user prefers imperial units",
    ),
    (
        "Wants temperatures in Celsius",
        "Wants temperatures in Fahrenheit",
    ),
    (
        "The user prefers short answers",
        "The user prefers detailed answers",
    ),
    ("Prefers a formal tone", "Prefers a casual tone"),
    ("Wants answers in English", "Wants answers in German"),
    ("Uses tabs for indentation", "Uses spaces for indentation"),
    ("Prefers tabs over spaces", "Prefers spaces over tabs"),
    (
        "The user prefers tea to coffee",
        "The user prefers coffee to tea",
    ),
    ("Drinks tea with milk", "Drinks tea without milk"),
    ("The user lives in Berlin", "The user lives in Munich"),
    (
        "The user lives in Berlin",
        "The user now lives in Paris with Tom",
    ),
    ("My name is Ada", "The user is called Grace"),
    ("The user works for Siemens", "The user works at Bosch"),
    ("The user was born in 1984", "The user was born in 1985"),
    (
        "The user's favourite tea is oolong",
        "My favorite tea is sencha",
    ),
    (
        "The user's main laptop is a ThinkPad",
        "The user's main laptop is a MacBook",
    ),
    (
        "Sails a 6-metre sloop",
        "Sails a 7-metre sloop out of Hoylake",
    ),
    ("The user is 34 years old", "The user is 35 years old"),
    ("The user has two cats", "The user has three cats"),
    (
        "Is writing a tide clock in Python",
        "Is writing a tide clock in Rust",
    ),
    ("The user is left-handed", "The user is right-handed"),
    ("用户喜欢咖啡", "用户不喜欢咖啡"),
    ("用户喜欢咖啡", "用户讨厌咖啡"),
    ("用户喝咖啡", "用户不喝咖啡"),
    ("用户吃肉", "用户不再吃肉"),
    ("用户偏好深色模式", "用户偏好浅色模式"),
    ("用户喜欢公制单位", "用户喜欢英制单位"),
    ("用户希望回答简短", "用户希望回答详细"),
    ("用户住在北京", "用户住在杭州"),
    ("用户的名字是李雷", "我名叫韩梅"),
    ("用户养了两只猫", "用户养了三只猫"),
    ("用户最喜欢的茶是乌龙", "用户最喜欢的茶是龙井"),
];

const SAME: [(&str, &str); 35] = [
    ("The user likes coffee", "The user likes coffee"),
    ("The user likes coffee", "The user really likes coffee"),
    ("The user likes coffee", "I love coffee"),
    ("The user enjoys chess", "Is fond of chess"),
    ("The user dislikes coffee", "The user doesn't like coffee"),
    ("The user hates loud music", "Can't stand loud music"),
    ("The user likes drinking green tea", "Likes green tea"),
    ("The user prefers metric units", "I prefer metric units"),
    (
        "Prefers dark mode",
        "The user prefers dark mode over light mode",
    ),
    ("The user lives in Berlin", "Lives in Berlin, Germany"),
    ("The user lives in Berlin", "The user is based in Berlin"),
    ("My name is Ada", "The user is called Ada"),
    ("The user's name is Ada", "The user's name is Ada Lovelace"),
    ("Works for Siemens", "The user currently works at Siemens"),
    (
        "Sails a sloop out of Hoylake",
        "The user sails a 7-metre sloop out of Hoylake",
    ),
    ("The user has two cats", "The user has 2 cats"),
    (
        "Is allergic to nuts",
        "The user is allergic to nuts and milk",
    ),
    ("Knows Python and Rust", "Knows Rust and Python"),
    ("Knows Python and Rust", "Knows Python, Rust and Go"),
    (
        "Is writing a tide clock in Rust",
        "The user is writing a tide clock in Rust",
    ),
    (
        "The user works from home",
        "The user usually works from home",
    ),
    (
        "The user’s favourite tea is oolong",
        "My favourite tea is oolong",
    ),
    ("The user does not eat meat", "The user doesn't eat meat"),
    ("The user prefers tea to coffee", "Prefers tea over coffee"),
    ("The user cycles to the office", "Cycles to the office"),
    ("Likes coffee but not tea", "likes coffee but not tea"),
    ("用户喜欢公制单位", "喜欢公制单位"),
    ("用户喜欢咖啡", "用户非常喜欢咖啡"),
    ("用户不喜欢咖啡", "用户讨厌咖啡"),
    ("用户喜欢喝咖啡", "用户喜欢咖啡"),
    ("用户住在北京", "我住在北京"),
    ("用户住在北京", "用户住在北京海淀区"),
    ("用户养了两只猫", "用户养了2只猫"),
    ("用户的名字是李雷", "我名叫李雷"),
    ("用户目前在写一本小说", "用户在写一本小说"),
];

const APART: [(&str, &str); 46] = [
    (
        "The user knows Python and Rust well",
        "The user knows Python and Go well",
    ),
    ("The user uses macOS", "The user uses Windows"),
    ("The user likes tea", "The user plays chess"),
    ("The user likes tea", "The user likes coffee"),
    ("The user likes coffee", "The user doesn't like tea"),
    ("The user likes music", "The user likes music festivals"),
    ("The user likes coffee", "The user likes coffee ice cream"),
    ("Likes dark chocolate", "Likes light beer"),
    ("Likes dark roast coffee", "Likes light roast coffee"),
    (
        "Likes coffee but not tea",
        "Likes tea but not coffee at night",
    ),
    ("Likes coffee but not tea", "Likes coffee and tea"),
    ("Drinks coffee", "Doesn't drink coffee in the evening"),
    ("Prefers dark mode at night", "Prefers light mode by day"),
    ("Exercises before breakfast", "Exercises after breakfast"),
    (
        "The user has a daughter named Mia",
        "The user has a dog named Rex",
    ),
    (
        "The user has a daughter named Mia who plays football",
        "The user has a daughter named Lea who plays football",
    ),
    ("The user's name is Ada", "The user's cat's name is Tom"),
    ("The user's name is Ada", "The user goes by Addie"),
    (
        "The user lives in Berlin",
        "The user's sister lives in Paris",
    ),
    (
        "The user lives in Berlin",
        "The user's sister lives in Berlin",
    ),
    (
        "The user lives in Berlin",
        "The user lives in a flat with two cats",
    ),
    ("The user lives in Berlin", "Moved to Munich in 2010"),
    ("The user works at Siemens", "The user works at night"),
    ("The user was born in Berlin", "The user was born in 1984"),
    ("Is allergic to peanuts", "Is allergic to shellfish"),
    ("Is learning French", "Is learning Spanish"),
    ("The user speaks English", "The user speaks German"),
    ("Ran a marathon in 2019", "Ran a marathon in 2021"),
    ("Knows Python 2", "Knows Python 3"),
    (
        "Sails a red sloop at weekends",
        "Sails a blue sloop at weekends",
    ),
    (
        "The user's favourite tea is oolong",
        "The user's favourite city is Oslo",
    ),
    (
        "The user's favourite tea is oolong",
        "The user's wife's favourite tea is sencha",
    ),
    ("Prefers tea over coffee", "Prefers tea over juice"),
    (
        "Prefers answers in bullet points",
        "Prefers answers in English",
    ),
    ("Works on a compiler", "Works on a tide clock"),
    (
        "Plans a long trip through Norway and Sweden with Tom in summer",
        "Plans a long trip through Norway and Sweden with Ann in summer",
    ),
    ("Read a book about Rust", "Wrote a book about Rust"),
    (
        "The user's wife likes coffee",
        "The user doesn't like coffee",
    ),
    ("用户喜欢猫", "用户在学法语"),
    ("用户喜欢猫", "用户喜欢狗"),
    ("用户喜欢咖啡", "用户不喜欢茶"),
    ("用户住在北京", "用户的姐姐住在上海"),
    ("用户会说英语", "用户会说法语"),
    ("用户对花生过敏", "用户对海鲜过敏"),
    ("用户使用苹果电脑", "用户使用微软电脑"),
    ("用户喝咖啡", "用户晚上不喝咖啡"),
];

fn likeness(one: &str, other: &str) -> Likeness {
    Essence::of(one).likeness(&Essence::of(other))
}

/// Labelled after the rules were made, and before they were tried on these: 29 stood as
/// labelled then (one's son's age was another value of one's own).
const HELD_OUT: [(Likeness, &str, &str); 30] = [
    (
        Otherwise,
        "The user adores horror films",
        "The user detests horror films",
    ),
    (Otherwise, "The user smokes", "The user quit smoking"),
    (
        Otherwise,
        "Prefers distances in kilometres",
        "Prefers distances in miles",
    ),
    (
        Otherwise,
        "Wants notifications on",
        "Wants notifications off",
    ),
    (
        Otherwise,
        "The user resides in Lyon",
        "The user moved to Lille",
    ),
    (
        Otherwise,
        "The user's birthday is 3 May",
        "The user's birthday is 4 May",
    ),
    (
        Otherwise,
        "The user has one child and a 12-year-old car",
        "The user has one child and a 13-year-old car",
    ),
    (Otherwise, "用户喜欢爵士乐", "用户反感爵士乐"),
    (Otherwise, "用户希望用中文回答", "用户希望用英文回答"),
    (Otherwise, "用户就职于华为", "用户就职于腾讯"),
    (
        Same,
        "The user is keen on climbing",
        "The user likes climbing",
    ),
    (
        Same,
        "The user's mother tongue is Welsh",
        "The user's native language is Welsh",
    ),
    (
        Same,
        "The user goes to the gym",
        "The user always goes to the gym",
    ),
    (Same, "Owns a red bicycle", "The user owns a red bicycle."),
    (
        Same,
        "The user plays the piano and the flute",
        "The user plays the flute and the piano",
    ),
    (Same, "The user's nickname is Bee", "Goes by Bee"),
    (Same, "用户热爱登山", "用户喜欢登山"),
    (Same, "用户出生于1984年", "我出生于1984年"),
    (Same, "用户使用苹果电脑", "用户一直使用苹果电脑"),
    (Same, "用户有两个孩子", "我有2个孩子"),
    (Apart, "The user likes cats", "The user hates dogs"),
    (Apart, "Plays the piano", "Plays the flute"),
    (
        Apart,
        "Is reading War and Peace",
        "Is reading Anna Karenina",
    ),
    (
        Apart,
        "The user's son is 6 years old",
        "The user is 36 years old",
    ),
    (
        Apart,
        "Likes hiking with friends",
        "Likes hiking without a map",
    ),
    (
        Apart,
        "Travels to Norway in summer",
        "Travels to Norway in winter",
    ),
    (
        Apart,
        "The user's favourite band is Blur",
        "The user's favourite film is Brazil",
    ),
    (Apart, "用户喜欢跑步", "用户喜欢早上跑步"),
    (Apart, "用户在学日语", "用户在学韩语"),
    (Apart, "用户的妻子喜欢咖啡", "用户不喜欢咖啡"),
];

#[test]
fn pairs_that_no_rule_was_made_for_stand_as_they_are_labelled() {
    let wrong: Vec<_> = (HELD_OUT.iter())
        .filter(|(label, one, other)| likeness(one, other) != *label)
        .collect();
    println!("{} of {}", HELD_OUT.len() - wrong.len(), HELD_OUT.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn pairs_stand_to_one_another_as_they_are_labelled_whichever_is_older() {
    let labelled = [
        (Otherwise, OTHERWISE.as_slice()),
        (Same, SAME.as_slice()),
        (Apart, APART.as_slice()),
    ];
    let mut wrong = Vec::new();
    let mut all = 0;
    for (label, pairs) in labelled {
        let before = wrong.len();
        for (one, other) in pairs {
            let found = [likeness(one, other), likeness(other, one)];
            all += 1;
            if found != [label; 2] {
                wrong.push((label, one, other, found));
            }
        }
        let right = pairs.len() - (wrong.len() - before);
        println!("{label:?}: {right} of {}", pairs.len());
    }
    println!("{} of {all}", all - wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn whatever_is_said_is_the_same_as_itself_and_stands_to_another_as_that_to_it() {
    let all = OTHERWISE.iter().chain(&SAME).chain(&APART);
    let all: Vec<(&str, Essence)> = all
        .flat_map(|(one, other)| [*one, *other])
        .map(|text| (text, Essence::of(text)))
        .collect();
    for (text, one) in &all {
        assert_eq!(one.likeness(one), Likeness::Same, "{text}");
        for (to, other) in &all {
            assert_eq!(one.likeness(other), other.likeness(one), "{text} / {to}");
        }
    }
}
