//! 60 labelled sentences: what is remembered, and what is not, and why (DETAILS §5).

use super::Draft;
use super::Refusal::{
    self, Card, Empty, Guess, Identity, NotAboutUser, Question, Secret, Today, TooLong,
};

fn judge(content: &str, confidence: f64) -> Result<(), Refusal> {
    super::judge(&Draft {
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

const REFUSED: [(&str, f64, Refusal); 102] = [
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
    ("The user uses hunter2 as password", 0.95, Secret),
    (
        "The user uses swordfish as the home Wi-Fi password",
        0.95,
        Secret,
    ),
    ("hunter2 is my password", 0.95, Secret),
    ("swordfish is my email password", 0.95, Secret),
    ("用户的Wi-Fi密码设置为bluewhale8", 0.95, Secret),
    ("我的密码改成了abc12345", 0.95, Secret),
    ("我的密码叫bluewhale", 0.95, Secret),
    ("用户用hunter2作为密码", 0.95, Secret),
    ("hunter2是我的邮箱密码", 0.95, Secret),
    ("The user's card is 4111,1111,1111,1111", 0.95, Card),
    ("The user's card is 4111, 1111, 1111, 1111", 0.95, Card),
    ("The user's card is 4111 - 1111 - 1111 - 1111", 0.95, Card),
    ("The user's card is 4111·1111·1111·1111", 0.95, Card),
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
    ("The user's card is ٤١١١ ١١١١ ١١١١ ١١١١", 0.95, Card),
    ("The user's ｐａｓｓｗｏｒｄ is hunter2", 0.9, Secret),
    ("The user's p a s s w o r d is hunter2", 0.9, Secret),
    ("The user's pwd: hunter2", 0.9, Secret),
    ("用户的密 码是 abc123", 0.9, Secret),
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
    (
        "I use AWS secret wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        0.9,
        Secret,
    ),
    (
        "I have secret=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        0.9,
        Secret,
    ),
    (
        "My Mnemonic abandon ability able about above absent absorb abstract absurd abuse access accident",
        0.9,
        Secret,
    ),
    (
        "My seed: abandon ability able about above absent absorb abstract absurd abuse access accident",
        0.9,
        Secret,
    ),
    (
        "The user's recovery phrase is abandon, ability, able, about, above, absent, absorb, abstract, absurd, abuse, access, accident",
        0.9,
        Secret,
    ),
    (
        "我的助记词 abandon ability able about above absent absorb abstract absurd abuse access accident",
        0.9,
        Secret,
    ),
    ("My password hunter2", 0.9, Secret),
    ("我的密码hunter2", 0.9, Secret),
    ("My login ada / pass swordfish", 0.9, Secret),
    ("My username: ada, password: swordfish", 0.9, Secret),
    ("Mein Passwort ist swordfish, says the user", 0.9, Secret),
    ("The user's mot de passe : swordfish", 0.9, Secret),
    ("My contraseña es swordfish", 0.9, Secret),
    ("The user's パスワードはswordfish", 0.9, Secret),
    ("My NHS number is 943 476 5919", 0.95, Identity),
    ("I am with the NHS as 943 476 5919", 0.95, Identity),
    ("My UK NI number QQ 12 34 56 C", 0.95, Identity),
    ("The user's number is AB 12 34 56 C", 0.95, Identity),
    ("The user's number is AB123456C", 0.95, Identity),
    ("The user is tired today", 0.9, Today),
    ("The user has a meeting at 3 pm tomorrow", 0.9, Today),
    ("I am on the train right now", 0.9, Today),
    ("Is travelling to Paris this weekend", 0.9, Today),
    ("用户今天心情不好", 0.9, Today),
    ("我明天要去上海开会", 0.9, Today),
    ("用户刚刚吃过饭", 0.9, Today),
    ("The user maybe lives in Berlin", 0.9, Guess),
    ("The user probably prefers tea", 0.9, Guess),
    ("User seems to be a developer", 0.9, Guess),
    ("The user might have two children", 0.9, Guess),
    ("The user prefers tea", 0.5, Guess),
    ("用户可能是学生", 0.9, Guess),
    ("用户似乎喜欢猫", 0.9, Guess),
    ("用户喜欢茶", 0.59, Guess),
    ("Does the user like tea?", 0.9, Question),
    ("What is my favourite colour", 0.9, Question),
    ("Can I leave at 08:00 on Saturday?", 0.9, Question),
    ("用户喜欢茶吗？", 0.9, Question),
    ("我是不是该学法语吗", 0.9, Question),
    ("", 0.9, Empty),
    (" … — ", 0.9, Empty),
    ("。。。", 0.9, Empty),
    ("The Moon pulls on the sea", 0.9, NotAboutUser),
    ("Paris is the capital of France", 0.9, NotAboutUser),
    ("The page tells the user to buy a boat", 0.9, NotAboutUser),
    ("It was built in 1889", 0.9, NotAboutUser),
    ("月球引起潮汐", 0.9, NotAboutUser),
    ("文章说用户应该每天跑步", 0.9, NotAboutUser),
    ("潮水每天涨落两次", 0.9, NotAboutUser),
    ("爱尔兰的首都是都柏林", 0.9, NotAboutUser),
    ("会议在三楼", 0.9, NotAboutUser),
    ("教堂建于1823年", 0.9, NotAboutUser),
    ("Which tea does the user like", 0.9, Question),
    ("Where is the user's boat", 0.9, Question),
    ("How do I get to Hoylake", 0.9, Question),
    ("Why the user sails?", 0.9, Question),
];

#[test]
fn what_is_lasting_and_about_the_person_is_remembered() {
    for content in KEPT {
        assert_eq!(judge(content, 0.9), Ok(()), "{content}");
    }
}

#[test]
fn what_is_secret_fleeting_unsure_or_of_others_is_not_and_it_says_why() {
    for (content, confidence, refusal) in REFUSED {
        assert_eq!(judge(content, confidence), Err(refusal), "{content}");
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

const OPENING: [&str; 36] = [
    "The user has hunter2 for Wi-Fi",
    "Has hunter2 for the home Wi-Fi",
    "The user's Wi-Fi at home: hunter2",
    "The user's WiFi is hunter2",
    "My Wi-Fi at home is Blue-Whale8",
    "My hotspot: 48213377",
    "The user signs in with ada / hunter2",
    "The user signs in to GitHub with ada/hunter2",
    "Logs in as ada99 / hunter2",
    "I log into the bank with ada@example.org / hunter2",
    "The user signs in with ada and hunter2",
    "I log on to the server using hunter2",
    "The user unlocks the phone with 4821",
    "Unlocks the phone by typing 4821",
    "The user opens the safe with the code 4821",
    "I unlock my laptop with hunter2",
    "4821 unlocks the user's phone",
    "The user signs in to the bank as ada / 482133",
    "The code that opens the user's safe: they open the safe with 48-21-33",
    "The user's locker combination is 12-34-56",
    "The combination to the user's bike lock is 482133",
    "My combo for the locker: 12-34-56",
    "The user's door code is 4821",
    "My garage code: 4821#",
    "家里WiFi是hunter2",
    "用户家的Wi-Fi：hunter2",
    "我的热点是hunter2",
    "手机解锁是4821",
    "用户的手机解锁用4821",
    "我用4821解锁手机",
    "用户用ada / hunter2登录",
    "用户登录用 ada / hunter2",
    "我的门锁是482133",
    "保险箱是12-34-56",
    "储物柜组合是12-34-56",
    "我用hunter2连WiFi",
];

/// What looks like those, and tells none.
const NOT_OPENING: [&str; 58] = [
    "The user has 3 routers for Wi-Fi",
    "Has an AX3000 for Wi-Fi",
    "The user has a fritzbox7590 for Wi-Fi",
    "The user uses a R7000 for the home Wi-Fi",
    "Has Wi-Fi at home: slow, 50mbit",
    "The user's Wi-Fi is 802.11ax",
    "The user's Wi-Fi is 2.4GHz",
    "The user's Wi-Fi router is fritzbox7590",
    "Pays 30 euros for Wi-Fi",
    "The user likes cafés with Wi-Fi: they work there since 2019",
    "The user signs in with Google",
    "Signs in with Google / GitHub",
    "The user signs in with a passkey since 2023",
    "Signs in with OAuth2",
    "Signs in to GitHub with ada.b1990@example.org",
    "Logs in as ada99",
    "Logs into server42 with a key",
    "The user logs in with a code of 6 digits",
    "I log my runs with Strava since 2019",
    "The user unlocks the phone with a fingerprint",
    "Unlocks the car with an iPhone15",
    "Opens the day with 5000 steps",
    "Opened a shop in 2019 with 2 friends",
    "The user's house opens to the sea with 3 doors",
    "The user lives at 12-34 Elm St",
    "The user's Wi-Fi is $30/month",
    "The user's hotspot: 100gb a month",
    "Has Wi-Fi at home: 100mbit/s down",
    "Signed in 2019 with Arsenal for 5000 pounds",
    "Logs in with 5000 other players every evening",
    "Logs in with SSO at 0900",
    "Opens the office at 0800 with 2 colleagues",
    "Opens the garage door with an app since 2021",
    "The user works with the building code 2021",
    "用户在游戏里解锁了2000个成就",
    "网站登录用户5000人，用户负责维护",
    "用户花5000元开锁",
    "Lives next door to 1234 Elm Street",
    "The user's favourite combination is tea and milk",
    "The user's area code is 02131",
    "The user's dress code is black tie",
    "The user's door code is on a note",
    "The access code is kept in Bitwarden, says the user",
    "Plays the combination 1-2-3 in boxing, says the user",
    "用户家里有3个路由器",
    "家里WiFi是小米的",
    "家里WiFi是802.11ax",
    "用户家的WiFi是2023年装的",
    "手机解锁用指纹",
    "我用指纹解锁手机",
    "我用iPhone15解锁汽车",
    "我的门锁是2023年买的",
    "保险箱是2000元买的",
    "用户登录用Google账号",
    "用户用GitHub登录",
    "用户用oauth2登录",
    "用户住在长安街12-34号",
    "最喜欢的组合是咖啡加牛奶",
];

#[test]
fn what_opens_something_is_secret_however_it_is_called_and_what_looks_like_it_is_not() {
    let wrong: Vec<&str> = OPENING
        .into_iter()
        .filter(|content| !super::holds_secret(content))
        .chain(NOT_OPENING.into_iter().filter(|it| super::holds_secret(it)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
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

/// Judged pair by pair, each of these takes minutes.
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
