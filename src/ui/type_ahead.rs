//! The keys of a list: arrows move through it, and typed letters find an option by its first
//! letters.

/// After a pause of this many milliseconds, a typed letter begins a new search.
const TYPED_MS: u64 = 700;

/// The letters that were typed to find an option, and the time of the last one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TypeAhead {
    typed: String,
    at_ms: u64,
}

/// The effect of a key in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// The key has no effect.
    Other,
    /// The key opens the list.
    Open,
    /// The key chooses the active option.
    Choose,
    /// The key activates the option at this index.
    Go(usize),
    /// The key opens the list, and activates the option that the letters find, if any.
    Typed(Option<usize>),
}

impl TypeAhead {
    /// Returns the effect of a key. `open` says if the list is open, and `at` is the index of the
    /// active option. `names` are the options' names in lowercase.
    pub fn pressed(
        &mut self,
        key: &str,
        open: bool,
        at: usize,
        names: &[String],
        now_ms: u64,
    ) -> Key {
        let last = names.len().saturating_sub(1);
        match key {
            "ArrowDown" if open => Key::Go((at + 1).min(last)),
            "ArrowUp" if open => Key::Go(at.saturating_sub(1)),
            "ArrowDown" | "ArrowUp" => Key::Open,
            "Home" if open => Key::Go(0),
            "End" if open => Key::Go(last),
            "Enter" | " " if open => Key::Choose,
            key if key.chars().count() == 1 && key != " " => {
                Key::Typed(self.found(key, at, names, now_ms))
            }
            _ => Key::Other,
        }
    }

    fn found(&mut self, key: &str, at: usize, names: &[String], now_ms: u64) -> Option<usize> {
        if now_ms.saturating_sub(self.at_ms) > TYPED_MS {
            self.typed.clear();
        }
        self.typed.push_str(&key.to_lowercase());
        self.at_ms = now_ms;
        // A single letter finds an option after the active one. With more letters, the active
        // option may match again.
        let from = at + usize::from(self.typed.chars().count() == 1);
        let places = (0..names.len()).map(|step| (from + step) % names.len());
        let fits = |at: &usize| {
            names
                .get(*at)
                .is_some_and(|name| name.starts_with(&self.typed))
        };
        places.into_iter().find(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        ["on this device", "gpt-4.1", "gpt-4.1-mini", "llama"]
            .map(str::to_owned)
            .to_vec()
    }

    #[test]
    fn arrows_stay_within_an_open_list_and_open_a_closed_one() {
        let mut typed = TypeAhead::default();
        let mut press = |key, open, at| typed.pressed(key, open, at, &names(), 0);
        assert_eq!(press("ArrowDown", false, 0), Key::Open);
        assert_eq!(press("ArrowDown", true, 3), Key::Go(3));
        assert_eq!(press("ArrowUp", true, 0), Key::Go(0));
        assert_eq!(press("End", true, 0), Key::Go(3));
        assert_eq!(press("Enter", true, 2), Key::Choose);
        assert_eq!(press("Enter", false, 2), Key::Other);
        assert_eq!(press("Tab", true, 2), Key::Other);
    }

    #[test]
    fn letters_find_the_next_option_until_they_pause() {
        let mut typed = TypeAhead::default();
        let names = names();
        assert_eq!(
            typed.pressed("g", true, 0, &names, 1_000),
            Key::Typed(Some(1))
        );
        assert_eq!(
            typed.pressed("p", true, 1, &names, 1_100),
            Key::Typed(Some(1))
        );
        assert_eq!(typed.pressed("l", true, 1, &names, 1_200), Key::Typed(None));
        assert_eq!(
            typed.pressed("l", true, 1, &names, 2_000),
            Key::Typed(Some(3))
        );
        assert_eq!(
            typed.pressed("g", true, 1, &names, 9_000),
            Key::Typed(Some(2))
        );
    }
}
