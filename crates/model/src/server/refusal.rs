//! Interprets a server's refusal.
//!
//! HTTP statuses have the same meaning for all servers, but the messages of servers differ. This
//! module recognises the messages of `OpenAI`, Anthropic, Gemini, Ollama, llama.cpp, vLLM, LM
//! Studio and `OpenRouter`.

use super::gemini_retry_delay;
use super::rejected_features::Feature;
use crate::{Fault, Server};
use gloss_host::retry_after_ms;
use gloss_markdown::{clean, line, shortened};
use serde_json::Value;

/// The maximum number of characters of a server's message in an error.
const SAID_CHARS: usize = 200;
/// The maximum number of bytes of a message that are searched for known words.
const SEARCHED_BYTES: usize = 4 << 10;

/// Names of the parameter that contains an answer's schema.
const SCHEMA: &str = "json_schema|responseschema|response_schema|responsemimetype|\
    response mime type|output_config|output_format";
/// Names of the parameters that request reasoning, or that contain reasoning to be sent back.
const REASONING: &str = "reasoning_content|encrypted content|encrypted_content|thought signature|\
    thought_signature|thoughtsignature|thinking";

/// A response whose status is not a success.
pub(super) struct Refusal<'a> {
    pub(super) status: u16,
    pub(super) headers: &'a [(String, String)],
    pub(super) body: &'a [u8],
}

impl Refusal<'_> {
    /// Returns the fault that corresponds to the refusal. `endpoint` is the address of the request.
    /// `now_ms` is the time of the response.
    pub(super) fn fault(&self, endpoint: &str, now_ms: u64) -> Fault {
        let words = Words::of(self.body);
        let retry_after_ms = retry_after_ms(self.headers, now_ms).or(words.retry_after_ms);
        let status = self.status;
        let said = words.said.clone();
        match status {
            300..=399 => Fault::Redirected,
            401 => Fault::BadKey {
                status: Some(status),
            },
            402 => Fault::QuotaEmpty,
            400 | 403 if words.blame_the_key() => Fault::BadKey {
                status: Some(status),
            },
            403 => Fault::Forbidden { said },
            429 if words.any("perminute") && !words.any("perday") => {
                // Gemini sends the same message for a rate limit and for an empty quota. Only the
                // id of the quota differs.
                Fault::RateLimited { retry_after_ms }
            }
            // Groq's message for a rate limit also mentions billing.
            429 if words.any("rate_limit_exceeded") => Fault::RateLimited { retry_after_ms },
            400 | 429 if words.reports_empty_quota() => Fault::QuotaEmpty,
            429 => Fault::RateLimited { retry_after_ms },
            400..=599 if status == 413 || words.speak_of_context() => {
                Fault::ContextTooLong { said }
            }
            400 | 404 | 422 if words.reports_missing_model() => Fault::MissingModel,
            404 | 405 => Fault::WrongAddress {
                url: endpoint.to_owned(),
                status,
            },
            408 | 500..=599 => Fault::Failing {
                status: Some(status),
                retry_after_ms,
                said,
            },
            _ => Fault::Rejected {
                status: Some(status),
                said,
            },
        }
    }

    /// Returns the part of the request that the server does not accept. `None` if the message names
    /// no part.
    pub(super) fn refused_feature(&self) -> Option<Feature> {
        if !matches!(self.status, 400 | 404 | 422 | 500 | 501) {
            return None;
        }
        let words = Words::of(self.body);
        let refuses = words.any(
            "support|unknown|unrecognized|unexpected|not permitted|not allowed|extra|invalid|\
             requires|no endpoints|must be|deprecated",
        );
        let names = |name: &str| words.param == name || (refuses && words.any(name));
        if names("stream_options") || names("include_usage") {
            Some(Feature::UsageOption)
        } else if names("temperature") {
            Some(Feature::Temperature)
        } else if names("response_format")
            || words.param.starts_with("text.format")
            || (refuses && words.any(SCHEMA))
        {
            Some(Feature::Schema)
        } else if words.param == "include" || (refuses && words.any(REASONING)) {
            Some(Feature::Reasoning)
        } else if refuses && words.any("developer") {
            Some(Feature::DeveloperRole)
        } else if names("tools")
            || names("tool_choice")
            || (refuses && words.any("tool use|tool choice|tool call|function call"))
        {
            Some(Feature::Tools)
        } else if words.param == "stream"
            || (refuses && words.any("streaming|`stream`|'stream'|\"stream\""))
        {
            Some(Feature::Stream)
        } else {
            None
        }
    }
}

/// Returns the fault that corresponds to an error within a stream that began with status 200.
pub(super) fn within_stream(error: &Value) -> Fault {
    let words = Words::of_value(error);
    let status = status_within(error);
    let said = words.said.clone();
    match status {
        _ if words.reports_empty_quota() && !words.any("rate_limit_exceeded") => Fault::QuotaEmpty,
        _ if words.speak_of_context() => Fault::ContextTooLong { said },
        Some(401) => Fault::BadKey { status },
        Some(402) => Fault::QuotaEmpty,
        Some(429) => Fault::RateLimited {
            retry_after_ms: words.retry_after_ms,
        },
        Some(400 | 403 | 404 | 422) => Fault::Rejected { status, said },
        _ => Fault::Failing {
            status,
            retry_after_ms: None,
            said,
        },
    }
}

/// Returns the HTTP status that corresponds to an error within a stream.
fn status_within(error: &Value) -> Option<u16> {
    let number = |code: &Value| u16::try_from(code.as_u64()?).ok();
    if let Some(status) = error.get("code").and_then(number) {
        return Some(status);
    }
    let names = ["type", "status", "code"].into_iter();
    let mut names = names.filter_map(|field| error.get(field)?.as_str());
    names.find_map(|name| {
        Some(match name {
            "invalid_request_error" | "INVALID_ARGUMENT" | "FAILED_PRECONDITION" => 400,
            "authentication_error" | "UNAUTHENTICATED" => 401,
            "billing_error" => 402,
            "permission_error" | "PERMISSION_DENIED" => 403,
            "not_found_error" | "NOT_FOUND" => 404,
            "rate_limit_error" | "rate_limit_exceeded" | "RESOURCE_EXHAUSTED" => 429,
            "api_error" | "server_error" | "INTERNAL" => 500,
            "UNAVAILABLE" => 503,
            "timeout_error" | "DEADLINE_EXCEEDED" => 504,
            "overloaded_error" => 529,
            _ => return None,
        })
    })
}

struct Words {
    said: Option<String>,
    /// The parameter that caused the refusal, if the server names it.
    param: String,
    /// The time to wait before a retry, in ms. `None` if the server requested no time.
    retry_after_ms: Option<u64>,
    /// The whole body in lower case, up to [`SEARCHED_BYTES`].
    searched: String,
}

impl Words {
    fn of(body: &[u8]) -> Self {
        let text = String::from_utf8_lossy(body);
        match serde_json::from_str::<Value>(&text) {
            Ok(value) => Self::of_value(&value),
            Err(_) => Self {
                // HTML and incomplete JSON are not useful in an error message.
                said: Some(text.trim().to_owned())
                    .filter(|text| !text.is_empty() && !text.starts_with(['<', '{', '['])),
                param: String::new(),
                retry_after_ms: None,
                searched: searched(&text),
            },
        }
    }

    fn of_value(value: &Value) -> Self {
        let value = value.get(0).unwrap_or(value);
        let error = value.get("error").unwrap_or(value);
        let text = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            _ => None,
        };
        let first = |fields: &[&str]| fields.iter().find_map(|name| text(error.get(*name)?));
        let detail = value
            .get("detail")
            .and_then(|d| text(d).or_else(|| text(d.get(0)?.get("msg")?)));
        Self {
            said: text(error)
                .or_else(|| first(&["message", "msg", "detail"]))
                .or(detail),
            param: first(&["param"]).unwrap_or_default(),
            retry_after_ms: gemini_retry_delay::ms(error),
            searched: searched(&value.to_string()),
        }
    }

    /// Returns true if the body contains one of the words, which are separated by `|`.
    fn any(&self, words: &str) -> bool {
        words.split('|').any(|word| self.searched.contains(word))
    }

    fn blame_the_key(&self) -> bool {
        self.any(
            "invalid_api_key|api key not valid|api_key_invalid|invalid api key|incorrect api key|\
             unregistered callers",
        )
    }

    fn reports_empty_quota(&self) -> bool {
        self.any(
            "insufficient_quota|exceeded your current quota|billing_error|billing details|\
             billing hard limit|credit balance|insufficient credits|insufficient balance",
        )
    }

    fn speak_of_context(&self) -> bool {
        self.any(
            "context_length_exceeded|context length|context size|context window|maximum context|\
             prompt is too long|too many tokens|exceed_context_size|context limit|\
             exceeds the maximum number of tokens",
        )
    }

    fn reports_missing_model(&self) -> bool {
        let missing = self.any(
            "not found|not_found|does not exist|not exist|no such|not a valid model|not loaded|\
             no models loaded|unknown model|invalid model",
        );
        missing && self.any("model")
    }
}

fn searched(text: &str) -> String {
    let end = (0..=SEARCHED_BYTES.min(text.len()))
        .rev()
        .find(|at| text.is_char_boundary(*at));
    text.get(..end.unwrap_or(0))
        .unwrap_or_default()
        .to_lowercase()
}

/// A part of a key with at least this many characters is removed, because it could identify the
/// key.
const TELLS: usize = 8;

/// Removes the key from a text, and also each part of the key that could identify it.
fn redact_key(text: &str, key: &str) -> String {
    // A key is sent in a header, so it is ASCII, and every byte offset is a character boundary.
    let shortest = TELLS.min(key.len()).max(1);
    let same = |at: usize, from: usize| {
        let pairs = text.bytes().skip(at).zip(key.bytes().skip(from));
        pairs.take_while(|(one, other)| one == other).count()
    };
    let mut blotted = String::new();
    let mut rest = text.char_indices();
    while let Some((at, letter)) = rest.next() {
        let longest = (0..key.len()).map(|from| same(at, from)).max();
        match longest.filter(|length| *length >= shortest) {
            Some(length) => {
                blotted.push_str("•••");
                // The first character was consumed by `next`.
                rest.by_ref().take(length - 1).for_each(drop);
            }
            None => blotted.push(letter),
        }
    }
    blotted
}

/// Prepares a server's message for storage and display. Characters that hide text or reverse its
/// direction are removed, and the message is shortened to one line. The key is removed twice,
/// because removing characters may join its parts.
pub(crate) fn quote(mut fault: Fault, server: &Server, key: Option<&str>) -> Fault {
    if let Fault::NotPermitted { origin } = &mut fault {
        origin.clone_from(&server.origin);
    }
    let key = key.unwrap_or_default();
    if let Some(said) = fault.said_mut() {
        let clean = |text: String| {
            let text = redact_key(&clean(&redact_key(&text, key)), key);
            shortened(&line(&text), SAID_CHARS)
        };
        *said = said.take().map(clean).filter(|said| !said.is_empty());
    }
    fault
}

#[cfg(test)]
#[path = "refusal_tests.rs"]
mod tests;
