use super::*;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn a_map_is_what_the_standard_library_s_is() {
    fn law(steps: Vec<(bool, u8, u8)>) -> bool {
        let mut ours = SortedMap::new();
        let mut theirs = BTreeMap::new();
        let alike = steps.into_iter().all(|(put, key, value)| {
            if put {
                ours.insert(key, value) == theirs.insert(key, value)
            } else {
                ours.remove(&key) == theirs.remove(&key)
            }
        });
        let json = serde_json::to_value(&ours).unwrap();
        alike
            && ours.keys().eq(theirs.keys())
            && ours.values().eq(theirs.values())
            && json == serde_json::to_value(&theirs).unwrap()
            && serde_json::from_value::<SortedMap<u8, u8>>(json).unwrap() == ours
    }
    quickcheck::quickcheck(law as fn(Vec<(bool, u8, u8)>) -> bool);
}

#[test]
fn a_set_is_what_the_standard_library_s_is() {
    fn law(steps: Vec<(bool, u8)>) -> bool {
        let mut ours = SortedSet::new();
        let mut theirs = BTreeSet::new();
        let alike = steps.into_iter().all(|(put, value)| {
            if put {
                ours.insert(value) == theirs.insert(value)
            } else {
                ours.remove(&value) == theirs.remove(&value)
            }
        });
        alike && ours.iter().eq(&theirs)
    }
    quickcheck::quickcheck(law as fn(Vec<(bool, u8)>) -> bool);
}

#[test]
fn a_set_of_a_file_is_put_in_order() {
    let read: SortedSet<u8> = serde_json::from_str("[3, 1, 3]").unwrap();
    assert_eq!(read.iter().collect::<Vec<_>>(), [&1, &3]);
}

#[test]
fn what_is_equal_stays_in_its_order() {
    let mut items = vec![(2, 'a'), (1, 'b'), (2, 'c'), (1, 'd')];
    sort_by_key(&mut items, |(key, _)| *key);
    assert_eq!(items, [(1, 'b'), (1, 'd'), (2, 'a'), (2, 'c')]);
}
