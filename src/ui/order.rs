//! The order of the fallback models, and the buttons that change it.

/// The effect of a button in a model's row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// Moves the model one position earlier.
    Up,
    /// Moves the model one position later.
    Down,
    /// Removes the model from the order.
    Out,
}

/// Returns the order after a move, and the model's new index. Returns `None` if the order doesn't
/// contain the model.
pub fn moved(mut order: Vec<String>, id: &str, way: Move) -> Option<(Vec<String>, Option<usize>)> {
    let at = order.iter().position(|own| own == id)?;
    let to = match way {
        Move::Up => at.saturating_sub(1),
        Move::Down => (at + 1).min(order.len() - 1),
        Move::Out => {
            order.remove(at);
            return Some((order, None));
        }
    };
    order.swap(at, to);
    Some((order, Some(to)))
}

/// Adds a model to the order. If the on-device model is in the order, it stays last. It can always
/// answer, so models after it would never be tried.
pub fn add(mut order: Vec<String>, id: &str) -> Vec<String> {
    let device_last = order.last().is_some_and(String::is_empty);
    order.insert(order.len() - usize::from(device_last), id.to_owned());
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(ids: &[&str]) -> Vec<String> {
        ids.iter().map(|&id| id.to_owned()).collect()
    }

    #[test]
    fn a_model_moves_by_one_place_and_no_further_than_the_ends() {
        let cases = [
            ("b", Move::Up, ["b", "a", "c"], 0),
            ("b", Move::Down, ["a", "c", "b"], 2),
            ("a", Move::Up, ["a", "b", "c"], 0),
            ("c", Move::Down, ["a", "b", "c"], 2),
        ];
        for (id, way, after, to) in cases {
            let moved = moved(order(&["a", "b", "c"]), id, way);
            assert_eq!(moved, Some((order(&after), Some(to))), "{id} {way:?}");
        }
    }

    #[test]
    fn a_model_leaves_the_order() {
        let moved = moved(order(&["a", "b"]), "a", Move::Out);
        assert_eq!(moved, Some((order(&["b"]), None)));
        assert_eq!(super::moved(order(&["a"]), "x", Move::Out), None);
    }

    #[test]
    fn the_device_stays_last() {
        assert_eq!(add(order(&["a", ""]), "b"), ["a", "b", ""]);
        assert_eq!(add(order(&["a"]), "b"), ["a", "b"]);
    }
}
