//! What a turn gave that the next ones can recall (SPEC §9).
//!
//! Driving example: a page of 3 000 tokens was fetched, and "What else does it say?" follows.
//! The new turn reads the answer alone; it is told that `r1` is that page, and
//! `recall_details` gives it, out of the journal of the turn before. It follows from that
//! journal: which call has which id, as [`gloss_context::Context`] numbered them.

use crate::config::{FollowUp, Goal, RunConfig};
use crate::events::Piece;
use crate::history::gather::gather;
use crate::trajectory::config_of;
use gloss_context::{Earlier, LARGE_TOKENS, Recallable};
use gloss_durable::{Body, Entry, Path, Record, RunId, json};
use gloss_model::{Message, Part, Role, Source};
use gloss_text::tokens::{estimate, head};
use gloss_tools::{ToolLabel, memory_retrieve, recall_details};
use serde_json::{Value, json};

/// So much is told of, the newest of it.
const MOST: usize = 12;

/// What these gave is asked for anew: what was recalled, and what is known of the person, which
/// they may have erased since.
const UNRECALLED: [&str; 2] = [recall_details::NAME, memory_retrieve::NAME];

/// What was asked of a tool is told in so many tokens.
const OF_TOKENS: u32 = 30;

/// What a run and those before it gave and were told; `None` if its configuration cannot be
/// read.
pub fn earlier(run: &RunId, records: &[Record]) -> Option<Earlier> {
    let RunConfig { goal, earlier, .. } = config_of(records)?;
    let mut told = Telling {
        run,
        records,
        earlier,
    };
    told.message(0, &goal);
    let (gathered, _) = gather(records, &Path::root());
    for piece in gathered.into_pieces() {
        match piece {
            Piece::Asked { arrived } => {
                if let Some(Entry::Arrived { body, .. }) = told.entry(arrived)
                    && let Ok(follow_up) = json::read::<FollowUp>(body)
                {
                    told.message(arrived, &follow_up.goal);
                }
            }
            Piece::Called { calls } => {
                for called in calls {
                    told.result(called.intent, called.outcome);
                }
            }
            Piece::Replied { .. } | Piece::Said { .. } => {}
        }
    }
    let Earlier { kept, .. } = &mut told.earlier;
    kept.drain(..kept.len().saturating_sub(MOST));
    Some(told.earlier)
}

/// What a model is told of it: data, as what it was asked with may be of a page.
pub(crate) fn told(kept: &[Recallable]) -> Message {
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

struct Telling<'a> {
    run: &'a RunId,
    records: &'a [Record],
    earlier: Earlier,
}

impl<'a> Telling<'a> {
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
        self.earlier.kept.push(Recallable {
            id,
            tool: tool.to_owned(),
            of: head(of, OF_TOKENS).to_owned(),
            run: self.run.clone(),
            seq,
        });
    }
}
