//! Messages about Gloss itself, instead of the page.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum About {
    Greeting,
    Thanks,
    /// The message is a question about Gloss and its abilities.
    Itself,
}

#[rustfmt::skip]
const GREETINGS: [&str; 17] = [
    "hi", "hello", "hey", "hi there", "hello there", "hey there", "good morning",
    "good afternoon", "good evening", "greetings", "你好", "您好", "嗨", "哈喽", "早上好", "晚上好",
    "下午好",
];

#[rustfmt::skip]
const THANKS: [&str; 19] = [
    "thanks", "thank you", "thank you very much", "thank you so much", "thanks a lot",
    "many thanks", "thx", "ty", "great thanks", "ok thanks", "great, thanks", "ok, thanks", "谢谢",
    "谢谢你", "多谢", "感谢", "非常感谢", "好的谢谢", "好的，谢谢",
];

#[rustfmt::skip]
const ITSELF: [&str; 46] = [
    "who are you", "what are you", "who made you", "what is your name", "what's your name",
    "what can you do", "what do you do", "what can i ask", "what can i ask you",
    "what can i do here", "how do you work", "how does this work", "which model are you",
    "what model are you", "what model is this", "which model is this", "are you an ai",
    "are you ai", "are you a bot", "are you a robot", "are you human", "are you a human",
    "are you chatgpt", "are you gpt", "are you a language model", "are you an llm",
    "how can you help", "how can you help me", "help", "help me", "你是谁", "你是什么", "你叫什么",
    "你叫什么名字", "你能做什么", "你可以做什么", "你会什么", "你会做什么", "你能干什么", "你能帮我什么",
    "你是什么模型", "你是ai吗", "你是人工智能吗", "你是机器人吗", "怎么用", "帮助",
];

impl About {
    /// The kind of message, if the whole message is one of the phrases above.
    pub(super) fn of(words: &str) -> Option<Self> {
        if GREETINGS.contains(&words) {
            Some(Self::Greeting)
        } else if THANKS.contains(&words) {
            Some(Self::Thanks)
        } else if ITSELF.contains(&words) {
            Some(Self::Itself)
        } else {
            None
        }
    }
}
