//! Measures how many public samples of tool calls are parsed correctly. The samples are from
//! llama.cpp's `test-chat.cpp`. They are replies in the formats of about 60 chat templates, with
//! the expected calls.
//!
//! `cargo xtask test` downloads the file and sets `GLOSS_CHAT_SAMPLES`. Without this variable, the
//! test prints a message and passes.

use super::forms;
use super::tests::heard_in;
use crate::{Calling, ToolDefinition};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Templates that are left out because their calls have no form in the table, with the reasons.
const LEFT_OUT: [(&str, &str); 7] = [
    ("openai-gpt-oss", "its server decodes the whole turn"),
    ("Kimi-K3", "its server decodes the whole turn"),
    ("muse-glimmer", "its server decodes the whole turn"),
    (
        "MiniMax-M3",
        "a grammar of its own, of elements within elements",
    ),
    ("Apertus", "a tool's name is a key"),
    (
        "functionary-medium-v3.2",
        "no mark: a tool's name on a line",
    ),
    ("firefunction", "no mark: the word functools"),
];

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Text(String),
    Word(String),
    Sign(char),
}

/// Splits C++ code into tokens. Adjacent string literals are joined.
fn tokens(source: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let behind = &rest[c.len_utf8()..];
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.split_once("*/").map_or("", |(_, rest)| rest);
        } else if let Some(raw) = rest.strip_prefix("R\"") {
            let (delimiter, raw) = raw.split_once('(').unwrap();
            let (text, behind) = raw.split_once(&format!("){delimiter}\"")).unwrap();
            push_text(&mut tokens, text);
            rest = behind;
        } else if c == '"' {
            let (text, behind) = quoted(behind);
            push_text(&mut tokens, &text);
            rest = behind;
        } else if c == '\'' {
            let skipped = if behind.starts_with('\\') { 2 } else { 1 };
            let end = behind.char_indices().nth(skipped).unwrap().0;
            rest = &behind[end + 1..];
        } else if c.is_alphanumeric() || c == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
            tokens.push(Token::Word(word.to_owned()));
            rest = behind;
        } else {
            if !c.is_whitespace() {
                tokens.push(Token::Sign(c));
            }
            rest = behind;
        }
    }
    tokens
}

fn push_text(tokens: &mut Vec<Token>, text: &str) {
    match tokens.last_mut() {
        Some(Token::Text(before)) => before.push_str(text),
        _ => tokens.push(Token::Text(text.to_owned())),
    }
}

/// The content of a string literal after its opening quotation mark, and the rest of the code.
fn quoted(source: &str) -> (String, &str) {
    let mut bytes = Vec::new();
    let mut at = source.char_indices().peekable();
    while let Some((place, c)) = at.next() {
        match c {
            '"' => {
                return (
                    String::from_utf8_lossy(&bytes).into_owned(),
                    &source[place + 1..],
                );
            }
            '\\' => match at.next().unwrap().1 {
                'n' => bytes.push(b'\n'),
                't' => bytes.push(b'\t'),
                'r' => bytes.push(b'\r'),
                'x' => {
                    let digits: String = std::iter::from_fn(|| {
                        at.next_if(|(_, c)| c.is_ascii_hexdigit()).map(|(_, c)| c)
                    })
                    .collect();
                    bytes.push(u8::from_str_radix(&digits, 16).unwrap());
                }
                other => bytes.extend(other.to_string().bytes()),
            },
            other => bytes.extend(other.to_string().bytes()),
        }
    }
    unreachable!("a text without its end");
}

type Calls = Vec<(String, Value)>;

/// The definitions and the samples that were read from the file so far.
#[derive(Default)]
struct Reader {
    tools: BTreeMap<String, ToolDefinition>,
    messages: BTreeMap<String, Calls>,
    texts: BTreeMap<String, String>,
    template: String,
    samples: Vec<Sample>,
}

#[derive(Debug, Default)]
struct Sample {
    template: String,
    reply: String,
    tools: Vec<ToolDefinition>,
    calls: Calls,
    is_partial: bool,
}

/// The tokens up to the bracket that closes the first token, and the tokens after that bracket.
fn group(tokens: &[Token]) -> (&[Token], &[Token]) {
    let mut depth = 0;
    for (place, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(' | '{' | '[') => depth += 1,
            Token::Sign(')' | '}' | ']') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (&tokens[1..place], &tokens[place + 1..]);
        }
    }
    unreachable!("a bracket without its end");
}

/// Splits tokens at commas into arguments.
fn split(tokens: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0;
    let parts = tokens.split(|token| {
        match token {
            Token::Sign('(' | '{' | '[') => depth += 1,
            Token::Sign(')' | '}' | ']') => depth -= 1,
            _ => {}
        }
        depth == 0 && *token == Token::Sign(',')
    });
    parts.collect()
}

fn call((name, arguments): (String, String)) -> (String, Value) {
    let arguments = if arguments.is_empty() {
        "{}"
    } else {
        &arguments
    };
    (name, serde_json::from_str(arguments).unwrap_or_default())
}

impl Reader {
    fn read(&mut self, tokens: &[Token]) {
        use Token::{Sign, Text, Word};
        let mut rest = tokens;
        while !rest.is_empty() {
            let word = |place: usize| match rest.get(place) {
                Some(Word(word)) => word.as_str(),
                _ => "",
            };
            match rest {
                [Word(kind), Word(name), Sign('{'), ..] if kind == "common_chat_tool" => {
                    let texts = split(group(&rest[2..]).0);
                    let texts: Vec<String> = texts.iter().map(|part| self.text(part)).collect();
                    if let [told, _, parameters, ..] = &texts[..] {
                        let tool = ToolDefinition {
                            name: told.clone(),
                            description: String::new(),
                            parameters: serde_json::from_str(parameters).unwrap(),
                            examples: Vec::new(),
                        };
                        self.tools.insert(name.clone(), tool);
                    }
                }
                [Word(name), Sign('='), Text(text), ..] => {
                    self.texts.insert(name.clone(), text.clone());
                }
                [Word(name), Sign('='), Word(_), Sign('('), ..] => {
                    if let Some(calls) = self.message(&rest[2..]) {
                        self.messages.insert(name.clone(), calls);
                    }
                }
                [Word(kind), Sign('('), ..] if kind == "peg_tester" => {
                    let (arguments, _) = group(&rest[1..]);
                    self.template = match arguments.first() {
                        Some(Text(path)) => path.clone(),
                        _ if word(2) == "template_path" => "LFM2".to_owned(),
                        _ => "Hermes 3, Qwen 2.5 and MiMo".to_owned(),
                    };
                }
                [Word(_), Sign('.'), Word(method), Sign('('), ..]
                    if method == "test" && word(0).starts_with("tst") =>
                {
                    rest = self.sample(&rest[3..]);
                    continue;
                }
                _ => {}
            }
            rest = &rest[1..];
        }
    }

    /// Reads a sample. `tokens` begin with the bracket of `test(`. Returns the tokens after the
    /// sample.
    fn sample<'a>(&mut self, tokens: &'a [Token]) -> &'a [Token] {
        let (reply, mut rest) = group(tokens);
        let mut sample = Sample {
            template: self.template.clone(),
            reply: self.text(reply),
            ..Sample::default()
        };
        while let [Token::Sign('.'), Token::Word(method), behind @ ..] = rest {
            let (arguments, after) = group(behind);
            match method.as_str() {
                "tools" => {
                    let names = arguments.iter().filter_map(|token| match token {
                        Token::Word(name) => self.tools.get(name).cloned(),
                        _ => None,
                    });
                    sample.tools = names.collect();
                }
                "is_partial" => sample.is_partial = true,
                "expect" => sample.calls = self.message(arguments).unwrap_or_default(),
                "expect_tool_calls" => sample.calls = self.listed(arguments),
                _ => {}
            }
            rest = after;
        }
        self.samples.push(sample);
        rest
    }

    /// The text of an argument, which consists of string literals and of names of strings.
    fn text(&self, tokens: &[Token]) -> String {
        let texts = tokens.iter().filter_map(|token| match token {
            Token::Text(text) => Some(text),
            Token::Word(name) => self.texts.get(name),
            Token::Sign(_) => None,
        });
        texts.cloned().collect()
    }

    /// The calls of a message, which is given by its name or by a function of the file.
    fn message(&self, tokens: &[Token]) -> Option<Calls> {
        let (Token::Word(name), behind) = tokens.split_first()? else {
            return None;
        };
        if behind.first() != Some(&Token::Sign('(')) {
            return self.messages.get(name).cloned();
        }
        let arguments = split(group(behind).0);
        let of = |place: usize| {
            let text = |place: usize| self.text(arguments.get(place).copied().unwrap_or_default());
            let named = !text(place).is_empty();
            named.then(|| call((text(place), text(place + 1))))
        };
        match name.as_str() {
            "simple_assist_msg" => Some(of(2).into_iter().collect()),
            "message_with_tool_calls" | "message_with_tool_calls_and_reasoning" => {
                Some(of(0).into_iter().collect())
            }
            "message_with_content_and_tool_call" | "message_with_reasoning_and_tool_call" => {
                Some(of(1).into_iter().collect())
            }
            "message_with_reasoning_content_and_multiple_tool_calls" => {
                Some(self.listed(arguments.get(2)?))
            }
            _ => None,
        }
    }

    /// The calls of a list in braces.
    fn listed(&self, tokens: &[Token]) -> Calls {
        let calls = split(group(tokens).0);
        let calls = calls.into_iter().filter(|call| !call.is_empty());
        let of = |tokens: &[Token]| {
            let parts = split(group(tokens).0);
            call((self.text(parts[0]), self.text(parts[1])))
        };
        calls.map(of).collect()
    }
}

/// Returns true if two values are equal. The numbers 1 and 1.0 count as equal.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let has = |(key, value): (&String, &Value)| b.get(key).is_some_and(|b| same(value, b));
            a.len() == b.len() && a.iter().all(has)
        }
        _ => a == b,
    }
}

#[test]
fn public_samples_of_calls_are_read() {
    let Some(path) = std::env::var_os("GLOSS_CHAT_SAMPLES") else {
        println!("GLOSS_CHAT_SAMPLES names no test-chat.cpp: public samples of calls are skipped");
        return;
    };
    let mut reader = Reader::default();
    reader.read(&tokens(&std::fs::read_to_string(path).unwrap()));
    let known: Vec<ToolDefinition> = reader.tools.values().cloned().collect();
    let mut partial = 0;
    let mut left_out: BTreeMap<String, u32> = BTreeMap::new();
    let (mut read, mut plain) = (0, 0);
    let (mut lost, mut taken) = (Vec::new(), Vec::new());
    for sample in &reader.samples {
        if sample.is_partial {
            partial += 1;
            continue;
        }
        let no_form = LEFT_OUT
            .iter()
            .find(|(name, _)| sample.template.contains(name));
        if let Some((name, why)) = no_form.filter(|_| !sample.calls.is_empty()) {
            *left_out.entry(format!("{name} ({why})")).or_insert(0) += 1;
            continue;
        }
        let tools: Rc<[ToolDefinition]> = if sample.tools.is_empty() {
            known.clone().into()
        } else {
            sample.tools.clone().into()
        };
        // In this sample, the prompt ends with `<think>`, so the reply does not begin with it. The
        // tag is added to the reply, as a server would do.
        let is_begun = sample.reply.contains("</think>")
            && sample
                .reply
                .find("<think>")
                .is_none_or(|at| at > sample.reply.find("</think>").unwrap());
        let reply = format!("{}{}", if is_begun { "<think>" } else { "" }, sample.reply);
        let heard = [Calling::Text, Calling::Native].map(|calling| {
            let (speech, shown) = heard_in(calling, tools.clone(), &[reply.as_str()]);
            let letters: Vec<String> = reply.chars().map(String::from).collect();
            let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
            let pieces = heard_in(calling, tools.clone(), &letters);
            assert_eq!((&pieces.0, &pieces.1), (&speech, &shown), "{reply}");
            (speech, shown)
        });
        if sample.calls.is_empty() {
            plain += 1;
            let is_call = |speech: &super::ParsedReply| {
                !speech.calls.is_empty() || speech.malformed.is_some()
            };
            if heard.iter().any(|(speech, _)| is_call(speech)) {
                taken.push(&sample.reply);
            }
            continue;
        }
        let is_read = |(speech, shown): &(super::ParsedReply, String)| {
            let calls = speech.calls.iter().zip(&sample.calls);
            let mut calls = calls.map(|(call, (name, arguments))| {
                call.name == *name && same(&call.arguments, arguments)
            });
            speech.calls.len() == sample.calls.len()
                && calls.all(|same| same)
                && forms::next(shown).is_none()
        };
        if heard.iter().all(is_read) {
            read += 1;
        } else {
            lost.push((&sample.template, &sample.reply));
        }
    }
    let calls = read + lost.len();
    println!(
        "llama.cpp's samples: of {calls} with calls {read} are read ({:.1} %); of {plain} plain \
         answers {} are taken for a call; skipped: {partial} partial ones, and calls of {left_out:#?}; \
         not read: {lost:#?}",
        100.0 * read as f64 / calls as f64,
        taken.len(),
    );
    assert!(
        calls >= 150 && plain >= 120,
        "{calls} with calls, {plain} plain answers"
    );
    assert!(read * 100 >= calls * 95, "{read} of {calls}: {lost:#?}");
    assert!(taken.is_empty(), "taken for calls: {taken:#?}");
}
