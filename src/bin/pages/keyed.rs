//! A list whose rows stay the same nodes while their keys stay.
//!
//! Sycamore's own is compiled anew for each type of item, some 7 KB each; a row here
//! is a key and what makes its view, whatever it shows.

use std::rc::Rc;
use sycamore::prelude::*;

#[derive(Clone)]
struct Row {
    key: String,
    view: Rc<dyn Fn() -> View>,
}

/// A row is never made anew under its key, so the key is all that it can differ in.
impl PartialEq for Row {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

/// The items, each shown by `view` when its key first comes.
pub(crate) fn keyed<T: Clone + 'static>(
    items: impl Fn() -> Vec<T> + 'static,
    key: fn(&T) -> String,
    view: impl Fn(T) -> View + 'static,
) -> View {
    let view = Rc::new(view);
    let row = move |item: T| {
        let view = view.clone();
        Row {
            key: key(&item),
            view: Rc::new(move || view(item.clone())),
        }
    };
    rows(Box::new(move || items().into_iter().map(&row).collect()))
}

fn rows(rows: Box<dyn Fn() -> Vec<Row>>) -> View {
    view! {
        Keyed(list=rows, view=|row: Row| (row.view)(), key=|row: &Row| row.key.clone())
    }
}
