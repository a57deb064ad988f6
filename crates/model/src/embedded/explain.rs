//! Explains a term with sentences of the page that define the term or use it. Each group of quoted
//! sentences has a label, such as "Defined here". A selected passage is explained with the
//! sentences around it.

use super::super::{PassageRelation, PassagesData, Reply};
use super::Quoting;
use crate::phrase::{Phrase, phrase};
use gloss_page::{Document, Sentence};
use gloss_text::context::Reason;

/// The maximum number of quoted sentences of each kind.
const DEFINITIONS: usize = 2;
const EXPANSIONS: usize = 1;
const USES: usize = 2;
const BESIDE: usize = 2;
const ALIKE: usize = 2;

/// The maximum number of explaining sentences among which a definition is looked for.
const LOOKED_AT: usize = 4;

/// Returns true if the page defines a term or spells it out.
pub(super) fn is_defined(page: &Document, term: &str) -> bool {
    let found = page.find_explanations(term, None, LOOKED_AT);
    found.iter().any(|(_, reason)| match reason {
        Reason::Definition | Reason::Expansion => true,
        Reason::Here | Reason::Use | Reason::Beside | Reason::Related => false,
    })
}

/// Quotes the sentences that the tool found, grouped by kind. The selected sentence is not quoted,
/// because the user has just read it.
pub(super) fn of(page: &Document, data: &PassagesData) -> Reply {
    let all = page.sentences(page.text_language());
    let of = |why: PassageRelation| -> Vec<Sentence<'_>> {
        let chosen = data.passages.iter().filter(|p| p.why == Some(why));
        let found = chosen.filter_map(|p| all.iter().find(|s| s.id() == p.id));
        found.copied().collect()
    };
    let defines = of(PassageRelation::Defines);
    let spells_out = of(PassageRelation::SpellsOut);
    let is_explained = !defines.is_empty() || !spells_out.is_empty();
    let uses = if is_explained {
        "lead_also_used"
    } else {
        "lead_used"
    };
    let groups: [(Phrase, Vec<Sentence<'_>>, usize); 5] = [
        (phrase("lead_spelled_out"), spells_out, EXPANSIONS),
        (phrase("lead_defined"), defines, DEFINITIONS),
        (phrase(uses), of(PassageRelation::Uses), USES),
        (phrase("lead_beside"), of(PassageRelation::Beside), BESIDE),
        (phrase("lead_alike"), of(PassageRelation::Alike), ALIKE),
    ];
    let mut quoting = Quoting::default();
    for (label, mut found, most) in groups {
        found.truncate(most);
        found.sort_unstable_by_key(|sentence| (sentence.paragraph.number, sentence.place));
        if !found.is_empty() {
            quoting.label(label);
        }
        for sentence in &found {
            quoting.sentence(sentence);
        }
    }
    quoting.reply()
}
