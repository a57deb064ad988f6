//! What a server's refusal means.
//!
//! Statuses are the same everywhere, the words are not: what is told apart by words
//! here was said by `OpenAI`, Ollama, llama.cpp, vLLM, LM Studio, OpenRouter or
//! Gemini's compatible endpoint.

use super::request::Feature;
use crate::model::{Fault, Server};
use serde_json::Value;

/// So much of a server's words is quoted.
const SAID_CHARS: usize = 200;
/// So much of them is searched.
const SEARCHED_BYTES: usize = 4 << 10;

/// A response that is no success.
pub(super) struct Refusal<'a> {
    pub(super) status: u16,
    pub(super) headers: &'a [(String, String)],
    pub(super) body: &'a [u8],
}

impl Refusal<'_> {
    /// What it is; `endpoint` was asked at `now_ms`.
    pub(super) fn fault(&self, endpoint: &str, now_ms: u64) -> Fault {
        let words = Words::of(self.body);
        let retry_after_ms = self.retry_after_ms(now_ms);
        let status = self.status;
        let said = words.said.clone();
        match status {
            300..=399 => Fault::Redirected,
            401 => Fault::BadKey { status: Some(status) },
            402 => Fault::QuotaEmpty,
            400 | 403 if words.blame_the_key() => Fault::BadKey { status: Some(status) },
            403 => Fault::Forbidden { said },
            429 if words.speak_of_quota() => Fault::QuotaEmpty,
            429 => Fault::RateLimited { retry_after_ms },
            400..=599 if status == 413 || words.speak_of_context() => {
                Fault::ContextTooLong { said }
            }
            400 | 404 | 422 if words.miss_the_model() => Fault::MissingModel,
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

    /// The part of our request that it does not take, if it says so.
    pub(super) fn refused_feature(&self) -> Option<Feature> {
        if !matches!(self.status, 400 | 404 | 422 | 500 | 501) {
            return None;
        }
        let words = Words::of(self.body);
        let refuses = words.any(&[
            "support", "unknown", "unrecognized", "unexpected", "not permitted", "not allowed",
            "extra", "invalid", "requires", "no endpoints", "must be", "deprecated",
        ]);
        let names = |name: &str| words.param == name || (refuses && words.any(&[name]));
        if names("stream_options") || names("include_usage") {
            Some(Feature::UsageOption)
        } else if names("temperature") {
            Some(Feature::Temperature)
        } else if refuses && words.any(&["developer"]) {
            Some(Feature::DeveloperRole)
        } else if names("tools") || names("tool_choice") || (refuses && words.any(&["tool use", "tool choice", "tool call", "function call"])) {
            Some(Feature::Tools)
        } else if words.param == "stream" || (refuses && words.any(&["streaming", "`stream`", "'stream'", "\"stream\""])) {
            Some(Feature::Stream)
        } else {
            None
        }
    }

    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.trim())
    }

    /// Seconds or a date (RFC 9110), or milliseconds as `OpenAI` adds them.
    fn retry_after_ms(&self, now_ms: u64) -> Option<u64> {
        if let Some(ms) = self.header("retry-after-ms").and_then(|ms| ms.parse::<f64>().ok()) {
            return Some(ms.max(0.0) as u64);
        }
        let after = self.header("retry-after")?;
        match after.parse::<f64>() {
            Ok(seconds) => Some((seconds.max(0.0) * 1_000.0) as u64),
            Err(_) => Some(date_ms(after)?.saturating_sub(now_ms)),
        }
    }
}

/// An error that came within a stream, after a status of success.
pub(super) fn within_stream(error: &Value) -> Fault {
    let words = Words::of_value(error);
    let status = error.get("code").and_then(|code| u16::try_from(code.as_u64()?).ok());
    let said = words.said.clone();
    match status {
        _ if words.speak_of_quota() => Fault::QuotaEmpty,
        _ if words.speak_of_context() => Fault::ContextTooLong { said },
        Some(401) => Fault::BadKey { status },
        Some(402) => Fault::QuotaEmpty,
        Some(429) => Fault::RateLimited { retry_after_ms: None },
        Some(400 | 403 | 404 | 422) => Fault::Rejected { status, said },
        _ => Fault::Failing {
            status,
            retry_after_ms: None,
            said,
        },
    }
}

/// What a body says.
struct Words {
    said: Option<String>,
    /// The parameter it blames.
    param: String,
    /// All of it in lower case, as far as it is searched.
    searched: String,
}

impl Words {
    fn of(body: &[u8]) -> Self {
        let text = String::from_utf8_lossy(body);
        match serde_json::from_str::<Value>(&text) {
            Ok(value) => Self::of_value(&value),
            Err(_) => Self {
                // A page of HTML says nothing to a person.
                said: Some(text.trim().to_owned()).filter(|t| !t.is_empty() && !t.starts_with('<')),
                param: String::new(),
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
        let detail = value.get("detail").and_then(|d| text(d).or_else(|| text(d.get(0)?.get("msg")?)));
        Self {
            said: text(error).or_else(|| first(&["message", "msg", "detail"])).or(detail),
            param: first(&["param"]).unwrap_or_default(),
            searched: searched(&value.to_string()),
        }
    }

    fn any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.searched.contains(word))
    }

    fn blame_the_key(&self) -> bool {
        self.any(&["invalid_api_key", "api key not valid", "api_key_invalid", "invalid api key", "incorrect api key"])
    }

    fn speak_of_quota(&self) -> bool {
        self.any(&["insufficient_quota", "exceeded your current quota", "billing", "credit balance", "insufficient credits", "insufficient balance"])
    }

    fn speak_of_context(&self) -> bool {
        self.any(&[
            "context_length_exceeded", "context length", "context size", "context window",
            "maximum context", "prompt is too long", "too many tokens", "exceed_context_size",
        ])
    }

    fn miss_the_model(&self) -> bool {
        let missing = self.any(&["not found", "not_found", "does not exist", "not exist", "no such", "not a valid model", "not loaded", "no models loaded", "unknown model", "invalid model"]);
        missing && self.any(&["model"])
    }
}

fn searched(text: &str) -> String {
    let end = (0..=SEARCHED_BYTES.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    text.get(..end.unwrap_or(0)).unwrap_or_default().to_lowercase()
}

/// Makes the words of a server fit to be kept and shown: the key blotted out first,
/// then shortened to one line.
pub(super) fn quote(fault: Fault, server: &Server, key: Option<&str>) -> Fault {
    let clean = |text: String| {
        let text = match key.filter(|key| !key.is_empty()) {
            Some(key) => text.replace(key, "•••"),
            None => text,
        };
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut short: String = line.chars().take(SAID_CHARS).collect();
        if short.len() < line.len() {
            short.push('…');
        }
        short
    };
    let said = |said: Option<String>| said.map(clean).filter(|said| !said.is_empty());
    match fault {
        Fault::Forbidden { said: s } => Fault::Forbidden { said: said(s) },
        Fault::ContextTooLong { said: s } => Fault::ContextTooLong { said: said(s) },
        Fault::Nonsense { said: s } => Fault::Nonsense { said: said(s) },
        Fault::Rejected { status, said: s } => Fault::Rejected { status, said: said(s) },
        Fault::Failing { status, retry_after_ms, said: s } => Fault::Failing {
            status,
            retry_after_ms,
            said: said(s),
        },
        Fault::NotPermitted { .. } => Fault::NotPermitted {
            origin: server.origin.clone(),
        },
        other @ (Fault::BadAddress { .. }
        | Fault::KeyUnreadable { .. }
        | Fault::BadKey { .. }
        | Fault::WrongAddress { .. }
        | Fault::MissingModel
        | Fault::Redirected
        | Fault::Unreachable
        | Fault::RateLimited { .. }
        | Fault::QuotaEmpty
        | Fault::TimedOut { .. }
        | Fault::Cut) => other,
    }
}

/// The Unix time of `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that is sent today.
fn date_ms(date: &str) -> Option<u64> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let mut parts = date.split_once(", ")?.1.split([' ', ':']);
    let mut number = || parts.next()?.parse::<i64>().ok();
    let day = number()?;
    let month = MONTHS.find(parts.next()?)? as i64 / 3 + 1;
    let mut number = || parts.next()?.parse::<i64>().ok();
    let (year, hour, minute, second) = (number()?, number()?, number()?, number()?);
    // Days since 1970 of the civil calendar, by Hinnant's algorithm.
    let year = if month <= 2 { year - 1 } else { year };
    let of_era = year.rem_euclid(400);
    let of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
    let days = year.div_euclid(400) * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    let seconds = (days - 719_468) * 86_400 + hour * 3_600 + minute * 60 + second;
    u64::try_from(seconds).ok()?.checked_mul(1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read() {
        for (date, seconds) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Thu, 29 Feb 2024 12:00:00 GMT", Some(1_709_208_000)),
            ("Sat, 21 Nov 2026 15:29:32 GMT", Some(1_795_274_972)),
            ("soon", None),
            ("Sat, 21 Foo 2026 15:29:32 GMT", None),
            ("", None),
        ] {
            assert_eq!(date_ms(date), seconds.map(|s: u64| s * 1_000), "{date}");
        }
    }

    fn refusal(status: u16, body: &str) -> (Fault, Option<Feature>) {
        let refusal = Refusal { status, headers: &[], body: body.as_bytes() };
        (refusal.fault("http://x/y", 0), refusal.refused_feature())
    }

    /// As the servers were seen to say it.
    #[test]
    fn a_feature_that_is_refused_is_known_by_its_name() {
        let table = [
            (400, r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}"#, Some(Feature::Temperature)),
            (400, r#"{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools","type":"api_error","param":null,"code":null}}"#, Some(Feature::Tools)),
            (400, r#"{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}"#, Some(Feature::Tools)),
            (500, r#"{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}"#, Some(Feature::Tools)),
            (404, r#"{"error":{"message":"No endpoints found that support tool use.","code":404}}"#, Some(Feature::Tools)),
            (422, r#"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted","input":{"include_usage":true}}]}"#, Some(Feature::UsageOption)),
            (400, r#"{"error":"unknown field \"stream_options\""}"#, Some(Feature::UsageOption)),
            (400, r#"{"error":{"message":"Invalid value: 'developer'. Supported values are: 'system', 'assistant', 'user'."}}"#, Some(Feature::DeveloperRole)),
            (400, r#"{"error":{"message":"Streaming is not supported by this model.","param":"stream"}}"#, Some(Feature::Stream)),
            (400, r#"{"error":{"message":"bad request"}}"#, None),
            (401, r#"{"error":{"message":"temperature unsupported"}}"#, None),
        ];
        for (status, body, feature) in table {
            assert_eq!(refusal(status, body).1, feature, "{body}");
        }
    }

    #[test]
    fn refusals_are_told_apart() {
        let said = |text: &str| Some(text.to_owned());
        let table = [
            (401, r#"{"error":{"message":"Incorrect API key provided"}}"#, Fault::BadKey { status: Some(401) }),
            (400, r#"[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}]"#, Fault::BadKey { status: Some(400) }),
            (403, "", Fault::Forbidden { said: None }),
            (403, r#"{"error":"no"}"#, Fault::Forbidden { said: said("no") }),
            (404, r#"{"error":{"message":"model \"qwen3:8b\" not found, try pulling it first","type":"api_error"}}"#, Fault::MissingModel),
            (404, r#"{"error":{"message":"The model `gpt-9` does not exist or you do not have access to it.","code":"model_not_found"}}"#, Fault::MissingModel),
            (404, "404 page not found", Fault::WrongAddress { url: "http://x/y".into(), status: 404 }),
            (404, "<html>not found</html>", Fault::WrongAddress { url: "http://x/y".into(), status: 404 }),
            (405, "", Fault::WrongAddress { url: "http://x/y".into(), status: 405 }),
            (429, r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","code":"insufficient_quota"}}"#, Fault::QuotaEmpty),
            (402, r#"{"error":{"message":"Insufficient credits"}}"#, Fault::QuotaEmpty),
            (429, r#"{"error":{"message":"Rate limit reached"}}"#, Fault::RateLimited { retry_after_ms: None }),
            (400, r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}"#, Fault::ContextTooLong { said: said("This model's maximum context length is 8192 tokens.") }),
            (400, r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}"#, Fault::ContextTooLong { said: said("the request exceeds the available context size") }),
            (413, "", Fault::ContextTooLong { said: None }),
            (400, r#"{"message":"no"}"#, Fault::Rejected { status: Some(400), said: said("no") }),
            (503, r#"{"detail":"loading"}"#, Fault::Failing { status: Some(503), retry_after_ms: None, said: said("loading") }),
            (408, "", Fault::Failing { status: Some(408), retry_after_ms: None, said: None }),
            (529, "", Fault::Failing { status: Some(529), retry_after_ms: None, said: None }),
            (308, "", Fault::Redirected),
        ];
        for (status, body, fault) in table {
            assert_eq!(refusal(status, body).0, fault, "{status} {body}");
        }
    }

    #[test]
    fn how_long_to_wait_comes_as_seconds_as_a_date_or_as_milliseconds() {
        let table: [(&[(&str, &str)], Option<u64>); 6] = [
            (&[("retry-after", "20")], Some(20_000)),
            (&[("retry-after", "0.5")], Some(500)),
            (&[("retry-after", "Thu, 01 Jan 1970 00:00:30 GMT")], Some(20_000)),
            (&[("retry-after", "Thu, 01 Jan 1970 00:00:01 GMT")], Some(0)),
            (&[("retry-after-ms", "1500"), ("retry-after", "2")], Some(1_500)),
            (&[("retry-after", "soon")], None),
        ];
        for (headers, expected) in table {
            let headers: Vec<(String, String)> = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
            let refusal = Refusal { status: 429, headers: &headers, body: b"" };
            assert_eq!(refusal.fault("", 10_000), Fault::RateLimited { retry_after_ms: expected });
        }
    }
}
