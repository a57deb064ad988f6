//! Runs that cannot be read: kept as they were, named and exported here.
//!
//! Driving example: a batch lost a byte on disk. Its run was set aside whole, the
//! person was told, and *Export* gives every batch of it as the text that stood
//! there. Nothing of it is interpreted but, where that can be read, its beginning. Facts that
//! cannot be read stand beside them, as one text.

use super::Damaged;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Entry, RunId, StoreError, StoredBatch, json, patiently, read_batches};
use gloss_host::Host;
use gloss_memory::Memory;
use serde::Serialize;

/// What such a file says that it is.
const FORMAT: &str = "gloss-unreadable-run";

/// What stands in the place of a run for what is known of the person.
const FACTS: &str = "facts";

#[derive(Serialize)]
struct File<'a> {
    format: &'static str,
    v: u8,
    run: &'a RunId,
    batches: Vec<Kept>,
}

#[derive(Serialize)]
struct Kept {
    number: u64,
    text: String,
}

/// The runs that cannot be read, and the facts.
///
/// # Errors
/// The archive's, or that it does not answer; the shelf's.
pub(super) async fn damaged(host: &Host, memory: &Memory) -> Result<Vec<Damaged>, StoreError> {
    let mut runs: SortedMap<RunId, Vec<StoredBatch>> = SortedMap::new();
    for batch in set_aside(host).await? {
        runs.or_default(batch.run.clone()).push(batch);
    }
    let damaged = runs.into_iter().map(|(run, batches)| Damaged {
        bytes: batches.iter().map(|batch| batch.records.len() as u64).sum(),
        begun: begun(&batches),
        run,
    });
    let facts = memory.set_aside().await?.map(|text| Damaged {
        run: RunId(FACTS.to_owned()),
        bytes: text.len() as u64,
        begun: None,
    });
    Ok(damaged.chain(facts).collect())
}

/// All that is kept of such a run: each batch's text as it was. Of facts the text itself: a
/// Gloss that can read it imports it.
///
/// # Errors
/// The archive's, or that it does not answer; the shelf's.
pub(super) async fn export_of(
    host: &Host,
    memory: &Memory,
    run: &RunId,
) -> Result<String, StoreError> {
    if run.0 == FACTS {
        return Ok(memory.set_aside().await?.unwrap_or_default());
    }
    let all = set_aside(host).await?.into_iter();
    let kept = all.filter(|batch| batch.run == *run).map(|batch| Kept {
        number: batch.number,
        text: batch.records,
    });
    let file = File {
        format: FORMAT,
        v: 1,
        run,
        batches: kept.collect(),
    };
    json::pretty(&file).map_err(|error| StoreError::Denied {
        message: error.to_string(),
    })
}

async fn set_aside(host: &Host) -> Result<Vec<StoredBatch>, StoreError> {
    let Some(archive) = &host.archive else {
        return Ok(Vec::new());
    };
    patiently(&*host.clock, archive.damaged()).await
}

/// When and by which version a run was begun, if its first batch is whole.
fn begun(batches: &[StoredBatch]) -> Option<(u64, String)> {
    let first = batches.iter().find(|batch| batch.number == 0)?.clone();
    let (_, read) = read_batches(vec![first]).pop_first()?;
    let (_, records) = read.ok()?;
    let record = records.into_iter().next()?;
    let Entry::Begun { revision, .. } = record.entry else {
        return None;
    };
    let version = revision.split('+').next().unwrap_or_default().to_owned();
    Some((record.at_ms, version))
}
