//! What is sent into a run at work: delivered, answered, taken back, passed on.

use super::{Run, Runs, Standing};
use crate::agent::{Failure, FollowUp, Goal, Verdict};
use crate::durable::{Entry, Halt, Journal, Message, Record, is_parked};
use crate::host::RunId;
use std::rc::Rc;

impl Runs {
    /// The first message that an ended run did not come to read. What waits in a
    /// stopped one waits for the person.
    pub(in crate::app) fn left_unread(&self, run: &RunId) -> Option<(RunId, Goal)> {
        self.known.borrow().get(run)?.left_unread()
    }

    /// How many messages wait to be read in a run.
    pub(in crate::app) fn unread(&self, run: &RunId) -> usize {
        let journal = self.journal(run);
        journal.map_or(0, |journal| journal.unread::<FollowUp>().len())
    }

    /// Moves what one run left unread into the inbox of the turn after it.
    pub(in crate::app) async fn pass_on(&self, from: &RunId, to: &RunId) {
        let (Some(from), Some(heir)) = (self.journal(from), self.journal(to)) else {
            return;
        };
        for (id, message) in from.unread::<FollowUp>() {
            // The one that became the turn itself.
            if id != to.0 {
                heir.deliver(&id, &message);
            }
            from.withdraw(&id);
        }
        // Refused, they wait on where they were.
        let _ = from.settled().await;
    }

    /// Puts a message into a run's inbox.
    pub(in crate::app) async fn deliver<M: Message>(&self, run: &RunId, id: &str, message: &M) {
        let Some(journal) = self.journal(run) else {
            return;
        };
        journal.deliver(id, message);
        self.write_out(run, &journal).await;
        self.unpark(run);
    }

    /// Takes a message back, wherever it waits.
    pub(in crate::app) async fn withdraw(&self, message: &RunId) {
        let holders: Vec<(RunId, Rc<Journal>)> = {
            let runs = self.known.borrow();
            let holders = runs
                .iter()
                .filter(|(_, run)| run.journal.received(&message.0));
            holders
                .map(|(id, run)| (id.clone(), run.journal.clone()))
                .collect()
        };
        for (run, journal) in holders {
            journal.withdraw(&message.0);
            self.write_out(&run, &journal).await;
        }
    }

    /// Gives a run the answer that it waits for; one that waits for none is left
    /// alone, so that an answer sent twice counts once.
    pub(in crate::app) async fn answer(&self, run: &RunId, verdict: Verdict) {
        let waits = self.journal(run).and_then(|journal| {
            let parked = journal.read(is_parked);
            parked.then(|| journal.read(count_waits))
        });
        if let Some(waits) = waits {
            let id = format!("verdict.{waits}");
            self.deliver(run, &id, &verdict).await;
        }
    }

    /// Sees to it that what was noted lands and is told, where no drive does.
    pub(super) async fn write_out(&self, run: &RunId, journal: &Journal) {
        let driven = self.known.borrow().get(run).is_some_and(Run::is_driven);
        if !driven && let Err(source) = journal.settled().await {
            self.hub.warn(Failure::of_halt(&Halt::from(source)));
        }
    }

    /// A run whose message has come can be driven again.
    fn unpark(&self, run: &RunId) {
        if let Some(run) = self.known.borrow_mut().get_mut(run)
            && run.standing == Standing::Parked
            && !run.journal.read(is_parked)
        {
            run.journal = run.journal.next_life(&self.host);
            run.standing = Standing::New;
        }
    }
}

fn count_waits(records: &[Record]) -> usize {
    let waits = |record: &&Record| matches!(record.entry, Entry::Waits { .. });
    records.iter().filter(waits).count()
}
