use super::*;
use crate::{ConsentState, RoleModels, Toolbox, all};
use gloss_durable::{Key, Path, RunId};
use gloss_host_sim::Sim;
use gloss_model::{ContextWindow, ToolCall};
use gloss_reader::PageService;
use gloss_reader::retrieval::words_only;

/// A holiday table in the format of the build. Its holidays follow the laws for these years.
const TABLE: &str = "2025 2026\n\
    DE\tGermany\t67\t002z323c444f7n9y9z,002k2n3c3p407n9y9z\n\
    DK\tDenmark\t67\t00,00\n\
    SA\tSaudi Arabia\t56\t1g,1g\n";

/// A simulation whose clock shows this UTC time.
fn at(utc: &str) -> Sim {
    let sim = Sim::new(1);
    let wanted = utc
        .parse::<DateTime<chrono::Utc>>()
        .unwrap()
        .timestamp_millis();
    sim.jump_clock(wanted - i64::try_from(sim.now_ms()).unwrap());
    sim.lay(HOLIDAYS, TABLE.as_bytes().to_vec());
    sim
}

fn run(sim: &Sim, language: &str, arguments: Value) -> Result<Output, ToolError> {
    let host = sim.host();
    let tools = all(&host, &PageService::in_process(words_only()));
    let mut toolbox = Toolbox::new(tools, None, ContextWindow::of(None));
    toolbox.run.language = language.to_owned();
    let call = ToolCall {
        id: "1".to_owned(),
        name: NAME.to_owned(),
        arguments,
        reasoning: None,
        after: None,
    };
    let key = Key {
        run: RunId("run".to_owned()),
        path: Path::root(),
    };
    let given = toolbox.run(
        &call,
        &key,
        (ConsentState::MayBeAsked, crate::Approval::NotAsked),
        RoleModels::default(),
    );
    sim.life(u64::MAX, given).unwrap()
}

/// The time in the first zone of the result, as ISO 8601.
fn iso(sim: &Sim, arguments: Value) -> String {
    let output = run(sim, "en", arguments).unwrap();
    output.data["times"][0]["iso"].as_str().unwrap().to_owned()
}

#[test]
fn now_is_told_in_the_users_zone_or_in_several() {
    let sim = at("2026-03-29T00:59:59Z");
    let output = run(&sim, "fr", json!({})).unwrap();
    let expected = json!({ "times": [{
        "zone": "Europe/Paris",
        "offset": "+01:00",
        "iso": "2026-03-29T01:59:59+01:00",
        "text": "Sunday, 29 March 2026, 01:59:59 CET [fr]",
    }]});
    assert_eq!(output.data, expected);
    let zones = [
        "UTC",
        "Asia/Kathmandu",
        "America/St_Johns",
        "Pacific/Kiritimati",
    ];
    let output = run(&sim, "en", json!({ "zones": zones })).unwrap();
    let told = output.data["times"].as_array().unwrap().iter();
    let told: Vec<&str> = told.map(|it| it["iso"].as_str().unwrap()).collect();
    let expected = [
        "2026-03-29T00:59:59+00:00",
        "2026-03-29T06:44:59+05:45",
        "2026-03-28T22:29:59-02:30",
        "2026-03-29T14:59:59+14:00",
    ];
    assert_eq!(told, expected);
}

#[test]
fn days_keep_the_time_of_day_where_clocks_are_changed_and_hours_are_hours() {
    // In Paris, clocks go from 2:00 to 3:00 on 29 March 2026, and from 3:00 to 2:00 on 25 October.
    for (utc, amount, unit, expected) in [
        (
            "2026-03-28T12:00:00Z",
            1,
            "days",
            "2026-03-29T13:00:00+02:00",
        ),
        (
            "2026-03-28T12:00:00Z",
            24,
            "hours",
            "2026-03-29T14:00:00+02:00",
        ),
        // A time that the clocks skip becomes an hour later.
        (
            "2026-03-28T01:30:00Z",
            1,
            "days",
            "2026-03-29T03:30:00+02:00",
        ),
        (
            "2026-03-30T00:30:00Z",
            -1,
            "days",
            "2026-03-29T03:30:00+02:00",
        ),
        // Of a time that occurs twice, the first occurrence is returned.
        (
            "2026-10-24T00:30:00Z",
            1,
            "days",
            "2026-10-25T02:30:00+02:00",
        ),
        (
            "2026-10-26T01:30:00Z",
            -1,
            "days",
            "2026-10-25T02:30:00+02:00",
        ),
        (
            "2026-10-25T00:30:00Z",
            60,
            "minutes",
            "2026-10-25T02:30:00+01:00",
        ),
        (
            "2026-03-28T12:00:00Z",
            30,
            "weeks",
            "2026-10-24T13:00:00+02:00",
        ),
        (
            "2026-01-31T12:00:00Z",
            1,
            "months",
            "2026-02-28T13:00:00+01:00",
        ),
        (
            "2024-02-29T12:00:00Z",
            1,
            "years",
            "2025-02-28T13:00:00+01:00",
        ),
        (
            "2026-03-31T12:00:00Z",
            -1,
            "months",
            "2026-02-28T14:00:00+01:00",
        ),
    ] {
        let arguments = json!({ "amount": amount, "unit": unit });
        assert_eq!(iso(&at(utc), arguments), expected, "{utc} {amount} {unit}");
    }
}

#[test]
fn business_days_skip_weekends_and_the_holidays_of_a_country() {
    // This day is a Thursday. 3 April is Good Friday, and 6 April is Easter Monday.
    let sim = at("2026-04-02T12:00:00Z");
    let count = |amount: i64, country: Option<&str>| {
        let arguments = json!({ "amount": amount, "unit": "businessDays", "country": country });
        run(&sim, "en", arguments).unwrap().data
    };
    for (amount, country, expected) in [
        (1, None, "2026-04-03"),
        (3, None, "2026-04-07"),
        (1, Some("DE"), "2026-04-07"),
        (1, Some("germany"), "2026-04-07"),
        (1, Some("dk"), "2026-04-03"),
        (2, Some("SA"), "2026-04-06"),
        (-4, Some("DE"), "2026-03-27"),
        (0, Some("DE"), "2026-04-02"),
    ] {
        let told = count(amount, country);
        let told = told["times"][0]["iso"].as_str().unwrap();
        assert!(told.starts_with(expected), "{amount} {country:?}: {told}");
    }
    let told = count(1, Some("DE"));
    let expected = json!({
        "country": "Germany (DE)",
        "skip": "its weekends and national public holidays",
        "holidaysSkipped": ["2026-04-03", "2026-04-06"],
        "holidaysKnown": "2025 to 2026",
    });
    assert_eq!(told["businessDays"], expected);
    assert!(count(400, Some("DE"))["businessDays"]["warning"].is_string());
    assert!(count(1, None)["businessDays"]["skip"].is_string());
}

#[test]
fn the_holidays_are_loaded_only_when_a_country_is_named() {
    let sim = at("2026-04-02T12:00:00Z");
    run(&sim, "en", json!({ "amount": 3, "unit": "businessDays" })).unwrap();
    assert_eq!(sim.assets_asked(), 0);
    run(
        &sim,
        "en",
        json!({ "amount": 3, "unit": "businessDays", "country": "DE" }),
    )
    .unwrap();
    assert_eq!(sim.assets_asked(), 1);
}

#[test]
fn a_name_that_there_is_not_gets_those_most_like_it() {
    let sim = at("2026-04-02T12:00:00Z");
    for (arguments, expected) in [
        (
            json!({ "zones": ["Europe/Pari", "tokio"] }),
            "unknown time zone `Europe/Pari`; the most similar: Europe/Paris",
        ),
        (
            json!({ "zones": ["Europe/Pari"] }),
            "unknown time zone `Europe/Pari`; the most similar: Europe/Paris",
        ),
        (
            json!({ "zones": ["New York"] }),
            "unknown time zone `New York`; the most similar: America/New_York",
        ),
        (
            json!({ "country": "Germani" }),
            "unknown country `Germani`; the most similar: Germany (DE)",
        ),
    ] {
        let error = run(&sim, "en", arguments).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn a_zone_that_there_is_not_takes_no_other_along() {
    let sim = at("2026-04-02T12:00:00Z");
    let zones = json!({ "zones": ["Europe/Pari", "UTC", "tokio", "Asia/Tokyo"], "amount": 1 });
    let data = run(&sim, "en", zones).unwrap().data;
    let told = |field: &str, of: &str| {
        let all = data[field].as_array().unwrap().iter();
        all.map(|it| it[of].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(told("times", "zone"), ["UTC", "Asia/Tokyo"]);
    assert_eq!(data["countedIn"], "UTC");
    assert_eq!(told("errors", "zone"), ["Europe/Pari", "tokio"]);
    assert!(told("errors", "error")[1].contains("the most similar: Asia/Tokyo"));
    // If none of the zones is known, the error names all of them.
    let error = run(&sim, "en", json!({ "zones": ["Europe/Pari", "tokio"] })).unwrap_err();
    assert!(error.to_string().contains("Asia/Tokyo"), "{error}");
}

#[test]
fn half_a_count_is_one_or_of_days() {
    let sim = at("2026-04-02T12:00:00Z");
    let tomorrow = "2026-04-03T14:00:00+02:00";
    assert_eq!(iso(&sim, json!({ "amount": 1 })), tomorrow);
    assert_eq!(iso(&sim, json!({ "unit": "days" })), tomorrow);
}
