//! What is sent into a run at work: delivered, answered, taken back, passed on.

use super::{Run, Runs, Standing};
use gloss_agent::{Failure, FollowUp, Need, Verdict, failure};
use gloss_durable::{
    Entry, Halt, Journal, Message, Record, RunId, is_parked, json, open_wait, open_waits,
};
use gloss_host::ALL_SITES;
use std::rc::Rc;

impl Runs {
    /// The first message that an ended run did not come to read. What waits in a
    /// stopped one waits for the person.
    pub(crate) fn left_unread(&self, run: &RunId) -> Option<(RunId, FollowUp)> {
        self.known.borrow().get(run)?.left_unread()
    }

    /// How many messages wait to be read in a run.
    pub(crate) fn unread(&self, run: &RunId) -> usize {
        let journal = self.journal(run);
        journal.map_or(0, |journal| journal.unread::<FollowUp>().len())
    }

    /// Moves what one run left unread into the inbox of the turn after it. Nothing
    /// is taken from the one before it stands in the other.
    pub(crate) async fn pass_on(&self, from: &RunId, to: &RunId) {
        let run = from;
        let (Some(from), Some(heir)) = (self.journal(from), self.journal(to)) else {
            return;
        };
        let left = from.unread::<FollowUp>();
        if left.is_empty() {
            return;
        }
        for (id, message) in &left {
            // The one that became the turn itself.
            if *id != to.0 {
                heir.deliver(id, message);
            }
        }
        if heir.settled().await.is_err() {
            return;
        }
        for (id, _) in &left {
            from.withdraw(id);
        }
        // Refused, they stand in both, under one id.
        let _ = from.settled().await;
        self.put_away(run).await;
    }

    /// Gives a turn what the one that it is made anew from had read.
    pub(crate) fn read_again(&self, from: &RunId, to: &RunId) {
        let (Some(from), Some(heir)) = (self.journal(from), self.journal(to)) else {
            return;
        };
        for (id, message) in from.taken::<FollowUp>() {
            heir.deliver(&format!("{}.{id}", to.0), &message);
        }
    }

    /// Puts a message into a run's inbox.
    ///
    /// # Errors
    /// When it could not be kept: the person still has it.
    pub(crate) async fn deliver<M: Message>(
        &self,
        run: &RunId,
        id: &str,
        message: &M,
    ) -> Result<(), Failure> {
        let journal = self.journal(run).ok_or_else(|| failure("run_elsewhere"))?;
        journal.deliver(id, message);
        let landed = journal.settled().await;
        landed.map_err(|source| Failure::of_halt(&Halt::from(source)))?;
        self.unpark(run);
        Ok(())
    }

    /// Takes a message back, wherever it waits.
    pub(crate) async fn withdraw(&self, message: &RunId) {
        let holders: Vec<Rc<Journal>> = {
            let runs = self.known.borrow();
            let ours = runs
                .values()
                .filter(|run| run.standing != Standing::Elsewhere);
            ours.filter(|run| run.journal.received(&message.0))
                .map(|run| run.journal.clone())
                .collect()
        };
        for journal in holders {
            journal.withdraw(&message.0);
            self.write_out(&journal).await;
        }
    }

    /// Takes back all that waits to be read in a run, before this returns. What it gives
    /// resolves when that has landed: there may be no drive to see to it.
    pub(crate) fn withdraw_all(&self, run: &RunId) -> impl Future<Output = ()> {
        let unread = self.journal(run).map(|journal| {
            let unread = journal.unread::<FollowUp>();
            for (id, _) in &unread {
                journal.withdraw(id);
            }
            unread.len()
        });
        async move {
            // Looked up anew: the run may have begun another life.
            let journal = unread.filter(|count| *count > 0).and(self.journal(run));
            if let Some(journal) = journal {
                self.write_out(&journal).await;
            }
        }
    }

    /// The runs that wait for servers or sites to be allowed: each with the wait and the
    /// origins.
    pub(crate) fn wait_for_origins(&self) -> Vec<(RunId, u64, Vec<String>)> {
        let runs = self.known.borrow();
        let parked = runs
            .iter()
            .filter(|(_, run)| run.standing == Standing::Parked);
        let waits = parked.filter_map(|(id, run)| {
            let (wait, need) = run.journal.read(|records| {
                let record = open_wait(records)?;
                match &record.entry {
                    Entry::Waits { body, .. } => Some((record.seq, body.clone())),
                    _ => None,
                }
            })?;
            match json::read::<Need>(&need) {
                Ok(Need::Provider { origin, .. } | Need::Search { origin, .. }) => {
                    Some((id.clone(), wait, vec![origin]))
                }
                Ok(Need::Pages { origins }) => Some((id.clone(), wait, origins)),
                Ok(Need::Screenshot) => Some((id.clone(), wait, vec![ALL_SITES.to_owned()])),
                Ok(
                    Need::Site { .. } | Need::Image { .. } | Need::Memory(_) | Need::Outcome { .. },
                )
                | Err(_) => None,
            }
        });
        waits.collect()
    }

    /// Gives a run the answer to what it waits for; one that it does not wait for
    /// any more changes nothing.
    ///
    /// # Errors
    /// Those of [`Runs::deliver`].
    pub(crate) async fn answer(
        &self,
        run: &RunId,
        wait: u64,
        verdict: Verdict,
    ) -> Result<(), Failure> {
        let is_open = |records: &[Record]| {
            // Noted again, it is the same wait (its place is).
            let asked = records.iter().find(|record| record.seq == wait);
            let at = |open: &&Record| asked.is_some_and(|asked| asked.path == open.path);
            open_waits(records).iter().any(at)
        };
        if !self
            .journal(run)
            .is_some_and(|journal| journal.read(is_open))
        {
            return Ok(());
        }
        self.deliver(run, &format!("verdict.{wait}"), &verdict)
            .await
    }

    /// Sees to it that what was noted lands and is told, also where no drive does.
    pub(super) async fn write_out(&self, journal: &Journal) {
        if let Err(source) = journal.settled().await {
            self.hub.warn(Failure::of_halt(&Halt::from(source)));
        }
    }

    /// A run whose message has come can be driven again.
    pub(super) fn unpark(&self, run: &RunId) {
        if let Some(run) = self.known.borrow_mut().get_mut(run)
            && run.standing == Standing::Parked
            && !run.journal.read(is_parked)
        {
            run.journal = run.journal.next_life();
            run.standing = Standing::New;
        }
    }
}

impl Run {
    fn left_unread(&self) -> Option<(RunId, FollowUp)> {
        let waits = self.has_ended() && !self.was_stopped();
        let mut unread = self.journal.unread::<FollowUp>().into_iter();
        let (id, message) = unread.next().filter(|_| waits)?;
        Some((RunId(id), message))
    }

    /// Whether a message waits in it, for whomever.
    pub(super) fn holds_messages(&self) -> bool {
        !self.journal.unread::<FollowUp>().is_empty()
    }
}
