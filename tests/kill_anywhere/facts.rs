//! Facts about the user. The worker dies while a fact is undone, or while the user changes facts
//! in Options.

use crate::stage::{Life, NEVER, PANEL, embedded, world};
use gloss::app::SurfaceId;
use gloss::app::options::{OptionsRequest, Switch, TypedFact};
use gloss::app::surface::{Command, VERSION};
use gloss::host_sim::Sim;
use gloss::memory::{Category, FactId, Tier};
use serde_json::{Value, json};
use std::rc::Rc;

const OPTIONS: SurfaceId = SurfaceId(9);

fn write(id: &str, content: &str) -> OptionsRequest {
    OptionsRequest::WriteFact {
        fact: TypedFact {
            id: FactId(id.to_owned()),
            content: content.to_owned(),
            category: Category::Profile,
            tier: Tier::Core,
        },
    }
}

/// A life in which the user makes these requests in Options, one after another. The user then
/// sends `said` from the side panel. Returns false if the life was killed.
fn life(
    sim: &Sim,
    epoch: u64,
    kill_at: u64,
    asks: &[OptionsRequest],
    said: Option<&Command>,
) -> bool {
    let life = Life::new(sim, epoch, &embedded());
    life.live(kill_at, async {
        life.app.connect_options(OPTIONS, Rc::new(|_| ()));
        let greeting = Command::Hello {
            version: VERSION,
            tab: None,
            language: "en".to_owned(),
        };
        life.say(OPTIONS, &greeting).await;
        for (n, ask) in (1..).zip(asks.iter().cloned()) {
            life.say(OPTIONS, &Command::Options { n, ask }).await;
        }
        if let Some(said) = said {
            life.say(PANEL, said).await;
        }
    })
}

/// The stored facts: the content, the content of the fact that it replaced, and true if pinned.
fn known(sim: &Sim) -> Vec<(String, Option<String>, bool)> {
    let Some(text) = sim.shelved("facts") else {
        return Vec::new();
    };
    let kept: Value = serde_json::from_str(&text).expect("facts");
    let facts = kept["facts"].as_array().expect("a list");
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let mut known: Vec<_> = facts
        .iter()
        .map(|fact| {
            let content = text(&fact["content"]).expect("a text");
            let replaced = text(&fact["replaced"]["fact"]["content"]);
            (content, replaced, fact["pinned"] == json!(true))
        })
        .collect();
    known.sort();
    known
}

/// A fact: its content, the content of the fact that it replaced, and true if it is pinned.
type Known<'a> = (&'a str, Option<&'a str>, bool);

/// An action of the user: requests in Options, or a command from the side panel.
enum Deed {
    Asks(OptionsRequest),
    Says(Command),
}

/// The stored facts: a sloop, which replaced a smaller sloop, and chess.
const TOLD: &str = r#"{"format": "gloss-facts", "version": 1, "facts": [
    {"id": "b", "content": "Sails a 7-metre sloop", "source": {"how": "conversation"},
     "created_at_ms": 2, "tier": "core", "replaced": {"at_ms": 2, "fact":
        {"id": "a", "content": "Sails a 6-metre sloop", "source": {"how": "typed"},
         "created_at_ms": 1, "tier": "core"}}},
    {"id": "c", "content": "Plays chess", "source": {"how": "typed"}, "created_at_ms": 3,
     "tier": "core"}]}"#;

fn told() -> Sim {
    let sim = world(3);
    sim.set_shelved("facts", TOLD);
    sim
}

fn done(sim: &Sim, epoch: u64, kill_at: u64, deed: &Deed) -> bool {
    match deed {
        Deed::Asks(ask) => life(sim, epoch, kill_at, std::slice::from_ref(ask), None),
        Deed::Says(command) => life(sim, epoch, kill_at, &[], Some(command)),
    }
}

#[test]
fn what_is_taken_back_or_changed_in_options_is_so_once_whatever_is_killed_when() {
    let id = |id: &str| FactId(id.to_owned());
    let file = json!({ "format": "gloss-facts", "version": 1, "facts": [
        { "id": "f", "content": "Speaks Welsh", "source": { "how": "typed" },
          "created_at_ms": 1, "expires_at_ms": 2 },
        { "id": "g", "content": "plays chess.", "source": { "how": "typed" },
          "created_at_ms": 1 },
        { "id": "h", "content": 7 },
    ] });
    let text = file.to_string();
    let pinned = Switch::On;
    let sloop = "Sails a 7-metre sloop";
    let smaller = "Sails a 6-metre sloop";
    let chess: Known = ("Plays chess", None, false);
    let now: Known = (sloop, Some(smaller), false);
    let welsh = json!({ "id": "w", "content": "Speaks Welsh", "source": { "how": "typed" },
        "created_at_ms": 1, "pinned": true });
    let go = json!({ "id": "e", "content": "Plays go", "source": { "how": "conversation" },
        "created_at_ms": 1 });
    let [welsh, go] = [welsh, go].map(|it| serde_json::from_value(it).expect("a fact"));
    let deeds: [(&str, Deed, Vec<Known>); 9] = [
        (
            "undo",
            Deed::Says(Command::Unremember { fact: id("b") }),
            vec![chess, (smaller, None, false)],
        ),
        (
            "new",
            Deed::Asks(write("d", "Speaks Welsh")),
            vec![chess, now, ("Speaks Welsh", None, false)],
        ),
        (
            "said again",
            Deed::Asks(write("d", "The user plays chess")),
            vec![now, ("The user plays chess", None, false)],
        ),
        (
            "changed",
            Deed::Asks(write("c", "Plays go")),
            vec![("Plays go", None, false), now],
        ),
        (
            "pinned",
            Deed::Asks(OptionsRequest::PinFact {
                id: id("c"),
                pinned,
            }),
            vec![("Plays chess", None, true), now],
        ),
        (
            "forgotten",
            Deed::Asks(OptionsRequest::ForgetFact { id: id("c") }),
            vec![now],
        ),
        (
            "brought back",
            Deed::Asks(OptionsRequest::BringBackFacts {
                written: None,
                facts: vec![welsh],
            }),
            vec![chess, now, ("Speaks Welsh", None, true)],
        ),
        (
            "written, taken back",
            Deed::Asks(OptionsRequest::BringBackFacts {
                written: Some(id("c")),
                facts: vec![go],
            }),
            vec![("Plays go", None, false), now],
        ),
        (
            "read in",
            Deed::Asks(OptionsRequest::ImportFacts {
                act: "import".to_owned(),
                text,
            }),
            vec![chess, now, ("Speaks Welsh", None, false)],
        ),
    ];
    let kills: usize = (deeds.into_iter())
        .map(|(name, deed, wanted)| killed(name, &deed, wanted))
        .sum();
    println!("{kills} kills");
    assert!(kills > 50, "{kills}");
}

/// Kills the worker at every point of an action, and returns the number of points. The action must
/// be done completely or not at all, and only once, even if the user repeats it.
fn killed(name: &str, deed: &Deed, wanted: Vec<Known>) -> usize {
    let before = known(&told());
    let wanted: Vec<_> = (wanted.into_iter())
        .map(|(content, replaced, pinned)| {
            (content.to_owned(), replaced.map(str::to_owned), pinned)
        })
        .collect();
    let mut kills = 0;
    loop {
        let sim = told();
        let survived = done(&sim, 2, kills as u64, deed);
        let after = known(&sim);
        assert!(
            after == wanted || after == before,
            "{name} {kills}: {after:?}"
        );
        // The user saw no answer, and therefore repeats the action.
        assert!(done(&sim, 3, NEVER, deed));
        assert_eq!(known(&sim), wanted, "{name} {kills}");
        if survived {
            assert_eq!(after, wanted, "{name}");
            return kills;
        }
        kills += 1;
    }
}
