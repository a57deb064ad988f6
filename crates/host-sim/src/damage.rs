//! What disks do to what is stored.

use super::Sim;
use gloss_durable::RunId;

/// A way in which one stored batch is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// It ends at any byte.
    Truncated,
    /// Any one byte is another.
    Flipped,
    /// It is gone.
    Lost,
}

impl Sim {
    /// Damages one stored batch, in both tiers, where the seed says: at a kill, say.
    /// Gives which; `None` if nothing is stored.
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
                // A stored text stays a text: only what is one byte long.
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
