//! What is set one way or another: dark or light, metric or imperial.

/// A setting has one of each at a time; `named` where that is sure only beside a word of
/// [`SETTINGS`].
pub(super) struct Group {
    pub(super) values: &'static [&'static [&'static str]],
    pub(super) named: bool,
}

pub(super) const GROUPS: [Group; 14] = [
    group(&[
        &["dark", "深色", "暗色", "黑暗"],
        &["light", "bright", "浅色", "亮色", "明亮"],
    ]),
    group(&[&["metric", "公制"], &["imperial", "英制"]]),
    group(&[
        &["celsius", "摄氏度", "摄氏"],
        &["fahrenheit", "华氏度", "华氏"],
    ]),
    group(&[
        &["kilometres", "kilometers", "km", "公里", "千米"],
        &["miles", "英里"],
    ]),
    group(&[
        &["kilograms", "kilos", "kg", "公斤"],
        &["pounds", "lbs", "磅"],
    ]),
    group(&[
        &["short", "brief", "concise", "terse", "简短", "简洁", "简明"],
        &["long", "detailed", "lengthy", "详细", "冗长", "详尽"],
    ]),
    group(&[
        &["informal", "casual", "非正式", "随意", "口语化"],
        &["formal", "正式"],
    ]),
    group(&[&["tabs", "制表符"], &["spaces", "空格"]]),
    named(&[
        &["on", "enabled", "开启", "打开", "启用"],
        &["off", "disabled", "关闭", "禁用"],
    ]),
    named(&[&["with"], &["without"]]),
    named(&[&["left", "左"], &["right", "右"]]),
    group(&[&["12-hour", "12小时制"], &["24-hour", "24小时制"]]),
    group(&[
        &["window seat", "window seats", "靠窗"],
        &["aisle seat", "aisle seats", "靠过道"],
    ]),
    named(&[
        &["english", "英文", "英语"],
        &["chinese", "mandarin", "中文", "汉语"],
        &["german", "德文", "德语"],
        &["french", "法文", "法语"],
        &["spanish", "西班牙文", "西班牙语"],
        &["italian", "意大利语"],
        &["japanese", "日文", "日语"],
        &["korean", "韩文", "韩语"],
        &["russian", "俄文", "俄语"],
        &["portuguese", "葡萄牙语"],
    ]),
];

const fn group(values: &'static [&'static [&'static str]]) -> Group {
    Group {
        values,
        named: false,
    }
}

const fn named(values: &'static [&'static [&'static str]]) -> Group {
    Group {
        values,
        named: true,
    }
}

/// What is set one way or another.
pub(super) const SETTINGS: [&str; 42] = [
    "mode",
    "theme",
    "units",
    "unit",
    "temperature",
    "temperatures",
    "distance",
    "distances",
    "answer",
    "answers",
    "reply",
    "replies",
    "response",
    "responses",
    "answered",
    "summaries",
    "explanations",
    "tone",
    "style",
    "format",
    "interface",
    "indentation",
    "indent",
    "notifications",
    "notification",
    "sound",
    "handed",
    "clock",
    "sugar",
    "milk",
    "模式",
    "主题",
    "单位",
    "温度",
    "回答",
    "回复",
    "答案",
    "界面",
    "缩进",
    "通知",
    "撇子",
    "语气",
];
