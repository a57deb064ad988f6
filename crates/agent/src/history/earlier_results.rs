//! The results of a turn that later turns can recall (SPEC §9).
//!
//! Example: a page of 3 000 tokens was fetched, and the user asks "What else does it say?".
//! The new turn's prompt contains the old answer and names the page as `r1`. The tool
//! `recall_details` returns the page from the earlier turn's journal. [`gloss_context::Context`]
//! numbers results in their order, so the ids can be computed from the journal.

use crate::config::{FollowUp, Goal, RunConfig};
use crate::events::CarriedEntry;
use crate::history::gather::gather;
use crate::trajectory::config_of;
use gloss_context::{EarlierResults, LARGE_TOKENS, ResultLocation};
use gloss_durable::{Body, Entry, Path, Record, RunId, json};
use gloss_model::{Message, Part, Role, Source};
use gloss_text::tokens::{estimate, head};
use gloss_tools::{ToolLabel, memory_retrieve, recall_details};
use serde_json::{Value, json};

/// The maximum number of entries in the list of recallable results. The newest entries stay.
const MOST: usize = 12;

/// The tools whose results are not listed. `recall_details` only repeats other results.
/// `memory_retrieve` returns facts about the user, which the user may have erased since.
const UNRECALLED: [&str; 2] = [recall_details::NAME, memory_retrieve::NAME];

/// The maximum length of an entry's description in the list, in tokens: the beginning of a call's
/// arguments or of a message.
const OF_TOKENS: u32 = 30;

/// Collects the large results and messages of a run and of the turns before the run. Returns `None`
/// if the run's configuration can't be read.
pub fn collect_earlier(run: &RunId, records: &[Record]) -> Option<EarlierResults> {
    let RunConfig { goal, earlier, .. } = config_of(records)?;
    let mut told = EarlierCollector {
        run,
        records,
        earlier,
    };
    told.message(0, &goal);
    let (gathered, _) = gather(records, &Path::root());
    for piece in gathered.into_pieces() {
        match piece {
            CarriedEntry::Asked { arrived } => {
                if let Some(Entry::Arrived { body, .. }) = told.entry(arrived)
                    && let Ok(follow_up) = json::read::<FollowUp>(body)
                {
                    told.message(arrived, &follow_up.goal);
                }
            }
            CarriedEntry::Called { calls } => {
                for called in calls {
                    told.result(called.intent, called.outcome);
                }
            }
            CarriedEntry::Replied { .. } => {}
        }
    }
    let EarlierResults { kept, .. } = &mut told.earlier;
    kept.drain(..kept.len().saturating_sub(MOST));
    Some(told.earlier)
}

/// Returns the list as a message to the model. The list is quoted as data, because arguments may
/// contain text of a page.
pub(crate) fn recallables_message(kept: &[ResultLocation]) -> Message {
    let list = kept.iter();
    let list = list.map(|it| json!({ "id": it.id, "tool": it.tool, "of": it.of }));
    Message {
        role: Role::User,
        parts: vec![Part::Quoted {
            source: Source::Earlier,
            text: list.collect::<Value>().to_string(),
        }],
    }
}

struct EarlierCollector<'a> {
    run: &'a RunId,
    records: &'a [Record],
    earlier: EarlierResults,
}

impl<'a> EarlierCollector<'a> {
    fn entry(&self, seq: u64) -> Option<&'a Entry> {
        let place = usize::try_from(seq).ok()?;
        Some(&self.records.get(place)?.entry)
    }

    fn message(&mut self, seq: u64, goal: &Goal) {
        self.earlier.messages += 1;
        let words = goal.words();
        if estimate(words) > LARGE_TOKENS {
            let id = format!("m{}", self.earlier.messages);
            self.keep(id, "message", words, seq);
        }
    }

    fn result(&mut self, intent: u64, outcome: Option<u64>) {
        let Some(seq) = outcome else { return };
        let Some(Entry::Outcome { body }) = self.entry(seq) else {
            return;
        };
        let is_large = match body {
            Body::Inline(value) if value.pointer("/result/Err").is_some() => return,
            Body::Inline(value) => {
                let data = value.pointer("/result/Ok/data");
                data.is_some_and(|data| estimate(&data.to_string()) > LARGE_TOKENS)
            }
            Body::Blob(_) => true,
        };
        self.earlier.results += 1;
        let Some(Entry::Intent { label, .. }) = self.entry(intent) else {
            return;
        };
        if let Ok(label) = json::read::<ToolLabel>(label)
            && is_large
            && !UNRECALLED.contains(&label.tool.as_str())
        {
            let id = format!("r{}", self.earlier.results);
            self.keep(id, &label.tool, &label.arguments, seq);
        }
    }

    fn keep(&mut self, id: String, tool: &str, of: &str, seq: u64) {
        self.earlier.kept.push(ResultLocation {
            id,
            tool: tool.to_owned(),
            of: head(of, OF_TOKENS).to_owned(),
            run: self.run.clone(),
            seq,
        });
    }
}
