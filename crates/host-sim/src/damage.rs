//! Damage to stored batches.

use super::Sim;
use gloss_durable::RunId;

/// A kind of damage to one stored batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// The batch is cut off at a random byte.
    Truncated,
    /// One random byte is changed.
    Flipped,
    /// The batch is missing.
    Lost,
}

impl Sim {
    /// Damages one stored batch, in session storage and in the archive if it is in both. The seed
    /// chooses the batch. Returns the run and the number of the batch; `None` if nothing is stored.
    pub fn corrupt(&self, damage: Damage) -> Option<(RunId, u64)> {
        let mut stored = self.batches();
        self.queue.shuffle(&mut stored);
        let batch = stored.pop()?;
        let mut places: Vec<usize> = (0..batch.records.len()).collect();
        self.queue.shuffle(&mut places);
        self.damage(&batch.run, batch.number, |text| match damage {
            Damage::Truncated => {
                let end = text.floor_char_boundary(places.pop().unwrap_or_default());
                text.get(..end).map(str::to_owned)
            }
            Damage::Flipped => {
                let mut bytes = text.into_bytes();
                // Only ASCII characters are changed, so that the batch stays valid UTF-8.
                let place = places.into_iter().find_map(|place| {
                    let byte = bytes.get_mut(place).filter(|byte| byte.is_ascii())?;
                    *byte ^= 1 << (place % 7);
                    Some(place)
                });
                place.and_then(|_| String::from_utf8(bytes).ok())
            }
            Damage::Lost => None,
        });
        Some((batch.run, batch.number))
    }
}
