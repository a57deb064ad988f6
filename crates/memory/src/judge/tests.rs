//! Sentences and the expected decision: saved, or refused for a reason.

use super::Draft;
use super::Refusal::{
    self, Card, Empty, Guess, Identity, NotAboutUser, NotLasting, Secret, TooLong,
};

fn judge(content: &str, confidence: f64) -> Result<(), Refusal> {
    super::check_model_draft(&Draft {
        content: content.to_owned(),
        confidence: Some(confidence),
        ..Draft::default()
    })
}

const KEPT: [&str; 74] = [
    "Uses a password manager as a home for everything",
    "My password manager for work is Bitwarden",
    "The user's password for the forum is long and unique",
    "This is my password policy of choice",
    "Was in Japan in 2015, 2016, 2017, 2018 and 2019",
    "The user's town raised 4,500,000,000,006 yen",
    "The pin on the coat of the user is of silver",
    "The user forgot the password and the boat is gone",
    "Uses a fingerprint as a password",
    "用户认为密码管理器是必需品，推荐Bitwarden作为密码管理器",
    "我用指纹作为密码",
    "Was in Japan in 2019, 2020, 2021 and 2023",
    "The user got a grade of A B C in three classes",
    "The user sails a 7-metre sloop out of Hoylake",
    "Prefers metric units and 24-hour times",
    "Is writing a tide clock in Rust",
    "The user's name is Ada",
    "I am allergic to peanuts and shellfish",
    "Works as a nurse at a hospital in Leeds",
    "Uses a password manager for everything",
    "My password manager is Bitwarden",
    "The user's password generator is diceware",
    "I pass the church daily",
    "I have an account at the library, and pass through Leeds daily",
    "The user's password was changed in 2019",
    "I log in with a passkey and pass the time with chess",
    "The user wants to pass the JLPT N2 exam",
    "The user plants seeds of tomatoes in March and harvests them before the first frost",
    "I lost my wallet once and keep cash apart since",
    "The user keeps notes under Documents/Projects/TideClock/Hardware/Revision3",
    "The user's site is https://ada.example:8080/@ada",
    "Reads https://tides.example/a:b@c every morning",
    "我用密码管理器 Bitwarden",
    "The user works for the NHS in Leeds, extension 4176",
    "I am at 415 555 2671 in the afternoons",
    "The user is at the NHS desk 943 476 5918",
    "I won mini number 123456 of a print",
    "The user gets up at 10 20 on Sundays and at 06 30 else",
    "Lives in Berlin and speaks German at home",
    "The user wants answers as short as possible",
    "Reads USA Today every morning",
    "My daughter Mia was born in 2019",
    "Dislikes tables in summaries",
    "The user has a Nikon Z6 and shoots birds",
    "Uses macOS 15 and fish as a shell",
    "The user is preparing for the JLPT N2 exam in December 2026",
    "Currently learning Spanish",
    "Phone extension at work is 4417, says the user",
    "Maintains the crate `tidal` on crates.io",
    "User prefers Python over JavaScript",
    "Can read Cyrillic",
    "The user never drinks coffee after noon",
    "Grew up near postcode CH47 and still supports Tranmere Rovers",
    "用户喜欢公制单位和24小时制",
    "正在用 Rust 写一个潮汐钟",
    "用户名叫李雷，住在杭州",
    "我对花生过敏",
    "母语是普通话，会说一点日语",
    "希望回答尽可能简短",
    "用户是小学语文老师",
    "偏好深色主题",
    "不吃辣",
    "用户维护一个开源的词典项目",
    "从事海洋学研究，常用 Python 和 R",
    "用户2026年计划考研",
    "When travelling, the user prefers trains",
    "Where possible, the user wants sources named",
    "How things work interests the user",
    "爱吃川菜",
    "会说一点法语",
    "在上海工作",
    "养了两只猫",
    "对花生过敏",
    "想学摄影",
];

const REFUSED: &[(&str, f64, Refusal)] = &[
    (
        "The user's password for their email account is swordfish",
        0.95,
        Secret,
    ),
    (
        "The password of the user's laptop is correcthorse",
        0.95,
        Secret,
    ),
    ("My PIN for the debit card is 4821", 0.95, Secret),
    ("用户的Wi-Fi密码设置为bluewhale8", 0.95, Secret),
    ("我的密码改成了abc12345", 0.95, Secret),
    ("The user's card is 4111 - 1111 - 1111 - 1111", 0.95, Card),
    ("My Amex is 378 282 246 310 005", 0.95, Card),
    (
        "The user's key is dop_v1_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        0.95,
        Secret,
    ),
    ("The user's password is hunter2", 0.9, Secret),
    ("My PIN code is 4821", 0.9, Secret),
    (
        "The user's OpenAI key is sk-proj-4f9aX27bQ1LmZ08c",
        0.9,
        Secret,
    ),
    (
        "Uses the GitHub token ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        0.9,
        Secret,
    ),
    (
        "Passphrase for the vault: correct horse battery staple",
        0.9,
        Secret,
    ),
    (
        "The user's API key for maps = 9f86d081884c7d65",
        0.9,
        Secret,
    ),
    ("用户的邮箱密码是 qwe123456", 0.9, Secret),
    ("我的支付验证码：482913", 0.9, Secret),
    ("The user's card is 4111 1111 1111 1111", 0.95, Card),
    ("Pays with 5500-0000-0000-0004", 0.95, Card),
    ("My Amex is 378282246310005, expires 12/27", 0.95, Card),
    (
        "用户的信用卡号是 ４１１１ １１１１ １１１１ １１１１",
        0.95,
        Card,
    ),
    ("The user's card is 4111/1111/1111/1111", 0.95, Card),
    ("The user's card is 4111_1111_1111_1111", 0.95, Card),
    ("The user's ｐａｓｓｗｏｒｄ is hunter2", 0.9, Secret),
    ("The user's pwd: hunter2", 0.9, Secret),
    ("The user's SSN is 536-22-8714", 0.95, Identity),
    ("My passport number is X1234567", 0.95, Identity),
    ("用户的身份证号是 11010519491231002X", 0.95, Identity),
    ("我的护照号 E12345678", 0.95, Identity),
    (
        "The user's national insurance number is QQ123456C",
        0.95,
        Identity,
    ),
    ("I bank with DE89 3704 0044 0532 0130 00", 0.95, Identity),
    ("The user's CPF is 529.982.247-25", 0.95, Identity),
    ("The user's DNI is 12345678Z", 0.95, Identity),
    (
        "The user's site is https://user:hunter2@example.com/",
        0.9,
        Secret,
    ),
    ("My password hunter2", 0.9, Secret),
    ("我的密码hunter2", 0.9, Secret),
    ("My username: ada, password: swordfish", 0.9, Secret),
    ("The user's mot de passe : swordfish", 0.9, Secret),
    ("The user's パスワードはswordfish", 0.9, Secret),
    ("My NHS number is 943 476 5919", 0.95, Identity),
    ("My UK NI number QQ 12 34 56 C", 0.95, Identity),
    ("The user prefers tea", 0.5, Guess),
    ("用户喜欢茶", 0.59, Guess),
    ("", 0.9, Empty),
    (" … — ", 0.9, Empty),
    ("。。。", 0.9, Empty),
];

#[test]
fn what_holds_no_secret_is_remembered() {
    for content in KEPT {
        assert_eq!(judge(content, 0.9), Ok(()), "{content}");
    }
}

#[test]
fn what_is_secret_unsure_blank_or_long_is_refused_and_says_why() {
    for (content, confidence, refusal) in REFUSED {
        assert_eq!(judge(content, *confidence), Err(*refusal), "{content}");
    }
    let long = format!("The user likes {}", "sloops ".repeat(60));
    assert_eq!(judge(&long, 0.9), Err(TooLong));
    assert_eq!(judge(&"用户喜欢潮汐".repeat(60), 0.9), Err(TooLong));
    assert_eq!(judge("The user prefers tea", f64::NAN), Err(Guess));
}

#[test]
fn numbers_that_are_no_cards_and_nobodys_are_kept() {
    for content in [
        "The user's order number format is 4111 1111 1111 1112",
        "My office phone is +44 151 496 0123",
        "我的手机号是 138 0013 8000",
        "The user was born on 1990-04-12",
        "Works with ISBN 978-0-13-468599-1 every term",
        "用户的编号 11010519491231002Y 只是例子",
    ] {
        assert_eq!(judge(content, 0.9), Ok(()), "{content}");
    }
}

#[test]
fn what_the_model_says_is_not_about_the_user_or_does_not_last_is_refused() {
    let draft = |about_user, lasting| Draft {
        content: "The user is on a train".to_owned(),
        about_user,
        lasting,
        ..Draft::default()
    };
    for (draft, judged) in [
        (draft(true, true), Ok(())),
        (draft(false, true), Err(NotAboutUser)),
        (draft(true, false), Err(NotLasting)),
    ] {
        assert_eq!(super::check_model_draft(&draft), judged);
        // Gloss doesn't judge the truth of facts that the user writes.
        assert_eq!(super::check_user_draft(&draft), Ok(()));
    }
}

#[test]
fn no_reason_repeats_what_was_said() {
    for (content, _, refusal) in REFUSED {
        if refusal.is_of_secrets() {
            assert!(refusal.named().is_some());
            assert!(!refusal.reason().contains(content));
        }
    }
}

/// If each pair of words were checked, these texts would take minutes.
#[test]
fn a_text_of_200_000_characters_is_judged_in_time_linear_in_its_length() {
    for part in [
        "1 ",
        "12-",
        "a ",
        "de89 ",
        "- ",
        "4111 ",
        "password ",
        "password is not ",
        "passport ",
        "密码 ",
        "密码是",
        "身份证",
        "4",
        "eyJ",
        "seed ",
        "seed abandon ",
        "login ",
        "login / ",
        "://",
        "aB",
        "nhs 943 ",
        "as password ",
        "is my password ",
        "是密码 ",
        ", 4",
        "wi-fi ",
        "wifi: ",
        "unlock phone with ",
        "signs in with ",
        "the combination is ",
        "wifi是",
        "用4821解锁",
    ] {
        let long = part.repeat(200_000 / part.chars().count());
        assert!(judge(&long, 0.9).is_err(), "{part}");
    }
}
