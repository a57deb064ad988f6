//! Words that several rules go by, each list once.

/// The person as a subject, in their own words.
pub(super) const FIRST: [&str; 9] = [
    "i", "i'm", "i've", "i'd", "i'll", "we", "we're", "we've", "we'll",
];
/// The same in other cases.
pub(super) const OF_FIRST: [&str; 6] = ["my", "our", "mine", "me", "us", "myself"];
pub(super) const FIRST_IN_CHINESE: [&str; 3] = ["我", "本人", "咱"];

/// Who a fact is about, in Chinese; longer ones before what they contain.
pub(super) const WHO_IN_CHINESE: [&str; 5] = ["用户的", "用户", "我的", "本人", "我"];

/// What is said of any question in Chinese; longer ones before what they contain.
pub const ASKED_IN_CHINESE: [&str; 48] = [
    "为什么",
    "是什么",
    "什么",
    "为何",
    "怎么样",
    "怎么",
    "怎样",
    "如何",
    "请问",
    "告诉我",
    "告诉",
    "帮我",
    "哪一",
    "哪些",
    "哪个",
    "哪里",
    "多少",
    "是否",
    "可以",
    "能否",
    "一下",
    "介绍",
    "总结",
    "解释",
    "说明",
    "翻译",
    "搜索",
    "查询",
    "查找",
    "网页",
    "网站",
    "页面",
    "文章",
    "内容",
    "结果",
    "信息",
    "问题",
    "今天",
    "现在",
    "最新",
    "关于",
    "失败",
    "错误",
    "工具",
    "调用",
    "参数",
    "请求",
    "服务器",
];

/// The words of a text in lower case, with the apostrophes within them.
pub(super) fn words(lower: &str) -> impl Iterator<Item = &str> {
    let words = lower.split(|it: char| !(it.is_alphanumeric() || it == '\''));
    words.filter(|word| !word.is_empty())
}
