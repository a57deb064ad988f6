#![doc = include_str!("../README.md")]
#![cfg(target_arch = "wasm32")]

mod archive;
mod assets;
mod background_tab;
mod blobs;
pub mod built_in;
mod chrome;
mod cipher;
mod clock;
mod database;
mod grants;
mod http;
pub mod json;
mod languages;
mod local_storage;
mod locks;
mod menus;
pub mod object;
pub mod offscreen;
mod page_modules;
mod redirect_guard;
mod store;
mod tabs;
mod time_zones;
mod watchdog;
mod web;

pub use menus::install as install_menus;
pub use page_modules::Modules;
pub use store::restrict_to_extension;

use gloss_host::{ClosedSites, GuardedTabs, Host, Vault};
use std::rc::Rc;

/// Creates the ports of this worker.
pub fn host() -> Host {
    let database = Rc::new(database::Database::default());
    let keys = Vault::new(
        Rc::new(local_storage::LocalShelf),
        Rc::new(store::SessionStore),
        Rc::new(cipher::WebCrypto),
    );
    let web = Rc::new(web::Pages);
    let closed_sites = ClosedSites::new(web.clone());
    Host {
        store: Rc::new(store::SessionStore),
        archive: Some(database.clone()),
        blobs: database,
        local_storage: Rc::new(local_storage::LocalShelf),
        secrets: Rc::new(keys),
        clock: Rc::new(clock::WallClock),
        zones: Rc::new(time_zones::Intl),
        languages: Rc::new(languages::I18n),
        tabs: GuardedTabs::new(Rc::new(tabs::ChromeTabs), closed_sites.clone()),
        closed_sites,
        watchdog: Rc::new(watchdog::Alarm),
        locks: Rc::new(locks::WebLocks),
        http: Rc::new(http::Fetch),
        web,
        grants: Rc::new(grants::Permissions),
        assets: Rc::new(assets::Package),
        built_in: Rc::new(built_in::LanguageModel),
        screenshots: Rc::new(offscreen::OffscreenScreenshots),
    }
}
