//! A worker that dies while it reads a page, and a reader module that fails.

use crate::stage::{Life, NEVER, Same, ask, start, world};
use gloss::agent::{Services, Status};
use gloss::app::surface::Turn;
use gloss::durable::Fut;
use gloss::host_sim::Sim;
use gloss::page::{Document, ReadError};
use gloss::page_service::{InProcessModules, PageModules, PageService};
use gloss::retrieval::words_only;
use gloss_documents::DocumentKind;
use std::cell::Cell;
use std::rc::Rc;

/// A reader module that takes some time, and fails at some tasks.
struct Module {
    sim: Sim,
    inner: Rc<InProcessModules>,
    asked: Rc<Cell<u32>>,
    /// The number of the first task that fails, counted over all lives, and how many tasks fail.
    fails: (u32, u32),
}

impl PageModules for Module {
    fn read(&self, html: String, url: String) -> Fut<Result<Rc<Document>, ReadError>> {
        self.inner.read(html, url)
    }

    fn read_document(
        &self,
        bytes: Vec<u8>,
        kind: DocumentKind,
        url: String,
    ) -> Fut<Result<Rc<Document>, ReadError>> {
        self.inner.read_document(bytes, kind, url)
    }

    fn perform(&self, page: Option<Rc<Document>>, task: String) -> Fut<Result<String, ReadError>> {
        let number = self.asked.get();
        self.asked.set(number + 1);
        let (first, count) = self.fails;
        let failing = (first..first.saturating_add(count)).contains(&number);
        let (clock, inner) = (self.sim.host().clock, self.inner.clone());
        Box::pin(async move {
            clock.sleep(2).await;
            if failing {
                let message = "unreachable executed".to_owned();
                return Err(ReadError::Failed { message });
            }
            inner.perform(page, task).await
        })
    }
}

fn life(sim: &Sim, epoch: u64, asked: &Rc<Cell<u32>>, fails: (u32, u32)) -> Life {
    let page_service = PageService::new(Rc::new(Module {
        sim: sim.clone(),
        inner: Rc::new(InProcessModules::new(words_only())),
        asked: asked.clone(),
        fails,
    }));
    let host = sim.host();
    let models = Rc::new(Same(Rc::new(page_service.clone())));
    let services = Services::new(&host, models, page_service);
    Life::with_services(sim, epoch, services, Rc::default())
}

/// Asks the on-device model a question, and kills the worker at a tick. Returns the turn, the
/// number of tasks that the module received, and true if the worker was killed.
fn asked(seed: u64, kill_at: u64, fails: (u32, u32)) -> (Turn, u32, bool) {
    let sim = world(seed);
    let count = Rc::new(Cell::new(0));
    let commands = [start("run", ask())];
    let survived = life(&sim, 0, &count, fails).until(kill_at, &commands);
    let life = life(&sim, 1, &count, fails);
    assert!(life.until(NEVER, &commands));
    (life.turn(), count.get(), survived)
}

#[test]
fn a_worker_that_dies_while_a_page_is_looked_up_looks_again_and_answers_the_same() {
    let mut looked_again = 0;
    for seed in 0..4 {
        let (expected, once, _) = asked(seed, NEVER, (0, 0));
        assert_eq!(expected.status, Status::Completed, "{seed}");
        assert!(expected.answer.is_some(), "{seed}");
        for kill_at in 0.. {
            let (turn, count, survived) = asked(seed, kill_at, (0, 0));
            assert_eq!(turn.status, Status::Completed, "{seed} {kill_at}");
            assert_eq!(turn.answer, expected.answer, "{seed} {kill_at}");
            looked_again += u32::from(count > once);
            if survived {
                break;
            }
        }
    }
    assert!(looked_again >= 4, "{looked_again}");
}

#[test]
fn a_module_that_fails_in_mid_answer_is_begun_anew_and_nobody_notices() {
    let (expected, once, _) = asked(1, NEVER, (0, 0));
    assert!(once >= 3, "reason, find, observe, cite: {once}");
    for first in 0..once {
        let (turn, count, _) = asked(1, NEVER, (first, 1));
        assert_eq!(count, once + 1, "{first}");
        assert_eq!(turn.answer, expected.answer, "{first}");
    }
}

#[test]
fn a_module_that_fails_again_and_again_is_said_in_words_and_asking_again_mends_it() {
    let (expected, once, _) = asked(1, NEVER, (0, 0));
    for first in 0..once {
        let sim = world(1);
        let count = Rc::new(Cell::new(0));
        let broken = life(&sim, 0, &count, (first, u32::MAX));
        assert!(broken.until(NEVER, &[start("run", ask())]), "{first}");
        let turn = broken.turn();
        assert_eq!(turn.status, Status::Failed, "{first}");
        let failure = turn.failure.expect("words");
        let said = failure.remedy.args.join(" ");
        assert!(said.contains("unreachable executed"), "{first}: {said}");
        let mended = life(&sim, 1, &count, (0, 0));
        let again = start("again", ask());
        assert!(mended.until(NEVER, &[again]), "{first}");
        let turns = mended.panel.borrow().turns();
        let turn = turns.last().expect("a second turn");
        assert_eq!(turn.status, Status::Completed, "{first}");
        // If a task fails, the answer is found in another way and must be equal.
        let answer = turn.answer.as_ref().expect("an answer");
        let expected = expected.answer.as_ref().expect("an answer");
        assert_eq!(answer.markdown, expected.markdown, "{first}");
    }
}
