//! Below the log: what the agent does, what is wrong, and where a person
//! answers. A permission card takes the composer's place.

use crate::composer::composer;
use crate::permission::{card, wanted};
use crate::queue::queue;
use crate::status::status;
use crate::warnings::warnings;
use sycamore::prelude::*;

/// The dock.
pub(crate) fn dock() -> View {
    let wanted = wanted();
    view! {
        div(class="dock") {
            (status(wanted))
            (warnings())
            (queue())
            (match wanted.get_clone() {
                Some(wanted) => card(&wanted),
                None => composer(),
            })
        }
    }
}
