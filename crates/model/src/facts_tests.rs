//! Tests of the table of prices, and of the model names that it matches.

use super::*;

fn profile(base_url: &str, model: &str) -> Profile {
    Profile {
        base_url: base_url.to_owned(),
        model: model.to_owned(),
        ..Profile::default()
    }
}

fn price(base_url: &str, model: &str) -> Option<u32> {
    let facts = Facts::of(&profile(base_url, model));
    facts.price.map(|price| price.input)
}

#[test]
fn the_longest_beginning_of_a_name_counts() {
    for (model, expected) in [
        ("gpt-4.1", Some(2_000)),
        ("gpt-image-1", Some(5_000)),
        ("gpt-image-1-mini", Some(2_000)),
        ("gemini-2.5-flash-image", Some(300)),
        ("gpt-image-3", None),
        ("gpt-4.1-2025-04-14", Some(2_000)),
        ("gpt-4.1-mini-2025-04-14", Some(400)),
        ("gpt-4.1-nano", None),
        ("openai/GPT-4o-mini", Some(150)),
        ("gpt-5-2025-08-07", Some(1_250)),
        ("gpt-5-mini", Some(250)),
        ("gpt-5.3", None),
        ("gpt-5.4", Some(2_500)),
        ("gpt-5.4-pro", None),
        ("gpt-5.6-luna", Some(200)),
        ("openai/gpt-6.2-sol:nitro", Some(2_000)),
        ("o3-2025-04-16", Some(2_000)),
        ("o3-mini", None),
        ("o3-pro", None),
        ("claude-opus-4-5-20251101", Some(5_000)),
        ("claude-opus-4-20250514", None),
        ("claude-opus-5", Some(5_000)),
        ("claude-opus-5-5", Some(4_000)),
        ("anthropic/claude-opus-5.5", Some(4_000)),
        ("claude-opus-5-6", None),
        ("claude-opus-5-6-20270101", None),
        ("claude-haiku-4-5@20251001", Some(1_000)),
        ("models/gemini-2.5-flash-lite", Some(100)),
        ("gemini-2.5-flash-preview-09-2025", Some(300)),
        ("gemini-2.5-flash-preview-tts", None),
        ("gemini-3.1-pro-preview", Some(2_000)),
        ("mistral-large-latest", Some(500)),
        ("mistral-large-2512", Some(500)),
        ("mistral-large-4-0", Some(1_360)),
        ("mistral-small-24b-instruct-2501", None),
        ("openai/gpt-oss-20b", Some(75)),
        ("somebody-s-own", None),
        ("", None),
    ] {
        assert_eq!(price("https://api.example/v1", model), expected, "{model}");
    }
}

#[test]
fn a_row_is_found_by_its_name_and_its_figures_are_in_order() {
    for row in &TABLE {
        let facts = listed(row.0).unwrap();
        let price = facts.price.unwrap();
        let found = (facts.window, price.input, price.cached, price.output);
        assert_eq!(found, (Some(row.1), row.2, row.3, row.4), "{}", row.0);
        assert!(price.cached <= price.input, "{}", row.0);
        assert!(price.input < price.output, "{}", row.0);
    }
}

#[test]
fn a_server_at_home_costs_nothing() {
    for (base, is_free) in [
        ("http://localhost:11434/v1", true),
        ("http://127.0.0.1:1234", true),
        ("http://[::1]:8080/v1", true),
        ("http://192.168.1.7:11434", true),
        ("http://nas.local/v1", true),
        ("https://localhost.example/v1", false),
        ("https://8.8.8.8/v1", false),
    ] {
        let nothing = is_free.then_some(0);
        assert_eq!(price(base, "qwen3:8b"), nothing, "{base}");
    }
}

#[test]
fn a_person_s_own_figures_stand_before_the_table_s() {
    let own = Facts {
        price: None,
        window: Some(8_192),
        ..Facts::default()
    };
    let profile = Profile {
        facts: Some(own),
        ..profile("https://api.openai.com/v1", "gpt-4.1")
    };
    assert_eq!(Facts::of(&profile), own);
}

#[test]
fn money_is_never_rounded_to_nothing() {
    for (micros, text) in [
        (0, "$0"),
        (1, "$0.000001"),
        (240, "$0.00024"),
        (2_000, "$0.002"),
        (2_449, "$0.0024"),
        (11_000, "$0.011"),
        (100_000, "$0.10"),
        (99_999, "$0.10"),
        (1_870_000, "$1.87"),
        (12_000_000, "$12.00"),
    ] {
        assert_eq!(money(micros), text, "{micros}");
    }
}

#[test]
fn what_is_cached_costs_its_own_price_and_a_little_is_never_nothing() {
    let price = Price {
        input: 400,
        cached: 100,
        output: 1_600,
    };
    let usage = |input_tokens, cached_tokens, output_tokens| Usage {
        input_tokens,
        output_tokens,
        cached_tokens,
        ..Usage::default()
    };
    assert_eq!(price.of(usage(3_000, 0, 180)), 1_488);
    assert_eq!(price.of(usage(3_000, 1_000, 180)), 1_188);
    assert_eq!(price.of(usage(1, 0, 0)), 1);
    assert_eq!(price.of(usage(0, 0, 0)), 0);
    assert_eq!(price.of(usage(10, 20, 0)), 1);
    let written = Usage {
        cache_written_tokens: 1_000,
        ..usage(1_000, 0, 0)
    };
    assert_eq!(price.of(written), 500);
}
