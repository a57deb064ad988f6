//! Erases everything, after the user typed a word to confirm.

use super::prelude::*;
use gloss::app::options::Damaged;

/// Builds the warning and its button. Erasing also deletes the unreadable runs, so their list
/// `damaged` is emptied.
pub(crate) fn erase(damaged: Signal<Vec<Damaged>>) -> View {
    let page = Page::from_context();
    let typed = create_signal(String::new());
    let result = create_signal(Feedback::None);
    let word = msg("options_erase_word");
    let label = msg_with("options_erase_confirm", &[&word]);
    let is_meant = create_selector(move || typed.with(|typed| typed.trim().to_lowercase() == word));
    let erase = move || {
        page.ask_for(OptionsRequest::Erase, result, move || {
            typed.set(String::new());
            damaged.set(Vec::new());
        });
    };
    let result = live(move || match result.get_clone() {
        Feedback::Saved => tag("span", msg("options_erased")).role("status"),
        Feedback::None | Feedback::Done(_) | Feedback::Refused(_) | Feedback::Failed(..) => {
            feedback_line(result)
        }
    });
    let input = tag("input.word", ())
        .id("erase")
        .attr("autocomplete", "off")
        .bind(typed);
    let button = button("danger", msg("options_erase_everything"), erase);
    let row = (input, button.disabled(move || !is_meant.get()), result);
    let field = field("erase", label, tag("div.row.wrap", row), ());
    let note = tag(
        "div.note.stack",
        (tag("p", msg("options_erase_means")), field),
    );
    fragment((tag("h3", msg("options_erase")), note))
}
