//! What is known of the person where the worker dies: while two machines share it, while
//! something is taken back, and while the person changes it in Options.

use crate::stage::{Life, NEVER, PANEL, embedded, world};
use gloss::app::SurfaceId;
use gloss::app::options::{Ask, Change, Switch, TypedFact};
use gloss::app::surface::{Command, VERSION};
use gloss::host::sim::Sim;
use gloss::memory::{Category, FactId, Tier};
use serde_json::{Value, json};
use std::rc::Rc;

const OPTIONS: SurfaceId = SurfaceId(9);
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

fn write(id: &str, content: &str) -> Ask {
    Ask::WriteFact {
        fact: TypedFact {
            id: FactId(id.to_owned()),
            content: content.to_owned(),
            category: Category::Profile,
            tier: Tier::Core,
        },
    }
}

fn sharing() -> Ask {
    Ask::Change {
        change: Change::SyncFacts(Switch::On),
    }
}

/// A life in which the person presses these in Options, one after another, then this beside
/// the page; `false` if it was killed.
fn life(sim: &Sim, epoch: u64, kill_at: u64, asks: &[Ask], said: Option<&Command>) -> bool {
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

/// What stands on the shelf: each fact, what it says instead of, and whether it is pinned.
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
            let replaced = text(&fact["replaced"]["content"]);
            (content, replaced, fact["pinned"] == json!(true))
        })
        .collect();
    known.sort();
    known
}

/// What one machine shares comes to the other's account.
fn carry(from: &Sim, to: &Sim) {
    for (name, text) in from.shared() {
        to.set_shared(&name, &text);
    }
}

/// What the person does at two machines in turn, of which one life, if any, is killed at a
/// tick and done again by the next worker; `None` if that life outlived the tick.
fn two_machines(seed: u64, killed: Option<(usize, u64)>) -> Option<[Sim; 2]> {
    let machines = [world(seed), world(seed + 1)];
    // What is told there is told later.
    machines[1].jump_clock(DAY_MS);
    let here = [
        write("a", "Lives in Berlin"),
        write("b", "Plays chess"),
        sharing(),
    ];
    let there = [
        write("c", "Lives in Munich"),
        write("d", "The user plays chess"),
        write("e", "Sails a sloop"),
        sharing(),
    ];
    let lives: [(usize, &[Ask]); 5] = [(0, &here), (1, &there), (0, &[]), (1, &[]), (0, &[])];
    for (n, (at, asks)) in lives.into_iter().enumerate() {
        let epoch = 2 * n as u64;
        let sim = &machines[at];
        let kill_at = killed.filter(|(of, _)| *of == n).map_or(NEVER, |it| it.1);
        let survived = life(sim, epoch + 1, kill_at, asks, None);
        if survived && kill_at != NEVER {
            return None;
        }
        // What had come to the account before it died is on its way to the other.
        carry(sim, &machines[1 - at]);
        if !survived {
            assert!(life(sim, epoch + 2, NEVER, asks, None));
            carry(sim, &machines[1 - at]);
        }
    }
    Some(machines)
}

#[test]
fn two_machines_killed_at_any_tick_agree_and_hold_each_fact_once() {
    let mut kills = 0;
    for seed in [4, 6, 8, 10] {
        let whole = two_machines(seed, None).expect("nobody is killed");
        let whole = whole.map(|sim| known(&sim));
        let munich = "Lives in Munich".to_owned();
        let munich = (munich, Some("Lives in Berlin".to_owned()), false);
        let alone = |content: &str| (content.to_owned(), None, false);
        let once = [
            munich,
            alone("Sails a sloop"),
            alone("The user plays chess"),
        ];
        assert_eq!(whole[0], once, "{seed}");
        assert_eq!(whole[1], once, "{seed}");
        for (n, kill_at) in (0..5).flat_map(|n| (0..60).map(move |kill_at| (n, kill_at))) {
            let Some(machines) = two_machines(seed, Some((n, kill_at))) else {
                continue;
            };
            let [here, there] = machines.map(|sim| (known(&sim), sim.shared()));
            assert_eq!(here.0, once, "{seed}: life {n} killed at {kill_at}");
            assert_eq!(there.0, once, "{seed}: life {n} killed at {kill_at}");
            assert_eq!(here.1, there.1, "{seed}: life {n} killed at {kill_at}");
            kills += 1;
        }
    }
    println!("{kills} kills");
    assert!(kills > 200, "{kills}");
}

/// A fact: its words, what it says instead of, and whether it is pinned.
type Known<'a> = (&'a str, Option<&'a str>, bool);

/// What the person does: in Options, or beside the page.
enum Deed {
    Asks(Ask),
    Says(Command),
}

/// A world that knows of a sloop, which was smaller, and of chess.
fn told() -> Sim {
    let sim = world(3);
    let asks = [
        write("a", "Sails a 6-metre sloop"),
        write("b", "Sails a 7-metre sloop"),
        write("c", "Plays chess"),
    ];
    assert!(life(&sim, 1, NEVER, &asks, None));
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
          "created_at_ms": 1, "changed_at_ms": 1, "expires_at_ms": 2 },
        { "id": "g", "content": "Sails a 9-metre sloop", "source": { "how": "typed" },
          "created_at_ms": 1, "changed_at_ms": 1 },
        { "id": "h", "content": 7 },
    ] });
    let text = file.to_string();
    let pinned = Switch::On;
    let sloop = "Sails a 7-metre sloop";
    let smaller = "Sails a 6-metre sloop";
    let chess: Known = ("Plays chess", None, false);
    let now: Known = (sloop, Some(smaller), false);
    let welsh = json!({ "id": "w", "content": "Speaks Welsh", "source": { "how": "typed" },
        "created_at_ms": 1, "changed_at_ms": 1, "pinned": true });
    let go = json!({ "id": "e", "content": "Plays go", "source": { "how": "conversation" },
        "created_at_ms": 1, "changed_at_ms": 1 });
    let [welsh, go] = [welsh, go].map(|it| serde_json::from_value(it).expect("a fact"));
    let deeds: [(&str, Deed, Vec<Known>); 10] = [
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
            "said otherwise",
            Deed::Asks(write("d", "Sails an 8-metre sloop")),
            vec![chess, ("Sails an 8-metre sloop", Some(sloop), false)],
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
            Deed::Asks(Ask::PinFact {
                id: id("c"),
                pinned,
            }),
            vec![("Plays chess", None, true), now],
        ),
        (
            "forgotten",
            Deed::Asks(Ask::ForgetFact { id: id("c") }),
            vec![now],
        ),
        (
            "brought back",
            Deed::Asks(Ask::BringBackFacts {
                written: None,
                facts: vec![welsh],
            }),
            vec![chess, now, ("Speaks Welsh", None, true)],
        ),
        (
            "written, taken back",
            Deed::Asks(Ask::BringBackFacts {
                written: Some(id("c")),
                facts: vec![go],
            }),
            vec![("Plays go", None, false), now],
        ),
        (
            "read in",
            Deed::Asks(Ask::ImportFacts {
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

/// Kills a deed at every point, and gives how many there were: it is done whole or not at all,
/// and once however often it is asked for.
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
        // They press it again, who saw no answer.
        assert!(done(&sim, 3, NEVER, deed));
        assert_eq!(known(&sim), wanted, "{name} {kills}");
        if survived {
            assert_eq!(after, wanted, "{name}");
            return kills;
        }
        kills += 1;
    }
}
