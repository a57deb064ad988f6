use super::*;
use gloss_host_sim::Sim;
use gloss_model::prompts::Name;
use gloss_model::{BUILT_IN, Calling, Language, Price};
use quickcheck::{Arbitrary, Gen, quickcheck};
use std::future::Future;

const PLACES: [&str; 4] = [
    "https://api.openai.com/v1",
    "http://localhost:11434/v1",
    "http://192.168.1.7:8080",
    "http://[::1]:1234/v1",
];

fn profile(id: &str, base_url: &str) -> Profile {
    Profile {
        id: id.to_owned(),
        name: format!("Server {id}"),
        base_url: base_url.to_owned(),
        model: "m".to_owned(),
        ..Profile::default()
    }
}

impl Arbitrary for Preferences {
    fn arbitrary(g: &mut Gen) -> Self {
        let within = |limit: Limit, g: &mut Gen| {
            let (low, high) = (*limit.range().start(), *limit.range().end());
            low + u32::arbitrary(g) % (high - low + 1)
        };
        let styles = [Style::ToolFirst, Style::Balanced, Style::Direct];
        let ids = ["a", "b-2", "c"];
        let count = usize::arbitrary(g) % (ids.len() + 1);
        let profiles: Vec<Profile> = ids[..count]
            .iter()
            .map(|id| profile(id, g.choose(&PLACES).unwrap()))
            .collect();
        let known: Vec<Option<String>> = profiles
            .iter()
            .map(|profile| Some(profile.id.clone()))
            .chain([None])
            .collect();
        Self {
            approvals: Vec::new(),
            closed_sites: Vec::<(String, u64)>::arbitrary(g).into_iter().collect(),
            style: *g.choose(&styles).unwrap(),
            cycle: *g.choose(&[Cycle::Fused, Cycle::Strict]).unwrap(),
            max_steps: bool::arbitrary(g).then(|| within(Limit::Steps, g) as u8),
            max_tokens: within(Limit::Tokens, g),
            max_minutes: within(Limit::Minutes, g),
            max_tool_calls: within(Limit::ToolCalls, g),
            show_thinking: bool::arbitrary(g),
            keep_history: bool::arbitrary(g),
            answers: g.choose(&known).unwrap().clone(),
            then: profiles.iter().rev().map(|it| it.id.clone()).collect(),
            search: {
                let engine = *g.choose(&ProviderKind::ALL).unwrap();
                let server = gloss_web::search::Server {
                    base_url: (*g.choose(&PLACES).unwrap()).to_owned(),
                    per_day: 1 + u32::arbitrary(g) % gloss_web::search::MOST_A_DAY,
                    ..gloss_web::search::Server::default()
                };
                let mut search = gloss_web::search::Settings {
                    engine,
                    servers: [(engine, server)].into(),
                    ..gloss_web::search::Settings::default()
                };
                let category = *g.choose(&gloss_web::search::Category::ALL).unwrap();
                search
                    .domains
                    .set(category, "own.example *.gov.uk")
                    .unwrap();
                search
            },
            roles: {
                let mut roles = Roles::default();
                for role in Role::ALL {
                    roles.set(role, g.choose(&known).unwrap().clone());
                }
                roles
            },
            max_cost_cents: within(Limit::Cents, g),
            max_month_dollars: bool::arbitrary(g).then(|| within(Limit::Month, g)),
            warn_percent: within(Limit::Warning, g) as u8,
            tools_off: Vec::arbitrary(g).into(),
            groups_off: (0..2)
                .filter_map(|_| g.choose(&[Group::WebSearch, Group::Images]).copied())
                .collect(),
            on_tool_failure: *g
                .choose(&[OnToolFailure::Continue, OnToolFailure::Fail])
                .unwrap(),
            prompts: {
                let mut prompts = Overrides::default();
                if bool::arbitrary(g) {
                    // The text may be invalid too: an invalid text is kept so that the user can
                    // correct it.
                    let text = Some(String::arbitrary(g));
                    prompts.set(Name::Reason, Language::Chinese, text);
                }
                prompts
            },
            profiles,
        }
    }
}

quickcheck! {
    fn no_file_and_no_reset_opens_a_closed_site(old: Preferences, new: Preferences) -> bool {
        let merged = old.with(new.clone()).closed_sites;
        let all = |sites: &SortedMap<String, u64>| sites.keys().all(|it| merged.contains_key(it));
        let stay = old.closed_sites.iter().all(|(site, since)| merged.get(site) == Some(since));
        stay && all(&new.closed_sites) && old.reset().closed_sites == old.closed_sites
    }

    fn what_is_written_is_read_again(preferences: Preferences) -> bool {
        document::read(&document::write(&preferences)) == Ok(preferences)
    }

    fn what_is_imported_wins_and_no_profile_is_lost(old: Preferences, new: Preferences) -> bool {
        let merged = old.with(new.clone());
        let kept = |profile: &Profile| merged.profile(&profile.id).is_some();
        merged.settings() == new.settings()
            && new.profiles.iter().all(|profile| merged.profile(&profile.id) == Some(profile))
            && old.profiles.iter().all(kept)
    }

    fn a_key_stays_only_where_its_server_stays(old: Preferences, new: Preferences) -> bool {
        let lost = old.keys_lost(&new);
        old.profiles.iter().all(|before| {
            let origin = |profile: &Profile| origin_of(&profile.base_url);
            let same = new.profile(&before.id).map(origin) == Some(origin(before));
            lost.contains(&before.id) != same
        })
    }
}

fn living<T>(sim: &Sim, life: impl Future<Output = T>) -> T {
    sim.life(u64::MAX, life).unwrap()
}

#[test]
fn the_defaults_are_the_loop_s_own() {
    let preferences = Preferences::default();
    // A run that was recorded before the monthly limit existed has no such limit.
    let settings = Settings {
        max_month_dollars: Some(5),
        ..Settings::default()
    };
    assert_eq!(preferences.settings(), settings);
    assert_eq!(preferences.problems(), []);
    assert_eq!(preferences.main(), ModelChoice::Embedded);
}

#[test]
fn what_is_set_is_in_force_in_the_next_life() {
    let sim = Sim::new(1);
    let set = Preferences {
        style: Style::Direct,
        max_steps: Some(3),
        ..Preferences::default()
    };
    let (kept, next) = (PreferencesStore::new(sim.host().local_storage), set.clone());
    living(&sim, async move { kept.set(next).await }).unwrap();
    let kept = PreferencesStore::new(sim.host().local_storage);
    let (warning, now) = living(&sim, async move { (kept.load().await, kept.now()) });
    assert_eq!((warning, now), (None, set));
}

#[test]
fn a_prompt_of_ones_own_that_is_no_longer_valid_is_named_and_kept() {
    let mut set = Preferences::default();
    let own = "<task>\nSay why. {{action}} {{error}}\n</task>\n\n<failure>\nIt failed.\n</failure>";
    let (name, language) = (Name::Reflection, Language::English);
    set.prompts.set(name, language, Some(own.to_owned()));
    for (text, warned) in [
        (own.to_owned(), None),
        (
            // A user of an older Gloss could choose this name, because Gloss itself had no such
            // section then.
            format!("{own}\n\n<earlier>\n{{{{earlier}}}}\n</earlier>"),
            Some("prompt_section_name"),
        ),
    ] {
        set.prompts.set(name, language, Some(text));
        let sim = Sim::new(1);
        sim.set_shelved("preferences", &document::write(&set));
        let kept = PreferencesStore::new(sim.host().local_storage);
        let (warning, now) = living(&sim, async move { (kept.load().await, kept.now()) });
        let remedy = warning.as_ref().map(|warning| warning.remedy.key.as_str());
        assert_eq!(remedy, warned);
        let named = warning.map(|warning| warning.remedy.args);
        let expected = warned.map(|_| ["reflection", "9", "earlier"].map(str::to_owned).to_vec());
        assert_eq!(named, expected);
        assert_eq!(now, set);
    }
}

#[test]
fn a_text_that_cannot_be_read_is_kept_aside_and_the_defaults_are_in_force() {
    let written = document::write(&Preferences::default());
    let newer = written.replace("\"version\": 1", "\"version\": 2");
    let wrong = written.replace("\"balanced\"", "\"bold\"");
    let beyond = written.replace("100000", "7");
    let cases = [
        ("{ torn", "settings_unreadable_remedy"),
        ("[1]", "settings_unreadable_remedy"),
        (newer.as_str(), "settings_newer_remedy"),
        (wrong.as_str(), "settings_unreadable_remedy"),
        (beyond.as_str(), "settings_unreadable_remedy"),
    ];
    for (text, remedy) in cases {
        let sim = Sim::new(1);
        sim.set_shelved("preferences", text);
        let kept = PreferencesStore::new(sim.host().local_storage);
        let (warning, now) = living(&sim, async move {
            let warning = kept.load().await;
            // A later change replaces the settings, but the unreadable text stays.
            kept.set(kept.now()).await.unwrap();
            (warning.unwrap(), kept.now())
        });
        assert_eq!(warning.remedy.key, remedy, "{text}");
        assert_eq!(now, Preferences::default());
        assert_eq!(sim.shelved("preferences.unreadable").as_deref(), Some(text));
        assert_eq!(sim.shelved("preferences"), Some(written.clone()));
    }
}

#[test]
fn what_storage_refuses_is_not_in_force() {
    let sim = Sim::new(1);
    sim.deny_storage("no");
    let kept = PreferencesStore::new(sim.host().local_storage);
    let now = living(&sim, async move {
        let next = Preferences {
            show_thinking: true,
            ..Preferences::default()
        };
        assert!(kept.set(next).await.is_err());
        kept.now()
    });
    assert_eq!(now, Preferences::default());
}

#[test]
fn unknown_settings_are_skipped_and_missing_ones_have_their_defaults() {
    let text = r#"{ "format": "gloss-preferences", "version": 1, "from": "elsewhere",
        "preferences": { "show_thinking": true, "sparkle": 3, "answers": "gone" } }"#;
    let expected = Preferences {
        show_thinking: true,
        ..Preferences::default()
    };
    assert_eq!(document::read(text), Ok(expected));
}

#[test]
fn a_text_that_may_not_stand_is_refused_whole_and_repeats_nothing_of_itself() {
    let with = |preferences: &str| {
        format!(r#"{{"format":"gloss-preferences","version":1,"preferences":{preferences}}}"#)
    };
    let server = |url: &str| format!(r#"{{"id":"a","name":"n","base_url":"{url}","model":"m"}}"#);
    let cases = [
        ("sk-canary".to_owned(), "options_import_foreign"),
        (
            r#"{"format":"sk-canary"}"#.to_owned(),
            "options_import_foreign",
        ),
        (with(r#"{"style":"sk-canary"}"#), "options_import_setting"),
        (with(r#"{"max_tokens":-1}"#), "options_import_setting"),
        (with(r#"{"max_steps":11}"#), "options_import_refused"),
        (with(r#"{"max_minutes":0}"#), "options_import_refused"),
        (
            with(&format!(r#"{{"profiles":[{}]}}"#, server("sk-canary"))),
            "options_import_refused",
        ),
        (
            with(&format!(r#"{{"profiles":[{0},{0}]}}"#, server("http://a"))),
            "options_import_setting",
        ),
    ];
    for (text, words) in cases {
        let refused = document::read(&text).unwrap_err().words();
        assert_eq!(refused.key, words, "{text}");
        assert!(!format!("{refused:?}").contains("canary"), "{refused:?}");
    }
}

#[test]
fn an_origin_is_read_as_a_browser_would_and_odd_addresses_have_none() {
    let cases = [
        ("https://api.openai.com/v1", Some("https://api.openai.com")),
        ("HTTP://LocalHost:11434", Some("http://localhost:11434")),
        ("http://[::1]:8080/v1", Some("http://[::1]:8080")),
        ("api.openai.com", None),
        ("ftp://a", None),
        ("https://", None),
        ("https://user@a", None),
        ("https://a?api-version=1", None),
        ("https://a#b", None),
        ("https://a:99999", None),
        ("https://a b", None),
        ("http://::1", None),
    ];
    for (url, origin) in cases {
        assert_eq!(origin_of(url).as_deref(), origin, "{url}");
    }
}

#[test]
fn an_address_may_hold_no_query_and_no_password() {
    for url in [
        "https://a.example/v1?key=SECRET",
        "https://me:SECRET@a.example/v1",
        "https://SECRET@a.example",
        "https://a.example/v1#SECRET",
    ] {
        let problems = profiles::problems(&profile("a", url));
        let at: Vec<_> = problems.iter().map(|problem| problem.field).collect();
        assert_eq!(at, [FieldName::BaseUrl], "{url}");
        assert_eq!(
            problems[0].words,
            gloss_model::phrase::phrase("options_url_private")
        );
    }
}

#[test]
fn a_limit_takes_what_is_within_its_range_and_only_steps_may_be_empty() {
    let cases = [
        (Limit::Steps, "", Ok(None)),
        (Limit::Steps, " 10 ", Ok(Some(10))),
        (Limit::Steps, "0", Err(())),
        (Limit::Steps, "11", Err(())),
        (Limit::Tokens, "5000", Ok(Some(5_000))),
        (Limit::Tokens, "", Err(())),
        (Limit::Minutes, "2.5", Err(())),
        (Limit::ToolCalls, "-1", Err(())),
    ];
    for (limit, typed, expected) in cases {
        assert_eq!(
            limit.read(typed).map_err(drop),
            expected,
            "{limit:?} {typed:?}"
        );
    }
}

#[test]
fn a_provider_is_known_by_its_address() {
    for provider in Provider::ALL {
        for api in provider.apis() {
            let url = provider.base_url(api);
            assert_eq!(Provider::at(url), provider);
            let is_known = provider != Provider::Other;
            assert_eq!(origin_of(url).is_some(), is_known, "{url}");
            assert_eq!(provider.name().is_some(), is_known);
        }
        assert!(provider.apis().next().is_some());
    }
    assert_eq!(Provider::at("http://192.168.0.2:11434/v1"), Provider::Other);
}

#[test]
fn what_a_conversation_may_choose_begins_with_the_device() {
    let preferences = Preferences {
        profiles: vec![profile("a", PLACES[0]), profile("b", PLACES[1])],
        answers: Some("b".to_owned()),
        max_steps: Some(4),
        ..Preferences::default()
    };
    let offers = preferences.offers();
    let hosts: Vec<&str> = offers.iter().map(|offer| offer.host.as_str()).collect();
    assert_eq!(hosts, ["", "api.openai.com", "localhost:11434", ""]);
    let costs: Vec<_> = offers.iter().map(|offer| offer.cost).collect();
    assert_eq!(costs, [Some(0), None, Some(0), Some(0)]);
    let mini = Profile {
        model: "gpt-4.1-mini".to_owned(),
        ..profile("c", PLACES[0])
    };
    let offers = Preferences {
        profiles: vec![mini],
        ..Preferences::default()
    }
    .offers();
    assert_eq!(offers[1].cost, Some(2_080));
    let id = |choice| match choice {
        ModelChoice::Profile(profile) => profile.id,
        ModelChoice::Embedded => String::new(),
        ModelChoice::BuiltIn => BUILT_IN.to_owned(),
    };
    assert_eq!(id(preferences.main()), "b");
    assert_eq!(id(preferences.choice("a")), "a");
    assert_eq!(id(preferences.choice(BUILT_IN)), BUILT_IN);
    assert_eq!(id(preferences.choice("gone")), "");
    assert_eq!(id(preferences.choice("")), "");
    let tuning = preferences.defaults(&[]).tuning;
    assert_eq!((tuning.model.as_str(), tuning.max_steps), ("b", Some(4)));
}

#[test]
fn a_part_is_played_by_who_was_named_and_else_by_the_main_one() {
    let mut preferences = Preferences {
        profiles: vec![profile("a", PLACES[0]), profile("b", PLACES[1])],
        answers: Some("b".to_owned()),
        ..Preferences::default()
    };
    let id = |choice| match choice {
        ModelChoice::Profile(profile) => profile.id,
        ModelChoice::Embedded => String::new(),
        ModelChoice::BuiltIn => BUILT_IN.to_owned(),
    };
    for role in Role::ALL {
        assert_eq!(preferences.model_for(role), None);
        preferences.roles.set(role, Some("a".to_owned()));
        assert_eq!(preferences.model_for(role).map(id).as_deref(), Some("a"));
    }
    preferences.then = ["a", "", "b"].map(str::to_owned).to_vec();
    preferences.remove_profile("a");
    for role in Role::ALL {
        assert_eq!(preferences.roles.of(role), None);
        assert_eq!(preferences.model_for(role), None);
    }
    assert_eq!(preferences.then, ["", "b"]);
}

#[test]
fn names_of_nobody_in_a_file_are_left_out() {
    let text = r#"{ "format": "gloss-preferences", "version": 1, "preferences": {
        "profiles": [{ "id": "a", "name": "n", "base_url": "http://a", "model": "m" }],
        "answers": "b", "then": ["a", "gone", "", "a", ""],
        "roles": { "light": "a", "vision": "gone", "pilot": "a" } } }"#;
    let read = document::read(text).unwrap();
    assert_eq!(read.answers, None);
    assert_eq!(read.then, ["a", ""]);
    assert_eq!(read.roles.of(Role::Light), Some("a"));
    assert_eq!(read.roles.of(Role::Vision), None);
}

#[test]
fn figures_are_read_as_they_are_typed_and_shown_as_they_are_read() {
    let typed = |figures: [&str; 4]| TypedFacts {
        figures: figures.map(str::to_owned),
        images: true,
        tools: false,
        schema: true,
    };
    let price = |input, cached, output| {
        Some(Price {
            input,
            cached,
            output,
        })
    };
    let at = |figure| FieldName::Figure(figure);
    let (window, input, cached, output) = (
        at(Figure::Window),
        at(Figure::Input),
        at(Figure::Cached),
        at(Figure::Output),
    );
    let cases = [
        (["", "", "", ""], Ok((None, None))),
        (
            ["1,047,576", "0.40", "0.10", "1.60"],
            Ok((Some(1_047_576), price(400, 100, 1_600))),
        ),
        (
            ["8192", ".075", "", "3"],
            Ok((Some(8_192), price(75, 75, 3_000))),
        ),
        (["8192", "0", "0", "0"], Ok((Some(8_192), price(0, 0, 0)))),
        (
            ["", "1000", "", "1000.000"],
            Ok((None, price(1_000_000, 1_000_000, 1_000_000))),
        ),
        (["0", "", "", ""], Err(vec![window])),
        (
            ["8k", "-1", "0.0001", "1e3"],
            Err(vec![window, input, cached, output]),
        ),
        (
            ["", "1000.001", ".", "4294968"],
            Err(vec![input, cached, output]),
        ),
        (["", "1", "", ""], Err(vec![output])),
        (["", "", "1", ""], Err(vec![input])),
        (["", "", "", "1"], Err(vec![input])),
    ];
    for (figures, expected) in cases {
        let mut own = profile("a", PLACES[0]);
        let read = typed(figures).set(&mut own);
        let at = |problems: Vec<Problem>| problems.iter().map(|it| it.field).collect();
        let read = read.map_err(at).map(|()| {
            let facts = own.facts.unwrap();
            assert!(facts.images && facts.schema);
            assert_eq!(own.calling, Calling::Text);
            let shown = TypedFacts::of(&own);
            let mut again = own.clone();
            assert_eq!(shown.set(&mut again), Ok(()));
            assert_eq!(again, own, "{shown:?}");
            (facts.window, facts.price)
        });
        assert_eq!(read, expected, "{figures:?}");
    }
}
