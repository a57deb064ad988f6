//! The connected surfaces, each with its tab and the content of that tab.

use super::super::surface::TabContent;
use super::super::{Send, SurfaceId};
use gloss_durable::sorted::SortedMap;
use gloss_host::TabId;

#[derive(Default)]
pub(super) struct Surfaces(SortedMap<SurfaceId, Surface>);

/// The number of a surface's last hello (its request for a snapshot), from 1. A page that was read
/// for an earlier hello is outdated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct HelloNumber(u32);

struct Surface {
    send: Send,
    hello: HelloNumber,
    tab: Option<TabId>,
    language: String,
    beside: Option<TabContent>,
}

impl Surfaces {
    pub(super) fn connect(&mut self, id: SurfaceId, send: Send) {
        let surface = Surface {
            send,
            hello: HelloNumber::default(),
            tab: None,
            language: String::new(),
            beside: None,
        };
        self.0.insert(id, surface);
    }

    pub(super) fn disconnect(&mut self, id: SurfaceId) {
        self.0.remove(&id);
    }

    pub(super) fn set_tab(
        &mut self,
        id: SurfaceId,
        tab: Option<TabId>,
        language: String,
    ) -> HelloNumber {
        let Some(surface) = self.0.get_mut(&id) else {
            return HelloNumber::default();
        };
        if surface.tab != tab {
            // The surface must get a snapshot of the new tab before it gets updates.
            surface.beside = None;
        }
        surface.tab = tab;
        surface.language = language;
        surface.hello.0 += 1;
        surface.hello
    }

    /// Stores the tab's content. Returns false if the surface has sent another hello since the
    /// hello numbered `hello`.
    pub(super) fn look(&mut self, id: SurfaceId, hello: HelloNumber, beside: TabContent) -> bool {
        match self.0.get_mut(&id) {
            Some(surface) if surface.hello == hello => {
                surface.beside = Some(beside);
                true
            }
            _ => false,
        }
    }

    /// Returns true if the surface has been sent a snapshot of its tab.
    pub(super) fn is_told(&self, id: SurfaceId) -> bool {
        self.0
            .get(&id)
            .is_some_and(|surface| surface.beside.is_some())
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = SurfaceId> {
        self.0.keys().copied()
    }

    pub(super) fn sender(&self, id: SurfaceId) -> Option<Send> {
        self.0.get(&id).map(|surface| surface.send.clone())
    }

    pub(super) fn tab(&self, id: SurfaceId) -> Option<TabId> {
        self.0.get(&id)?.tab
    }

    pub(super) fn beside(&self, id: SurfaceId) -> Option<(TabId, String)> {
        let surface = self.0.get(&id)?;
        Some((surface.tab?, surface.language.clone()))
    }

    /// Returns the content of the surface's tab; `None` until the worker has begun to read it.
    pub(super) fn seen(&self, id: SurfaceId) -> Option<TabContent> {
        self.0.get(&id)?.beside.clone()
    }
}
