//! Phrases by which the form of a sentence is recognised, in lower case.
//!
//! Example: "However, ..." refers to the sentence before it. Each list contains common
//! phrases of several languages together, because a phrase of one language hardly occurs in the
//! others.

/// Words that connect a sentence to the sentence before.
#[rustfmt::skip]
pub(super) const CONNECTIVES: &[&str] = &[
    "additionally", "also", "and", "as a result", "as such", "because of this", "consequently",
    "finally", "first", "even so", "for example", "note that", "for instance", "furthermore",
    "hence", "in addition", "in contrast", "in fact", "in other words", "in particular",
    "in this case", "indeed", "likewise", "meanwhile", "moreover", "next", "on the other hand",
    "or", "otherwise", "second", "similarly", "so", "still", "then", "therefore", "third",
    "though", "thus", "again", "actually", "here", "there", "both", "neither", "another", "other",
    "others", "either", "此外", "另外", "因此", "所以", "而且", "并且", "同时", "例如", "比如", "于是", "那么", "接着",
    "然后", "首先", "其次", "最后", "再次", "总之", "反之", "事实上", "实际上", "其实", "当然", "也就是说", "换句话说", "同样", "否则",
    "而", "也", "还", "就", "又", "因为", "随后", "之后", "与此同时", "另一方面", "一方面", "注意", "需要注意", "即使", "並且",
    "同時", "於是", "接著", "然後", "最後", "總之", "其實", "當然", "同樣", "還", "因為", "隨後", "之後",
];

/// Words that reverse the sentence before.
#[rustfmt::skip]
pub(super) const CONTRASTS: &[&str] = &[
    "but", "however", "nevertheless", "nonetheless", "yet", "aber", "doch", "jedoch", "mais",
    "pourtant", "toutefois", "pero", "sin embargo", "但是", "但", "然而", "不过", "可是", "却", "不過", "卻",
    "now", "instead", "on the contrary", "现在", "現在", "相反", "しかし", "だが",
];

/// Words that refer to something in an earlier sentence.
#[rustfmt::skip]
pub(super) const REFERENCES: &[&str] = &[
    "he", "her", "hers", "him", "his", "it", "it's", "its", "she", "such", "that", "that's",
    "the above", "the former", "the following", "the latter", "the next", "the other",
    "the previous", "the same", "their", "them", "these", "they", "they're", "this", "those",
    "at this point", "in these", "in this section", "in this chapter", "in this example",
    "with this", "as we", "as you", "as mentioned", "as noted", "as described", "as discussed",
    "as shown", "as explained", "as above", "doing so", "to do this", "to do so", "after this",
    "after that", "for this", "by doing", "他", "她", "它", "这", "那", "此", "该", "其", "前者", "后者", "上述",
    "上面", "下面", "以下", "如下", "如此", "本节", "在这", "在此", "在那", "对此", "为此", "从这", "通过这", "這", "該", "對此",
    "為此",
];

/// Phrases that refer to the page itself. A sentence that begins with such a phrase needs no other
/// context.
#[rustfmt::skip]
pub(super) const SELF_REFERENCES: &[&str] = &[
    "this article", "this book", "this chapter", "this document", "this guide", "this list",
    "this manual", "this module", "this page", "this paper", "this post", "this program",
    "this project", "this report", "this site", "this story", "this study", "this tutorial",
    "this website", "in this article", "in this guide", "in this post", "本文", "这篇", "本书", "本手册",
    "本指南", "本教程", "本文档",
];

/// Beginnings of captions, notes, and references to another page or another part of the page.
#[rustfmt::skip]
pub(super) const POINTERS: &[&str] = &[
    "see", "see also", "figure", "fig.", "table", "listing", "source:", "sources:", "image:",
    "photo:", "photo by", "further reading", "last updated", "retrieved", "note:", "tip:",
    "warning:", "caution:", "example:", "for a list of", "for other uses", "for more ",
    "for further", "not to be confused", "main article", "pictured", "参见", "参阅", "另见", "另请参见",
    "请参见", "请参阅", "详见", "图片来源", "图为", "图中", "图注：", "图：", "圖為", "圖片來源", "參見", "另見", "注：", "注意：",
    "提示：",
];

/// Boilerplate of sites and posts, which may be anywhere in a sentence.
#[rustfmt::skip]
pub(super) const BOILERPLATE: &[&str] = &[
    "©", "all rights reserved", "cookie policy", "use cookies", "privacy policy",
    "terms of service", "terms of use", "terms and conditions", "subscribe to", "sign up for",
    "sign up to", "newsletter", "log in to", "sign in to", "create an account", "share this",
    "share on facebook", "follow us", "like us on", "click here", "click to", "read more",
    "read the full", "continue reading", "advertisement", "affiliate link", "sponsored by",
    "enable javascript", "your browser", "ad blocker", "getty images", "photo via", "photo by",
    "via ap)", "file photo", "originally published", "originally appeared", "leave a comment",
    "leave a reply", "view comments", "contributed to this report", "opinions expressed",
    "press release", "licensed under", "creative commons", "edit this page", "版权", "转载", "责任编辑",
    "独家所有", "免责声明", "未经授权", "扫码", "扫描二维码", "公众号", "点击这里", "点击查看", "阅读更多", "阅读全文", "请登录", "关注我们",
    "欢迎关注", "分享到", "原标题", "图片来源", "来源：", "编辑：", "版權", "轉載", "未經授權", "點擊", "閱讀更多", "關注我們", "請登入",
    "圖片來源", "來源：", "編輯：", "permission is granted", "under the terms of", "copy of the license",
    "may be reproduced", "click through",
];

/// Courtesies at the beginning and end of posts.
#[rustfmt::skip]
pub(super) const COURTESIES: &[&str] = &[
    "thanks in advance", "thank you", "thanks for", "thanks a lot", "many thanks", "best regards",
    "kind regards", "cheers", "hope this helps", "please help", "good luck", "hello everyone",
    "hi everyone", "hi all", "谢谢", "多谢", "感谢", "謝謝", "多謝", "感謝", "希望对你", "希望对您", "求助", "大家好",
];

/// Phrases that announce a conclusion or the main point.
#[rustfmt::skip]
pub(super) const CUES: &[&str] = &[
    "in conclusion", "in summary", "in short", "in brief", "to sum up", "to summari", "overall,",
    "in the end", "all in all", "the main ", "the key ", "the goal ", "the aim ", "the purpose ",
    "the point ", "the idea ", "the problem ", "the reason ", "the result", "most important",
    "found that", "shows that", "show that", "suggest that", "suggests that", "conclude", "总之",
    "综上", "总而言之", "由此可见", "结果表明", "研究发现", "研究表明", "目的是", "目标是", "最重要",
];

/// Phrases of definitions, after the subject.
#[rustfmt::skip]
pub(super) const DEFINING: &[&str] = &[
    " is a ", " is an ", " is the ", " are a ", " are the ", " was a ", " was an ", " was the ",
    " refers to ", " means ", " describes ", " explains ", " introduces ", " presents ",
    " provides ", " covers ", "是一", "是指", "指的是", "是由", "是最", "介绍", "描述", "说明", "称为", "讲述",
];

/// Words that refer back, anywhere in a sentence.
pub(super) const LEANING: &[&str] = &[" this ", " these ", " those ", " such ", "这", "這", "上述"];

/// Phrases that refer to another part of the page.
#[rustfmt::skip]
pub(super) const ELSEWHERE: &[&str] = &[
    "shown above", "shown below", "the following", "as follows", "见图", "如图", "参见", "如下", "以下",
    "上面的", "下面的",
];

/// Names of parts of a page that have a number.
pub(super) const NUMBERED: &[&str] = &[
    "Listing ", "Figure ", "Fig. ", "Table ", "Section ", "Example ",
];

/// Words by which the author speaks personally or addresses the reader.
#[rustfmt::skip]
pub(super) const PERSONAL: &[&str] = &[
    "I", "I'm", "I'll", "I've", "you", "You", "your", "Your", "let's", "Let's", "us", "we'll",
    "We'll",
];
