//! Runs that cannot be read: stored unchanged, and listed and exported here.
//!
//! Driving example: a batch lost a byte on disk. Its run was set aside whole, and the user was
//! told. *Export* returns every batch as its stored text; only the beginning is interpreted, if it
//! can be read. Facts that cannot be read are listed beside the runs, as one text.

use super::Damaged;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{
    Entry, RunId, StoreError, StoredBatch, json, read_batches, with_database_timeout,
};
use gloss_host::Host;
use gloss_memory::Memory;
use serde::Serialize;

/// The format name in such a file.
const FORMAT: &str = "gloss-unreadable-run";

/// The id that stands for the facts in the list of runs.
const FACTS: &str = "facts";

#[derive(Serialize)]
struct File<'a> {
    format: &'static str,
    v: u8,
    run: &'a RunId,
    batches: Vec<DamagedBatch>,
}

#[derive(Serialize)]
struct DamagedBatch {
    number: u64,
    text: String,
}

/// The runs that cannot be read, and the facts.
///
/// # Errors
/// An error of the archive or of local storage, or an archive that does not answer.
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

/// Everything that is stored of such a run: each batch's text, unchanged. For facts it is their
/// text, which a version of Gloss that can read it imports.
///
/// # Errors
/// An error of the archive or of local storage, or an archive that does not answer.
pub(super) async fn export_of(
    host: &Host,
    memory: &Memory,
    run: &RunId,
) -> Result<String, StoreError> {
    if run.0 == FACTS {
        return Ok(memory.set_aside().await?.unwrap_or_default());
    }
    let all = set_aside(host).await?.into_iter();
    let kept = all
        .filter(|batch| batch.run == *run)
        .map(|batch| DamagedBatch {
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
    with_database_timeout(&*host.clock, archive.damaged_batches()).await
}

/// The time and the version of a run's start, if its first batch can be read.
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
