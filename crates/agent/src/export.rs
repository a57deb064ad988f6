//! A run as a file: the complete journal, and the trajectory that is computed from it (SPEC §11).
//!
//! Example: the *JSON* button beside a trajectory saves a run, and `cargo xtask replay`
//! reads the file. No record contains an API key, so no export contains one.

use crate::trajectory::{Bodies, Trajectory};
use gloss_durable::{
    Record, RunId, StoredBatch, Unreadable, body_hashes, content_hash, json, read_batches,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// The value of the file's `format` field.
pub const FORMAT: &str = "gloss-run";

/// The version of [`Export`] that this code writes.
pub const VERSION: u16 = 1;

/// A run in its file format.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Export {
    /// The name of the format, [`FORMAT`].
    pub format: String,
    /// The version of the format, [`VERSION`].
    pub v: u16,
    /// The revision of the code that saved the file.
    pub revision: String,
    /// The run's id.
    pub run: RunId,
    /// The run's journal.
    pub records: Vec<Record>,
    /// The large values that the journal refers to, by their hashes.
    pub bodies: Bodies,
    /// The trajectory, for programs that can't read the journal. It can be computed from the
    /// journal again.
    pub trajectory: Trajectory,
}

/// The reason that a file can't be read as a run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExportError {
    /// The file isn't an exported run.
    #[error("this is not an exported run: {0}")]
    Foreign(String),
    /// A newer version of Gloss wrote the file.
    #[error("this run was exported by a newer Gloss (format {0}); this one reads up to {VERSION}")]
    Newer(u16),
    /// The file is damaged.
    #[error("this exported run is damaged: {0}")]
    Damaged(String),
    /// The file's journal can't be read.
    #[error("this exported run cannot be read: {0}")]
    Unreadable(#[from] Unreadable),
}

impl Export {
    /// Creates the export of a run.
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

    /// Returns the text of the file.
    ///
    /// # Errors
    /// No error is expected, because all values came from JSON.
    pub fn to_json(&self) -> Result<String, Unreadable> {
        json::text(self).map_err(|error| Unreadable::Corrupt(error.to_string()))
    }

    /// Reads a file. Fields that later versions added are skipped. The trajectory in the file is
    /// ignored and computed from the records again.
    ///
    /// # Errors
    /// The [`ExportError`] variant gives the reason.
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

/// Reads the journal, with the same checks as for a stored journal.
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

/// Checks that each body matches its hash and that none is missing.
fn check(records: &[Record], bodies: &Bodies) -> Result<(), ExportError> {
    for (hash, body) in bodies {
        if content_hash(body) != *hash {
            return Err(ExportError::Damaged(format!("the body {hash} was changed")));
        }
    }
    for hash in body_hashes(records) {
        if !bodies.contains_key(&hash) {
            return Err(ExportError::Damaged(format!("the body {hash} is missing")));
        }
    }
    Ok(())
}
