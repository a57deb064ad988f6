//! Messages in the inbox of a run: delivers and withdraws them, answers the run's waits, and moves
//! unread messages to the next turn.

use super::{Run, RunState, Runs};
use gloss_agent::{Failure, FollowUp, MissingRight, Verdict, failure};
use gloss_durable::{
    Entry, Halt, Journal, Message, Record, RunId, is_parked, json, open_wait, open_waits,
};
use gloss_host::ALL_SITES;
use gloss_tools::StandingApproval;
use std::rc::Rc;

impl Runs {
    /// Returns the first message that an ended run did not read. `None` if the user stopped the
    /// run, because its messages then wait for the user.
    pub(crate) fn left_unread(&self, run: &RunId) -> Option<(RunId, FollowUp)> {
        self.known.borrow().get(run)?.left_unread()
    }

    pub(crate) fn unread(&self, run: &RunId) -> usize {
        let journal = self.journal(run);
        journal.map_or(0, |journal| journal.unread::<FollowUp>().len())
    }

    /// Moves the unread messages of one run into the inbox of the next turn. A message is removed
    /// from the first inbox only after it is stored in the second.
    pub(crate) async fn pass_on(&self, from: &RunId, to: &RunId) {
        let run = from;
        let (Some(from), Some(successor)) = (self.journal(from), self.journal(to)) else {
            return;
        };
        let left = from.unread::<FollowUp>();
        if left.is_empty() {
            return;
        }
        for (id, message) in &left {
            // The message with the id `to` began the turn `to`, so it is not delivered to that
            // turn.
            if *id != to.0 {
                successor.deliver(id, message);
            }
        }
        if successor.flushed().await.is_err() {
            return;
        }
        for (id, _) in &left {
            from.withdraw(id);
        }
        // If storage refuses, the messages stay in both inboxes. They have the same ids, so no
        // message is read twice.
        let _ = from.flushed().await;
        self.file(run).await;
    }

    /// Delivers to a repeated turn the messages that the original turn had read.
    pub(crate) fn redeliver(&self, from: &RunId, to: &RunId) {
        let (Some(from), Some(successor)) = (self.journal(from), self.journal(to)) else {
            return;
        };
        for (id, message) in from.read_messages::<FollowUp>() {
            successor.deliver(&format!("{}.{id}", to.0), &message);
        }
    }

    /// Puts a message into a run's inbox.
    ///
    /// # Errors
    /// The message could not be stored. The surface still has the text of the message.
    pub(crate) async fn deliver<M: Message>(
        &self,
        run: &RunId,
        id: &str,
        message: &M,
    ) -> Result<(), Failure> {
        let journal = self.journal(run).ok_or_else(|| failure("run_elsewhere"))?;
        journal.deliver(id, message);
        let landed = journal.flushed().await;
        landed.map_err(|source| Failure::of_halt(&Halt::from(source)))?;
        self.unpark(run);
        Ok(())
    }

    /// Withdraws a message from the inbox of every run that contains it.
    pub(crate) async fn withdraw(&self, message: &RunId) {
        let holders: Vec<Rc<Journal>> = {
            let runs = self.known.borrow();
            let ours = runs
                .values()
                .filter(|run| run.standing != RunState::Elsewhere);
            ours.filter(|run| run.journal.received(&message.0))
                .map(|run| run.journal.clone())
                .collect()
        };
        for journal in holders {
            journal.withdraw(&message.0);
            self.write_out(&journal).await;
        }
    }

    /// Withdraws all unread messages of a run at once. The returned future writes the withdrawals
    /// to storage. The caller must await it, because a run that is not being executed writes
    /// nothing.
    pub(crate) fn withdraw_all(&self, run: &RunId) -> impl Future<Output = ()> {
        let unread = self.journal(run).map(|journal| {
            let unread = journal.unread::<FollowUp>();
            for (id, _) in &unread {
                journal.withdraw(id);
            }
            unread.len()
        });
        async move {
            // The journal is looked up again, because the run may have a new journal by now.
            let journal = unread.filter(|count| *count > 0).and(self.journal(run));
            if let Some(journal) = journal {
                self.write_out(&journal).await;
            }
        }
    }

    /// Returns the runs that wait for permission to access servers or sites. Each run comes with
    /// the id of its wait, and the origins of the servers or sites.
    pub(crate) fn wait_for_origins(&self) -> Vec<(RunId, u64, Vec<String>)> {
        let runs = self.known.borrow();
        let parked = runs
            .iter()
            .filter(|(_, run)| run.standing == RunState::Parked);
        let waits = parked.filter_map(|(id, run)| {
            let (wait, need) = run.journal.read(|records| {
                let record = open_wait(records)?;
                match &record.entry {
                    Entry::Waiting { body, .. } => Some((record.seq, body.clone())),
                    _ => None,
                }
            })?;
            match json::read::<MissingRight>(&need) {
                Ok(MissingRight::Provider { origin, .. } | MissingRight::Search { origin, .. }) => {
                    Some((id.clone(), wait, vec![origin]))
                }
                Ok(MissingRight::Pages { origins }) => Some((id.clone(), wait, origins)),
                Ok(MissingRight::Screenshot) => {
                    Some((id.clone(), wait, vec![ALL_SITES.to_owned()]))
                }
                Ok(
                    MissingRight::Site { .. }
                    | MissingRight::Send(_)
                    | MissingRight::Memory(_)
                    | MissingRight::Outcome { .. },
                )
                | Err(_) => None,
            }
        });
        waits.collect()
    }

    /// Returns the standing approval that the user can give at an open wait of a run.
    pub(crate) fn standing_approval(&self, run: &RunId, wait: u64) -> Option<StandingApproval> {
        let need = self.journal(run)?.read(|records| {
            let open = open_waits(records).into_iter().find(|it| it.seq == wait)?;
            match &open.entry {
                Entry::Waiting { body, .. } => json::read::<MissingRight>(body).ok(),
                _ => None,
            }
        })?;
        need.standing().cloned()
    }

    /// Delivers the user's decision to a run. Does nothing if the run no longer waits for the
    /// decision.
    ///
    /// # Errors
    /// The decision could not be stored.
    pub(crate) async fn answer(
        &self,
        run: &RunId,
        wait: u64,
        verdict: Verdict,
    ) -> Result<(), Failure> {
        let is_open = |records: &[Record]| open_waits(records).iter().any(|open| open.seq == wait);
        if !self
            .journal(run)
            .is_some_and(|journal| journal.read(is_open))
        {
            return Ok(());
        }
        self.deliver(run, &format!("verdict.{wait}"), &verdict)
            .await
    }

    /// Writes the buffered records of a run that is not being executed. A failure is shown to the
    /// user.
    pub(super) async fn write_out(&self, journal: &Journal) {
        if let Err(source) = journal.flushed().await {
            self.hub.warn(Failure::of_halt(&Halt::from(source)));
        }
    }

    /// Makes a waiting run ready to be executed, once the message that it waited for has arrived.
    pub(super) fn unpark(&self, run: &RunId) {
        if let Some(run) = self.known.borrow_mut().get_mut(run)
            && run.standing == RunState::Parked
            && !run.journal.read(is_parked)
        {
            run.journal = run.journal.next_life();
            run.standing = RunState::New;
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

    /// Returns true if the run has unread messages.
    pub(super) fn holds_messages(&self) -> bool {
        !self.journal.unread::<FollowUp>().is_empty()
    }
}
