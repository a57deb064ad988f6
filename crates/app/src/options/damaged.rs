//! Lists and exports the runs that can't be read. They are stored unchanged.
//!
//! Example: one byte of a batch (a group of records) changed on disk. All batches of that
//! run were stored separately, and the user saw a warning. *Export* returns the stored text of
//! every batch. The list shows when the run began, if the run's first record can be read. Facts
//! that can't be read are listed as one more entry.

use super::Damaged;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{
    Entry, RunId, StoreError, StoredBatch, json, read_batches, with_database_timeout,
};
use gloss_host::Host;
use gloss_memory::Memory;
use serde::Serialize;

/// The name of the format of an exported file.
const FORMAT: &str = "gloss-unreadable-run";

/// The id of the list entry for the unreadable facts.
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

/// Lists the runs that can't be read. Unreadable facts are listed as one more entry.
///
/// # Errors
/// An error of the archive or of local storage, or an archive that doesn't answer in time.
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

/// Returns the text of each stored batch of an unreadable run, unchanged. For the id [`FACTS`],
/// returns the stored text of the unreadable facts. A version of Gloss that can read this text can
/// import it.
///
/// # Errors
/// An error of the archive or of local storage, or an archive that doesn't answer in time.
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

/// Returns the start time and the version of Gloss from a run's first record. `None` if the record
/// can't be read.
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
