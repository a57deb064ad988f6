//! Messages to an active run, turns that replace other turns, and a full queue of messages.

use crate::stage::{
    Life, NEVER, PANEL, article, ask, embedded, hello, listen, recorded, start, start_by,
    start_over, steady, whole, world,
};
use futures::channel::oneshot;
use futures::future::{join, join_all};
use gloss::agent::{Goal, Status};
use gloss::app::SurfaceId;
use gloss::app::options::{Change, OptionsRequest, Switch};
use gloss::app::surface::{Command, ConversationSettings, Snapshot, Turn, VERSION};
use gloss::durable::RunId;
use gloss::host::TabId;
use gloss::tools::Group;
use std::cell::Cell;
use std::rc::Rc;

fn question(words: &str) -> Goal {
    Goal::Ask {
        question: words.to_owned(),
    }
}

fn second() -> Command {
    start("second", question("And why do neaps come?"))
}

/// The number of times that the second message was read by a run or became a turn.
fn reached(turns: &[Turn]) -> usize {
    let id = RunId("second".to_owned());
    let own = turns.iter().filter(|turn| turn.run == id).count();
    let messages = turns.iter().flat_map(|turn| &turn.messages);
    let read = messages.filter(|m| m.message == id && m.read_at_ms.is_some());
    own + read.count()
}

#[test]
fn a_message_sent_at_any_tick_is_read_once_or_becomes_a_turn() {
    let (_, ticks) = whole(2, steady, &ask());
    let (mut read, mut turned) = (0, 0);
    for tick in 0..ticks + 2 {
        let sim = world(2);
        let life = Life::new(&sim, 1, &steady(&sim));
        assert!(life.live(NEVER, with_second_at(&life, tick)));
        let turns = life.panel.borrow().turns();
        assert_eq!(reached(&turns), 1, "{tick}");
        assert!(
            turns.iter().all(|t| t.status == Status::Completed),
            "{tick}"
        );
        match turns.len() {
            1 => read += 1,
            _ => turned += 1,
        }
    }
    assert!(read > 5 && turned > 2, "{read} read, {turned} turned");
}

#[test]
fn a_message_survives_a_kill_at_any_instant() {
    let mut kills = 0;
    for tick in (6..30).step_by(4) {
        for kill_at in tick..tick + 14 {
            let sim = world(2);
            let life = Life::new(&sim, 1, &steady(&sim));
            if life.live(kill_at, with_second_at(&life, tick)) {
                break;
            }
            kills += 1;
            let life = Life::new(&sim, 2, &steady(&sim));
            assert!(life.until(NEVER, &[start("run", ask()), second()]));
            let turns = life.panel.borrow().turns();
            assert_eq!(reached(&turns), 1, "{tick} {kill_at}");
            let done = turns.iter().all(|turn| turn.status == Status::Completed);
            assert!(done, "{tick} {kill_at}");
        }
    }
    assert!(kills > 40, "{kills}");
}

/// Sends the first question at once, and the second question at a tick.
async fn with_second_at(life: &Life, tick: u64) {
    let (send, receive) = oneshot::channel();
    let sim = life.sim.clone();
    sim.at_tick(tick, move || send.send(()).unwrap_or_default());
    let first = start("run", ask());
    let meanwhile = async {
        if receive.await.is_ok() {
            life.say(PANEL, &second()).await;
        }
    };
    join(join(life.app.resume(), life.say(PANEL, &first)), meanwhile).await;
}

#[test]
fn a_message_taken_back_is_never_read() {
    let sim = world(2);
    let life = Life::new(&sim, 1, &steady(&sim));
    let message = RunId("second".to_owned());
    // The capture of the page is slow, so that the run has not read any message yet.
    sim.set_capture_delay(30);
    assert!(life.live(NEVER, async {
        let first = start("run", ask());
        let meanwhile = async {
            life.say(PANEL, &second()).await;
            life.say(PANEL, &Command::TakeBack { message }).await;
        };
        join(life.say(PANEL, &first), meanwhile).await;
    }));
    assert_eq!(life.panel.borrow().turns().len(), 1);
    assert!(life.turn().messages.is_empty());
}

#[test]
fn a_fourth_message_is_refused_in_words() {
    let sim = world(2);
    let life = Life::new(&sim, 1, &steady(&sim));
    sim.set_capture_delay(30);
    assert!(life.live(NEVER, async {
        let first = start("run", ask());
        let more = ["a", "b", "c", "d"].map(|id| start(id, question(id)));
        let more = more.iter().map(|command| life.say(PANEL, command));
        join(life.say(PANEL, &first), join_all(more)).await;
    }));
    let refused = life.panel.borrow().refused.clone();
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].code, "queue_full");
    assert_eq!(
        life.panel.borrow().turns().len(),
        1,
        "three were read in it"
    );
}

#[test]
fn a_turn_that_replaces_another_stands_in_its_place() {
    let sim = world(2);
    let life = Life::new(&sim, 1, &steady(&sim));
    let edited = start_over("edited", question("What are neaps?"), "run");
    assert!(life.live(NEVER, async {
        life.say(PANEL, &start("run", ask())).await;
        life.say(PANEL, &edited).await;
    }));
    let of = |life: &Life| -> Vec<String> {
        let turns = life.panel.borrow().turns();
        turns.into_iter().map(|turn| turn.run.0).collect()
    };
    assert_eq!(of(&life), ["edited"]);
    let life = Life::new(&sim, 2, &steady(&sim));
    assert!(life.until(NEVER, &[]));
    assert_eq!(of(&life), ["edited"]);
}

#[test]
fn what_was_chosen_for_a_message_is_where_the_next_one_starts() {
    let sim = world(2);
    let life = Life::new(&sim, 1, &embedded());
    let chosen = ConversationSettings {
        model: String::new(),
        mode: gloss::agent::Mode::Plain,
        max_steps: Some(3),
        tools_off: gloss::durable::sorted::SortedSet::new(),
    };
    let command = start_by("run", ask(), chosen.clone());
    assert!(life.until(NEVER, &[command]));
    let snapshot = life.panel.borrow().snapshot.clone().expect("a snapshot");
    assert_eq!(snapshot.tuning, chosen);
    let turn = life.turn();
    assert_eq!(turn.status, Status::Completed);
    assert!(turn.steps.is_empty(), "a plain call takes no step");
    assert!(
        turn.answer
            .is_some_and(|answer| !answer.citations.is_empty())
    );
}

/// Turns a switch for a group of tools, as the user does in Options.
async fn turn(life: &Life, switch: Switch) {
    let options = SurfaceId(9);
    life.app.connect_options(options, Rc::new(|_| ()));
    let greeting = Command::Hello {
        version: VERSION,
        tab: None,
        language: "en".to_owned(),
    };
    life.say(options, &greeting).await;
    let ask = OptionsRequest::Change {
        change: Change::Group(Group::WebSearch, switch),
    };
    life.say(options, &Command::Options { n: 1, ask }).await;
}

#[test]
fn a_group_that_is_on_again_is_on_for_the_next_turn_of_a_conversation() {
    let sim = world(2);
    let life = Life::new(&sim, 1, &embedded());
    let tuning = |life: &Life| {
        let snapshot = life.panel.borrow().snapshot.clone();
        snapshot.expect("a snapshot").tuning
    };
    assert!(life.live(NEVER, async {
        turn(&life, Switch::Off).await;
        life.say(PANEL, &start("first", ask())).await;
        assert!(tuning(&life).tools_off.is_empty(), "nobody chose it here");
        turn(&life, Switch::On).await;
        life.say(PANEL, &start_by("second", ask(), tuning(&life)))
            .await;
    }));
    let begun = |run: &str| {
        let batches = recorded(&sim).into_iter();
        let first = batches
            .filter(|batch| batch.run.0 == run)
            .min_by_key(|it| it.number);
        first.expect("it was begun").records
    };
    let barred =
        r#""barred":["grade_search_results","rewrite_search_query","web_fetch","web_search"]"#;
    assert!(begun("first").contains(barred));
    assert!(!begun("second").contains("web_fetch"));
}

#[test]
fn four_runs_are_at_work_at_once_and_the_fifth_waits_for_its_place() {
    for kill_at in (0..60).step_by(3).chain([NEVER]) {
        let sim = world(2);
        let tabs: Vec<TabId> = (20..26).map(TabId).collect();
        let work = |life: &Life, surfaces: Vec<SurfaceId>| {
            let goals = (0..tabs.len()).map(|n| start(&format!("run{n}"), ask()));
            let said: Vec<_> = goals
                .zip(surfaces)
                .map(|(command, surface)| life.say(surface, &command))
                .collect();
            join_all(said)
        };
        let mut done = false;
        for (epoch, kill_at) in [kill_at, NEVER].into_iter().enumerate() {
            let life = Life::new(&sim, epoch as u64, &steady(&sim));
            let ids: Vec<SurfaceId> = (10..16).map(SurfaceId).collect();
            let panels: Vec<_> = ids.iter().map(|id| listen(&life.app, *id)).collect();
            let most = Rc::new(Cell::new(0));
            for tick in sim.ticks()..sim.ticks() + 400 {
                let (most, sim, count) = (most.clone(), sim.clone(), tabs.len());
                sim.clone().at_tick(tick, move || {
                    let held = (0..count).filter(|n| sim.is_locked(&RunId(format!("run{n}"))));
                    most.set(most.get().max(held.count()));
                });
            }
            done = life.live(kill_at, async {
                for (tab, id) in tabs.iter().zip(&ids) {
                    sim.set_page(*tab, Ok(article(3)));
                    life.say(*id, &hello(*tab)).await;
                }
                join(life.app.resume(), work(&life, ids.clone())).await;
            });
            if done {
                assert!(most.get() <= 4, "{} at once", most.get());
                assert!(kill_at != NEVER || epoch > 0 || most.get() == 4);
                for panel in panels {
                    assert_eq!(panel.borrow().turn().status, Status::Completed);
                }
                break;
            }
        }
        assert!(done);
        assert!(!sim.is_armed(), "{kill_at}");
    }
}

#[test]
fn a_conversation_left_behind_is_found_and_shown_again_also_after_a_kill() {
    let sim = world(2);
    let life = Life::new(&sim, 1, &steady(&sim));
    let explain = Goal::Explain {
        selection: "neaps".to_owned(),
    };
    assert!(life.live(NEVER, async {
        life.say(PANEL, &start("run", ask())).await;
        sim.jump_clock(1_000);
        life.say(PANEL, &start("explained", explain)).await;
        life.say(PANEL, &Command::History).await;
    }));
    let past = life.panel.borrow().past.clone();
    let ids: Vec<&str> = past.iter().map(|p| p.conversation.0.as_str()).collect();
    assert_eq!(ids, ["explained", "run"]);
    assert_eq!(life.turn().run.0, "explained");
    sim.jump_clock(1_000);
    let conversation = RunId("run".to_owned());
    assert!(life.live(NEVER, async {
        life.say(PANEL, &Command::Show { conversation }).await;
    }));
    assert_eq!(life.turn().run.0, "run");
    // The next message continues that conversation, and the next life knows the conversation.
    let life = Life::new(&sim, 2, &steady(&sim));
    assert!(life.until(NEVER, &[second()]));
    let turns = life.panel.borrow().turns();
    let ids: Vec<&str> = turns.iter().map(|turn| turn.run.0.as_str()).collect();
    assert_eq!(ids, ["run", "second"]);
}

#[test]
fn a_message_for_another_model_is_a_turn_of_its_own_and_keeps_what_was_chosen() {
    let sim = world(2);
    let life = Life::new(&sim, 1, &steady(&sim));
    sim.set_capture_delay(30);
    let tuning = ConversationSettings {
        mode: gloss::agent::Mode::Plain,
        ..Snapshot::unknown().tuning
    };
    let neaps = question("And why do neaps come?");
    let plain = start_by("second", neaps, tuning.clone());
    let first = start("run", ask());
    assert!(life.live(NEVER, async {
        join(life.say(PANEL, &first), life.say(PANEL, &plain)).await;
    }));
    let turns = life.panel.borrow().turns();
    assert_eq!(turns.len(), 2);
    assert_eq!(turns[1].mode, gloss::agent::Mode::Plain);
    let snapshot = life.panel.borrow().snapshot.clone().expect("a snapshot");
    assert_eq!(snapshot.tuning, tuning);
}

#[test]
fn a_conversation_shown_in_two_tabs_is_the_same_in_both() {
    let sim = world(2);
    let other = TabId(8);
    sim.set_page(other, Ok(article(3)));
    let life = Life::new(&sim, 1, &steady(&sim));
    let late = listen(&life.app, SurfaceId(2));
    assert!(life.live(NEVER, async {
        life.say(SurfaceId(2), &hello(other)).await;
        life.say(PANEL, &start("run", ask())).await;
        let conversation = RunId("run".to_owned());
        let show = Command::Show { conversation };
        life.say(SurfaceId(2), &show).await;
        life.say(PANEL, &second()).await;
    }));
    let (mine, theirs) = (life.panel.borrow().turns(), late.borrow().turns());
    assert_eq!(mine.len(), 2);
    assert_eq!(mine, theirs);
    assert_eq!(late.borrow().gaps, 0);
}

#[test]
fn a_turn_made_anew_reads_again_what_came_in_the_middle_of_the_old_one() {
    let sim = world(2);
    let life = Life::new(&sim, 1, &steady(&sim));
    sim.set_capture_delay(30);
    let (first, then) = (start("run", ask()), second());
    let again = start_over("again", ask(), "run");
    assert!(life.live(NEVER, async {
        join(life.say(PANEL, &first), life.say(PANEL, &then)).await;
        assert_eq!(life.turn().messages.len(), 1);
        life.say(PANEL, &again).await;
    }));
    let turn = life.turn();
    assert_eq!(turn.run.0, "again");
    assert_eq!(turn.messages.len(), 1);
    assert!(turn.messages[0].read_at_ms.is_some());
}

#[test]
fn an_answer_is_there_again_when_what_was_to_replace_it_comes_to_nothing() {
    let sim = world(2);
    let life = Life::new(&sim, 1, &steady(&sim));
    let again = start_over("again", ask(), "run");
    assert!(life.live(NEVER, async {
        life.say(PANEL, &start("run", ask())).await;
        let stop = async {
            let run = RunId("again".to_owned());
            life.say(PANEL, &Command::Stop { run }).await;
        };
        join(life.say(PANEL, &again), stop).await;
    }));
    let ids = |life: &Life| -> Vec<String> {
        let turns = life.panel.borrow().turns();
        turns.into_iter().map(|turn| turn.run.0).collect()
    };
    assert_eq!(ids(&life), ["run", "again"]);
    let life = Life::new(&sim, 2, &steady(&sim));
    assert!(life.until(NEVER, &[]));
    assert_eq!(ids(&life), ["run", "again"]);
}

#[test]
fn a_message_without_end_is_refused_in_words() {
    let sim = world(2);
    let life = Life::new(&sim, 1, &steady(&sim));
    let endless = question(&"word ".repeat(30_000));
    assert!(life.live(NEVER, async {
        life.say(PANEL, &start("run", endless)).await;
    }));
    assert_eq!(life.panel.borrow().refused[0].code, "message_long");
    assert!(life.panel.borrow().turns().is_empty());
}

#[test]
fn a_stop_takes_back_what_waits_to_be_read() {
    let sim = world(2);
    let life = Life::new(&sim, 1, &steady(&sim));
    sim.set_capture_delay(30);
    assert!(life.live(NEVER, async {
        let (first, then) = (start("run", ask()), second());
        let stop = async {
            life.say(PANEL, &then).await;
            let run = RunId("run".to_owned());
            life.say(PANEL, &Command::Stop { run }).await;
            // Once the withdrawal is on disk, the death of the worker changes nothing.
            let stored = sim.batches().into_iter();
            let withdrawn = stored.filter(|batch| batch.records.contains("withdrawn"));
            assert_eq!(withdrawn.count(), 1);
        };
        join(life.say(PANEL, &first), stop).await;
    }));
    let turns = life.panel.borrow().turns();
    assert_eq!(turns.len(), 1);
    assert!(turns[0].messages.is_empty());
}
