//! An answer that a model is still writing. A finished block keeps its DOM nodes. In the last
//! block, only the item, row or text that changed is rebuilt.
//!
//! A growing answer has the layout of the complete answer, so that nothing moves when the complete
//! answer replaces it.

use crate::blocks::{
    TablePart, blocks, caret, code, in_list, in_table, item, row, without_last_break,
};
use crate::points::{gist, in_points, point};
use crate::prelude::*;
use crate::surface::Surface;
use crate::text_context::TextContext;
use gloss::durable::RunId;
use gloss::markdown::{Block, Inline};
use gloss::ui::growing_layout::{Frame, frames};
use gloss::ui::turns::is_at_rest;

/// The growing answer of this run. A caret is shown while the run is running.
pub(crate) fn growing(run: &RunId) -> View {
    let surface = Surface::from_context();
    let frames = surface.of(run, |turn| {
        let frames = frames(&turn.goal, &turn.growing).into_iter();
        frames.enumerate().collect::<Vec<_>>()
    });
    let frames = create_memo(move || frames.get_clone().unwrap_or_default());
    let run = run.clone();
    keyed(
        move || frames.get_clone(),
        |(at, frame)| format!("{at} {frame:?}"),
        move |(at, frame): (usize, Frame)| {
            let run = run.clone();
            GrowingBlock { run, at }.view(frame)
        },
    )
}

struct GrowingBlock {
    run: RunId,
    at: usize,
}

impl GrowingBlock {
    fn view(self, frame: Frame) -> View {
        match frame {
            Frame::List(start) => in_list(
                start,
                self.items_or_rows(items, |words, one| item(words, one).into()),
            ),
            Frame::Points => in_points(
                &TextContext::growing(false),
                self.items_or_rows(items, |words, one| point(words, one).into()),
            ),
            Frame::Table => {
                let head = self.items_or_rows(
                    |block| rows(block).into_iter().take(1).collect(),
                    |words, cells| row(words, cells, TablePart::Head),
                );
                let body = self.items_or_rows(
                    |block| rows(block).into_iter().skip(1).collect(),
                    |words, cells| row(words, cells, TablePart::Body),
                );
                in_table(head, body).into()
            }
            Frame::Code => self.code().into(),
            Frame::Gist | Frame::Whole => self.whole(frame),
        }
    }

    /// Returns, as a signal, a part of this block, and true if the caret is in the block. `None`
    /// just before the nodes of the block are removed.
    #[expect(clippy::option_option, reason = "no such turn, no such block")]
    fn shown<T: PartialEq + 'static>(
        &self,
        part: impl Fn(&Block) -> T + 'static,
    ) -> ReadSignal<Option<Option<(T, bool)>>> {
        let at = self.at;
        Surface::from_context().of(&self.run, move |turn| {
            let live = !is_at_rest(turn.status) && at + 1 == turn.growing.len();
            turn.growing.get(at).map(|block| (part(block), live))
        })
    }

    fn whole(&self, frame: Frame) -> View {
        let shown = self.shown(Block::clone);
        let view = move || {
            let (block, live) = shown.get_clone().flatten()?;
            let words = TextContext::growing(live);
            Some(match (frame, &block) {
                (Frame::Gist, Block::Paragraph { inlines }) => gist(&words, inlines).into(),
                _ => blocks(&words, std::slice::from_ref(&block)),
            })
        };
        live(move || view().unwrap_or_default())
    }

    fn code(&self) -> Tag {
        let shown = self.shown(|block| match block {
            Block::Code { text, .. } => without_last_break(text),
            _ => String::new(),
        });
        let text = create_selector(move || shown.get_clone().flatten().unwrap_or_default().0);
        let at_work = create_selector(move || shown.with(|s| matches!(s, Some(Some((_, true))))));
        let body = {
            let shown = live_text(move || text.get_clone());
            let caret = live(move || caret(&TextContext::growing(at_work.get())));
            (shown, caret).into()
        };
        code(body, move || text.get_clone_untracked())
    }

    /// The items of a list, or the rows of a table. Each is rebuilt only when it changes.
    fn items_or_rows<T: Clone + PartialEq + 'static>(
        &self,
        of: fn(&Block) -> Vec<T>,
        view: fn(&TextContext, &T) -> View,
    ) -> View {
        let shown = self.shown(of);
        let units = create_memo(move || {
            let (units, live) = shown.get_clone().flatten().unwrap_or_default();
            let last = units.len().saturating_sub(1);
            let units = units.into_iter().enumerate();
            units
                .map(|(at, unit)| (unit, live && at == last))
                .collect::<Vec<_>>()
        });
        let places = create_selector(move || units.with(Vec::len));
        keyed(
            move || (0..places.get()).collect(),
            usize::to_string,
            move |at| {
                let unit = create_selector(move || units.with(|units| units.get(at).cloned()));
                live(move || {
                    let unit = unit.get_clone();
                    unit.map(|(unit, caret)| view(&TextContext::growing(caret), &unit))
                })
            },
        )
    }
}

fn items(block: &Block) -> Vec<Vec<Block>> {
    match block {
        Block::List { items, .. } => items.clone(),
        _ => Vec::new(),
    }
}

fn rows(block: &Block) -> Vec<Vec<Vec<Inline>>> {
    match block {
        Block::Table { rows } => rows.clone(),
        _ => Vec::new(),
    }
}
