//! A run as a file: its journal, whole, and what it says (SPEC §11).
//!
//! Driving example: *JSON* in the trajectory's drawer saves one, and
//! `cargo xtask replay` reads it back. Keys are in no record, so in no export.

use crate::trajectory::{Bodies, Trajectory};
use gloss_durable::{
    Record, RunId, StoredBatch, Unreadable, bodies_named, content_hash, json, read_batches,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// What the file says it is.
pub const FORMAT: &str = "gloss-run";

/// The version of [`Export`] that this code writes.
pub const VERSION: u16 = 1;

/// A run as it is saved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Export {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub v: u16,
    /// The revision of the code that saved it.
    pub revision: String,
    /// The run's id.
    pub run: RunId,
    /// Its journal.
    pub records: Vec<Record>,
    /// The large values that its journal names, each under its hash.
    pub bodies: Bodies,
    /// What follows from the journal, for readers without Gloss.
    pub trajectory: Trajectory,
}

/// Why a file is no exported run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExportError {
    /// It is something else.
    #[error("this is not an exported run: {0}")]
    Foreign(String),
    /// Written by a newer Gloss.
    #[error("this run was exported by a newer Gloss (format {0}); this one reads up to {VERSION}")]
    Newer(u16),
    /// It was one, and is damaged.
    #[error("this exported run is damaged: {0}")]
    Damaged(String),
    /// Its journal cannot be read.
    #[error("this exported run cannot be read: {0}")]
    Unreadable(#[from] Unreadable),
}

impl Export {
    /// The file of a run: all that there is of it.
    pub fn new(run: RunId, revision: &str, records: Vec<Record>, bodies: Bodies) -> Self {
        Self {
            format: FORMAT.to_owned(),
            v: VERSION,
            revision: revision.to_owned(),
            run,
            trajectory: Trajectory::of(&records, &bodies),
            records,
            bodies,
        }
    }

    /// The text of the file.
    ///
    /// # Errors
    /// None that is known: all of it came from JSON.
    pub fn to_json(&self) -> Result<String, Unreadable> {
        json::text(self).map_err(|error| Unreadable::Corrupt(error.to_string()))
    }

    /// Reads a file. What a later version added is skipped; the trajectory is
    /// folded anew, as it follows from the records.
    ///
    /// # Errors
    /// [`ExportError`], which says what is the matter.
    pub fn read(text: &str) -> Result<Self, ExportError> {
        #[derive(Deserialize)]
        struct Outside {
            format: String,
            v: u16,
        }
        #[derive(Deserialize)]
        struct Inside {
            revision: String,
            run: RunId,
            records: Value,
            bodies: Bodies,
        }
        let file: Value =
            serde_json::from_str(text).map_err(|error| ExportError::Foreign(error.to_string()))?;
        let outside = json::read::<Outside>(&file)
            .map_err(|error| ExportError::Foreign(error.to_string()))?;
        if outside.format != FORMAT {
            let format = format!("its format is {:?}", outside.format);
            return Err(ExportError::Foreign(format));
        }
        if outside.v > VERSION {
            return Err(ExportError::Newer(outside.v));
        }
        let inside =
            json::read::<Inside>(&file).map_err(|error| ExportError::Damaged(error.to_string()))?;
        let records = read_records(&inside.run, &inside.records)?;
        check(&records, &inside.bodies)?;
        let Inside {
            revision,
            run,
            bodies,
            ..
        } = inside;
        Ok(Self::new(run, &revision, records, bodies))
    }
}

/// The journal, by the rules of every stored one.
fn read_records(run: &RunId, records: &Value) -> Result<Vec<Record>, ExportError> {
    let batch = StoredBatch {
        run: run.clone(),
        number: 0,
        records: records.to_string(),
    };
    match read_batches(vec![batch]).remove(run) {
        Some(read) => Ok(read?.1),
        None => Err(ExportError::Damaged("it contains no records".to_owned())),
    }
}

/// Each body is what its hash says, and none is missing.
fn check(records: &[Record], bodies: &Bodies) -> Result<(), ExportError> {
    for (hash, body) in bodies {
        if content_hash(body) != *hash {
            return Err(ExportError::Damaged(format!("the body {hash} was changed")));
        }
    }
    for hash in bodies_named(records) {
        if !bodies.contains_key(&hash) {
            return Err(ExportError::Damaged(format!("the body {hash} is missing")));
        }
    }
    Ok(())
}
