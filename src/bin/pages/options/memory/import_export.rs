//! Exports the facts as a file, and imports facts from a file.

use super::super::prelude::*;
use super::table::Table;
use crate::browser::unique_id;
use gloss::app::options::LeftOutFacts;
use gloss::memory::SkipReason;

const FILE: &str = "gloss-facts.json";

/// The buttons. *Export* is disabled while there are no facts.
pub(super) fn copies(table: &Table, any: ReadSignal<bool>) -> View {
    let (page, result) = (table.page.clone(), table.feedback);
    let read = move |text| {
        let act = unique_id();
        page.ask(OptionsRequest::ImportFacts { act, text }, move |outcome| {
            result.set(match outcome {
                Outcome::TakenIn { facts, left_out } => Feedback::Done(imported(facts, &left_out)),
                other => Feedback::of(other),
            });
        });
    };
    let import = file_button(msg("options_import_facts"), msg("options_facts_file"), read);
    let page = table.page.clone();
    let export = button("", msg("options_export_facts"), move || {
        page.export(OptionsRequest::ExportFacts, FILE.to_owned(), result);
    });
    fragment((import, export.disabled(move || !any.get())))
}

/// Returns a text with the number of imported facts, the number of the others, and the reasons for
/// those.
fn imported(facts: usize, left_out: &[LeftOutFacts]) -> String {
    let taken = counted(["options_taken_in_one", "options_taken_in"], facts as u64);
    if left_out.is_empty() {
        return taken;
    }
    let left = left_out.iter().map(|left| {
        let why = match left.why {
            SkipReason::Known => "msg:options_left_known",
            SkipReason::Secret => "msg:options_left_secret",
            SkipReason::Malformed => "msg:options_left_malformed",
            SkipReason::Unreadable => "msg:options_left_unreadable",
            SkipReason::NoRoom => "msg:options_left_no_room",
        };
        msg_of_with(why, &[&grouped(left.facts as u64)])
    });
    let left: Vec<String> = left.collect();
    msg_with("options_import_left", &[&taken, &left.join(&msg("comma"))])
}
